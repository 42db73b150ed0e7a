import { afterEach, beforeEach, expect, it } from 'vitest'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { createClusterState } from './cluster-state.ts'
import { createNodeChecks } from './readiness.ts'

let records: MigratedDatabase
beforeEach(async () => {
  records = await openMigratedDatabase()
})
afterEach(() => records.close())

it('tolerates that the database is away for three seconds', async () => {
  let [clock, isAway] = [0, true]
  const checks = createNodeChecks(
    records.db,
    createClusterState(),
    async () => {
      if (isAway) throw new Error('away')
    },
    () => clock,
  )
  await checks.database()
  clock = 2999
  await checks.database()
  clock = 3000
  await expect(checks.database()).rejects.toThrow('away')
  isAway = false
  await checks.database()
  isAway = true
  await checks.database()
})

it('fails when a migration is missing, and not because the schema cannot be read', async () => {
  const checks = createNodeChecks(records.db, createClusterState(), async () => undefined)
  await checks.schema()
  await records.db
    .deleteFrom('kysely_migration' as never)
    .where('name' as never, '=', '0025-draining-nodes' as never)
    .execute()
  await expect(checks.schema()).rejects.toThrow('the database must be upgraded')
})

it.each([
  [30_000, true],
  [-30_000, true],
  [30_001, false],
  [-30_001, false],
])('judges a clock that differs by %d ms', async (clockDifference, isRight) => {
  const state = { ...createClusterState(), clockDifference }
  const checked = createNodeChecks(records.db, state, async () => undefined).clock()
  expect(await checked.then(() => true).catch(() => false)).toBe(isRight)
})
