import { type ChatMessage, chatsApi, type ReplyEvent } from '@lyceum/contract/chats'
import { documentsApi } from '@lyceum/contract/documents'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { setUpChatFixture } from '#testing/chat-fixture.ts'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { readMessages } from '#testing/model-stand-in/conversation.ts'
import type { Behavior, ModelStandIn } from '#testing/model-stand-in.ts'
import { openReplyStream } from '#testing/reply-stream.ts'
import type { TestApp } from '#testing/test-app.ts'
import { recoverReplies } from './reply-manager.ts'

let model: ModelStandIn
let app: TestApp
let url: string
let channelId: string
let ada: TestUser
let chatId: string

async function openNewChat() {
  chatId = (await app.call(chatsApi.create, { as: ada, params: { channelId }, body: {} })).body._id
}

setUpChatFixture((fixture) => {
  ;({ model, app, channelId, ada, chatId } = fixture)
})
beforeEach(async () => {
  url = await app.url()
})

function address(messageId: string) {
  return { channelId, chatId, messageId }
}
function send(message = 'Tell me about telescopes') {
  return openReplyStream(url, chatsApi.send, { as: ada, params: { channelId, chatId }, body: { message } })
}
function streamContinuation(messageId: string, headers = {}, as = ada) {
  return openReplyStream(url, chatsApi.continue, { as, params: address(messageId), headers })
}
async function getRefusal(messageId: string, as = ada) {
  const { status, body } = await app.call(chatsApi.continue, { as, params: address(messageId) })
  return [status, body.code]
}
async function listMessages(): Promise<ChatMessage[]> {
  return (await app.call(chatsApi.get, { as: ada, params: { channelId, chatId } })).body.messages
}
async function findNewest() {
  return (await listMessages()).at(-1)
}
function findRow(id: string) {
  return app.deps.db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}
async function countMessages() {
  return (await app.deps.db.selectFrom('messages').select('id').where('chat_id', '=', chatId).execute())
    .length
}

function joinDeltas(events: readonly ReplyEvent[]): string {
  return events.map((event) => (event.type === 'delta' ? event.text : '')).join('')
}
function getLast(events: readonly ReplyEvent[]) {
  return events.at(-1)
}
function getReplyId(event: ReplyEvent | undefined): string {
  return event && 'reply' in event ? event.reply._id : ''
}

/** Creates an interrupted reply. By default the model fails in the middle of its stream. */
async function createInterruptedReply(
  behavior: Behavior = {
    text: ['A telescope', ' gathers', ' light', ' for', ' us'],
    fault: { kind: 'error-event', afterPieces: 3 },
  },
) {
  model.script(behavior)
  const end = getLast(await (await send()).readToEnd())
  const reply = await findNewest()
  if (!reply) throw new Error('there is no reply')
  return { end, reply, id: reply._id }
}

describe('continuing a reply', () => {
  it('returns 404 to other users, administrators and former members', async () => {
    const { id } = await createInterruptedReply()
    for (const as of [await createUser(app.deps, { channels: [channelId] }), await createAdmin(app.deps)])
      expect(await getRefusal(id, as)).toEqual([404, 'not_found'])
    await app.deps.db.deleteFrom('channel_members').where('user_id', '=', ada.id).execute()
    expect(await getRefusal(id)).toEqual([404, 'not_found'])
  })

  it('rejects questions, complete replies and empty replies, and stores nothing', async () => {
    model.script({ text: 'All of it.' })
    await (await send()).readToEnd()
    const [question, whole] = await listMessages()
    expect(whole?.canContinue).toBeUndefined()
    expect(await getRefusal(whole?._id ?? '')).toEqual([409, 'chat.cannot_continue'])
    expect(await getRefusal(question?._id ?? '')).toEqual([409, 'chat.cannot_continue'])
    expect(await getRefusal('unknown')).toEqual([404, 'not_found'])
    const { id: empty } = await createInterruptedReply({ fault: { kind: 'status', status: 400 } })
    expect(await getRefusal(empty)).toEqual([409, 'chat.cannot_continue'])
    expect(await countMessages()).toBe(4)
  })

  it('rejects the request while this reply or another one is running', async () => {
    const { id } = await createInterruptedReply()
    model.pause(1)
    const stream = await send('And more?')
    const running = getReplyId((await stream.readUntil('accepted')) ?? undefined)
    expect(await getRefusal(running)).toEqual([409, 'chat.cannot_continue'])
    expect(await getRefusal(id)).toEqual([409, 'chat.busy'])
    model.resume()
    await stream.readToEnd()
  })

  it('returns 404 for a reply from another chat of the user', async () => {
    const { id } = await createInterruptedReply()
    await openNewChat()
    expect(await getRefusal(id)).toEqual([404, 'not_found'])
  })

  it('rejects replies written without a model and channels with an external assistant', async () => {
    const { id } = await createInterruptedReply()
    function updateChannel(changes: { use_assistant: 0 | 1; assistant_id: string }) {
      return app.deps.db.updateTable('channels').set(changes).where('id', '=', channelId).execute()
    }
    await updateChannel({ use_assistant: 1, assistant_id: 'asst_elsewhere' })
    expect(await getRefusal(id)).toEqual([409, 'chat.cannot_continue'])
    await updateChannel({ use_assistant: 0, assistant_id: '' })
    await app.deps.db.updateTable('messages').set({ mode: 'extractive' }).where('id', '=', id).execute()
    expect(await getRefusal(id)).toEqual([409, 'chat.cannot_continue'])
  })
})

