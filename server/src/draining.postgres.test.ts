import { chatsApi } from '@lyceum/contract/chats'
import { statusApi } from '@lyceum/contract/status'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ClusterFixture, createClusterFixture, skewClock } from '#testing/cluster-fixture.ts'
import { createHttpClient } from '#testing/http-client.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { openReplyStream, type ReplyStream } from '#testing/reply-stream.ts'
import type { SpawnedServer } from '#testing/spawn-server.ts'
import { startTcpProxy } from '#testing/tcp-proxy.ts'

let cluster: ClusterFixture
let model: ModelStandIn
beforeAll(async () => {
  model = await startModelStandIn()
})
afterAll(() => model.close())
beforeEach(async () => {
  model.reset()
  cluster = await createClusterFixture()
})
afterEach(() => cluster.close())

async function readReadiness({ url }: SpawnedServer) {
  const response = await fetch(`${url}/readyz`)
  const { status, parts } = (await response.json()) as { status: string; parts: Record<string, string> }
  return { code: response.status, status, parts }
}

function startWithModel(name: string, changes: Record<string, string>): Promise<SpawnedServer> {
  return cluster.start(name, { OPENAI_BASE_URL: model.url, ...changes })
}

interface RunningReply {
  stream: ReplyStream
  token: string
  params: { channelId: string; chatId: string }
}

/** Starts a reply that stops after its first words. */
async function startReply(server: SpawnedServer): Promise<RunningReply> {
  const { client, token, channelId } = await cluster.setUp(server)
  const { _id: chatId } = await client.call(chatsApi.create, { params: { channelId }, body: {} })
  const params = { channelId, chatId }
  model.script({ text: ['One ', 'two ', 'three.'] })
  model.pause(2)
  const as = { token } as never
  const stream = await openReplyStream(server.url, chatsApi.send, { as, params, body: { message: 'Count' } })
  await stream.readUntil('delta')
  return { stream, token, params }
}

describe('a server of a cluster that gets SIGTERM', () => {
  it('finishes running replies and answers calls, but is not ready, and then ends', async () => {
    const [first, second] = [
      await startWithModel('first', { DRAIN_SECONDS: '30' }),
      await startWithModel('second', { RUN: 'web' }),
    ]
    const { stream, token } = await startReply(first)
    process.kill(first.pid, 'SIGTERM')
    const draining = { code: 503, status: 'draining', parts: { database: 'ok' } }
    await expect.poll(() => readReadiness(first)).toMatchObject(draining)
    const elsewhere = await createHttpClient(second.url, token).call(statusApi.get, {})
    expect(elsewhere.nodes).toMatchObject([
      { name: 'first', state: 'draining' },
      { name: 'second', state: 'running' },
    ])
    model.resume()
    expect((await stream.readToEnd()).at(-1)?.type).toBe('done')
    expect((await createHttpClient(first.url, token).call(statusApi.get, {})).nodes).toHaveLength(2)
    expect(await readReadiness(first)).toMatchObject(draining)
    expect(await first.exitCode).toBe(0)
    expect(await readReadiness(second)).toMatchObject({ code: 200, status: 'ready' })
  })

  it('interrupts the replies that are still running after DRAIN_SECONDS', async () => {
    const server = await startWithModel('first', { DRAIN_SECONDS: '1' })
    const { stream } = await startReply(server)
    expect(await server.stop()).toBe(0)
    await stream.readToEnd()
    const reply = await cluster.db
      .selectFrom('messages')
      .select(['state', 'content'])
      .where('role', '=', 'assistant')
      .executeTakeFirst()
    expect(reply).toEqual({ state: 'interrupted', content: expect.stringContaining('One') })
  })
})

describe('a server of a cluster is not ready', () => {
  it('while its clock is wrong, and then runs no jobs', async () => {
    const server = await cluster.start('fast', skewClock(40_000))
    await expect
      .poll(() => readReadiness(server))
      .toMatchObject({ code: 503, status: 'not ready', parts: { clock: 'failed' } })
    await expect.poll(async () => (await cluster.findNode('fast')).clock_difference).toBeGreaterThan(30_000)
    const claimed = await cluster.db.selectFrom('jobs').select('id').where('owner', 'is not', null).execute()
    expect(claimed).toEqual([])
  })

  it('while its requests do not reach the database', async () => {
    const url = cluster.settings('any')['DATABASE_URL'] ?? ''
    const proxy = await startTcpProxy(url)
    const server = await cluster.start('cut', {
      DATABASE_URL: proxy.throughProxy(url),
      DATABASE_DIRECT_URL: url,
    })
    expect(await readReadiness(server)).toMatchObject({ code: 200, parts: { schema: 'ok', clock: 'ok' } })
    proxy.freeze()
    await expect.poll(() => readReadiness(server)).toMatchObject({ code: 503, parts: { database: 'failed' } })
    proxy.thaw()
    await expect.poll(() => readReadiness(server)).toMatchObject({ code: 200 })
    await proxy.close()
  })
})
