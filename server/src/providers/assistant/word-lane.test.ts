import { describe, expect, it } from 'vitest'
import { createDeltaFastPath } from './word-lane.ts'

const encoder = new TextEncoder()

interface Reading {
  /** The texts from the fast path. */
  words: string[]
  /** The rest that the library reads. */
  left: string
}

function bodyOf(chunks: readonly Uint8Array[]) {
  const waiting = [...chunks]
  return { read: async () => waiting.shift() ?? null, cancel: async () => undefined }
}

async function readAll(chunks: readonly Uint8Array[]): Promise<Reading> {
  const lane = createDeltaFastPath()
  const left = new Response(lane.attach(bodyOf(chunks))).text()
  const words: string[] = []
  for (let next = await lane.next(); next !== null; next = await lane.next()) words.push(next)
  return { words, left: await left }
}

function read(...chunks: string[]) {
  return readAll(chunks.map((chunk) => encoder.encode(chunk)))
}

function event(delta: object, more: object = {}) {
  return `data: ${JSON.stringify({ id: 'c1', choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`
}
function said(content: string) {
  return event({ content })
}

const finish = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`
const done = 'data: [DONE]\n\n'

describe('createWordLane', () => {
  it('reads words and leaves everything from the finish reason on to the library', async () => {
    const { words, left } = await read(said('Red, '), said('blue.'), finish, done)
    expect(words).toEqual(['Red, ', 'blue.'])
    expect(left).toBe(finish + done)
  })

  it('joins events that arrive together', async () => {
    const { words, left } = await read(said('a') + said('b') + finish, done)
    expect(words).toEqual(['ab'])
    expect(left).toBe(finish + done)
  })

  it('skips events without words', async () => {
    const silent = [
      event({ role: 'assistant', content: '', refusal: null }),
      ': still here\n\n',
      `data: ${JSON.stringify({ choices: [], prompt_filter_results: [{}] })}\n\n`,
    ]
    expect(await read(...silent, said('a'), finish)).toEqual({ words: ['a'], left: finish })
  })

  it('reports reasoning without its text', async () => {
    const { words } = await read(event({ reasoning_content: 'Hm' }), event({ reasoning: 'Hm' }), said('a'))
    expect(words).toEqual(['', '', 'a'])
  })

  it.each([
    ['a refusal', event({ refusal: 'No' })],
    ['content in parts', event({ content: [{ type: 'text', text: 'a' }] })],
    ['a tool call', event({ tool_calls: [{ index: 0 }] })],
    ['web search results', event({ content: 'a', annotations: [{}] })],
    ['usage', event({ content: 'a' }, { usage: { prompt_tokens: 1 } })],
    ['an error', 'data: {"error":{"message":"Overloaded"}}\n\n'],
    ['a named event', `event: error\n${said('a')}`],
    ['an unreadable event', 'data: {"choices":[{\n\n'],
    ['data on two lines', 'data: {\ndata: }\n\n'],
  ])('leaves %s and everything after it to the library', async (_name, odd) => {
    const { words, left } = await read(said('before'), odd, said('after'), finish)
    expect(words).toEqual(['before'])
    expect(left).toBe(odd + said('after') + finish)
  })

  it.each(['\n', '\r\n', '\r'])('reads words split anywhere, with line ending %j', async (end) => {
    const bytes = encoder.encode((said('Grüße ') + said('aus 東京 🗼') + finish).replaceAll('\n', end))
    for (let at = 1; at < bytes.length; at += 1) {
      const { words, left } = await readAll([bytes.slice(0, at), bytes.slice(at)])
      expect(words.join('')).toBe('Grüße aus 東京 🗼')
      expect(left.trim()).toBe(finish.replaceAll('\n', end).trim())
    }
  })

  it('passes on the failure of the body', async () => {
    const lane = createDeltaFastPath()
    async function read(): Promise<never> {
      throw new Error('broken')
    }
    const left = new Response(lane.attach({ read, cancel: async () => undefined })).text()
    expect(await lane.next()).toBeNull()
    await expect(left).rejects.toThrow('broken')
  })

  it('ends when no body arrives', async () => {
    const lane = createDeltaFastPath()
    const next = lane.next()
    lane.close()
    expect(await next).toBeNull()
  })

  it('does not buffer an event without end', async () => {
    const { words, left } = await read(said('a'), `data: ${'x'.repeat(70_000)}`, 'y\n\n')
    expect(words).toEqual(['a'])
    expect(left).toBe(`data: ${'x'.repeat(70_000)}y\n\n`)
  })
})
