import { chatsApi } from '@lyceum/contract/chats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestChannel, createUser } from '#testing/factories.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let model: ModelStandIn
let app: TestApp
let isReplyWritten = false
beforeAll(async () => {
  model = await startModelStandIn()
  app = await buildTestApp({
    env: { OPENAI_BASE_URL: model.url },
    deps: {
      faults: {
        reach: (point) => {
          isReplyWritten ||= point === 'reply.written'
        },
      },
    },
  })
})
afterAll(async () => {
  await app.close()
  await model.close()
})

/** Commits the next transaction that saves the final state of a reply, but reports a lost connection. */
function loseNextAcknowledgement(): void {
  const { db } = app.deps
  const begin = db.transaction.bind(db)
  db.transaction = () => {
    const transaction = begin()
    if (!isReplyWritten) return transaction
    db.transaction = begin
    const execute = transaction.execute.bind(transaction)
    transaction.execute = async (work) => {
      await execute(work)
      throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' })
    }
    return transaction
  }
}

/** Makes the next transactions fail that save the final state of a reply, as on a full disk. */
function failNextSaves(count: number): void {
  const { db } = app.deps
  const begin = db.transaction.bind(db)
  let left = count
  db.transaction = () => {
    const transaction = begin()
    if (!isReplyWritten) return transaction
    left -= 1
    if (left === 0) db.transaction = begin
    transaction.execute = async () => {
      throw new Error('database or disk is full')
    }
    return transaction
  }
}

describe('saving the final state of a reply', () => {
  it('completes and counts the reply once if the connection is lost after the commit', async () => {
    const channelId = await createTestChannel(app.deps)
    const as = await createUser(app.deps, { channels: [channelId] })
    const { body: chat } = await app.call(chatsApi.create, { as, params: { channelId }, body: {} })
    isReplyWritten = false
    loseNextAcknowledgement()
    const { status, body } = await app.call(chatsApi.send, {
      as,
      params: { channelId, chatId: chat._id },
      body: { message: 'Tell me something' },
    })
    expect([status, body.reply.state]).toEqual([200, 'complete'])
    const { db } = app.deps
    const calls = await db.selectFrom('llm_usage').select(['input', 'output']).execute()
    const tokenCount = calls.reduce((sum, { input, output }) => sum + input + output, 0)
    expect(tokenCount).toBeGreaterThan(0)
    const people = await db
      .selectFrom('usage_people')
      .select('tokens')
      .where('channel_id', '=', channelId)
      .execute()
    expect(people).toEqual([{ tokens: tokenCount }])
    const days = await db
      .selectFrom('usage_days')
      .select((eb) => [
        eb.fn.sum<number | string>('replies').as('replies'),
        eb.fn.sum<number | string>(eb('input_tokens', '+', eb.ref('output_tokens'))).as('tokens'),
      ])
      .where('channel_id', '=', channelId)
      .executeTakeFirstOrThrow()
    expect([Number(days.replies), Number(days.tokens)]).toEqual([1, tokenCount])
  })

  it('is tried again until it succeeds', async () => {
    const channelId = await createTestChannel(app.deps)
    const as = await createUser(app.deps, { channels: [channelId] })
    const { body: chat } = await app.call(chatsApi.create, { as, params: { channelId }, body: {} })
    isReplyWritten = false
    failNextSaves(3)
    const { status, body } = await app.call(chatsApi.send, {
      as,
      params: { channelId, chatId: chat._id },
      body: { message: 'Tell me something' },
    })
    expect([status, body.reply.state]).toEqual([200, 'complete'])
  })
})
