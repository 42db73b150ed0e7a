import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Db, openDatabase } from '#db/client.ts'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { claimJob, finishJob } from './queue.ts'

const claimers = 8
const jobCount = 400
const now = 1000

let records: MigratedDatabase
let db: Db
beforeEach(async () => {
  records = await openMigratedDatabase()
  // With fewer connections, the claimers would wait for each other.
  db = openDatabase({ ...records.location, poolSize: claimers })
  await db
    .insertInto('jobs')
    .values(
      Array.from({ length: jobCount }, (_, index) => ({
        id: `job-${index}`,
        name: 'note',
        payload: '{}',
        state: 'waiting' as const,
        attempts: 0,
        run_at: index,
        created_at: 0,
      })),
    )
    .execute()
})
afterEach(async () => {
  await db.destroy()
  await records.close()
})

async function countJobs(): Promise<number> {
  const { jobs } = await db
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('jobs'))
    .executeTakeFirstOrThrow()
  return jobs
}

describe('several claimers of one queue', () => {
  it('claim each job once', async () => {
    const claimed: string[] = []

    async function work(owner: string): Promise<void> {
      while ((await countJobs()) > 0) {
        const job = await claimJob(db, ['note'], owner, now)
        if (!job) continue
        claimed.push(job.id)
        await finishJob(db, job, false)
      }
    }

    await Promise.all(Array.from({ length: claimers }, (_, index) => work(`claimer-${index}`)))
    expect(claimed).toHaveLength(jobCount)
    expect(new Set(claimed).size).toBe(jobCount)
  })
})
