import { describe, expect, it } from 'vitest'
import { createWordLane } from './word-lane.ts'

const encoder = new TextEncoder()

interface Reading {
  /** What came as words, piece by piece. */
  words: string[]
  /** What the library is left with. */
  left: string
}

function bodyOf(chunks: readonly Uint8Array[]) {
  const waiting = [...chunks]
  return { read: async () => waiting.shift() ?? null, cancel: async () => undefined }
}

async function readAll(chunks: readonly Uint8Array[]): Promise<Reading> {
  const lane = createWordLane()
  const left = new Response(lane.divert(bodyOf(chunks))).text()
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
  it('reads the words and leaves the rest from the finish reason on', async () => {
    const { words, left } = await read(said('Red, '), said('blue.'), finish, done)
    expect(words).toEqual(['Red, ', 'blue.'])
    expect(left).toBe(finish + done)
  })

  it('gathers what came together', async () => {
    const { words, left } = await read(said('a') + said('b') + finish, done)
    expect(words).toEqual(['ab'])
    expect(left).toBe(finish + done)
  })

  it('passes over what holds no words', async () => {
    const silent = [
      event({ role: 'assistant', content: '', refusal: null }),
      ': still here\n\n',
      `data: ${JSON.stringify({ choices: [], prompt_filter_results: [{}] })}\n\n`,
    ]
    expect(await read(...silent, said('a'), finish)).toEqual({ words: ['a'], left: finish })
  })

  it('says that thoughts come, without their words', async () => {
    const { words } = await read(event({ reasoning_content: 'Hm' }), event({ reasoning: 'Hm' }), said('a'))
    expect(words).toEqual(['', '', 'a'])
  })

  it.each([
    ['a refusal', event({ refusal: 'No' })],
    ['content in parts', event({ content: [{ type: 'text', text: 'a' }] })],
    ['a call of a tool', event({ tool_calls: [{ index: 0 }] })],
    ['pages of a search', event({ content: 'a', annotations: [{}] })],
    ['usage', event({ content: 'a' }, { usage: { prompt_tokens: 1 } })],
    ['an error', 'data: {"error":{"message":"Overloaded"}}\n\n'],
    ['a named event', `event: error\n${said('a')}`],
    ['what cannot be read', 'data: {"choices":[{\n\n'],
    ['data in two lines', 'data: {\ndata: }\n\n'],
  ])('leaves %s to the library, and everything after it', async (_name, odd) => {
    const { words, left } = await read(said('before'), odd, said('after'), finish)
    expect(words).toEqual(['before'])
    expect(left).toBe(odd + said('after') + finish)
  })

  it.each(['\n', '\r\n', '\r'])('reads words cut anywhere, with lines ended by %j', async (end) => {
    const bytes = encoder.encode((said('Grüße ') + said('aus 東京 🗼') + finish).replaceAll('\n', end))
    for (let at = 1; at < bytes.length; at += 1) {
      const { words, left } = await readAll([bytes.slice(0, at), bytes.slice(at)])
      expect(words.join('')).toBe('Grüße aus 東京 🗼')
      expect(left.trim()).toBe(finish.replaceAll('\n', end).trim())
    }
  })

  it('leaves a body that breaks off with its failure', async () => {
    const lane = createWordLane()
    async function read(): Promise<never> {
      throw new Error('broken')
    }
    const left = new Response(lane.divert({ read, cancel: async () => undefined })).text()
    expect(await lane.next()).toBeNull()
    await expect(left).rejects.toThrow('broken')
  })

  it('ends when no body comes', async () => {
    const lane = createWordLane()
    const next = lane.next()
    lane.close()
    expect(await next).toBeNull()
  })

  it('does not gather an event without end', async () => {
    const { words, left } = await read(said('a'), `data: ${'x'.repeat(70_000)}`, 'y\n\n')
    expect(words).toEqual(['a'])
    expect(left).toBe(`data: ${'x'.repeat(70_000)}y\n\n`)
  })
})
