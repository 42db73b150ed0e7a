import { type ChatMessage, chatsApi, type ReplyEvent } from '@lyceum/contract/chats'
import { documentsApi } from '@lyceum/contract/documents'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { setUpChatFixture } from '#testing/chat-fixture.ts'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { readMessages } from '#testing/model-stand-in/conversation.ts'
import type { Behaviour, ModelStandIn } from '#testing/model-stand-in.ts'
import { openReplyStream } from '#testing/reply-stream.ts'
import type { TestApp } from '#testing/test-app.ts'
import { recoverReplies } from './reply-manager.ts'

let model: ModelStandIn
let app: TestApp
let url: string
let channelId: string
let ada: TestUser
let chatId: string

async function begin() {
  chatId = (await app.call(chatsApi.create, { as: ada, params: { channelId }, body: {} })).body._id
}

setUpChatFixture((room) => {
  ;({ model, app, channelId, ada, chatId } = room)
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
function goOn(messageId: string, headers = {}, as = ada) {
  return openReplyStream(url, chatsApi.continue, { as, params: address(messageId), headers })
}
async function refusal(messageId: string, as = ada) {
  const { status, body } = await app.call(chatsApi.continue, { as, params: address(messageId) })
  return [status, body.code]
}
async function open(): Promise<ChatMessage[]> {
  return (await app.call(chatsApi.get, { as: ada, params: { channelId, chatId } })).body.messages
}
async function newest() {
  return (await open()).at(-1)
}
function row(id: string) {
  return app.deps.db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}
async function count() {
  return (await app.deps.db.selectFrom('messages').select('id').where('chat_id', '=', chatId).execute())
    .length
}

function textOf(events: readonly ReplyEvent[]): string {
  return events.map((event) => (event.type === 'delta' ? event.text : '')).join('')
}
function last(events: readonly ReplyEvent[]) {
  return events.at(-1)
}
function idOf(event: ReplyEvent | undefined): string {
  return event && 'reply' in event ? event.reply._id : ''
}

/** Creates an interrupted reply. By default the model fails in the middle of its stream. */
async function broken(
  behaviour: Behaviour = {
    text: ['A telescope', ' gathers', ' light', ' for', ' us'],
    fault: { kind: 'error-event', afterPieces: 3 },
  },
) {
  model.script(behaviour)
  const end = last(await (await send()).readToEnd())
  const reply = await newest()
  if (!reply) throw new Error('there is no reply')
  return { end, reply, id: reply._id }
}

describe('continuing a reply', () => {
  it('returns 404 to other users, administrators and former members', async () => {
    const { id } = await broken()
    for (const as of [await createUser(app.deps, { channels: [channelId] }), await createAdmin(app.deps)])
      expect(await refusal(id, as)).toEqual([404, 'not_found'])
    await app.deps.db.deleteFrom('channel_members').where('user_id', '=', ada.id).execute()
    expect(await refusal(id)).toEqual([404, 'not_found'])
  })

  it('rejects questions, complete replies and empty replies, and stores nothing', async () => {
    model.script({ text: 'All of it.' })
    await (await send()).readToEnd()
    const [question, whole] = await open()
    expect(whole?.canContinue).toBeUndefined()
    expect(await refusal(whole?._id ?? '')).toEqual([409, 'chat.cannot_continue'])
    expect(await refusal(question?._id ?? '')).toEqual([409, 'chat.cannot_continue'])
    expect(await refusal('unknown')).toEqual([404, 'not_found'])
    const { id: empty } = await broken({ fault: { kind: 'status', status: 400 } })
    expect(await refusal(empty)).toEqual([409, 'chat.cannot_continue'])
    expect(await count()).toBe(4)
  })

  it('rejects the request while this reply or another one is running', async () => {
    const { id } = await broken()
    model.pause(1)
    const stream = await send('And more?')
    const running = idOf((await stream.readUntil('accepted')) ?? undefined)
    expect(await refusal(running)).toEqual([409, 'chat.cannot_continue'])
    expect(await refusal(id)).toEqual([409, 'chat.busy'])
    model.resume()
    await stream.readToEnd()
  })

  it('returns 404 for a reply from another chat of the user', async () => {
    const { id } = await broken()
    await begin()
    expect(await refusal(id)).toEqual([404, 'not_found'])
  })

  it('rejects replies written without a model and channels with an external assistant', async () => {
    const { id } = await broken()
    function set(changes: { use_assistant: 0 | 1; assistant_id: string }) {
      return app.deps.db.updateTable('channels').set(changes).where('id', '=', channelId).execute()
    }
    await set({ use_assistant: 1, assistant_id: 'asst_elsewhere' })
    expect(await refusal(id)).toEqual([409, 'chat.cannot_continue'])
    await set({ use_assistant: 0, assistant_id: '' })
    await app.deps.db.updateTable('messages').set({ mode: 'extractive' }).where('id', '=', id).execute()
    expect(await refusal(id)).toEqual([409, 'chat.cannot_continue'])
  })
})

describe('a continued reply', () => {
  it('is a new version that starts with the earlier text and adds to it', async () => {
    const { reply, id } = await broken()
    expect(reply).toMatchObject({
      state: 'interrupted',
      content: 'A telescope gathers light',
      canContinue: true,
    })
    model.script({ text: [' gathers light', ' for', ' us.'] })
    const events = await (await goOn(id)).readToEnd()
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1))
    expect(events[0]).toMatchObject({
      type: 'accepted',
      message: null,
      reply: {
        content: 'A telescope gathers light',
        state: 'streaming',
        versions: { ids: [id, idOf(events[0])], current: 1 },
      },
    })
    expect(textOf(events)).toBe(' for us.')
    expect(last(events)).toMatchObject({
      type: 'done',
      reply: { content: 'A telescope gathers light for us.', state: 'complete', mode: 'model' },
    })
    const messages = await open()
    expect(messages.map(({ content }) => content)).toEqual([
      'Tell me about telescopes',
      'A telescope gathers light for us.',
    ])
    expect(messages[1]?.canContinue).toBeUndefined()
    expect((await row(id)).content).toBe('A telescope gathers light')
  })

  it('sends the model the conversation, the partial reply and an instruction', async () => {
    model.script({ text: 'Hello there.' })
    await (await send('Hello')).readToEnd()
    const { id } = await broken()
    await (await goOn(id)).readToEnd()
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
    const id = idOf((await stream.readUntil('accepted')) ?? undefined)
    await vi.waitFor(async () => expect((await stream.next())?.type).toBe('delta'))
    await model.whenPaused()
    const stopped = await app.call(chatsApi.stop, { as: ada, params: address(id) })
    model.resume()
    expect(stopped.body).toMatchObject({ state: 'stopped', canContinue: true })
    model.script({ text: `${stopped.body.content} on and on.` })
    expect(last(await (await goOn(id)).readToEnd())).toMatchObject({
      type: 'done',
      reply: { content: `${stopped.body.content} on and on.` },
    })
  })

  it('can be followed from any event number and from a snapshot', async () => {
    const { id } = await broken()
    model.script({ text: [' one', ' two', ' three', ' four'] })
    model.pause(2)
    const stream = await goOn(id)
    const next = idOf((await stream.readUntil('accepted')) ?? undefined)
    await stream.readUntil('delta')
    await stream.disconnect()
    await vi.waitFor(async () => expect((await row(next)).content).toMatch(/^A telescope gathers light one/))
    const shown = await newest()
    function resume(after: number) {
      return openReplyStream(url, chatsApi.events, { as: ada, params: address(next), query: { after } })
    }
    const [fromStart, fromShown] = await Promise.all([resume(0), resume(shown?.lastEvent ?? 0)])
    model.resume()
    const all = await fromStart.readToEnd()
    const whole = 'A telescope gathers light one two three four'
    expect(all[0]).toMatchObject({ type: 'accepted', reply: { content: 'A telescope gathers light' } })
    expect(`A telescope gathers light${textOf(all)}`).toBe(whole)
    expect(`${shown?.content}${textOf(await fromShown.readToEnd())}`).toBe(whole)
    expect((await newest())?.content).toBe(whole)
  })

  it.each<[string, Behaviour]>([
    ['an error at once', { fault: { kind: 'status', status: 400 } }],
    ['an error in the middle', { text: [' for', ' us'], fault: { kind: 'error-event', afterPieces: 1 } }],
    ['a broken connection', { text: [' for', ' us'], fault: { kind: 'drop', afterBytes: 700 } }],
    ['a stream without an end', { text: [' for', ' us'], finishReason: null }],
  ])('keeps its text after %s and can be continued again', async (_, behaviour) => {
    const { id } = await broken()
    model.script(behaviour)
    const events = await (await goOn(id)).readToEnd()
    expect(last(events)).toMatchObject({
      type: 'error',
      reply: {
        state: 'interrupted',
        canContinue: true,
        content: `A telescope gathers light${textOf(events)}`,
      },
    })
    const again = await newest()
    model.script({ text: `${again?.content.slice(-16)} in the end.` })
    const { body } = await app.call(chatsApi.continue, { as: ada, params: address(again?._id ?? '') })
    expect(body.reply).toMatchObject({ state: 'complete', content: `${again?.content} in the end.` })
    expect(body.message?.content).toBe('Tell me about telescopes')
    expect(body.reply.versions).toMatchObject({ current: 2 })
  })

  it('is written once per idempotency key, and one at a time without a key', async () => {
    const { id } = await broken()
    model.script({ text: ' for us.' })
    const headers = { 'idempotency-key': 'continue-key-01' }
    const first = last(await (await goOn(id, headers)).readToEnd())
    expect(last(await (await goOn(id, headers)).readToEnd())).toEqual(first)
    expect(await count()).toBe(3)
    model.pause(0)
    const racing = await Promise.all([goOn(id), goOn(id), goOn(id)])
    expect(racing.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    model.resume()
    await Promise.all(racing.map((stream) => stream.readToEnd()))
    expect(await count()).toBe(4)
  })

  it('keeps the earlier text if its writer dies before adding anything', async () => {
    const { id } = await broken()
    model.pause(0)
    const stream = await goOn(id)
    const next = idOf((await stream.readUntil('accepted')) ?? undefined)
    await model.whenPaused()
    await app.deps.db.updateTable('messages').set({ lease_owner: 'dead' }).where('id', '=', next).execute()
    await recoverReplies({ ...app.deps, nodeId: 'dead' })
    expect(await newest()).toMatchObject({
      _id: next,
      state: 'interrupted',
      content: 'A telescope gathers light',
      canContinue: true,
    })
    model.resume()
    await stream.readToEnd()
    expect((await row(next)).state).toBe('interrupted')
  })
})

describe('a reply cut at the model’s length limit', () => {
  it.each([
    ['as a chat completion', 'gpt-4o'],
    ['as a response', 'o1'],
  ] as const)('%s is interrupted and can be continued', async (_, llmModel) => {
    await app.deps.db
      .updateTable('channels')
      .set({ llm_model: llmModel })
      .where('id', '=', channelId)
      .execute()
    const { end, reply, id } = await broken({ text: ['A telescope', ' gathers'], finishReason: 'length' })
    expect(end).toMatchObject({
      type: 'error',
      code: 'assistant.cut',
      message: 'The reply reached the maximum length for this model.',
      reply: { state: 'interrupted', content: 'A telescope gathers', canContinue: true },
    })
    expect(reply).toMatchObject({ error: 'The reply reached the maximum length for this model.' })
    expect((await row(id)).error).toBe('assistant.cut')
    const usage = await app.deps.db
      .selectFrom('llm_usage')
      .selectAll()
      .where('message_id', '=', id)
      .where('purpose', '=', 'answer')
      .execute()
    expect(usage).toMatchObject([{ estimated: 0, output: 2 }])
    model.script({ text: 'telescope gathers light.' })
    expect(last(await (await goOn(id)).readToEnd())).toMatchObject({
      reply: { state: 'complete', content: 'A telescope gathers light.' },
    })
  })

  it('fails if it has no text', async () => {
    const { end } = await broken({ text: [' '], finishReason: 'length' })
    expect(end).toMatchObject({ type: 'error', reply: { state: 'failed' } })
  })
})

describe('continuing a reply that cites documents', () => {
  const policy = 'The daily allowance for travel in Norway is 62.50 euros. In Sweden it is 48 euros a day.\n'
  const handbook = 'Travel on leave has no allowance. Every employee has twenty days of paid leave a year.\n'
  const question = 'What is the daily allowance for travel, and how many days of paid leave has an employee?'

  async function furnish(isStrict: boolean) {
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
    await begin()
    return { admin, ids }
  }
  function sourceNumber(part: string): number {
    const asked = readMessages(model.requests.at(-1)?.body ?? {})
    const sources =
      asked.map(({ content }) => content).find((content) => /<sources-[0-9a-f]/.test(content)) ?? ''
    return Number(new RegExp(`\\[(\\d)\\][^\\n]*\\n[^[]*${part}`).exec(sources)?.[1])
  }
  /** The source numbers that the search assigns to the two documents. */
  async function numbersOf() {
    model.script({ text: 'Nothing.' })
    await (await send(question)).readToEnd()
    const found = { norway: sourceNumber('Norway'), leave: sourceNumber('twenty days') }
    await begin()
    return found
  }
  async function cut(text: string) {
    model.script({ text: [text], finishReason: 'length' })
    await (await send(question)).readToEnd()
    const reply = await newest()
    return { reply, id: reply?._id ?? '' }
  }

  it.each([false, true])(
    'keeps the source numbers and adds new ones (documents only: %s)',
    async (isStrict) => {
      await furnish(isStrict)
      const { norway, leave } = await numbersOf()
      const first = `The daily allowance for travel in Norway is 62.50 euros [${norway}]. `
      const { reply, id } = await cut(`${first}Every employee`)
      expect(reply?.citations?.map(({ n }) => n)).toEqual([norway])
      const added = `Every employee has twenty days of paid leave a year [${leave}].`
      const wrong = `Every employee has ninety cats [${leave}].`
      model.script({ text: `${added} ${wrong}` })
      const events = await (await goOn(id)).readToEnd()
      expect(events[0]).toMatchObject({ reply: { citations: reply?.citations } })
      expect(events.filter(({ type }) => type === 'citation')).toMatchObject([{ citation: { n: leave } }])
      expect([sourceNumber('Norway'), sourceNumber('twenty days')]).toEqual([norway, leave])
      const whole = isStrict ? `${first}${added}` : `${first}${added} ${wrong.replace(/ \[.*$/, '.')}`
      expect(last(events)).toMatchObject({ type: 'done', reply: { content: whole, state: 'complete' } })
      const stored = await newest()
      expect(stored?.content).toBe(whole)
      expect(stored?.citations?.map(({ n, title }) => [n, title])).toEqual([
        [norway, expect.stringContaining('policy')],
        [leave, expect.stringContaining('handbook')],
      ])
    },
  )

  it('does not reuse the number of a deleted document', async () => {
    const { admin, ids } = await furnish(false)
    const { norway, leave } = await numbersOf()
    const { id } = await cut(`The daily allowance for travel in Norway is 62.50 euros [${norway}]. And`)
    await app.call(documentsApi.remove, { as: admin, params: { id: ids[0] ?? '' } })
    model.script({ text: `And every employee has twenty days of paid leave a year [${norway}].` })
    const { body } = await app.call(chatsApi.continue, { as: ada, params: address(id) })
    expect(sourceNumber('twenty days')).not.toBe(norway)
    expect(body.reply.content.match(/\[\d\]/g)).toEqual([`[${norway}]`])
    expect(body.reply.citations).toMatchObject([{ n: norway, available: false }])
    expect(leave).toBeGreaterThan(0)
  })

  it('adds nothing in a strict channel whose documents were deleted', async () => {
    const { admin, ids } = await furnish(true)
    const { norway } = await numbersOf()
    const text = `The daily allowance for travel in Norway is 62.50 euros [${norway}].`
    const { id } = await cut(`${text} And`)
    for (const gone of ids) await app.call(documentsApi.remove, { as: admin, params: { id: gone } })
    const events = await (await goOn(id)).readToEnd()
    expect(last(events)).toMatchObject({
      type: 'error',
      code: 'chat.cannot_continue',
      reply: { content: text, state: 'interrupted', mode: 'model' },
    })
  })
})
