import { chatsApi } from '@lyceum/contract/chats'
import { describe, expect, it } from 'vitest'
import { setUpChatFixture } from '#testing/chat-fixture.ts'
import { createAdmin, createUser, type TestUser } from '#testing/factories.ts'
import type { ModelStandIn } from '#testing/model-stand-in.ts'
import { openReplyStream } from '#testing/reply-stream.ts'
import type { TestApp } from '#testing/test-app.ts'

let model: ModelStandIn
let app: TestApp
let channelId: string
let ada: TestUser
let chatId: string

async function openNewChat() {
  return (await app.call(chatsApi.create, { as: ada, params: { channelId }, body: {} })).body._id
}

setUpChatFixture((fixture) => {
  ;({ model, app, channelId, ada, chatId } = fixture)
})

function address(messageId: string) {
  return { channelId, chatId, messageId }
}
async function requestReply(text: string, request: () => Promise<{ status: number; body: object }>) {
  model.script({ text })
  const { status, body } = await request()
  expect(status).toBe(200)
  const { message, reply } = body as { message: { _id: string }; reply: { _id: string } }
  return { questionId: message._id, replyId: reply._id }
}
function send(message: string, text: string) {
  return requestReply(text, () =>
    app.call(chatsApi.send, { as: ada, params: { channelId, chatId }, body: { message } }),
  )
}
function edit(id: string, message: string, text: string) {
  return requestReply(text, () =>
    app.call(chatsApi.edit, { as: ada, params: address(id), body: { message } }),
  )
}
function regenerate(id: string, text: string) {
  return requestReply(text, () => app.call(chatsApi.regenerate, { as: ada, params: address(id) }))
}
function show(messageId: string, as = ada) {
  return app.call(chatsApi.showVersion, { as, params: address(messageId) })
}
async function listShownContents() {
  return (await app.call(chatsApi.get, { as: ada, params: { channelId, chatId } })).body.messages.map(
    ({ content }) => content,
  )
}
async function findListItem() {
  return (await app.call(chatsApi.list, { as: ada, params: { channelId } })).body.chats.find(
    ({ _id }) => _id === chatId,
  )
}

describe('showing another version', () => {
  it('returns 404 to other users and for messages of another chat', async () => {
    const { replyId } = await send('One', 'First')
    await regenerate(replyId, 'Second')
    for (const as of [await createUser(app.deps, { channels: [channelId] }), await createAdmin(app.deps)])
      expect((await show(replyId, as)).status).toBe(404)
    expect((await show('unknown')).status).toBe(404)
    const first = chatId
    chatId = await openNewChat()
    expect((await show(replyId)).body.code).toBe('not_found')
    chatId = first
    expect(await listShownContents()).toEqual(['One', 'Second'])
  })

  it('rejects the request while a reply is running', async () => {
    const { replyId } = await send('One', 'First')
    model.pause(0)
    const stream = await openReplyStream(await app.url(), chatsApi.regenerate, {
      as: ada,
      params: address(replyId),
    })
    await stream.readUntil('accepted')
    const { status, body } = await show(replyId)
    expect([status, body.code]).toEqual([409, 'chat.busy'])
    model.resume()
    await stream.readToEnd()
    expect((await show(replyId)).status).toBe(200)
  })

  it('shows the newest messages below the version and changes the preview but not the order of chats', async () => {
    const first = await send('One', 'First')
    const second = await send('Two', 'Second')
    await regenerate(second.replyId, 'Second again')
    const edited = await edit(first.questionId, 'One otherwise', 'Third')
    expect(await listShownContents()).toEqual(['One otherwise', 'Third'])
    const before = await findListItem()
    const { status, body } = await show(first.questionId)
    expect(status).toBe(200)
    expect(body.messages.map(({ content }) => content)).toEqual(['One', 'First', 'Two', 'Second again'])
    expect(body.messages[0]?.versions).toEqual({ ids: [first.questionId, edited.questionId], current: 0 })
    expect(await listShownContents()).toEqual(['One', 'First', 'Two', 'Second again'])
    const after = await findListItem()
    expect(after?.messages[0]).toMatchObject({ role: 'assistant', content: 'Second again' })
    expect(after?.updatedAt).toBe(before?.updatedAt)
    expect(after?.messageCount).toBe(before?.messageCount)
    await show(second.replyId)
    expect(await listShownContents()).toEqual(['One', 'First', 'Two', 'Second'])
    await send('Three', 'Fourth')
    expect(await listShownContents()).toEqual(['One', 'First', 'Two', 'Second', 'Three', 'Fourth'])
  })

  it('does not count attempts that failed, except the one that is shown', async () => {
    const first = await send('One', 'First')
    async function fail(messageId: string) {
      model.script({ fault: { kind: 'status', status: 400 } })
      await app.call(chatsApi.regenerate, { as: ada, params: address(messageId) })
      const { body } = await app.call(chatsApi.get, { as: ada, params: { channelId, chatId } })
      return body.messages[1]
    }
    await fail(first.replyId)
    const failed = await fail(first.replyId)
    expect(failed?.versions).toEqual({ ids: [first.replyId, failed?._id], current: 1 })
    expect((await show(first.replyId)).body.messages[1]?.versions).toBeUndefined()
    const second = await regenerate(first.replyId, 'Second')
    const { body } = await app.call(chatsApi.get, { as: ada, params: { channelId, chatId } })
    expect(body.messages[1]?.versions).toEqual({ ids: [first.replyId, second.replyId], current: 1 })
  })

  it('uses the question as the preview if the reply is empty', async () => {
    model.script({ fault: { kind: 'status', status: 400 } })
    await app.call(chatsApi.send, {
      as: ada,
      params: { channelId, chatId },
      body: { message: 'One' },
    })
    const [question, failed] = (await app.call(chatsApi.get, { as: ada, params: { channelId, chatId } })).body
      .messages
    await regenerate(failed?._id ?? '', 'First')
    expect((await show(failed?._id ?? '')).body.messages.at(-1)?.state).toBe('failed')
    expect((await findListItem())?.messages[0]).toMatchObject({ role: 'user', content: 'One' })
    expect(question?.content).toBe('One')
  })

  it('leaves one consistent version after concurrent requests', async () => {
    const first = await send('One', 'First')
    const second = await regenerate(first.replyId, 'Second')
    for (let round = 0; round < 5; round += 1) {
      const responses = await Promise.all([show(first.replyId), show(second.replyId), show(first.replyId)])
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
      const now = (await listShownContents())[1]
      expect(['First', 'Second']).toContain(now)
      expect((await findListItem())?.messages[0]?.content).toBe(now)
    }
  })

  it('does not affect a message sent at the same time', async () => {
    const first = await send('One', 'First')
    await regenerate(first.replyId, 'Second')
    model.script({ text: 'Third' })
    const [sent] = await Promise.all([
      app.call(chatsApi.send, { as: ada, params: { channelId, chatId }, body: { message: 'Two' } }),
      show(first.replyId),
    ])
    expect(sent.status).toBe(200)
    expect((await listShownContents()).slice(-2)).toEqual(['Two', 'Third'])
  })
})
