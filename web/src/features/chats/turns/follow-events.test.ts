import type { ReplyEvent } from '@lyceum/contract/chats'
import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '#api/api-error.ts'
import { followEvents } from './follow-events.ts'

const reply = {
  _id: 'r',
  role: 'assistant' as const,
  content: 'ab',
  timestamp: '2026-11-20T10:00:00.000Z',
}
const accepted: ReplyEvent = { seq: 1, type: 'accepted', message: null, reply }
function delta(seq: number, text: string): ReplyEvent {
  return { seq, type: 'delta', text }
}
function done(seq: number): ReplyEvent {
  return { seq, type: 'done', reply }
}

async function* streamEvents(...events: (ReplyEvent | ApiError)[]) {
  for (const event of events) {
    if (event instanceof ApiError) throw event
    yield event
  }
}

const dropped = new ApiError(0, 'network')
async function seqsOf(events: AsyncIterable<ReplyEvent>): Promise<number[]> {
  const seqs: number[] = []
  for await (const { seq } of events) seqs.push(seq)
  return seqs
}

describe('followEvents', () => {
  it('resumes after the last event when the connection drops, without duplicates', async () => {
    const pause = vi.fn(async () => undefined)
    const resume = vi
      .fn()
      .mockReturnValueOnce(streamEvents(dropped))
      .mockReturnValueOnce(streamEvents(delta(2, 'a'), delta(3, 'b'), done(4)))
    const events = followEvents({
      request: () => streamEvents(accepted, delta(2, 'a'), dropped),
      resume,
      after: 0,
      pause,
    })
    expect(await seqsOf(events)).toEqual([1, 2, 3, 4])
    expect(resume.mock.calls).toEqual([[2], [2]])
    expect(pause.mock.calls).toEqual([
      [0, dropped],
      [1, dropped],
    ])
  })

  it('treats a stream that ends early as a dropped connection', async () => {
    const resume = vi.fn(() => streamEvents(done(2)))
    const events = followEvents({
      request: () => streamEvents(accepted),
      resume,
      after: 0,
      pause: async () => undefined,
    })
    expect(await seqsOf(events)).toEqual([1, 2])
  })

  it('starts after the last event of the loaded page', async () => {
    const resume = vi.fn(() => streamEvents(delta(8, 'x'), done(9)))
    const events = followEvents({ request: null, resume, after: 7, pause: async () => undefined })
    expect(await seqsOf(events)).toEqual([8, 9])
    expect(resume).toHaveBeenCalledWith(7)
  })

  it('accepts the end of a reply whose server lost its last events', async () => {
    const resume = vi.fn(() => streamEvents({ seq: 7, type: 'status', status: 'thinking' }, done(4)))
    const events = followEvents({ request: null, resume, after: 7, pause: async () => undefined })
    expect(await seqsOf(events)).toEqual([7, 4])
  })

  describe('before the server has accepted the request', () => {
    const busy = new ApiError(503, 'overloaded', '', {}, 2)

    async function countRequests(...attempts: (ReplyEvent | ApiError)[][]) {
      const request = vi.fn(() => streamEvents(...(attempts[request.mock.calls.length - 1] ?? [dropped])))
      const pause = vi.fn(async () => undefined)
      const resume = vi.fn()
      const seqs = await seqsOf(followEvents({ request, resume, after: 0, pause })).catch((error) => error)
      expect(resume).not.toHaveBeenCalled()
      return { seqs, requests: request.mock.calls.length, pauses: pause.mock.calls }
    }

    it.each([
      ['the connection drops', [dropped], dropped],
      ['the server is busy', [busy], busy],
      ['the stream is empty', [], expect.objectContaining({ code: 'network' })],
    ])('repeats the request when %s', async (_, arriving, error) => {
      expect(await countRequests(arriving, arriving, [accepted, done(2)])).toEqual({
        seqs: [1, 2],
        requests: 3,
        pauses: [
          [0, error],
          [1, error],
        ],
      })
    })

    it('throws after three repetitions', async () => {
      expect(await countRequests()).toMatchObject({ seqs: dropped, requests: 4 })
    })

    it.each([
      ['the server refuses', new ApiError(409, 'chat.busy')],
      ['a limit is reached', new ApiError(429, 'rate_limited', '', {}, 1)],
      ['the server asks for a longer pause', new ApiError(503, 'overloaded', '', {}, 60)],
    ])('throws at once when %s', async (_, error) => {
      expect(await countRequests([error])).toMatchObject({ seqs: error, requests: 1 })
    })

    it('throws at once without a network', async () => {
      vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
      expect(await countRequests([dropped])).toMatchObject({ seqs: dropped, requests: 1 })
    })
  })

  it('throws when access to a running reply is lost', async () => {
    const resume = vi.fn(() => streamEvents(new ApiError(404, 'not_found')))
    const events = followEvents({ request: null, resume, after: 3, pause: async () => undefined })
    await expect(seqsOf(events)).rejects.toMatchObject({ status: 404 })
  })
})
