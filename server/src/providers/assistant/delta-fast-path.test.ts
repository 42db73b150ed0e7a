import { describe, expect, it } from 'vitest'
import { createDeltaFastPath } from './delta-fast-path.ts'

const encoder = new TextEncoder()

interface Reading {
  /** The texts from the fast path. */
  words: string[]
  /** The rest that the library reads. */
  rest: string
}

function createBody(chunks: readonly Uint8Array[]) {
  const waiting = [...chunks]
  return { read: async () => waiting.shift() ?? null, cancel: async () => undefined }
}

async function readAll(chunks: readonly Uint8Array[]): Promise<Reading> {
  const fastPath = createDeltaFastPath()
  const rest = new Response(fastPath.attach(createBody(chunks))).text()
  const words: string[] = []
  for (let next = await fastPath.next(); next !== null; next = await fastPath.next()) words.push(next)
  return { words, rest: await rest }
}

function read(...chunks: string[]) {
  return readAll(chunks.map((chunk) => encoder.encode(chunk)))
}

function event(delta: object, more: object = {}) {
  return `data: ${JSON.stringify({ id: 'c1', choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`
}
function wordsEvent(content: string) {
  return event({ content })
}

const finish = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`
const done = 'data: [DONE]\n\n'

describe('createDeltaFastPath', () => {
  it('reads words and leaves the finish reason and everything after it to the library', async () => {
    const { words, rest } = await read(wordsEvent('Red, '), wordsEvent('blue.'), finish, done)
    expect(words).toEqual(['Red, ', 'blue.'])
    expect(rest).toBe(finish + done)
  })

  it('joins events that arrive together', async () => {
    const { words, rest } = await read(wordsEvent('a') + wordsEvent('b') + finish, done)
    expect(words).toEqual(['ab'])
    expect(rest).toBe(finish + done)
  })

  it('skips events without words', async () => {
    const silent = [
      event({ role: 'assistant', content: '', refusal: null }),
      ': still here\n\n',
      `data: ${JSON.stringify({ choices: [], prompt_filter_results: [{}] })}\n\n`,
    ]
    expect(await read(...silent, wordsEvent('a'), finish)).toEqual({ words: ['a'], rest: finish })
  })

  it('reports reasoning without its text', async () => {
    const { words } = await read(
      event({ reasoning_content: 'Hm' }),
      event({ reasoning: 'Hm' }),
      wordsEvent('a'),
    )
    expect(words).toEqual(['', '', 'a'])
  })

  it.each([
    ['a refusal', event({ refusal: 'No' })],
    ['content in parts', event({ content: [{ type: 'text', text: 'a' }] })],
    ['a tool call', event({ tool_calls: [{ index: 0 }] })],
    ['web search results', event({ content: 'a', annotations: [{}] })],
    ['usage', event({ content: 'a' }, { usage: { prompt_tokens: 1 } })],
    ['an error', 'data: {"error":{"message":"Overloaded"}}\n\n'],
    ['a named event', `event: error\n${wordsEvent('a')}`],
    ['an unreadable event', 'data: {"choices":[{\n\n'],
    ['data on two lines', 'data: {\ndata: }\n\n'],
  ])('leaves %s and everything after it to the library', async (_name, odd) => {
    const { words, rest } = await read(wordsEvent('before'), odd, wordsEvent('after'), finish)
    expect(words).toEqual(['before'])
    expect(rest).toBe(odd + wordsEvent('after') + finish)
  })

  it.each(['\n', '\r\n', '\r'])('reads words split anywhere, with line ending %j', async (end) => {
    const bytes = encoder.encode(
      (wordsEvent('Grüße ') + wordsEvent('aus 東京 🗼') + finish).replaceAll('\n', end),
    )
    for (let at = 1; at < bytes.length; at += 1) {
      const { words, rest } = await readAll([bytes.slice(0, at), bytes.slice(at)])
      expect(words.join('')).toBe('Grüße aus 東京 🗼')
      expect(rest.trim()).toBe(finish.replaceAll('\n', end).trim())
    }
  })

  it("passes on the body's error", async () => {
    const fastPath = createDeltaFastPath()
    async function read(): Promise<never> {
      throw new Error('broken')
    }
    const rest = new Response(fastPath.attach({ read, cancel: async () => undefined })).text()
    expect(await fastPath.next()).toBeNull()
    await expect(rest).rejects.toThrow('broken')
  })

  it('ends when no body arrives', async () => {
    const fastPath = createDeltaFastPath()
    const next = fastPath.next()
    fastPath.close()
    expect(await next).toBeNull()
  })

  it('does not buffer an endless event', async () => {
    const { words, rest } = await read(wordsEvent('a'), `data: ${'x'.repeat(70_000)}`, 'y\n\n')
    expect(words).toEqual(['a'])
    expect(rest).toBe(`data: ${'x'.repeat(70_000)}y\n\n`)
  })
})
