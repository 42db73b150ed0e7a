import { auditApi } from '@lyceum/contract/audit'
import { chatHistoryApi } from '@lyceum/contract/chat-history'
import { type Chat, chatsApi } from '@lyceum/contract/chats'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { setUpChatFixture } from '#testing/chat-fixture.ts'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import type { Behavior, ModelStandIn } from '#testing/model-stand-in.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let model: ModelStandIn
let app: TestApp
let channelId: string
let ada: TestUser
let chatId: string

setUpChatFixture((fixture) => {
  ;({ model, app, channelId, ada, chatId } = fixture)
})
afterEach(async () => {
  model.reset()
  await app.runJobs()
})

const question = 'How many days of vacation can I carry over into the next year, if any?'
const shortened = 'How many days of vacation can I carry over into the next…'

function address(messageId: string) {
  return { channelId, chatId, messageId }
}
async function send(message: string, text = 'Five.') {
  model.script({ text })
  const { status, body } = await app.call(chatsApi.send, {
    as: ada,
    params: { channelId, chatId },
    body: { message },
  })
  expect(status).toBe(200)
  return body
}
async function edit(messageId: string, message: string) {
  model.script({ text: 'Six.' })
  return (await app.call(chatsApi.edit, { as: ada, params: address(messageId), body: { message } })).body
}
function rename(title: string) {
  return app.call(chatsApi.rename, { as: ada, params: { channelId, chatId }, body: { title } })
}
async function getChat(): Promise<Chat | undefined> {
  const { body } = await app.call(chatsApi.list, { as: ada, params: { channelId } })
  return body.chats.find(({ _id }) => _id === chatId)
}
/** Runs the jobs, in which the model writes this title. */
async function runNaming(behavior: Behavior) {
  model.always({ on: 'titles', ...behavior })
  await app.runJobs()
  return model.titleRequests
}
async function countTokens(): Promise<number> {
  const { tokens } = await app.deps.db
    .selectFrom('usage_people')
    .select((eb) => eb.fn.sum<number>('tokens').as('tokens'))
    .where('user_id', '=', ada.id)
    .executeTakeFirstOrThrow()
  return Number(tokens)
}
async function openChannel(strict: boolean): Promise<void> {
  channelId = await createTestChannel(app.deps, { strictDocumentsOnly: strict })
  ada = await createUser(app.deps, { channels: [channelId] })
  chatId = (await app.call(chatsApi.create, { as: ada, params: { channelId }, body: {} })).body._id
}

describe('an automatic title', () => {
  it('never replaces the title that the user chose, before or after the first question', async () => {
    await rename('Mine')
    await send(question)
    expect(await runNaming({ text: 'Vacation days' })).toEqual([])
    expect(await getChat()).toMatchObject({ title: 'Mine' })

    const chosenLater = await app.call(chatsApi.create, { as: ada, params: { channelId }, body: {} })
    chatId = chosenLater.body._id
    await send(question)
    await rename('Mine too')
    await runNaming({ text: 'Vacation days' })
    expect(await getChat()).toMatchObject({ title: 'Mine too' })
    await send('And sick days?')
    expect((await getChat())?.title).toBe('Mine too')
  })

  it('is not visible to other users, in the audit log or in the jobs', async () => {
    const secret = 'Is the canary word safe here?'
    await send(secret)
    await runNaming({ text: 'The canary word' })
    expect((await getChat())?.title).toBe('The canary word')
    for (const as of [await createUser(app.deps, { channels: [channelId] }), await createAdmin(app.deps)]) {
      const { body } = await app.call(chatsApi.list, { as, params: { channelId } })
      expect(JSON.stringify(body)).not.toContain('canary')
      expect((await app.call(chatHistoryApi.list, { as })).status).toBe(403)
    }
    const owner = await createAdmin(app.deps, { isSystemAdmin: true })
    expect(JSON.stringify((await app.call(auditApi.list, { as: owner })).body)).not.toContain('canary')
    const jobs = await app.deps.db.selectFrom('jobs').selectAll().execute()
    expect(JSON.stringify(jobs)).not.toContain('canary')
  })

  it('is the beginning of the first question as soon as that is stored', async () => {
    expect(await getChat()).toMatchObject({ title: null })
    await send(question)
    expect(await getChat()).toMatchObject({ title: shortened })
    await send('And what about **sick** days?')
    expect((await getChat())?.title).toBe(shortened)
  })

  it('follows the version of the first question that the chat shows', async () => {
    const { message } = await send(question)
    const edited = await edit(message?._id ?? '', 'How many sick days?')
    expect((await getChat())?.title).toBe('How many sick days?')
    await app.call(chatsApi.showVersion, { as: ada, params: address(message?._id ?? '') })
    expect((await getChat())?.title).toBe(shortened)
    await app.call(chatsApi.showVersion, { as: ada, params: address(edited.reply._id) })
    expect((await getChat())?.title).toBe('How many sick days?')
  })

  it('is given to an earlier chat without a title with its next message', async () => {
    await send(question)
    await app.deps.db
      .updateTable('chats')
      .set({ title: null, title_source: null })
      .where('id', '=', chatId)
      .execute()
    await send('And sick days?')
    expect((await getChat())?.title).toBe(shortened)
  })
})

