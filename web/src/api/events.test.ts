import { chatsApi, type ReplyEvent } from '@lyceum/contract/chats'
import { describe, expect, it, vi } from 'vitest'
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

  it('closes a silent connection', async () => {
    vi.useFakeTimers()
    vi.stubGlobal('fetch', () =>
      Promise.resolve(
        new Response(new ReadableStream(), { headers: { 'Content-Type': 'text/event-stream' } }),
      ),
    )
    const silent = expect(collect()).rejects.toMatchObject({ code: 'network' })
    await vi.advanceTimersByTimeAsync(40_000)
    await silent
  })
})
