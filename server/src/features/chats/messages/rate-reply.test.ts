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

setUpChatFixture((fixture) => {
  ;({ model, app, channelId, ada, chatId } = fixture)
})

type RatingBody = { rating: 'good' | 'bad' | null; reason?: 'incorrect' | 'other' | null; comment?: string }

async function send(message = 'Hello') {
  const { body } = await app.call(chatsApi.send, {
    as: ada,
    params: { channelId, chatId },
    body: { message },
  })
  return { questionId: body.message?._id ?? '', replyId: body.reply._id }
}
function rate(messageId: string, body: RatingBody, as = ada) {
  return app.call(chatsApi.rate, { as, params: { channelId, chatId, messageId }, body })
}
function listRatings() {
  return app.deps.db.selectFrom('message_feedback').selectAll().execute()
}
async function findShownFeedback(messageId: string) {
  return (await app.call(chatsApi.get, { as: ada, params: { channelId, chatId } })).body.messages.find(
    ({ _id }) => _id === messageId,
  )?.feedback
}

describe('rating a reply', () => {
  it('rejects other users, other messages, running replies and invalid input', async () => {
    const { questionId, replyId } = await send()
    for (const as of [await createUser(app.deps, { channels: [channelId] }), await createAdmin(app.deps)])
      expect((await rate(replyId, { rating: 'good' }, as)).status).toBe(404)
    expect((await rate('unknown', { rating: 'good' })).status).toBe(404)
    const question = await rate(questionId, { rating: 'good' })
    expect([question.status, question.body.code]).toEqual([409, 'chat.not_a_reply'])
    for (const body of [
      { rating: 'fine' },
      {},
      { rating: 'bad', reason: 'ugly' },
      { rating: 'bad', comment: 'x'.repeat(1001) },
    ])
      expect((await rate(replyId, body as RatingBody)).status).toBe(400)
    model.pause(0)
    const stream = await openReplyStream(await app.url(), chatsApi.send, {
      as: ada,
      params: { channelId, chatId },
      body: { message: 'And?' },
    })
    const accepted = await stream.readUntil('accepted')
    const early = await rate(accepted?.reply._id ?? '', { rating: 'good' })
    expect([early.status, early.body.code]).toEqual([409, 'chat.not_finished'])
    model.resume()
    await stream.readToEnd()
    expect((await listRatings()).filter(({ message_id }) => message_id === replyId)).toEqual([])
  })

  it('stores, changes, shows and removes the rating', async () => {
    const { replyId } = await send()
    const good = await rate(replyId, { rating: 'good', reason: 'incorrect', comment: ' Thanks ' })
    expect([good.status, good.body.feedback]).toEqual([
      200,
      { rating: 'good', reason: null, comment: 'Thanks' },
    ])
    const bad = { rating: 'bad', reason: 'incorrect', comment: 'No\nnot at all' } as const
    expect((await rate(replyId, bad)).body.feedback).toEqual(bad)
    expect(await findShownFeedback(replyId)).toEqual(bad)
    expect((await rate(replyId, { rating: null })).body.feedback).toBeUndefined()
    expect(await findShownFeedback(replyId)).toBeUndefined()
    expect((await rate(replyId, { rating: null })).status).toBe(200)
  })

  it('stores one rating if several arrive at once', async () => {
    const { replyId } = await send()
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        rate(replyId, at % 2 === 0 ? { rating: 'good' } : { rating: 'bad', reason: 'other' }),
      ),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    expect((await listRatings()).filter(({ message_id }) => message_id === replyId)).toHaveLength(1)
  })

  it('deletes the rating with its chat', async () => {
    const { replyId } = await send()
    await rate(replyId, { rating: 'good' })
    await app.call(chatsApi.remove, { as: ada, params: { channelId, chatId } })
    expect((await listRatings()).filter(({ message_id }) => message_id === replyId)).toEqual([])
  })
})
