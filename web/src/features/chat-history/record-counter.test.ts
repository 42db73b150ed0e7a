import { describe, expect, it } from 'vitest'
import { recordCounter } from './record-counter.ts'

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

describe('the messages of an export, counted as they come', () => {
  it('counts the records of a table, not the lines within its fields', () => {
    const count = recordCounter('csv')
    expect(count(bytes('Exported by\r\nchatId,content\r\n'))).toBe(0)
    expect(count(bytes('1,"two\nlines"\r\n2,one\r\n'))).toBe(2)
  })

  it('counts on where a piece breaks off, also between the two characters that end a record', () => {
    const count = recordCounter('csv')
    expect(count(bytes('Exported by\r\nchatId\r'))).toBe(0)
    expect(count(bytes('\n1\r'))).toBe(0)
    expect(count(bytes(''))).toBe(0)
    expect(count(bytes('\n'))).toBe(1)
  })

  it('counts lines of JSON', () => {
    const count = recordCounter('jsonl')
    expect(count(bytes('{"type":"export"}\n{"type":"mess'))).toBe(0)
    expect(count(bytes('age"}\n{"type":"message"}\n'))).toBe(2)
  })
})
