import { chatsApi, messageMaxLength, type ReplyEvent } from '@lyceum/contract/chats'
import { describe, expect, it, vi } from 'vitest'
import { setUpChatFixture } from '#testing/chat-fixture.ts'
import type { TestUser } from '#testing/factories.ts'
import type { ModelStandIn } from '#testing/model-stand-in.ts'
import type { TestApp } from '#testing/test-app.ts'
import { sendMessage } from './send-message.ts'

let model: ModelStandIn
let app: TestApp
let channelId: string
let ada: TestUser
let chatId: string

async function createChat(as = ada): Promise<string> {
  return (await app.call(chatsApi.create, { as, params: { channelId }, body: {} })).body._id
}

setUpChatFixture((fixture) => {
  ;({ model, app, channelId, ada, chatId } = fixture)
})

function send(message: string, key?: string, targetChatId = chatId) {
  return app.call(chatsApi.send, {
    as: ada,
    params: { channelId, chatId: targetChatId },
    body: { message },
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  })
}

async function sendOk(message: string) {
  const { status, body } = await send(message)
  expect(status).toBe(200)
  return body
}

async function getConversation() {
  return (await app.call(chatsApi.get, { as: ada, params: { channelId, chatId } })).body
}
async function listContents() {
  return (await getConversation()).messages.map(({ content }) => content)
}
function listMessageRows() {
  return app.deps.db.selectFrom('messages').selectAll().where('chat_id', '=', chatId).orderBy('seq').execute()
}

describe('POST …/messages', () => {
  it.each([
    ['missing', undefined as never, 'A message cannot be blank'],
    ['blank', ' \n\t ', 'A message cannot be blank'],
    ['made only of characters that cannot be stored', '\u0000 \u0000', 'A message cannot be blank'],
    ['too long', 'x'.repeat(messageMaxLength + 1), 'At most 16000 characters'],
  ])('rejects a message that is %s and stores nothing', async (_, message, expectedMessage) => {
    const { status, body } = await send(message)
    expect([status, body.code, body.message]).toEqual([400, 'validation.failed', expectedMessage])
    expect(await listMessageRows()).toEqual([])
  })

  it('rejects a malformed body', async () => {
    for (const body of ['{}', '{"message":7}', '[]', 'null'])
      expect(
        (
          await app.raw({
            method: 'POST',
            path: `/api/chat/${channelId}/chats/${chatId}/messages`,
            as: ada,
            headers: { 'content-type': 'application/json' },
            body,
          })
        ).status,
      ).toBe(400)
  })

  it('returns the message, the reply, the messages around them and the token usage', async () => {
    model.script({ text: 'Good morning, Ada.' })
    const body = await sendOk('Hello\u0000 there')
    expect(body).toMatchObject({
      chatId,
      message: { role: 'user', content: 'Hello there', status: 'read' },
      reply: {
        role: 'assistant',
        content: 'Good morning, Ada.',
        state: 'complete',
        mode: 'model',
        citations: [],
        error: null,
      },
      usage: { estimated: false },
    })
    expect(body.messages.map(({ _id }) => _id)).toEqual([body.message?._id, body.reply._id])
    expect(body.usage?.outputTokens).toBeGreaterThan(0)
  })

  it('records the reported token usage, or an estimate if the model reports none', async () => {
    const { reply } = await sendOk('Hello')
    model.script({ text: 'Eleven words are more than enough for one estimate, believe me.', usage: false })
    const { reply: second, usage } = await sendOk('Hello again')
    const rows = await app.deps.db
      .selectFrom('llm_usage')
      .selectAll()
      .where('purpose', '=', 'answer')
      .where('user_id', '=', ada.id)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    expect(rows.map(({ message_id, estimated }) => [message_id, estimated])).toEqual([
      [reply._id, 0],
      [second._id, 1],
    ])
    expect(rows[0]).toMatchObject({
      user_id: ada.id,
      channel_id: channelId,
      requested_model: 'gpt-4o',
      actual_model: 'gpt-4o',
      cost: null,
    })
    expect(rows[1]?.output).toBeGreaterThan(8)
    expect(usage?.estimated).toBe(true)
  })

  it('sends the earlier messages to the model', async () => {
    model.script({ text: 'Nice to meet you.' })
    await sendOk('My name is Ada and I work at the observatory in Potsdam.')
    await sendOk('Please explain how telescopes gather light from distant galaxies.')
    const turns = model.requests.at(-1)?.body['messages'] as { role: string; content: unknown }[]
    expect(turns.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(JSON.stringify(turns)).toContain('Nice to meet you.')
  })

  it('allows one reply at a time in a chat, even for concurrent requests', async () => {
    model.pause(0)
    const first = send('One')
    await model.whenPaused()
    const refused = await Promise.all([send('Two'), send('Three')])
    for (const { status, body } of refused) expect([status, body.code]).toEqual([409, 'chat.busy'])
    model.resume()
    expect((await first).status).toBe(200)
    expect((await getConversation()).total).toBe(2)
    model.pause(0)
    const statuses: number[] = []
    const race = ['Four', 'Five', 'Six'].map(async (message) => statuses.push((await send(message)).status))
    await vi.waitFor(() => expect(statuses).toEqual([409, 409]))
    model.resume()
    await Promise.all(race)
    expect(statuses).toEqual([409, 409, 200])
    expect((await getConversation()).total).toBe(4)
  })

  it('allows a user two replies at a time across all chats', async () => {
    const others = [await createChat(), await createChat()]
    model.pause(0)
    const running = [send('One'), send('Two', undefined, others[0])]
    await model.whenPaused(2)
    const { status, body, headers } = await send('Three', undefined, others[1])
    expect([status, body.code, headers['retry-after']]).toEqual([429, 'chat.too_many', '5'])
    model.resume()
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200])
    expect((await send('Three', undefined, others[1])).status).toBe(200)
  })
})

