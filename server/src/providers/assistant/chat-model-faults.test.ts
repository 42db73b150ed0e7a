import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Behavior, type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { type AssistantEvent, createEndpointChat } from './assistant.ts'
import type { Timeouts } from './deadline.ts'
import type { Endpoint } from './endpoint.ts'
import { ModelError, type ModelRequest } from './port.ts'

let standIn: ModelStandIn
const unhandled: unknown[] = []
function recordUnhandled(reason: unknown) {
  return void unhandled.push(reason)
}
beforeAll(async () => {
  process.on('unhandledRejection', recordUnhandled)
  standIn = await startModelStandIn()
})
afterEach(() => standIn.reset())
afterAll(async () => {
  await standIn.close()
  process.off('unhandledRejection', recordUnhandled)
  expect(unhandled).toEqual([])
})

/** A key without a recognizable format. */
const key = '0f1e2d3c4b5a69788796a5b4c3d2e1f0'

interface RunOptions {
  kind?: Endpoint['kind']
  label?: ModelRequest['label']
  baseUrl?: string
  timeouts?: Partial<Timeouts>
  signal?: AbortSignal
  onText?: (text: string) => void
}

/** Runs one reply until it finishes or fails. */
async function run(behaviors: Behavior[], options: RunOptions = {}) {
  const {
    kind = 'compatible',
    label = 'gpt-4o',
    baseUrl = standIn.url,
    timeouts,
    signal = new AbortController().signal,
    onText,
  } = options
  standIn.script(...behaviors)
  const waits: number[] = []
  const log: AssistantEvent[] = []
  const chat = createEndpointChat(
    { kind, baseUrl, apiKey: key, supportsStore: false },
    {
      modelMap: {},
      now: () => Date.parse('2026-12-01'),
      timeouts,
      wait: async (ms) => void waits.push(ms),
      log: (event) => log.push(event),
    },
  )
  const outcome = { text: '', finish: null as unknown, error: null as unknown, waits, log }
  try {
    const turns: ModelRequest['turns'] = [{ role: 'user', content: 'What is a gazette?' }]
    for await (const event of chat?.reply({ label, turns, allowWebSearch: false, signal }) ?? []) {
      if (event.type === 'text') {
        outcome.text += event.text
        onText?.(outcome.text)
      } else outcome.finish = event
    }
  } catch (error) {
    outcome.error = error
  }
  if (outcome.error instanceof ModelError) {
    expect(JSON.stringify([outcome.error.message, outcome.error.detail, log])).not.toContain(key)
    expect(outcome.error.cause).toBeUndefined()
  }
  return outcome
}

const text = ['Ga', 'zette', ' — eine ', 'Zeitung', ' 新聞 🗞️', '.']
const fullText = text.join('')
const kinds = ['openai', 'compatible'] as const
function failedWith(code: ModelError['code']) {
  return { finish: null, error: { code } }
}

