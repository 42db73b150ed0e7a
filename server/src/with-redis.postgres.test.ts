import { statusApi } from '@lyceum/contract/status'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ClusterChat, setUpCluster, type TestCluster } from '#testing/cluster-chats.ts'
import { createHttpClient } from '#testing/http-client.ts'
import { joinText, readToPause, startPausedReply, words } from '#testing/paused-replies.ts'
import { runCli } from '#testing/run-cli.ts'
import type { SpawnedServer } from '#testing/spawn-server.ts'
import { startTestRedis, type TestRedis } from '#testing/test-redis.ts'

let cluster: TestCluster
let redis: TestRedis
setUpCluster((created) => {
  cluster = created
})
beforeEach(async () => {
  redis = await startTestRedis()
})
afterEach(() => redis.close())

/** Makes a server print when it loads the client. */
const reportClient = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from 'node:module'
    registerHooks({ load(url, context, next) {
      if (url.includes('/ioredis/')) process.stderr.write('the client was loaded')
      return next(url, context)
    } })`)}`,
}

async function findDatabasePart({ url }: SpawnedServer, { token }: ClusterChat) {
  const { parts } = await createHttpClient(url, token).call(statusApi.get, {})
  return parts.find(({ part }) => part === 'database')
}

describe('the client of Redis', () => {
  it.each([
    ['a single server', { CLUSTER: 'false' }],
    ['a cluster without REDIS_URL', {}],
  ])('is not loaded by %s', async (_name, env) => {
    const server = await cluster.start('server', { ...reportClient, ...env })
    expect(server.output()).not.toContain('the client was loaded')
  })

  it('is loaded with REDIS_URL', async () => {
    const server = await cluster.start('server', { ...reportClient, REDIS_URL: redis.url })
    expect(server.output()).toContain('the client was loaded')
  })
})

describe('a server with a password that is wrong', () => {
  it('starts, and shows it nowhere', async () => {
    const server = await cluster.start('server', { REDIS_URL: redis.wrongUrl, LOG_LEVEL: 'debug' })
    const chat = await cluster.createChat(server)
    await expect.poll(server.output).toContain('Redis cannot be used')
    const part = await findDatabasePart(server, chat)
    expect(part).toMatchObject({ state: 'attention', words: expect.stringMatching(/Redis does not work/) })
    cluster.model.always({ text: words })
    const own = await startPausedReply(cluster, server, chat)
    await readToPause(own)
    cluster.model.resume()
    expect(joinText(await own.readToEnd())).toBe(words.join(''))
    const ready = await (await fetch(`${server.url}/readyz`)).text()
    expect(ready).toContain('"redis":"failed"')
    const seen = `${server.output()}${JSON.stringify(part)}${ready}`
    expect(seen).toContain('WRONGPASS')
    expect(seen).not.toContain('redis://')
    for (const secret of redis.secrets) expect(seen).not.toContain(secret)
  })
})

describe('a server whose Redis is full', () => {
  it('writes no text of replies to its log', async () => {
    const server = await cluster.start('server', { REDIS_URL: redis.url, LOG_LEVEL: 'debug' })
    const chat = await cluster.createChat(server)
    await redis.setFull(true)
    const own = await startPausedReply(cluster, server, chat)
    await readToPause(own)
    await expect.poll(server.output).toContain('OOM command not allowed')
    expect(server.output()).not.toContain(words[0])
    expect(await findDatabasePart(server, chat)).toMatchObject({ state: 'attention' })
    cluster.model.resume()
    expect(joinText(await own.readToEnd())).toBe(words.join(''))
  })
})

it('keys begin with the prefix', async () => {
  const server = await cluster.start('server', { REDIS_URL: redis.url, REDIS_PREFIX: 'team-a' })
  const chat = await cluster.createChat(server)
  const own = await startPausedReply(cluster, server, chat)
  await readToPause(own)
  cluster.model.resume()
  await own.readToEnd()
  await fetch(`${server.url}/readyz`)
  const keys = await redis.client.keys('*')
  for (const kind of ['log', 'rate', 'check'])
    expect(keys).toContainEqual(expect.stringMatching(new RegExp(`^team-a:${kind}`)))
  expect(keys.filter((key) => !key.startsWith('team-a:'))).toEqual([])
})

describe('lyceum doctor', () => {
  async function runDoctor(url: string): Promise<string> {
    const { stdout } = await runCli(['doctor'], cluster.settings('server', { REDIS_URL: url }))
    return stdout
      .split('\n')
      .filter((line) => /^\w+ +redis: /.test(line))
      .join('\n')
  }

  it('reports what is wrong with Redis, or that it works', async () => {
    await cluster.start('server')
    await redis.client.config('SET', 'maxmemory-policy', 'allkeys-lru')
    expect(await runDoctor(redis.url)).toMatch(
      /^warning {2}redis: Its maxmemory-policy is allkeys-lru\. Set it to noeviction/,
    )
    await redis.client.config('SET', 'maxmemory-policy', 'noeviction')
    expect(await runDoctor(redis.url)).toMatch(
      /^ok {7}redis: version \d+\.\S+ answers; a key was written, read and deleted$/,
    )
    expect(await redis.client.keys('*doctor*')).toEqual([])
    await redis.setFull(true)
    expect(await runDoctor(redis.url)).toMatch(/^problem {2}redis: OOM command not allowed/)
    const refused = await runDoctor(redis.wrongUrl)
    expect(refused).toMatch(/^problem {2}redis: WRONGPASS/)
    for (const secret of redis.secrets) expect(refused).not.toContain(secret)
    await redis.stop()
    expect(await runDoctor(redis.url)).toMatch(/^problem {2}redis: connect ECONNREFUSED/)
  })
})
