import { type ChatMessage, chatsApi, type ReplyEvent } from '@lyceum/contract/chats'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { setUpChatFixture } from '#testing/chat-fixture.ts'
import { createUser, type TestUser } from '#testing/factories.ts'
import type { ModelStandIn } from '#testing/model-stand-in.ts'
import { openReplyStream, type ReplyStream } from '#testing/reply-stream.ts'
import type { TestApp } from '#testing/test-app.ts'
import type { Actor } from '../../../actor.ts'
import { buildApp } from '../../../app.ts'
import type { Deps } from '../../../deps.ts'
import { authenticate } from '../../auth/authenticate.ts'
import { presentFinishedReply } from '../chats.ts'
import { recoverReplies, stopReplies } from './reply-manager.ts'

let model: ModelStandIn
let app: TestApp
let url: string
let channelId: string
let ada: TestUser
let chatId: string

async function createChat(as = ada): Promise<string> {
  return (await app.call(chatsApi.create, { as, params: { channelId }, body: {} })).body._id
}

setUpChatFixture((fixture) => {
  ;({ model, app, channelId, ada, chatId } = fixture)
})
beforeEach(async () => {
  url = await app.url()
})

const pieces = Array.from({ length: 12 }, (_, at) => `Piece number ${at} of this long answer. `)
const whole = pieces.join('')

function send(message = 'Tell me a long story about telescopes', as = ada): Promise<ReplyStream> {
  return openReplyStream(url, chatsApi.send, { as, params: { channelId, chatId }, body: { message } })
}

function resume(messageId: string, after: number, baseUrl = url): Promise<ReplyStream> {
  return openReplyStream(baseUrl, chatsApi.events, {
    as: ada,
    params: { channelId, chatId, messageId },
    query: { after },
  })
}