describe.each(kinds)('a fault before the first output (%s)', (kind) => {
  it.each([500, 502, 503])('retries once after 500 to 1000 ms for status %i', async (status) => {
    const outcome = await run([{ fault: { kind: 'status', status } }, { text }], { kind })
    expect(outcome).toMatchObject({ text: fullText, error: null })
    expect(standIn.requests).toHaveLength(2)
    expect(outcome.waits).toHaveLength(1)
    expect(outcome.waits[0]).toBeGreaterThanOrEqual(500)
    expect(outcome.waits[0]).toBeLessThanOrEqual(1000)
    expect(outcome.log).toMatchObject([{ event: 'model.retried' }, { event: 'model.answered' }])
  })

  it('sends at most two requests', async () => {
    const fault = { kind: 'status', status: 500 } as const
    const outcome = await run([{ fault }, { fault }, { text }], { kind })
    expect(outcome).toMatchObject({ text: '', ...failedWith('assistant.unavailable') })
    expect(standIn.requests).toHaveLength(2)
  })

  it.each([400, 401, 403, 422])('does not retry status %i', async (status) => {
    const message = `Incorrect API key provided: ${key}`
    const outcome = await run([{ fault: { kind: 'status', status, message } }], { kind })
    expect(outcome).toMatchObject(failedWith('assistant.unavailable'))
    expect((outcome.error as ModelError).detail).toContain(String(status))
    expect(standIn.requests).toHaveLength(1)
  })

  it('reports 404 as a model that is not configured', async () => {
    const outcome = await run([{ fault: { kind: 'status', status: 404, code: 'model_not_found' } }], { kind })
    expect(outcome).toMatchObject(failedWith('assistant.not_configured'))
  })

  it('does not follow redirects', async () => {
    const outcome = await run([{ fault: { kind: 'redirect', location: `${standIn.url}/elsewhere` } }], {
      kind,
    })
    expect(outcome).toMatchObject(failedWith('assistant.unavailable'))
    expect(standIn.requests).toHaveLength(1)
  })

  it('times out without headers', async () => {
    const outcome = await run([{ fault: { kind: 'hang' } }], { kind, timeouts: { firstMs: 1500 } })
    expect(outcome).toMatchObject({
      ...failedWith('assistant.timeout'),
      error: { detail: 'no first output within 1.5 s' },
    })
    expect(await standIn.requests[0]?.ended).toBe('aborted')
  })

  it('times out after headers without output', async () => {
    const outcome = await run([{ text, fault: { kind: 'stall', afterPieces: 0 } }], {
      kind,
      timeouts: { firstMs: 1500, idleMs: 20 },
    })
    expect(outcome).toMatchObject({ text: '', ...failedWith('assistant.timeout') })
    expect(await standIn.requests[0]?.ended).toBe('aborted')
  })

  it('gives reasoning models more time', async () => {
    const timeouts = { firstMs: 10_000, firstReasoningMs: 60 }
    const outcome = await run([{ fault: { kind: 'hang' } }], { kind, label: 'o1', timeouts })
    expect(outcome).toMatchObject({ error: { detail: 'no first output within 0.06 s' } })
  })

  it('retries once when the connection closes before any response', async () => {
    const fault = { kind: 'reset' } as const
    expect(await run([{ fault }, { text }], { kind })).toMatchObject({ text: fullText, error: null })
    expect(await run([{ fault }, { fault }], { kind })).toMatchObject(failedWith('assistant.unavailable'))
    expect(standIn.requests).toHaveLength(4)
  })

  it('reports a refused connection', async () => {
    // A port that was never open, because a kept-alive connection might be retried.
    const closed = await startModelStandIn()
    await closed.close()
    const outcome = await run([], { kind, baseUrl: closed.url })
    expect(outcome).toMatchObject({
      ...failedWith('assistant.unavailable'),
      error: { detail: 'the connection failed: ECONNREFUSED' },
      waits: [],
    })
  })
})

describe('status 429', () => {
  function createBusyFault(retryAfter?: string, code?: string): Behavior {
    return {
      fault: {
        kind: 'status',
        status: 429,
        ...(retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } }),
        ...(code === undefined ? {} : { code }),
      },
    }
  }

  it('is retried once after a short Retry-After', async () => {
    const outcome = await run([createBusyFault('2'), { text }])
    expect(outcome).toMatchObject({ text: fullText, waits: [2000] })
  })

  it('fails the second time with the second Retry-After', async () => {
    const outcome = await run([createBusyFault('2'), createBusyFault('3')])
    expect(outcome).toMatchObject({
      ...failedWith('assistant.busy'),
      error: { retryAfter: 3 },
      waits: [2000],
    })
    expect(standIn.requests).toHaveLength(2)
  })

  it.each([
    ['6', 6],
    ['120', 120],
    ['86400', 120],
    ['Tue, 01 Dec 2026 00:00:40 GMT', 40],
  ])('does not wait for Retry-After %s', async (header, retryAfter) => {
    const outcome = await run([createBusyFault(header)])
    expect(outcome).toMatchObject({ ...failedWith('assistant.busy'), error: { retryAfter }, waits: [] })
    expect(standIn.requests).toHaveLength(1)
  })

  it.each(['soon', undefined])(
    'is retried once after a second or two with Retry-After %s',
    async (header) => {
      const outcome = await run([createBusyFault(header), { text }])
      expect(outcome).toMatchObject({ text: fullText, error: null })
      expect(outcome.waits).toEqual([expect.closeTo(1500, -3)])
    },
  )

  it('fails when the endpoint is still busy without a Retry-After', async () => {
    const outcome = await run([createBusyFault(), createBusyFault(), { text }])
    expect(outcome).toMatchObject({ ...failedWith('assistant.busy'), error: { retryAfter: null } })
    expect(standIn.requests).toHaveLength(2)
  })

  it('is not retried when the quota is exhausted', async () => {
    const outcome = await run([createBusyFault('1', 'insufficient_quota')])
    expect(outcome).toMatchObject({ ...failedWith('assistant.unavailable'), waits: [] })
  })
})

