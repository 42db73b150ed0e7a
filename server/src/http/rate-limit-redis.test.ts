import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askRedis, connectRedis } from '#providers/redis/client.ts'
import { createRedisCounters } from '#providers/shared-counters/redis-counters.ts'
import { startTestRedis, type TestRedis } from '#testing/test-redis.ts'
import { createRateLimiter, type RateLimiter } from './rate-limit.ts'

const perMinute = 30
const log = pino({ level: 'silent' })
let redis: TestRedis
let closers: (() => void)[]
beforeEach(async () => {
  closers = []
  redis = await startTestRedis()
})
afterEach(async () => {
  for (const close of closers) close()
  await redis.close()
})

/** A server of a cluster, whose clock does not advance. */
async function createServer(prefix = 'test'): Promise<RateLimiter> {
  const client = connectRedis(redis.url, { name: 'commands', log })
  await expect.poll(() => askRedis(client.ping()).catch(() => 'away')).toBe('PONG')
  const now = Date.now()
  const shared = createRedisCounters(client, prefix)
  const limiter = createRateLimiter({ scale: 1, now: () => now, shared, log })
  closers.push(limiter.close, () => client.disconnect())
  return limiter
}

/** Returns how many of the requests are accepted. */
async function spend(limiter: RateLimiter, requests: number, caller = 'ada'): Promise<number> {
  let accepted = 0
  for (let n = 0; n < requests; n += 1)
    await limiter.consume('history', caller).then(
      () => {
        accepted += 1
      },
      () => undefined,
    )
  return accepted
}

function readCount(): Promise<string | null> {
  return redis.client.get('test:rate:history|60000|ada')
}

describe('rate limits shared through Redis', () => {
  it('refuse exactly what exceeds the limit over all servers', async () => {
    const a = await createServer()
    const b = await createServer()
    expect(await spend(a, 20)).toBe(20)
    expect(await spend(b, 20)).toBe(10)
    expect(await spend(a, 1)).toBe(0)
    expect(await spend(b, 1, 'bob')).toBe(1)
  })

  it('accept no more when requests come at once', async () => {
    const servers = [await createServer(), await createServer()]
    const accepted = await Promise.all(servers.flatMap((server) => [spend(server, 15), spend(server, 15)]))
    expect(accepted.reduce((sum, count) => sum + count)).toBe(perMinute)
  })

  it('are not shared with another installation', async () => {
    expect(await spend(await createServer(), perMinute)).toBe(perMinute)
    expect(await spend(await createServer('other'), perMinute)).toBe(perMinute)
  })

  it('end when Redis has deleted the counter', async () => {
    await spend(await createServer(), perMinute)
    await redis.client.pexpire('test:rate:history|60000|ada', 1)
    await expect.poll(readCount).toBe(null)
    expect(await spend(await createServer(), 1)).toBe(1)
  })

  it('are counted by each server alone while Redis does not answer, and not twice afterwards', async () => {
    const a = await createServer()
    expect(await spend(a, 5)).toBe(5)
    redis.pause()
    expect(await spend(a, 30)).toBe(25)
    redis.resume()
    await expect.poll(readCount).not.toBe('5')
    expect(await spend(a, 1)).toBe(0)
    // It may have lost what was on its way, but counted nothing twice.
    expect(Number(await readCount())).toBeLessThanOrEqual(36)
  })

  it('are counted by each server alone while Redis is full, and shared afterwards', async () => {
    const a = await createServer()
    const b = await createServer()
    await redis.setFull(true)
    expect(await spend(a, 35)).toBe(perMinute)
    expect(await spend(b, 35)).toBe(perMinute)
    await redis.setFull(false)
    await expect.poll(readCount).toBe('70')
    expect(await spend(await createServer(), 1)).toBe(0)
  })
})
