import { Writable } from 'node:stream'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPostgresCounters } from '#providers/shared-counters/postgres-counters.ts'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { createRateLimiter, type RateLimiter } from './rate-limit.ts'

const perMinute = 30
let records: MigratedDatabase
let limiters: RateLimiter[]
let clock: number
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
  records = await openMigratedDatabase()
  limiters = []
  logLines = []
  clock = Date.now()
})
afterEach(async () => {
  for (const limiter of limiters) limiter.close()
  await records.close()
})

function now(): number {
  return clock
}

/** A server of a cluster. */
function createServer(): RateLimiter {
  const limiter = createRateLimiter({ scale: 1, now, shared: createPostgresCounters(records.db, now), log })
  limiters.push(limiter)
  return limiter
}

/** Returns how many of the requests are accepted. */
async function spend(limiter: RateLimiter, requests: number, caller = 'ada'): Promise<number> {
  let accepted = 0
  for (let n = 0; n < requests; n += 1)
    try {
      await limiter.consume('history', caller)
      accepted += 1
    } catch {
      // Counted by what is missing.
    }
  return accepted
}

async function waitForCount(count: number): Promise<void> {
  const rows = records.db.selectFrom('rate_counters').select('count')
  await vi.waitFor(async () => expect(await rows.execute()).toEqual([{ count }]), { timeout: 20_000 })
}

describe('rate limits of a cluster', () => {
  it('refuse what a caller has used up on another server', async () => {
    const a = createServer()
    const b = createServer()
    expect(await spend(a, 20)).toBe(20)
    await waitForCount(20)
    expect(await spend(b, 5)).toBe(5)
    await waitForCount(25)
    // The counts of both servers are known once the answer of the database has arrived.
    await vi.waitFor(async () => expect(await spend(b, 30)).toBeLessThan(30), { timeout: 20_000 })
    expect(await spend(b, 1, 'bob')).toBe(1)
  })

  it('do not store callers far below the limit', async () => {
    const a = createServer()
    await spend(a, 3, 'bob')
    await spend(a, 4, 'ada')
    await waitForCount(4)
  })

  it('accept requests again in a new window, on a server that has seen none of it', async () => {
    const a = createServer()
    expect(await spend(a, perMinute + 5)).toBe(perMinute)
    await waitForCount(perMinute + 5)
    await records.db
      .updateTable('rate_counters')
      .set({ ends_at: clock - 1 })
      .execute()
    clock += 60_001
    expect(await spend(createServer(), perMinute)).toBe(perMinute)
    await waitForCount(perMinute)
  })

  it('are counted by each server alone while the database cannot be reached, and the failure is logged once', async () => {
    const a = createServer()
    await records.db.schema.alterTable('rate_counters').renameTo('away').execute()
    expect(await spend(a, perMinute + 5)).toBe(perMinute)
    await vi.waitFor(() => expect(logLines).toHaveLength(1), { timeout: 20_000 })
    expect(await spend(a, 1)).toBe(0)
    await records.db.schema.alterTable('away').renameTo('rate_counters').execute()
    await waitForCount(perMinute + 6)
    expect(logLines).toHaveLength(1)
  })
})

it('removes counts of windows that have ended', async () => {
  const counters = createPostgresCounters(records.db, now)
  await counters.add([
    { key: 'history|ada', count: 4, remaining: -1 },
    { key: 'history|bob', count: 5, remaining: 60_000 },
  ])
  await counters.removeEnded()
  await waitForCount(5)
})
