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
      first: streamEvents(accepted, delta(2, 'a'), dropped),
      resume,
      after: 0,
      pause,
    })
    expect(await seqsOf(events)).toEqual([1, 2, 3, 4])
    expect(resume.mock.calls).toEqual([[2], [2]])
    expect(pause.mock.calls).toEqual([[0], [1]])
  })

  it('treats a stream that ends early as a dropped connection', async () => {
    const resume = vi.fn(() => streamEvents(done(2)))
    const events = followEvents({
      first: streamEvents(accepted),
      resume,
      after: 0,
      pause: async () => undefined,
    })
    expect(await seqsOf(events)).toEqual([1, 2])
  })

  it('starts after the last event of the loaded page', async () => {
    const resume = vi.fn(() => streamEvents(delta(8, 'x'), done(9)))
    const events = followEvents({ first: null, resume, after: 7, pause: async () => undefined })
    expect(await seqsOf(events)).toEqual([8, 9])
    expect(resume).toHaveBeenCalledWith(7)
  })

  it('accepts the end of a reply whose server lost its last events', async () => {
    const resume = vi.fn(() => streamEvents({ seq: 7, type: 'status', status: 'thinking' }, done(4)))
    const events = followEvents({ first: null, resume, after: 7, pause: async () => undefined })
    expect(await seqsOf(events)).toEqual([7, 4])
  })

  it.each([
    ['the server refuses', [new ApiError(409, 'chat.busy')]],
    ['the connection drops before the message was accepted', [dropped]],
    ['the stream is empty', []],
  ])('throws when %s', async (_, arriving) => {
    const resume = vi.fn()
    const events = followEvents({
      first: streamEvents(...arriving),
      resume,
      after: 0,
      pause: async () => undefined,
    })
    await expect(seqsOf(events)).rejects.toBeInstanceOf(ApiError)
    expect(resume).not.toHaveBeenCalled()
  })

  it('throws when access to a running reply is lost', async () => {
    const resume = vi.fn(() => streamEvents(new ApiError(404, 'not_found')))
    const events = followEvents({ first: null, resume, after: 3, pause: async () => undefined })
    await expect(seqsOf(events)).rejects.toMatchObject({ status: 404 })
  })
})