async function listMessages(): Promise<ChatMessage[]> {
  return (await app.call(chatsApi.get, { as: ada, params: { channelId, chatId } })).body.messages
}
async function findNewest(): Promise<ChatMessage | undefined> {
  return (await listMessages()).at(-1)
}
function findRow(id: string) {
  return app.deps.db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

function joinDeltas(events: readonly ReplyEvent[]): string {
  return events.map((event) => (event.type === 'delta' ? event.text : '')).join('')
}
function listEventNumbers(events: readonly ReplyEvent[]): number[] {
  return events.map(({ seq }) => seq)
}
function countTo(last: number): number[] {
  return Array.from({ length: last }, (_, at) => at + 1)
}

/** Starts a reply that pauses after some of its text. */
async function startPausedReply(atPiece = 5) {
  model.script({ text: pieces })
  model.pause(atPiece)
  const stream = await send()
  const accepted = await stream.readUntil('accepted')
  await stream.readUntil('delta')
  return { stream, id: accepted?.reply._id ?? '' }
}

/** Snapshots are saved every five seconds, which may take longer on a busy machine. */
const snapshotTimeout = { timeout: 60_000 }

/** Waits until the saved snapshot contains the text so far. */
function waitForSnapshot(id: string) {
  return vi.waitFor(
    async () => expect((await findRow(id)).content).toContain('Piece number 4'),
    snapshotTimeout,
  )
}

describe('streaming a reply', () => {
  it('rejects invalid requests with an ordinary error response', async () => {
    const stranger = await createUser(app.deps)
    const stream = await send('Hello', stranger)
    expect([stream.status, stream.refusal?.code]).toEqual([404, 'not_found'])
    const blank = await send('  ')
    expect([blank.status, blank.refusal?.message]).toEqual([400, 'A message cannot be blank'])
  })

  it('numbers events from 1, starts with both messages and ends with the stored reply', async () => {
    model.script({ text: pieces })
    const stream = await send('Hello')
    const events = await stream.readToEnd()
    expect(stream.status).toBe(200)
    expect(listEventNumbers(events)).toEqual(countTo(events.length))
    expect(events[0]).toMatchObject({
      type: 'accepted',
      message: { role: 'user', content: 'Hello', status: 'delivered' },
      reply: { role: 'assistant', content: '', state: 'streaming', lastEvent: 0 },
    })
    expect(joinDeltas(events)).toBe(whole)
    const last = events.at(-1)
    expect(last).toMatchObject({ type: 'done', reply: { content: whole, state: 'complete' } })
    const [message, reply] = await listMessages()
    expect(message?.status).toBe('read')
    expect(reply).toEqual(last?.type === 'done' ? last.reply : null)
    expect(await findRow(reply?._id ?? '')).toMatchObject({
      last_event: last?.seq,
      lease_owner: null,
      lease_until: null,
    })
  })

  it('joins split surrogate pairs and removes characters that cannot be stored', async () => {
    model.script({ text: ['A\u0000 gre', 'at \ud83d', '\ude80 flies', ' by \ud83d'] })
    const events = await (await send('Hello')).readToEnd()
    expect(joinDeltas(events)).toBe('A great 🚀 flies by \ufffd')
    expect((await findNewest())?.content).toBe('A great 🚀 flies by \ufffd')
  })

  it('sends the first words before the last are written', async () => {
    const { stream } = await startPausedReply()
    expect(joinDeltas(stream.events)).toMatch(/^Piece number 0/)
    model.resume()
    expect(joinDeltas(await stream.readToEnd())).toBe(whole)
  })
})

describe('resuming a stream', () => {
  it('replays missed events and follows new ones, from any event number', async () => {
    const { stream, id } = await startPausedReply()
    await stream.disconnect()
    const readers = await Promise.all([0, 1, 2, 3].map((after) => resume(id, after)))
    model.resume()
    const all = (await readers[0]?.readToEnd()) ?? []
    expect(joinDeltas(all)).toBe(whole)
    expect(listEventNumbers(all)).toEqual(countTo(all.length))
    for (const [after, reader] of readers.entries())
      expect(await reader.readToEnd()).toEqual(all.slice(after))
    expect((await findNewest())?.content).toBe(whole)
  })

  it('completes and stores the reply without a reader', async () => {
    const { stream } = await startPausedReply()
    await stream.disconnect()
    model.resume()
    await vi.waitFor(
      async () => expect(await findNewest()).toMatchObject({ state: 'complete', content: whole }),
      snapshotTimeout,
    )
  })

  it('sends two readers the same events', async () => {
    const { stream, id } = await startPausedReply()
    const second = await resume(id, 0)
    model.resume()
    const [one, other] = await Promise.all([stream.readToEnd(), second.readToEnd()])
    expect(other).toEqual(one)
  })

  it('continues exactly where the snapshot of a running reply ends', async () => {
    const { id } = await startPausedReply()
    await waitForSnapshot(id)
    const shown = await findNewest()
    expect(shown?.state).toBe('streaming')
    const reader = await resume(id, shown?.lastEvent ?? 0)
    model.resume()
    expect(`${shown?.content}${joinDeltas(await reader.readToEnd())}`).toBe(whole)
  })

  it('repeats the last event if everything was read, as a stream and as JSON', async () => {
    model.script({ text: pieces })
    const events = await (await send()).readToEnd()
    const last = events.at(-1)
    const id = last?.type === 'done' ? last.reply._id : ''
    for (const after of [events.length, 99_999])
      expect(await (await resume(id, after)).readToEnd()).toEqual([last])
    const { status, body } = await app.call(chatsApi.events, {
      as: ada,
      params: { channelId, chatId, messageId: id },
    })
    expect([status, body.reply.content]).toEqual([200, whole])
  })

  it('rejects messages that are not replies', async () => {
    const accepted = await (await send('Hello')).readUntil('accepted')
    const stream = await resume(accepted?.message?._id ?? '', 0)
    expect([stream.status, stream.refusal?.code]).toEqual([409, 'chat.not_a_reply'])
  })
})

describe('stopping a reply', () => {
  function stop(messageId: string) {
    return app.call(chatsApi.stop, { as: ada, params: { channelId, chatId, messageId } })
  }

  it('keeps the text, ends all readers and the model call, and can be repeated', async () => {
    const { stream, id } = await startPausedReply()
    const second = await resume(id, 0)
    const { status, body } = await stop(id)
    expect([status, body.state, body.error]).toEqual([200, 'stopped', null])
    expect(body.content).toMatch(/^Piece number 0/)
    expect(whole.startsWith(body.content)).toBe(true)
    const events = await stream.readToEnd()
    expect(events.at(-1)).toMatchObject({ type: 'done', reply: body })
    expect(await second.readToEnd()).toEqual(events)
    expect(await model.requests.at(-1)?.ended).toBe('aborted')
    expect((await stop(id)).body).toEqual(body)
    expect((await findNewest())?.content).toBe(body.content)
    const usage = await app.deps.db
      .selectFrom('llm_usage')
      .selectAll()
      .where('message_id', '=', id)
      .where('purpose', '=', 'answer')
      .execute()
    expect(usage.map(({ estimated, output }) => [estimated, output > 0])).toEqual([[1, true]])
  })

  it('works before the first word and frees the chat', async () => {
    model.pause(0)
    const stream = await send()
    const accepted = await stream.readUntil('accepted')
    await model.whenPaused()
    const { body } = await stop(accepted?.reply._id ?? '')
    expect([body.state, body.content]).toEqual(['stopped', ''])
    model.resume()
    expect((await (await send('Once more')).readToEnd()).at(-1)?.type).toBe('done')
  })

  it('rejects messages that are not replies', async () => {
    const accepted = await (await send('Hello')).readUntil('accepted')
    const { status, body } = await stop(accepted?.message?._id ?? '')
    expect([status, body.code]).toEqual([409, 'chat.not_a_reply'])
  })
})

const unavailableText =
  'The assistant is not available. Try again in a few minutes. If this continues, contact an administrator.'

describe('a model that fails', () => {
  it('stores a failed reply without text, and a retry adds no second message', async () => {
    model.always({ fault: { kind: 'status', status: 400 } })
    const { status, body } = await app.call(chatsApi.send, {
      as: ada,
      params: { channelId, chatId },
      body: { message: 'Hello' },
    })
    expect([status, body.code, body.message]).toEqual([502, 'assistant.unavailable', unavailableText])
    const events = await (await send('Hello again')).readToEnd()
    expect(events[0]?.type).toBe('accepted')
    expect(events.at(-1)).toMatchObject({
      type: 'error',
      code: 'assistant.unavailable',
      reply: { state: 'failed', error: unavailableText, content: '' },
    })
    const messages = await listMessages()
    expect(messages.map(({ role, state, status }) => [role, state ?? status])).toEqual([
      ['user', 'delivered'],
      ['assistant', 'failed'],
      ['user', 'delivered'],
      ['assistant', 'failed'],
    ])
    model.reset()
    const again = await app.call(chatsApi.regenerate, {
      as: ada,
      params: { channelId, chatId, messageId: messages[3]?._id ?? '' },
    })
    expect([again.status, again.body.reply.state]).toEqual([200, 'complete'])
    expect((await listMessages()).filter(({ role }) => role === 'user')).toHaveLength(2)
    expect((await app.call(chatsApi.list, { as: ada, params: { channelId } })).status).toBe(200)
  })

  it('returns the model’s Retry-After', async () => {
    model.always({ fault: { kind: 'status', status: 429, headers: { 'retry-after': '90' } } })
    const { status, headers, body } = await app.call(chatsApi.send, {
      as: ada,
      params: { channelId, chatId },
      body: { message: 'Hello' },
    })
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'assistant.busy', '90'])
  })

  it('keeps the text written before the failure', async () => {
    model.script({ text: pieces, fault: { kind: 'error-event', afterPieces: 6 } })
    const events = await (await send()).readToEnd()
    const last = events.at(-1)
    expect(last).toMatchObject({ type: 'error', reply: { state: 'interrupted' } })
    expect(joinDeltas(events)).toMatch(/^Piece number 0/)
    expect(await findNewest()).toMatchObject({ state: 'interrupted', content: joinDeltas(events) })
    expect((await listMessages())[0]?.status).toBe('read')
  })
})