describe('Idempotency-Key', () => {
  it('returns the first result to a repeated request', async () => {
    model.pause(0)
    const calls = [send('Hello', 'key-number-1'), send('Hello', 'key-number-1')]
    await model.whenPaused()
    model.resume()
    const [first, second] = await Promise.all(calls)
    const third = await send('Hello', 'key-number-1')
    for (const response of [second, third])
      expect([response?.status, response?.body.reply._id, response?.body.reply.content]).toEqual([
        200,
        first?.body.reply._id,
        first?.body.reply.content,
      ])
    expect((await getConversation()).total).toBe(2)
    expect(model.requests.filter(({ path }) => path.endsWith('completions'))).toHaveLength(1)
  })

  it('works when the reply is no longer in memory, and only within its chat', async () => {
    const { body } = await send('Hello', 'key-number-1')
    const other = await createChat()
    expect((await send('Hello', 'key-number-1', other)).body.reply._id).not.toBe(body.reply._id)
    const restarted = { ...app.deps, nodeId: 'restarted' }
    const actor = { userId: ada.id, permissions: {} } as Parameters<typeof sendMessage>[1]['actor']
    const request = { actor, address: { channelId, chatId }, idempotencyKey: 'key-number-1' }
    const events: ReplyEvent[] = []
    for await (const event of await sendMessage(restarted, request, { message: 'Hello' })) events.push(event)
    expect(events.map(({ type }) => type)).toEqual(['accepted', 'done'])
    expect(events.at(-1)).toMatchObject({ reply: { _id: body.reply._id, content: body.reply.content } })
  })

  it('is stored in the form that earlier releases used', async () => {
    await send('Hello', 'key-number-1')
    const [message] = await listMessageRows()
    expect(message?.idempotency_key).toBe(`${ada.id}/${chatId}/key-number-1`)
  })

  it('rejects a malformed key', async () => {
    expect((await send('Hello', 'short')).status).toBe(400)
  })

  it('rejects a key that was used for a different request, and stores nothing', async () => {
    const { body } = await send('Hello', 'key-number-1')
    const [questionId, replyId] = [body.message?._id ?? '', body.reply._id]
    const later = await sendOk('And now?')
    const headers = { 'idempotency-key': 'key-number-1' }
    function requestFor(messageId: string) {
      return { as: ada, params: { channelId, chatId, messageId }, headers }
    }
    for (const call of [
      send('Something else', 'key-number-1'),
      app.call(chatsApi.edit, { ...requestFor(questionId), body: { message: 'Hello there' } }),
      app.call(chatsApi.regenerate, requestFor(replyId)),
      app.call(chatsApi.continue, requestFor(replyId)),
    ]) {
      const { status, body: refused } = await call
      expect([status, refused.code]).toEqual([422, 'request.key_reused'])
    }
    const otherHeaders = { 'idempotency-key': 'key-number-2' }
    const redone = await app.call(chatsApi.regenerate, {
      ...requestFor(later.reply._id),
      headers: otherHeaders,
    })
    const repeated = await app.call(chatsApi.regenerate, {
      ...requestFor(later.reply._id),
      headers: otherHeaders,
    })
    expect([redone.status, repeated.body.reply._id]).toEqual([200, redone.body.reply._id])
    expect(
      (await app.call(chatsApi.regenerate, { ...requestFor(replyId), headers: otherHeaders })).status,
    ).toBe(422)
    expect(await listMessageRows()).toHaveLength(5)
  })

  it('expires after a day', async () => {
    await send('Hello', 'key-number-1')
    app.advance(25 * 3_600_000)
    await app.runJobs()
    const keys = (await listMessageRows()).map(({ idempotency_key }) => idempotency_key)
    expect(keys).toEqual([null, null])
  })
})

