import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readQuestionSet } from './question-set.ts'

describe('readQuestionSet', () => {
  let path: string

  beforeEach(() => {
    path = join(mkdtempSync(join(tmpdir(), 'lyceum-set-')), 'small.en.json')
  })

  afterEach(() => {
    rmSync(join(path, '..'), { recursive: true })
  })

  function write(paragraph: unknown): void {
    writeFileSync(path, JSON.stringify({ data: [{ paragraphs: [paragraph] }] }))
  }

  it('rejects a file in another format', () => {
    write({ context: 'Text', qas: 'none' })
    expect(() => readQuestionSet(path)).toThrow('qas')
  })

  it('finds answers where the server stores them', () => {
    // Stored without the invisible space, and with a letter of two code points in place of one.
    const context = 'A\u200B \u095C\nstreet of gold.'
    const answers = [{ text: 'gold', answer_start: context.indexOf('gold') }]
    write({ context, qas: [{ question: 'Of what?', answers }] })
    const { name, questions } = readQuestionSet(path)
    const [{ paragraph, answers: found } = { paragraph: '', answers: [] }] = questions
    expect(name).toBe('small.en')
    expect(found.map(({ start, text }) => paragraph.slice(start, start + text.length))).toEqual(['gold'])
    expect(paragraph).toBe('A \u0921\u093C street of gold.')
  })

  it('reads questions that have no answer', () => {
    write({
      context: 'Text',
      qas: [{ question: 'Why?', answers: [{ text: 'Text', answer_start: 0 }], is_impossible: true }],
    })
    expect(readQuestionSet(path).questions[0]?.answers).toEqual([])
  })
})
