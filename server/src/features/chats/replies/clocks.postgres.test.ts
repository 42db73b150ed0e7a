import { chatsApi } from '@lyceum/contract/chats'
import { afterEach, describe, expect, it } from 'vitest'
import { setUpChatFixture } from '#testing/chat-fixture.ts'
import type { TestUser } from '#testing/factories.ts'
import { createHttpClient } from '#testing/http-client.ts'
import type { ModelStandIn } from '#testing/model-stand-in.ts'
import { openReplyStream, type ReplyStream } from '#testing/reply-stream.ts'
import type { TestApp } from '#testing/test-app.ts'
import { buildApp } from '../../../app.ts'
import type { Deps } from '../../../deps.ts'
import { interruptLostReplies, stopReplies } from './reply-manager.ts'

let model: ModelStandIn
let app: TestApp
let ada: TestUser
let params: { channelId: string; chatId: string }
const cleanups: (() => Promise<void>)[] = []
setUpChatFixture((fixture) => {
  ;({ model, app, ada } = fixture)
  params = { channelId: fixture.channelId, chatId: fixture.chatId }
})
afterEach(async () => {
  for (const close of cleanups.splice(0)) await close()
})

/** Starts another server on the same database, whose clock differs from that of `app`. */
async function startNode(skew: number): Promise<{ deps: Deps; url: string }> {
  const deps: Deps = { ...app.deps, nodeId: `skewed by ${skew}`, now: () => app.deps.now() + skew }
  const stopping = new AbortController()
  const { server } = await buildApp(deps, { webFolder: `${app.folder}/no-web`, stopping: stopping.signal })
  cleanups.push(async () => {
    await stopReplies(deps)
    await server.close()
  })
  return { deps, url: await server.listen({ port: 0, host: '127.0.0.1' }) }
}

async function startPausedReply(url: string): Promise<ReplyStream> {
  model.script({ text: ['One ', 'two ', 'three.'] })
  model.pause(1)
  const stream = await openReplyStream(url, chatsApi.send, { as: ada, params, body: { message: 'Count' } })
  await stream.readUntil('accepted')
  await model.whenPaused()
  return stream
}

async function readState(url: string): Promise<string | undefined> {
  const { messages } = await createHttpClient(url, ada.token).call(chatsApi.get, { params })
  return messages.at(-1)?.state
}

async function expectToEnd(stream: ReplyStream): Promise<void> {
  model.resume()
  expect((await stream.readToEnd()).at(-1)).toMatchObject({
    type: 'done',
    reply: { content: 'One two three.' },
  })
}

describe.each([
  ['ahead', 300_000],
  ['behind', -300_000],
])('a server whose clock is five minutes %s', (_, skew) => {
  it('leaves the running replies of other servers alone', async () => {
    const skewed = await startNode(skew)
    const stream = await startPausedReply(await app.url())
    expect(await interruptLostReplies(skewed.deps)).toBe(0)
    expect(await readState(skewed.url)).toBe('streaming')
    await expectToEnd(stream)
  })

  it('keeps its own running replies', async () => {
    const skewed = await startNode(skew)
    const stream = await startPausedReply(skewed.url)
    expect(await interruptLostReplies(app.deps)).toBe(0)
    expect(await readState(await app.url())).toBe('streaming')
    await expectToEnd(stream)
  })

  it('ends the replies of servers that died', async () => {
    const skewed = await startNode(skew)
    const stream = await startPausedReply(await app.url())
    await app.deps.db
      .updateTable('messages')
      .set({ lease_owner: 'dead' })
      .where('state', '=', 'streaming')
      .execute()
    expect(await interruptLostReplies(skewed.deps)).toBe(0)
    await app.deps.db
      .updateTable('messages')
      .set({ lease_until: 1 })
      .where('state', '=', 'streaming')
      .execute()
    expect(await readState(skewed.url)).toBe('interrupted')
    expect(await interruptLostReplies(skewed.deps)).toBe(1)
    model.resume()
    await stream.readToEnd()
  })
})