describe.each(kinds)('a fault in the middle of an answer (%s)', (kind) => {
  const partial = text.slice(0, 3).join('')

  it('ends the reply when the stream stalls and keeps the partial text', async () => {
    const outcome = await run([{ text, fault: { kind: 'stall', afterPieces: 3 } }], {
      kind,
      timeouts: { idleMs: 1500 },
    })
    expect(outcome).toMatchObject({ text: partial, ...failedWith('assistant.timeout') })
    expect(standIn.requests).toHaveLength(1)
    expect(await standIn.requests[0]?.ended).toBe('aborted')
  })

  it('ends an answer that takes too long overall', async () => {
    const timeouts = { totalMs: 1500, idleMs: 10_000 }
    const outcome = await run([{ text, fault: { kind: 'stall', afterPieces: 3 } }], { kind, timeouts })
    expect(outcome).toMatchObject({ text: partial, error: { detail: 'no complete answer within 1.5 s' } })
  })

  it('reports an error event', async () => {
    const fault = { kind: 'error-event', afterPieces: 3, message: `Overloaded ${key}` } as const
    const outcome = await run([{ text, fault }], { kind })
    expect(outcome).toMatchObject({ text: partial, ...failedWith('assistant.unavailable') })
    expect((outcome.error as ModelError).detail).toContain('Overloaded')
    expect(standIn.requests).toHaveLength(1)
  })

  it('reports an error event before the first output', async () => {
    const fault = {
      kind: 'error-event',
      afterPieces: 0,
      message: 'Slow down',
      code: 'rate_limit_exceeded',
    } as const
    const outcome = await run([{ text, fault }], { kind })
    expect(outcome).toMatchObject({ text: '', ...failedWith('assistant.busy') })
    expect(standIn.requests).toHaveLength(1)
  })

  it.each([1, 3])('skips %i unreadable lines and reports them', async (count) => {
    const outcome = await run([{ text, fault: { kind: 'bad-lines', afterPieces: 3, count } }], { kind })
    expect(outcome).toMatchObject({ text: fullText, finish: { reason: 'stop' }, error: null })
    expect(outcome.log).toEqual([
      expect.objectContaining({
        event: 'model.unreadable',
        detail: `skipped ${count} unreadable events of the stream`,
      }),
      expect.objectContaining({ event: 'model.answered' }),
    ])
  })

  it('ends the answer after four unreadable lines', async () => {
    const outcome = await run([{ text, fault: { kind: 'bad-lines', afterPieces: 3, count: 4 } }], { kind })
    expect(outcome).toMatchObject({ text: partial, ...failedWith('assistant.unavailable') })
  })

  it('fails without a finish reason', async () => {
    const outcome = await run([{ text, finishReason: null }], { kind })
    expect(outcome).toMatchObject({ text: fullText, ...failedWith('assistant.unavailable') })
  })

  it.each(['content_filter', 'tool_calls', 'something_new'])(
    'fails for the finish reason %s',
    async (finishReason) => {
      const outcome = await run([{ text, finishReason }], { kind })
      expect(outcome).toMatchObject({ text: fullText, ...failedWith('assistant.unavailable') })
      expect((outcome.error as ModelError).detail).toContain(finishReason)
    },
  )

  it('accepts an answer cut at the output limit and marks it', async () => {
    const outcome = await run([{ text, finishReason: 'length' }], { kind })
    expect(outcome).toMatchObject({ text: fullText, finish: { reason: 'length' }, error: null })
  })

  it('never accepts an answer when the connection drops at any byte', async () => {
    for (const closeDelimited of [false, true]) {
      for (let afterBytes = 1; afterBytes < 1500; afterBytes += 97) {
        const outcome = await run(
          [{ text, framing: { closeDelimited }, fault: { kind: 'drop', afterBytes } }],
          { kind },
        )
        expect(outcome).toMatchObject({ finish: null, error: { code: 'assistant.unavailable' } })
        expect(fullText.startsWith(outcome.text)).toBe(true)
      }
    }
    expect(standIn.requests).toHaveLength(32)
  })

  it('closes the connection and throws the reason on abort', async () => {
    standIn.pause(2)
    const controller = new AbortController()
    const running = run([{ text }], { kind, signal: controller.signal })
    await standIn.whenPaused()
    controller.abort(new Error('stopped'))
    const outcome = await running
    expect(outcome).toMatchObject({ finish: null, error: { message: 'stopped' }, log: [] })
    expect(await standIn.requests[0]?.ended).toBe('aborted')
  })

  it('closes the connection when the reader leaves', async () => {
    standIn.pause(2)
    function leave() {
      throw new Error('left')
    }
    const outcome = await run([{ text }], { kind, onText: leave })
    expect(outcome).toMatchObject({ error: { message: 'left' } })
    expect(await standIn.requests[0]?.ended).toBe('aborted')
  })
})

