import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { leaseMs } from '#db/lease.ts'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { claimJob, extendLease, findNextDelay, type JobRow } from './queue.ts'

let records: MigratedDatabase
beforeEach(async () => {
  records = await openMigratedDatabase()
  const job = {
    name: 'note',
    payload: '{}',
    state: 'waiting' as const,
    attempts: 0,
    run_at: 1,
    created_at: 1,
  }
  await records.db
    .insertInto('jobs')
    .values({ id: 'job', ...job })
    .execute()
})
afterEach(() => records.close())

/** Claims the job on a server whose clock differs from that of the database. */
function claim(skew: number): Promise<JobRow | null> {
  return claimJob(records.db, ['note'], 'any', Date.now() + skew)
}

async function claimSuccessfully(skew: number): Promise<JobRow> {
  const job = await claim(skew)
  if (!job) throw new Error('The job was not claimed.')
  return job
}

describe.each([
  ['ahead', 300_000],
  ['behind', -300_000],
])('a server whose clock is five minutes %s', (_, skew) => {
  it('does not take a job whose lease is valid, and waits until it expires', async () => {
    await claimSuccessfully(0)
    expect(await claim(skew)).toBeNull()
    const delay = await findNextDelay(records.db, ['note'], Date.now() + skew)
    expect(delay).toBeGreaterThan(0)
    expect(delay).toBeLessThanOrEqual(leaseMs)
  })

  it('takes a job whose lease has expired', async () => {
    const lost = await claimSuccessfully(0)
    await records.db.updateTable('jobs').set({ lease_until: 1 }).execute()
    await claimSuccessfully(skew)
    expect(await extendLease(records.db, lost, Date.now())).toBe(false)
  })

  it('keeps the lease of its own job', async () => {
    const own = await claimSuccessfully(skew)
    expect(await claim(0)).toBeNull()
    expect(await extendLease(records.db, own, Date.now() + skew)).toBe(true)
    expect(await claim(0)).toBeNull()
  })
})