describe('a continued reply', () => {
  it('is a new version that starts with the earlier text and adds to it', async () => {
    const { reply, id } = await createInterruptedReply()
    expect(reply).toMatchObject({
      state: 'interrupted',
      content: 'A telescope gathers light',
      canContinue: true,
    })
    model.script({ text: [' gathers light', ' for', ' us.'] })
    const events = await (await streamContinuation(id)).readToEnd()
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1))
    expect(events[0]).toMatchObject({
      type: 'accepted',
      message: null,
      reply: {
        content: 'A telescope gathers light',
        state: 'streaming',
        versions: { ids: [id, getReplyId(events[0])], current: 1 },
      },
    })
    expect(joinDeltas(events)).toBe(' for us.')
    expect(getLast(events)).toMatchObject({
      type: 'done',
      reply: { content: 'A telescope gathers light for us.', state: 'complete', mode: 'model' },
    })
    const messages = await listMessages()
    expect(messages.map(({ content }) => content)).toEqual([
      'Tell me about telescopes',
      'A telescope gathers light for us.',
    ])
    expect(messages[1]?.canContinue).toBeUndefined()
    expect((await findRow(id)).content).toBe('A telescope gathers light')
  })

  it('sends the model the conversation, the partial reply and an instruction', async () => {
    model.script({ text: 'Hello there.' })
    await (await send('Hello')).readToEnd()
    const { id } = await createInterruptedReply()
    await (await streamContinuation(id)).readToEnd()
    const turns = readMessages(model.requests.at(-1)?.body ?? {})
    expect(turns.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ])
    expect(turns.slice(1, 5).map(({ content }) => content)).toEqual([
      'Hello',
      'Hello there.',
      'Tell me about telescopes',
      'A telescope gathers light',
    ])
    expect(turns[5]?.content).toMatch(/broke off/)
  })

  it('can start from a reply that the user stopped', async () => {
    model.script({ text: ['A telescope', ' gathers', ' light'] })
    model.pause(2)
    const stream = await send()
    const id = getReplyId((await stream.readUntil('accepted')) ?? undefined)
    await vi.waitFor(async () => expect((await stream.next())?.type).toBe('delta'))
    await model.whenPaused()
    const stopped = await app.call(chatsApi.stop, { as: ada, params: address(id) })
    model.resume()
    expect(stopped.body).toMatchObject({ state: 'stopped', canContinue: true })
    model.script({ text: `${stopped.body.content} on and on.` })
    expect(getLast(await (await streamContinuation(id)).readToEnd())).toMatchObject({
      type: 'done',
      reply: { content: `${stopped.body.content} on and on.` },
    })
  })

  it('can be followed from any event number and from a snapshot', async () => {
    const { id } = await createInterruptedReply()
    model.script({ text: [' one', ' two', ' three', ' four'] })
    model.pause(2)
    const stream = await streamContinuation(id)
    const next = getReplyId((await stream.readUntil('accepted')) ?? undefined)
    await stream.readUntil('delta')
    await stream.disconnect()
    await vi.waitFor(async () =>
      expect((await findRow(next)).content).toMatch(/^A telescope gathers light one/),
    )
    const shown = await findNewest()
    function resume(after: number) {
      return openReplyStream(url, chatsApi.events, { as: ada, params: address(next), query: { after } })
    }
    const [fromStart, fromShown] = await Promise.all([resume(0), resume(shown?.lastEvent ?? 0)])
    model.resume()
    const all = await fromStart.readToEnd()
    const whole = 'A telescope gathers light one two three four'
    expect(all[0]).toMatchObject({ type: 'accepted', reply: { content: 'A telescope gathers light' } })
    expect(`A telescope gathers light${joinDeltas(all)}`).toBe(whole)
    expect(`${shown?.content}${joinDeltas(await fromShown.readToEnd())}`).toBe(whole)
    expect((await findNewest())?.content).toBe(whole)
  })

  it.each<[string, Behavior]>([
    ['an immediate error', { fault: { kind: 'status', status: 400 } }],
    ['an error in the middle', { text: [' for', ' us'], fault: { kind: 'error-event', afterPieces: 1 } }],
    ['a broken connection', { text: [' for', ' us'], fault: { kind: 'drop', afterBytes: 700 } }],
    ['a stream without an end', { text: [' for', ' us'], finishReason: null }],
  ])('keeps its text after %s and can be continued again', async (_, behavior) => {
    const { id } = await createInterruptedReply()
    model.script(behavior)
    const events = await (await streamContinuation(id)).readToEnd()
    expect(getLast(events)).toMatchObject({
      type: 'error',
      reply: {
        state: 'interrupted',
        canContinue: true,
        content: `A telescope gathers light${joinDeltas(events)}`,
      },
    })
    const again = await findNewest()
    model.script({ text: `${again?.content.slice(-16)} in the end.` })
    const { body } = await app.call(chatsApi.continue, { as: ada, params: address(again?._id ?? '') })
    expect(body.reply).toMatchObject({ state: 'complete', content: `${again?.content} in the end.` })
    expect(body.message?.content).toBe('Tell me about telescopes')
    expect(body.reply.versions).toMatchObject({ current: 2 })
  })

  it('is written only once per idempotency key, and never twice at the same time without a key', async () => {
    const { id } = await createInterruptedReply()
    model.script({ text: ' for us.' })
    const headers = { 'idempotency-key': 'continue-key-01' }
    const first = getLast(await (await streamContinuation(id, headers)).readToEnd())
    expect(getLast(await (await streamContinuation(id, headers)).readToEnd())).toEqual(first)
    expect(await countMessages()).toBe(3)
    model.pause(0)
    const racing = await Promise.all([streamContinuation(id), streamContinuation(id), streamContinuation(id)])
    expect(racing.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    model.resume()
    await Promise.all(racing.map((stream) => stream.readToEnd()))
    expect(await countMessages()).toBe(4)
  })

  it('keeps the earlier text if its writer dies before adding anything', async () => {
    const { id } = await createInterruptedReply()
    model.pause(0)
    const stream = await streamContinuation(id)
    const next = getReplyId((await stream.readUntil('accepted')) ?? undefined)
    await model.whenPaused()
    await app.deps.db.updateTable('messages').set({ lease_owner: 'dead' }).where('id', '=', next).execute()
    // Another process, which does not write the reply.
    await recoverReplies({ ...app.deps, nodeId: 'next' }, 'dead')
    expect(await findNewest()).toMatchObject({
      _id: next,
      state: 'interrupted',
      content: 'A telescope gathers light',
      canContinue: true,
    })
    model.resume()
    await stream.readToEnd()
    expect((await findRow(next)).state).toBe('interrupted')
  })
})