describe.each(kinds)('a body that is not a stream (%s)', (kind) => {
  it('accepts a JSON completion without a second request', async () => {
    const outcome = await run([{ text, asJson: true }], { kind })
    expect(outcome).toMatchObject({
      text: fullText,
      finish: { reason: 'stop', usage: { estimated: false } },
      error: null,
    })
    expect(standIn.requests).toHaveLength(1)
  })

  it.each([
    ['HTML', 'text/html; charset=utf-8', '<!doctype html><title>Sign in</title>'],
    ['an empty stream', 'text/event-stream', ''],
    ['an empty text', 'text/plain', ''],
    ['empty JSON', 'application/json', ''],
    ['JSON of another shape', 'application/json', '{"status":"ok"}'],
    ['HTML declared as a stream', 'text/event-stream', '<!doctype html><title>Sign in</title>'],
  ])('fails for %s', async (_name, contentType, body) => {
    const outcome = await run([{ fault: { kind: 'body', contentType, body } }], { kind })
    expect(outcome).toMatchObject({ text: '', ...failedWith('assistant.unavailable') })
  })

  it('names HTML in the error detail', async () => {
    const outcome = await run(
      [{ fault: { kind: 'body', contentType: 'text/html', body: '<!doctype html>' } }],
      { kind },
    )
    expect((outcome.error as ModelError).detail).toContain('HTML')
  })

  it('fails for an empty answer', async () => {
    expect(await run([{ text: [] }], { kind })).toMatchObject(failedWith('assistant.unavailable'))
    expect(await run([{ text: [], asJson: true }], { kind })).toMatchObject(
      failedWith('assistant.unavailable'),
    )
  })
})

describe.each(kinds)('a valid stream (%s)', (kind) => {
  it.each([
    ['one byte at a time', { slice: 1 }],
    ['seven bytes at a time, CRLF', { slice: 7, lineEnd: '\r\n' }],
    ['CR', { lineEnd: '\r' }],
    ['CRLF, split', { lineEnd: '\r\n', slice: 1 }],
    ['comments', { comments: true }],
    ['a byte order mark', { byteOrderMark: true }],
    ['no space after the colon', { omitsSpace: true }],
    ['no [DONE]', { done: false }],
    ['no last blank line', { lastBlankLine: false }],
    ['neither [DONE] nor last blank line', { done: false, lastBlankLine: false }],
    ['the end marked by closing the connection', { closeDelimited: true }],
  ] as const)('is read with %s', async (_name, framing) => {
    const outcome = await run([{ text, framing }], { kind })
    expect(outcome).toMatchObject({
      text: fullText,
      finish: { reason: 'stop', usage: { estimated: false } },
      error: null,
    })
  })
})

