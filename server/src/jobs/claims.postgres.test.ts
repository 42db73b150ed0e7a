import { afterEach, beforeEach, expect, it } from 'vitest'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { claimJob } from './queue.ts'

const now = 1000

let records: MigratedDatabase
beforeEach(async () => {
  records = await openMigratedDatabase()
  const job = { name: 'note', payload: '{}', state: 'waiting' as const, attempts: 0, created_at: 0 }
  await records.db
    .insertInto('jobs')
    .values([
      { id: 'first', run_at: 1, ...job },
      { id: 'second', run_at: 2, ...job },
    ])
    .execute()
})
afterEach(() => records.close())

it('takes the next job, without waiting, while another claim is not committed yet', async () => {
  await records.db.transaction().execute(async (tx) => {
    expect(await claimJob(tx, ['note'], 'one', now)).toMatchObject({ id: 'first' })
    expect(await claimJob(records.db, ['note'], 'other', now)).toMatchObject({ id: 'second' })
    expect(await claimJob(records.db, ['note'], 'other', now)).toBeNull()
  })
})
