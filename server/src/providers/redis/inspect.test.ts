import { afterEach, describe, expect, it } from 'vitest'
import { startTestRedis, type TestRedis } from '#testing/test-redis.ts'
import { inspectRedis } from './inspect.ts'

let redis: TestRedis
afterEach(() => redis.close())

describe('inspectRedis', () => {
  it('writes nothing to a server of a Redis Cluster', async () => {
    redis = await startTestRedis('--cluster-enabled', 'yes')
    expect(await inspectRedis(redis.url, 'test')).toMatchObject({ isAlone: false, isWritable: false })
  })

  it('rejects with a message only, without the password', async () => {
    redis = await startTestRedis()
    const error = await inspectRedis(redis.wrongUrl, 'test').catch((reason: unknown) => reason)
    expect(error).toMatchObject({ message: expect.stringMatching(/^WRONGPASS/) })
    for (const secret of redis.secrets)
      expect(JSON.stringify(Object.entries(error as Error))).not.toContain(secret)
  })

  it('writes, reads and deletes a key of a single server', async () => {
    redis = await startTestRedis()
    expect(await inspectRedis(redis.url, 'test')).toMatchObject({
      isAlone: true,
      isWritable: true,
      maxmemoryPolicy: 'noeviction',
    })
    expect(await redis.client.keys('*')).toEqual([])
  })
})
