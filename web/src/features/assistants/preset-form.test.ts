import type { PresetInput } from '@lyceum/contract/assistants'
import { describe, expect, it } from 'vitest'
import { createAssistantId, createPresetForm, type PresetEntries, toEntries } from './preset-form.ts'

describe('createAssistantId', () => {
  it.each([
    ['Welcome guide', 'welcome-guide'],
    ['  Žofia’s   Übung (2026)! ', 'zofia-s-ubung-2026'],
    ['دليل الترحيب', 'assistant'],
    ['a'.repeat(200), 'a'.repeat(100)],
  ])('turns %j into %s', (name, id) => {
    expect(createAssistantId(name, new Set())).toBe(id)
  })

  it('skips ids that are taken', () => {
    expect(createAssistantId('Guide', new Set(['guide', 'guide-2']))).toBe('guide-3')
  })
})

describe('createPresetForm', () => {
  function parse(change: Partial<PresetEntries>) {
    return createPresetForm((name) => `id-of-${name}`).safeParse({
      ...toEntries(null),
      name: 'Guide',
      ...change,
    })
  }
  function parseInput(change: Partial<PresetEntries>): PresetInput | undefined {
    return parse(change).data
  }

  it('derives the id from the name unless one is entered', () => {
    expect(parseInput({})?.assistantId).toBe('id-of-Guide')
    expect(parseInput({ assistantId: ' mine ' })?.assistantId).toBe('mine')
    expect(parse({ assistantId: '' }).error?.issues[0]?.message).toBe('Assistant ID is required')
  })

  it('includes only chosen options', () => {
    expect(parseInput({})?.options).toEqual({})
    expect(parseInput({ reasoningEffort: 'low', maxOutputTokens: ' 500 ' })?.options).toEqual({
      reasoningEffort: 'low',
      maxOutputTokens: 500,
    })
  })

  it.each(['0', '200001', '-5', '1.5', 'many', '1e3'])('rejects %s as a token limit', (maxOutputTokens) => {
    const { path, message } = parse({ maxOutputTokens }).error?.issues[0] ?? {}
    expect([path, message]).toEqual([
      ['maxOutputTokens'],
      'Enter a whole number from 1 to 200,000, or leave empty',
    ])
  })
})
