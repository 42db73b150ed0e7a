import type { PresetInput } from '@lyceum/contract/assistants'
import { describe, expect, it } from 'vitest'
import { assistantIdFor, entriesOf, type PresetEntries, presetForm } from './preset-form.ts'

describe('an assistant id made from a name', () => {
  it.each([
    ['Welcome guide', 'welcome-guide'],
    ['  Žofia’s   Übung (2026)! ', 'zofia-s-ubung-2026'],
    ['دليل الترحيب', 'assistant'],
    ['a'.repeat(200), 'a'.repeat(100)],
  ])('%j gives %s', (name, id) => {
    expect(assistantIdFor(name, new Set())).toBe(id)
  })

  it('is one that nobody has', () => {
    expect(assistantIdFor('Guide', new Set(['guide', 'guide-2']))).toBe('guide-3')
  })
})

describe('the form of an assistant', () => {
  function parse(change: Partial<PresetEntries>) {
    return presetForm((name) => `id-of-${name}`).safeParse({ ...entriesOf(null), name: 'Guide', ...change })
  }
  function parsed(change: Partial<PresetEntries>): PresetInput | undefined {
    return parse(change).data
  }

  it('takes the id from the name until there is one of its own', () => {
    expect(parsed({})?.assistantId).toBe('id-of-Guide')
    expect(parsed({ assistantId: ' mine ' })?.assistantId).toBe('mine')
    expect(parse({ assistantId: '' }).error?.issues[0]?.message).toBe('Assistant id is required')
  })

  it('sends only the options that were chosen', () => {
    expect(parsed({})?.options).toEqual({})
    expect(parsed({ reasoningEffort: 'low', maxOutputTokens: ' 500 ' })?.options).toEqual({
      reasoningEffort: 'low',
      maxOutputTokens: 500,
    })
  })

  it.each(['0', '200001', '-5', '1.5', 'many', '1e3'])('refuses %s as a limit', (maxOutputTokens) => {
    const { path, message } = parse({ maxOutputTokens }).error?.issues[0] ?? {}
    expect([path, message]).toEqual([['maxOutputTokens'], 'A whole number from 1 to 200,000, or nothing'])
  })
})