describe('a reply cut at the model’s length limit', () => {
  it.each([
    ['Chat Completions', 'gpt-4o'],
    ['Responses', 'o1'],
  ] as const)('is interrupted and can be continued with the %s API', async (_, llmModel) => {
    await app.deps.db
      .updateTable('channels')
      .set({ llm_model: llmModel })
      .where('id', '=', channelId)
      .execute()
    const { end, reply, id } = await createInterruptedReply({
      text: ['A telescope', ' gathers'],
      finishReason: 'length',
    })
    expect(end).toMatchObject({
      type: 'error',
      code: 'assistant.cut',
      message: 'The reply reached the maximum length for this model.',
      reply: { state: 'interrupted', content: 'A telescope gathers', canContinue: true },
    })
    expect(reply).toMatchObject({ error: 'The reply reached the maximum length for this model.' })
    expect((await findRow(id)).error).toBe('assistant.cut')
    const usage = await app.deps.db
      .selectFrom('llm_usage')
      .selectAll()
      .where('message_id', '=', id)
      .where('purpose', '=', 'answer')
      .execute()
    expect(usage).toMatchObject([{ estimated: 0, output: 2 }])
    model.script({ text: 'telescope gathers light.' })
    expect(getLast(await (await streamContinuation(id)).readToEnd())).toMatchObject({
      reply: { state: 'complete', content: 'A telescope gathers light.' },
    })
  })

  it('fails if it has no text', async () => {
    const { end } = await createInterruptedReply({ text: [' '], finishReason: 'length' })
    expect(end).toMatchObject({ type: 'error', reply: { state: 'failed' } })
  })
})