describe('the title by a model', () => {
  it('replaces the question, from one short request after the reply', async () => {
    await send(question)
    expect(await getChat()).toMatchObject({ title: shortened, isTitlePending: true })
    const [request, ...more] = await runNaming({ text: 'Title: “Carrying over vacation”' })
    expect(more).toEqual([])
    expect(JSON.stringify(request?.body)).toContain(question)
    expect(JSON.stringify(request?.body)).not.toContain('Five.')
    const chat = await getChat()
    expect(chat).toMatchObject({ title: 'Carrying over vacation' })
    expect(chat).not.toHaveProperty('isTitlePending')
    await send('And sick days?')
    expect(await runNaming({ text: 'Another' })).toHaveLength(1)
  })

  it('counts its tokens for the user and the channel', async () => {
    await send(question)
    const before = await countTokens()
    await runNaming({ text: 'Vacation' })
    expect(await countTokens()).toBeGreaterThan(before)
    const usage = app.deps.db.selectFrom('llm_usage').select(['purpose', 'message_id'])
    expect(await usage.where('user_id', '=', ada.id).where('purpose', '=', 'title').execute()).toEqual([
      { purpose: 'title', message_id: null },
    ])
  })

  it.each([
    ['fails', { fault: { kind: 'status', status: 500 } }],
    ['writes a whole answer', { text: 'You can carry over five days. '.repeat(20) }],
    ['writes nothing', { text: ' ' }],
  ] satisfies [string, Behavior][])('is left out when the model %s', async (_, behavior) => {
    await send(question)
    await runNaming(behavior)
    const chat = await getChat()
    expect(chat).toMatchObject({ title: shortened })
    expect(chat).not.toHaveProperty('isTitlePending')
  })

  it('is dropped when the question has changed in the meantime', async () => {
    const { message } = await send(question)
    await edit(message?._id ?? '', 'How many sick days?')
    // Two requests are due, and the first one is for the earlier question.
    await runNaming({ text: 'Sick days' })
    expect((await getChat())?.title).toBe('Sick days')
    await app.call(chatsApi.showVersion, { as: ada, params: address(message?._id ?? '') })
    await app.runJobs()
    expect((await getChat())?.title).toBe(shortened)
  })

  it('is not requested in a strict channel, where nothing unchecked may be shown', async () => {
    await openChannel(true)
    await send(question)
    expect(await runNaming({ text: 'Five days' })).toEqual([])
    expect(await getChat()).toMatchObject({ title: shortened })
  })

  it('is dropped when the channel has become strict in the meantime', async () => {
    await openChannel(false)
    await send(question)
    const channels = app.deps.db.updateTable('channels').set({ strict_documents_only: 1 })
    await channels.where('id', '=', channelId).execute()
    await runNaming({ text: 'Five days' })
    const chat = await getChat()
    expect(chat).toMatchObject({ title: shortened })
    expect(chat).not.toHaveProperty('isTitlePending')
  })
})

describe('without a model', () => {
  let plain: TestApp | undefined
  afterAll(() => plain?.close())

  it('is the beginning of the question', async () => {
    plain = await buildTestApp()
    const id = await createTestChannel(plain.deps)
    const as = await createUser(plain.deps, { channels: [id] })
    const { body } = await plain.call(chatsApi.create, { as, params: { channelId: id }, body: {} })
    const params = { channelId: id, chatId: body._id }
    await plain.call(chatsApi.send, { as, params, body: { message: question } })
    await plain.runJobs()
    const list = await plain.call(chatsApi.list, { as, params: { channelId: id } })
    expect(list.body.chats[0]).toMatchObject({ title: shortened })
  })
})
