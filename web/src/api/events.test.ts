import { chatsApi, type ReplyEvent } from '@lyceum/contract/chats'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { refuse, streamOf } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { callEvents } from './events.ts'

const input = { params: { channelId: 'c', chatId: 'h' }, body: { message: 'Hello' } }
const reply = {
  _id: 'm',
  role: 'assistant',
  content: 'Hello there',
  timestamp: '2026-01-01T00:00:00Z',
} as const
const events: ReplyEvent[] = [
  { seq: 1, type: 'delta', text: 'Hello ' },
  { seq: 2, type: 'delta', text: 'there' },
  { seq: 3, type: 'done', reply },
]

async function collect(signal?: AbortSignal): Promise<ReplyEvent[]> {
  const received: ReplyEvent[] = []
  for await (const event of callEvents(chatsApi.send, input, signal)) received.push(event)
  return received
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function stubStream(chunks: (string | Uint8Array | Error)[]): void {
  let at = 0
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const next = chunks[at]
      at += 1
      if (next === undefined) controller.close()
      else if (next instanceof Error) controller.error(next)
      else controller.enqueue(typeof next === 'string' ? encode(next) : next)
    },
  })
  const response = new Response(body, { headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } })
  vi.stubGlobal('fetch', () => Promise.resolve(response))
}

describe('callEvents', () => {
  it('yields the events in order', async () => {
    const api = fakeApi()
    api.on(chatsApi.send, () => streamOf(chatsApi.send, events))
    expect(await collect()).toEqual(events)
    expect(api.calls(chatsApi.send)[0]?.headers.get('accept')).toBe('text/event-stream')
  })

  it('joins chunks, even when one ends inside a character', async () => {
    const bytes = encode('id: 1\ndata: {"seq":1,"type":"delta","text":"naïve"}\n\n: still here\n\n')
    const splitIndex = bytes.indexOf(0xc3) + 1
    stubStream([bytes.slice(0, 9), bytes.slice(9, splitIndex), bytes.slice(splitIndex)])
    expect(await collect()).toEqual([{ seq: 1, type: 'delta', text: 'naïve' }])
  })

  it('skips unknown events', async () => {
    stubStream([
      'data: {"seq":1,"type":"applause"}\n\ndata: no json\n\ndata: {"seq":2,"type":"delta","text":"x"}\n\n',
    ])
    expect(await collect()).toEqual([{ seq: 2, type: 'delta', text: 'x' }])
  })

  it('throws the same error as call when it fails before the first event', async () => {
    const api = fakeApi()
    api.on(chatsApi.send, () => refuse('chat.busy'))
    await expect(collect()).rejects.toMatchObject({ status: 409, code: 'chat.busy' })
  })

  it('yields the events that arrived and throws when the connection drops', async () => {
    stubStream(['data: {"seq":1,"type":"delta","text":"x"}\n\n', new TypeError('gone')])
    const received: ReplyEvent[] = []
    const reading = (async () => {
      for await (const event of callEvents(chatsApi.send, input)) received.push(event)
    })()
    await expect(reading).rejects.toMatchObject({ code: 'network' })
    expect(received).toHaveLength(1)
  })

  it('rejects a response that is not a stream', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({})))
    await expect(collect()).rejects.toMatchObject({ code: 'reply' })
  })

  describe('on a connection without any data', () => {
    beforeEach(() => {
      vi.useFakeTimers({ now: new Date('2026-11-20T12:00:00Z') })
      const headers = { 'Content-Type': 'text/event-stream' }
      vi.stubGlobal('fetch', () => Promise.resolve(new Response(new ReadableStream(), { headers })))
    })

    it('throws 10 seconds after opening the stream of a running reply without an answer', async () => {
      const signals: (AbortSignal | null | undefined)[] = []
      vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) => {
        signals.push(signal)
        return new Promise(() => undefined)
      })
      const params = { channelId: 'c', chatId: 'h', messageId: 'm' }
      const opening = callEvents(chatsApi.events, { params, query: { after: 1 } }).next()
      const failed = expect(opening).rejects.toMatchObject({ code: 'network' })
      await vi.advanceTimersByTimeAsync(10_000)
      await failed
      expect(signals.map((signal) => signal?.aborted)).toEqual([true])
    })

    it('throws after 30 seconds', async () => {
      const silent = expect(collect()).rejects.toMatchObject({ code: 'network' })
      await vi.advanceTimersByTimeAsync(30_000)
      await silent
    })

    it('throws within a second after the computer slept, during which timers stood still', async () => {
      const slept = expect(collect()).rejects.toMatchObject({ code: 'network' })
      await vi.advanceTimersByTimeAsync(2000)
      vi.setSystemTime(new Date('2026-11-20T12:00:40Z'))
      await vi.advanceTimersByTimeAsync(1000)
      await slept
    })

    it('throws at once when the browser is online again', async () => {
      const moved = expect(collect()).rejects.toMatchObject({ code: 'network' })
      await vi.advanceTimersByTimeAsync(0)
      dispatchEvent(new Event('online'))
      await moved
    })
  })
})