describe('continuing a reply that cites documents', () => {
  const policy = 'The daily allowance for travel in Norway is 62.50 euros. In Sweden it is 48 euros a day.\n'
  const handbook = 'Travel on leave has no allowance. Every employee has twenty days of paid leave a year.\n'
  const question =
    'What is the daily allowance for travel, and how many days of paid leave does an employee have?'

  async function addDocuments(isStrict: boolean) {
    channelId = await createTestChannel(app.deps, { strictDocumentsOnly: isStrict })
    const admin = await createAdmin(app.deps)
    const ids: string[] = []
    for (const [name, content] of Object.entries({ 'policy.txt': policy, 'handbook.txt': handbook })) {
      const file = { name, content }
      const { body } = await app.upload(documentsApi.upload, { as: admin, fields: { channelId }, file })
      await app.call(documentsApi.approve, { as: admin, params: { id: body._id } })
      ids.push(body._id)
    }
    await app.runJobs()
    ada = await createUser(app.deps, { channels: [channelId] })
    await openNewChat()
    return { admin, ids }
  }
  function findSourceNumber(part: string): number {
    const turns = readMessages(model.requests.at(-1)?.body ?? {})
    const sources =
      turns.map(({ content }) => content).find((content) => /<sources-[0-9a-f]/.test(content)) ?? ''
    return Number(new RegExp(`\\[(\\d)\\][^\\n]*\\n[^[]*${part}`).exec(sources)?.[1])
  }
  /** The source numbers that the search assigns to the two documents. */
  async function findSourceNumbers() {
    model.script({ text: 'Nothing.' })
    await (await send(question)).readToEnd()
    const found = { norway: findSourceNumber('Norway'), leave: findSourceNumber('twenty days') }
    await openNewChat()
    return found
  }
  async function interruptAfter(text: string) {
    model.script({ text: [text], finishReason: 'length' })
    await (await send(question)).readToEnd()
    const reply = await findNewest()
    return { reply, id: reply?._id ?? '' }
  }

  it.each([false, true])(
    'keeps the source numbers and adds new ones (documents only: %s)',
    async (isStrict) => {
      await addDocuments(isStrict)
      const { norway, leave } = await findSourceNumbers()
      const first = `The daily allowance for travel in Norway is 62.50 euros [${norway}]. `
      const { reply, id } = await interruptAfter(`${first}Every employee`)
      expect(reply?.citations?.map(({ n }) => n)).toEqual([norway])
      const added = `Every employee has twenty days of paid leave a year [${leave}].`
      const wrong = `Every employee has ninety cats [${leave}].`
      model.script({ text: `${added} ${wrong}` })
      const events = await (await streamContinuation(id)).readToEnd()
      expect(events[0]).toMatchObject({ reply: { citations: reply?.citations } })
      expect(events.filter(({ type }) => type === 'citation')).toMatchObject([{ citation: { n: leave } }])
      expect([findSourceNumber('Norway'), findSourceNumber('twenty days')]).toEqual([norway, leave])
      const whole = isStrict ? `${first}${added}` : `${first}${added} ${wrong.replace(/ \[.*$/, '.')}`
      expect(getLast(events)).toMatchObject({ type: 'done', reply: { content: whole, state: 'complete' } })
      const stored = await findNewest()
      expect(stored?.content).toBe(whole)
      expect(stored?.citations?.map(({ n, title }) => [n, title])).toEqual([
        [norway, expect.stringContaining('policy')],
        [leave, expect.stringContaining('handbook')],
      ])
    },
  )

  it('does not reuse the number of a deleted document', async () => {
    const { admin, ids } = await addDocuments(false)
    const { norway, leave } = await findSourceNumbers()
    const { id } = await interruptAfter(
      `The daily allowance for travel in Norway is 62.50 euros [${norway}]. And`,
    )
    await app.call(documentsApi.remove, { as: admin, params: { id: ids[0] ?? '' } })
    model.script({ text: `And every employee has twenty days of paid leave a year [${norway}].` })
    const { body } = await app.call(chatsApi.continue, { as: ada, params: address(id) })
    expect(findSourceNumber('twenty days')).not.toBe(norway)
    expect(body.reply.content.match(/\[\d\]/g)).toEqual([`[${norway}]`])
    expect(body.reply.citations).toMatchObject([{ n: norway, available: false }])
    expect(leave).toBeGreaterThan(0)
  })

  it('adds nothing in a strict channel whose documents were deleted', async () => {
    const { admin, ids } = await addDocuments(true)
    const { norway } = await findSourceNumbers()
    const text = `The daily allowance for travel in Norway is 62.50 euros [${norway}].`
    const { id } = await interruptAfter(`${text} And`)
    for (const gone of ids) await app.call(documentsApi.remove, { as: admin, params: { id: gone } })
    const events = await (await streamContinuation(id)).readToEnd()
    expect(getLast(events)).toMatchObject({
      type: 'error',
      code: 'chat.cannot_continue',
      reply: { content: text, state: 'interrupted', mode: 'model' },
    })
  })
})