describe('POST …/regenerate', () => {
  it('rejects messages that are not replies', async () => {
    const { message } = await sendOk('Hello')
    const { status, body } = await app.call(chatsApi.regenerate, {
      as: ada,
      params: { channelId, chatId, messageId: message?._id ?? '' },
    })
    expect([status, body.code]).toEqual([409, 'chat.not_a_reply'])
  })

  it('adds another version of the reply and shows it', async () => {
    model.script({ text: 'First.' }, { text: 'Second.' })
    const { message, reply } = await sendOk('Hello')
    const { status, body } = await app.call(chatsApi.regenerate, {
      as: ada,
      params: { channelId, chatId, messageId: reply._id },
    })
    expect([status, body.message?._id, body.reply.content]).toEqual([200, message?._id, 'Second.'])
    const { messages, total } = await getConversation()
    expect(messages.map(({ content }) => content)).toEqual(['Hello', 'Second.'])
    expect(messages[1]?.versions).toEqual({ ids: [reply._id, body.reply._id], current: 1 })
    expect(total).toBe(3)
    await sendOk('Go on')
    expect(await listContents()).toEqual(['Hello', 'Second.', 'Go on', expect.any(String)])
  })
})

describe('POST …/edit', () => {
  function edit(messageId: string, message: string) {
    return app.call(chatsApi.edit, { as: ada, params: { channelId, chatId, messageId }, body: { message } })
  }

  it('rejects replies and blank messages', async () => {
    const { message, reply } = await sendOk('Hello')
    const refused = await edit(reply._id, 'Hello?')
    expect([refused.status, refused.body.code]).toEqual([409, 'chat.not_a_message'])
    expect((await edit(message?._id ?? '', '  ')).status).toBe(400)
    expect((await getConversation()).total).toBe(2)
  })

  it('adds another version of the message and continues the chat from it', async () => {
    const first = await sendOk('Hello')
    const second = await sendOk('Tell me more')
    const { status, body } = await edit(second.message?._id ?? '', 'Tell me less')
    expect(status).toBe(200)
    const { messages } = await getConversation()
    expect(messages.map(({ _id }) => _id)).toEqual([
      first.message?._id,
      first.reply._id,
      body.message?._id,
      body.reply._id,
    ])
    expect(messages[2]?.versions).toEqual({ ids: [second.message?._id, body.message?._id], current: 1 })
    const again = await edit(first.message?._id ?? '', 'Good evening')
    expect(await listContents()).toEqual(['Good evening', again.body.reply.content])
    expect((await getConversation()).messages[0]?.versions?.ids).toHaveLength(2)
  })
})
