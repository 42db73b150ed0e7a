import { describe, expect, it } from 'vitest'
import { OutcomeReader } from './outcome-reader.ts'

function createReader(): OutcomeReader {
  const reader = new OutcomeReader(() => undefined)
  reader.accept({ type: 'text', text: 'abc' })
  return reader
}

function blocks(count: number, headingPath: string[]) {
  const block = { kind: 'paragraph', page: null, headingPath, charStart: 0, charEnd: 3 }
  return { type: 'blocks', blocks: Array.from({ length: count }, () => block) }
}

describe('the output of the parser', () => {
  it('may have many blocks', () => {
    const reader = createReader()
    reader.accept(blocks(100_000, ['Leave']))
    reader.accept({ type: 'done', pages: null })
    expect(reader.outcome).toMatchObject({ text: { text: 'abc' } })
  })

  it('is rejected if it has more blocks than the builder makes', () => {
    expect(() => createReader().accept(blocks(100_001, []))).toThrow('more blocks than allowed')
  })

  it('is rejected if its headings are too long', () => {
    const path = ['x'.repeat(200), 'x'.repeat(200)]
    expect(() => createReader().accept(blocks(10_001, path))).toThrow('more blocks than allowed')
  })
})