describe('losing access', () => {
  it('ends a reply at once when its chat is deleted', async () => {
    const { stream } = await startPausedReply()
    await app.call(chatsApi.remove, { as: ada, params: { channelId, chatId } })
    expect((await stream.readToEnd()).at(-1)).toMatchObject({ type: 'error', code: 'not_found' })
    expect(await model.requests.at(-1)?.ended).toBe('aborted')
    expect(
      await app.deps.db.selectFrom('messages').select('id').where('chat_id', '=', chatId).execute(),
    ).toEqual([])
  })

  it('ends a reply when its user leaves the channel or their session ends', async () => {
    const bob = await createUser(app.deps, { channels: [channelId] })
    const bobChatId = await createChat(bob)
    model.pause(1)
    const adaStream = await send()
    const bobStream = await openReplyStream(url, chatsApi.send, {
      as: bob,
      params: { channelId, chatId: bobChatId },
      body: { message: 'Tell me about telescopes' },
    })
    await model.whenPaused(2)
    const ids = [
      (await adaStream.readUntil('accepted'))?.reply._id ?? '',
      (await bobStream.readUntil('accepted'))?.reply._id ?? '',
    ]
    await app.deps.db.deleteFrom('channel_members').where('user_id', '=', ada.id).execute()
    await app.deps.db.deleteFrom('sessions').where('user_id', '=', bob.id).execute()
    await vi.waitFor(
      async () => {
        for (const id of ids) expect((await findRow(id)).state).toBe('interrupted')
      },
      { interval: 200 },
    )
    expect(await model.requests.at(-1)?.ended).toBe('aborted')
  })
})

