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

async function isAnyWaiting(): Promise<boolean> {
  const waiting = await db.selectFrom('jobs').select('id').where('state', '=', 'waiting').executeTakeFirst()
  return waiting !== undefined
}

describe('several claimers of one queue', () => {
  it('claim each job once, and hardly ever nothing while jobs are due', async () => {
    const claimed: string[] = []
    let emptyClaims = 0

    async function work(owner: string): Promise<void> {
      for (;;) {
        const job = await claimJob(db, ['note'], owner, now)
        if (job) {
          claimed.push(job.id)
          await finishJob(db, job, false)
        } else if (await isAnyWaiting()) emptyClaims += 1
        else return
      }
    }

    await Promise.all(Array.from({ length: claimers }, (_, index) => work(`claimer-${index}`)))
    expect(claimed).toHaveLength(jobCount)
    expect(new Set(claimed).size).toBe(jobCount)
    // At the end there are more claimers than jobs. Without SKIP LOCKED, most claims of PostgreSQL are empty.
    expect(emptyClaims).toBeLessThan(jobCount / 10)
  })
})
