import { Writable } from 'node:stream'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { startTestRedis, type TestRedis } from '#testing/test-redis.ts'
import { type ClusterLinks, openClusterLinks } from './links.ts'

let records: MigratedDatabase
let redis: TestRedis
let first: ClusterLinks
let second: ClusterLinks
let logLines: string[]
const log = pino(
  { level: 'warn' },
  new Writable({
    write(line, _encoding, done) {
      logLines.push(String(line))
      done()
    },
  }),
)

beforeEach(async () => {
  logLines = []
  records = await openMigratedDatabase()
  redis = await startTestRedis()
  first = await open('first')
  second = await open('second')
  for (const links of [first, second]) await expectWorking(links)
})
afterEach(async () => {
  await first.close()
  await second.close()
  await redis.close()
  await records.close()
})

function open(node: string): Promise<ClusterLinks> {
  const { db } = records
  return openClusterLinks({
    node,
    db,
    url: '',
    redis: { url: redis.url, prefix: 'test' },
    now: Date.now,
    log,
  })
}

function isWorking(links: ClusterLinks): Promise<boolean> {
  return links.check().then(
    () => true,
    () => false,
  )
}

function expectWorking(links: ClusterLinks) {
  return expect.poll(() => isWorking(links)).toBe(true)
}

function frame(messageId: string, content: string) {
  return { messageId, content }
}

function collect(messageId: string): string[] {
  const seen: string[] = []
  second.eventLog.follow('first', messageId, (contents) => void seen.push(...contents))
  return seen
}

describe('the shared event log in Redis', () => {
  it('forgets batches after half a minute, and everything some time after the last one', async () => {
    const earlier = Date.now() - 60_000
    for (let at = 0; at < 300; at += 1)
      await redis.client.xadd('test:log:first', `${earlier + at}-0`, 'a', 'earlier')
    await first.eventLog.push([frame('a', 'one')])
    await first.eventLog.push([frame('a', 'two')])
    const frames = await second.eventLog.read('first', ['a'])
    expect(frames.slice(-2)).toEqual([frame('a', 'one'), frame('a', 'two')])
    // Redis deletes batches in blocks of up to 100.
    expect(frames.length).toBeLessThanOrEqual(102)
    const remaining = await redis.client.pttl('test:log:first')
    expect(remaining).toBeGreaterThan(0)
    expect(remaining).toBeLessThanOrEqual(600_000)
  })

  it('is followed again when it was replaced by one with earlier ids', async () => {
    const seen = collect('a')
    await redis.client.xadd('test:log:first', `${Date.now() + 3_600_000}-0`, 'a', 'from the future')
    await expect.poll(() => seen).toEqual(['from the future'])
    await redis.kill()
    await redis.start()
    await expectWorking(first)
    await first.eventLog.push([frame('a', 'again')])
    await expect.poll(() => seen).toEqual(['from the future', 'again'])
  })

  it('counts as failing after every loss, so that snapshots are saved', async () => {
    await first.eventLog.push([frame('a', 'one')])
    expect(first.eventLog.isFailing).toBe(false)
    await redis.kill()
    await expect.poll(() => first.eventLog.isFailing).toBe(true)
    await redis.start()
    // Also while a push works already.
    await expect
      .poll(() =>
        first.eventLog.push([frame('a', 'two')]).then(
          () => first.eventLog.isFailing,
          () => 'not stored',
        ),
      )
      .toBe(true)
    await expect.poll(() => first.eventLog.isFailing).toBe(false)
  })

  it('is empty for the replies of a dead server while Redis is away, and can be forgotten', async () => {
    await first.eventLog.push([frame('a', 'one')])
    await redis.stop()
    expect(await second.eventLog.read('first', ['a'])).toEqual([])
    await second.eventLog.forget('first')
    expect(logLines.join('')).toContain('the last text of interrupted replies is lost')
  })

  it('waits a moment for Redis before text counts as lost', async () => {
    await first.eventLog.push([frame('a', 'one')])
    redis.pause()
    const read = second.eventLog.read('first', ['a'])
    await expect(first.eventLog.push([frame('a', 'two')])).rejects.toThrow('timed out')
    redis.resume()
    expect((await read).slice(0, 1)).toEqual([frame('a', 'one')])
  })
})