describe('a reply requested as JSON', () => {
  it('is not returned to a session that has ended in the meantime', async () => {
    const last = (await (await send()).readToEnd()).at(-1) as ReplyEvent
    expect(last.type).toBe('done')
    const actor = await authenticate(app.deps, ada.token, { ip: '::1', userAgent: '' })
    function present() {
      return presentFinishedReply(app.deps, actor as Actor, { channelId, chatId }, last)
    }
    expect((await present()).reply._id).toBe(last.type === 'done' ? last.reply._id : '')
    await app.deps.db.deleteFrom('sessions').where('user_id', '=', ada.id).execute()
    await expect(present()).rejects.toMatchObject({ code: 'auth.session_ended' })
  })
})

describe('restarts and other nodes', () => {
  const savedText = 'What the dead process had saved'
  const [longAgo, inTheFuture] = [1, Date.UTC(2100, 0)]

  /** Creates what a killed process leaves behind: a row still marked as streaming. */
  async function abandonReply(leaseUntil: number): Promise<string> {
    const stream = await send('Hello')
    const id = (await stream.readUntil('accepted'))?.reply._id ?? ''
    // The row is complete earlier, while the server still counts the reply as running.
    await stream.readToEnd()
    await app.deps.db
      .updateTable('messages')
      .set({ state: 'streaming', content: savedText, lease_owner: 'dead', lease_until: leaseUntil })
      .set({ last_event: 7 })
      .where('id', '=', id)
      .execute()
    return id
  }

  function createNode(changes: Partial<Deps> = {}): Deps {
    return { ...app.deps, nodeId: 'another', ...changes }
  }

  async function startNode(deps: Deps) {
    const stopping = new AbortController()
    const { server } = await buildApp(deps, { webFolder: `${app.folder}/no-web`, stopping: stopping.signal })
    return { url: await server.listen({ port: 0, host: '127.0.0.1' }), close: () => server.close() }
  }

  it('marks replies of a killed process as interrupted at its next start and keeps their text', async () => {
    const id = await abandonReply(inTheFuture)
    await recoverReplies(app.deps, 'dead')
    const reply = await findNewest()
    expect(reply).toMatchObject({ _id: id, state: 'interrupted', content: savedText })
    expect(reply?.error).toBe('The reply was interrupted. Please try again.')
    const { body } = await app.call(chatsApi.list, { as: ada, params: { channelId } })
    expect(body.chats[0]?.messages[0]?.content).toBe(savedText)
    expect((await (await send('Once more')).readToEnd()).at(-1)?.type).toBe('done')
  })

  it('leaves replies of other nodes alone until their lease expires', async () => {
    const id = await abandonReply(inTheFuture)
    await recoverReplies(app.deps, 'another')
    expect((await findNewest())?.state).toBe('streaming')
    await app.deps.db.updateTable('messages').set({ lease_until: longAgo }).where('id', '=', id).execute()
    await recoverReplies(app.deps, 'another')
    expect((await findRow(id)).state).toBe('interrupted')
  })

  it('marks replies with an expired lease as interrupted in the sweep', async () => {
    const id = await abandonReply(longAgo)
    expect((await findNewest())?.state).toBe('interrupted')
    // The sweep may already have run in the current time slot.
    app.advance(60_000)
    await app.runJobs()
    expect((await findRow(id)).state).toBe('interrupted')
  })

  it('does not interrupt a running reply when the clock jumps forward', async () => {
    const { stream, id } = await startPausedReply()
    app.advance(120_000)
    await app.runJobs()
    expect((await findRow(id)).state).toBe('streaming')
    model.resume()
    expect((await stream.readToEnd()).at(-1)).toMatchObject({ type: 'done', reply: { content: whole } })
  })

  it('frees the chat once the lease has expired', async () => {
    await abandonReply(longAgo)
    expect((await (await send('Once more')).readToEnd()).at(-1)?.type).toBe('done')
    expect((await listMessages()).map(({ state }) => state ?? 'user')).toEqual([
      'user',
      'interrupted',
      'user',
      'complete',
    ])
  })

  it('sends a reader on another node the ending from the database', async () => {
    const node = await startNode(createNode())
    const { stream, id } = await startPausedReply()
    const reader = await resume(id, 2, node.url)
    expect(await reader.next()).toMatchObject({ type: 'status', seq: 2 })
    model.resume()
    expect((await reader.readToEnd()).at(-1)).toEqual((await stream.readToEnd()).at(-1))
    await node.close()
  })

  it('lets another node stop a reply', async () => {
    const node = await startNode(createNode())
    const { stream, id } = await startPausedReply()
    await waitForSnapshot(id)
    const response = await fetch(`${node.url}/api/chat/${channelId}/chats/${chatId}/messages/${id}/stop`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.token}` },
    })
    expect(await response.json()).toMatchObject({ state: 'stopped' })
    model.resume()
    expect((await stream.readToEnd()).at(-1)).toMatchObject({ type: 'done', reply: { state: 'stopped' } })
    expect((await findRow(id)).state).toBe('stopped')
    await node.close()
  })

  it('allows one reply per chat across nodes', async () => {
    const node = await startNode(createNode())
    const { stream } = await startPausedReply()
    const refused = await openReplyStream(node.url, chatsApi.send, {
      as: ada,
      params: { channelId, chatId },
      body: { message: 'Me too' },
    })
    expect([refused.status, refused.refusal?.code]).toEqual([409, 'chat.busy'])
    model.resume()
    await stream.readToEnd()
    await node.close()
  })

  it('saves running replies and ends their readers on a graceful stop', async () => {
    const deps = createNode({ nodeId: 'stopping' })
    const node = await startNode(deps)
    model.script({ text: pieces })
    model.pause(5)
    const stream = await openReplyStream(node.url, chatsApi.send, {
      as: ada,
      params: { channelId, chatId },
      body: { message: 'Hello' },
    })
    await stream.readUntil('delta')
    await stopReplies(deps)
    expect((await stream.readToEnd()).at(-1)).toMatchObject({ type: 'error', code: 'chat.interrupted' })
    const reply = await findNewest()
    expect(reply?.state).toBe('interrupted')
    expect(reply?.content).toMatch(/^Piece number 0/)
    const late = await openReplyStream(node.url, chatsApi.send, {
      as: ada,
      params: { channelId, chatId },
      body: { message: 'Hello' },
    })
    expect([late.status, late.refusal?.code]).toEqual([503, 'server.busy'])
    await node.close()
  })
})
