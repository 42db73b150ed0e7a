import { describe, expect, it } from 'vitest'
import { createRecordCounter } from './record-counter.ts'

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

describe('createRecordCounter', () => {
  it('counts CSV records, not the lines within fields', () => {
    const count = createRecordCounter('csv')
    expect(count(encode('Exported by\r\nchatId,content\r\n'))).toBe(0)
    expect(count(encode('1,"two\nlines"\r\n2,one\r\n'))).toBe(2)
  })

  it('continues across chunks, even between the two characters that end a record', () => {
    const count = createRecordCounter('csv')
    expect(count(encode('Exported by\r\nchatId\r'))).toBe(0)
    expect(count(encode('\n1\r'))).toBe(0)
    expect(count(encode(''))).toBe(0)
    expect(count(encode('\n'))).toBe(1)
  })

  it('counts JSON lines', () => {
    const count = createRecordCounter('jsonl')
    expect(count(encode('{"type":"export"}\n{"type":"mess'))).toBe(0)
    expect(count(encode('age"}\n{"type":"message"}\n'))).toBe(2)
  })
})