/** Peak memory of this process in MiB, which also shows data that was discarded at once. */
function getPeakMiB() {
  return process.resourceUsage().maxRSS / 1024
}

describe('an oversized body', () => {
  const bytes = 256 * 1024 * 1024

  it.each(['huge-line', 'gzip-bomb'] as const)('ends the answer with bounded memory for %s', async (kind) => {
    const before = getPeakMiB()
    const outcome = await run([{ fault: { kind, bytes } }])
    expect(outcome).toMatchObject({
      ...failedWith('assistant.unavailable'),
      error: { detail: 'one event of the answer is longer than allowed' },
    })
    expect(await standIn.requests[0]?.ended).toBe('aborted')
    expect(getPeakMiB() - before).toBeLessThan(128)
  })

  it('stops reading an endless JSON document', async () => {
    const body = `{"choices":[],"filler":"${'a'.repeat(9 * 1024 * 1024)}"}`
    const outcome = await run([{ fault: { kind: 'body', contentType: 'application/json', body } }])
    expect(outcome).toMatchObject({ finish: null, error: { detail: 'the answer is longer than allowed' } })
  })

  it('cuts an endless answer at the limit', async () => {
    const outcome = await run([{ text: Array.from({ length: 40 }, () => 'a'.repeat(32 * 1024)) }])
    expect(outcome).toMatchObject(failedWith('assistant.unavailable'))
    expect(outcome.text).toHaveLength(1024 * 1024)
  })
})

describe('usage', () => {
  it.each(kinds)('is estimated if none is reported (%s)', async (kind) => {
    const outcome = await run([{ text: 'A gazette is a kind of newspaper.', usage: false }], { kind })
    expect(outcome.finish).toMatchObject({ usage: { estimated: true, input: 5, output: 9 } })
  })

  it.each([-1_000_000, 5.5, 3e9, 9.1e15, 1e300])('is estimated if %d tokens are reported', async (tokens) => {
    for (const kind of kinds) {
      const outcome = await run([{ text: 'A gazette is a kind of newspaper.', tokens }], { kind })
      expect(outcome.finish).toEqual({
        type: 'finish',
        reason: 'stop',
        usage: { estimated: true, input: 5, output: 9, cached: 0, cacheWrite: 0, reasoning: 0 },
      })
    }
  })
})

describe('the log', () => {
  it('contains no API key', async () => {
    const message = 'Incorrect API key provided: sk-proj-abc***********xyz.\nTry again'
    const { error } = await run([{ fault: { kind: 'status', status: 401, message } }])
    expect((error as ModelError).detail).toBe(
      'the provider answered 401: Incorrect API key provided: [key] Try again',
    )
  })

  it('reports a refused key at most once a minute', async () => {
    let now = 0
    const log: AssistantEvent[] = []
    const chat = createEndpointChat(
      { kind: 'compatible', baseUrl: standIn.url, apiKey: key, supportsStore: false },
      { modelMap: {}, now: () => now, log: (event) => log.push(event) },
    )
    const request = {
      label: 'gpt-4o',
      turns: [],
      allowWebSearch: false,
      signal: new AbortController().signal,
    } as const
    for (const at of [0, 30_000, 61_000]) {
      now = at
      standIn.script({ fault: { kind: 'status', status: 401, message: key } })
      await expect(chat?.reply(request)[Symbol.asyncIterator]().next()).rejects.toThrow(ModelError)
    }
    expect(log.map(({ event }) => event)).toEqual(['model.refused_key', 'model.refused_key'])
  })
})
