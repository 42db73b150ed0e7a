import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { knownMigrations } from '#db/migrate.ts'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { type Env, readEnv } from '../env.ts'
import { upgrade } from './before-upgrade.ts'

const last = knownMigrations.at(-1) ?? ''
const start = Date.UTC(2026, 5, 1)
const hour = 3_600_000

let records: MigratedDatabase
let env: Env
let now: number
beforeEach(async () => {
  records = await openMigratedDatabase()
  env = readEnv({
    DATA_DIR: records.folder,
    ...('postgres' in records.location ? { DATABASE_URL: records.location.postgres } : {}),
  })
  now = start
  await records.db.insertInto('users').values(user).execute()
})
afterEach(() => records.close())

const user = {
  id: 'u',
  email: 'u@example.org',
  name: 'U',
  role: 'user' as const,
  is_system_admin: 0 as const,
  permission_overrides: null,
  password_hash: 'x',
  two_factor_days: null,
  two_factor_enabled: null,
  last_seen_at: null,
  deleted_at: null,
  created_at: 1,
}

function tryUpgrade(): Promise<string[]> {
  return upgrade({ env, db: records.db, now: () => now })
}

function backups(): Promise<string[]> {
  return readdir(join(env.BACKUP_DIR, 'before-upgrade'))
}

/** Marks the last migration as pending. Its tables already exist, so running it again fails. */
async function breakLastStep(): Promise<void> {
  await sql`delete from kysely_migration where name = ${last}`.execute(records.db)
}

/** Undoes `breakLastStep`. */
async function repairLastStep(): Promise<void> {
  await sql`insert into kysely_migration (name, timestamp) values (${last}, '2999')`.execute(records.db)
}

async function failUpgrade(): Promise<void> {
  await expect(tryUpgrade()).rejects.toThrow(/already exists|duplicate column/)
}

describe('the backup before an upgrade', () => {
  it('is made only once when the same upgrade fails repeatedly', async () => {
    await breakLastStep()
    for (let i = 0; i < 5; i += 1) {
      await failUpgrade()
      now += hour
    }
    expect(await backups()).toEqual(['lyceum-2026-06-01T00-00-00Z.tar.gz'])
  })

  it('is made again if the earlier version has run since the failed upgrade', async () => {
    await breakLastStep()
    await failUpgrade()
    await repairLastStep()
    expect(await tryUpgrade()).toEqual([])
    await breakLastStep()
    now += hour
    await failUpgrade()
    expect(await backups()).toHaveLength(2)
  })

  it('is made under another name when two attempts start within one second', async () => {
    await breakLastStep()
    await failUpgrade()
    // Simulates a process that was killed before it recorded the attempt.
    await rm(join(env.DATA_DIR, 'upgrade-attempt.json'), { force: true })
    await failUpgrade()
    expect((await backups()).toSorted()).toEqual([
      'lyceum-2026-06-01T00-00-00Z.tar.gz',
      'lyceum-2026-06-01T00-00-01Z.tar.gz',
    ])
  })

  it('is made again when the attempt file cannot be read', async () => {
    await breakLastStep()
    await failUpgrade()
    await writeFile(join(env.DATA_DIR, 'upgrade-attempt.json'), '{"pending":')
    now += hour
    await failUpgrade()
    expect(await backups()).toHaveLength(2)
  })
})
