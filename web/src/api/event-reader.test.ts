import { describe, expect, it } from 'vitest'
import { createEventReader } from './event-reader.ts'

const stream =
  ': still here\n\nid: 1\nevent: delta\ndata: {"a":1}\n\ndata:one\ndata: two\n\nretry: 5\n\ndata: {"b":"x: y"}\n\n'
const expectedEvents = ['{"a":1}', 'one\ntwo', '{"b":"x: y"}']

describe('createEventReader', () => {
  it('reads events from chunks of any size', () => {
    for (let size = 1; size <= stream.length; size += 1) {
      const readEvents = createEventReader()
      const events: string[] = []
      for (let at = 0; at < stream.length; at += size) events.push(...readEvents(stream.slice(at, at + size)))
      expect(events, `in pieces of ${size}`).toEqual(expectedEvents)
    }
  })

  it.each(['\r\n', '\r'])('accepts %j as a line break in chunks of one character', (lineEnd) => {
    const readEvents = createEventReader()
    const events = [...`${stream.replaceAll('\n', lineEnd)}data: x`].flatMap((character) =>
      readEvents(character),
    )
    expect(events).toEqual(expectedEvents)
  })

  it('emits an event only after its blank line', () => {
    const readEvents = createEventReader()
    expect(readEvents('data: {"a":1}\n')).toEqual([])
    expect(readEvents('\n')).toEqual(['{"a":1}'])
  })
})
