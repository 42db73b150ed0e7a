import { readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isDatabaseUnavailable } from '#db/database-unavailable.ts'
import { getPartialPath } from '#providers/archives/local.ts'
import { breakUpgrade, failingMigration, repairUpgrade } from '#testing/failing-migration.ts'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { type Env, readEnv } from '../env.ts'
import { pruneUpgradeBackups, UpgradeFailed, upgrade } from './before-upgrade.ts'
import { readArchive } from './read-archive.ts'

const start = Date.UTC(2026, 5, 1)
const hour = 3_600_000
const day = 24 * hour

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

async function failUpgrade(): Promise<void> {
  await expect(tryUpgrade()).rejects.toThrow(UpgradeFailed)
}

/** Adds a repeating job, as every start of a server does. The earlier version knows nothing of the failed upgrade. */
async function runEarlierVersion(): Promise<void> {
  const job = { name: 'sweep', payload: '{}', state: 'done' as const, attempts: 0 }
  await records.db
    .insertInto('jobs')
    .values({ ...job, id: `sweep@${now}`, run_at: now, created_at: now })
    .execute()
}

describe('the backup before an upgrade', () => {
  it('is made only once when the same upgrade fails repeatedly', async () => {
    await breakUpgrade(records.db)
    for (let i = 0; i < 5; i += 1) {
      await failUpgrade()
      now += hour
    }
    expect(await backups()).toEqual(['lyceum-2026-06-01T00-00-00Z.tar.gz'])
  })

  it('is made again if the earlier version has run since the failed upgrade', async () => {
    await breakUpgrade(records.db)
    await failUpgrade()
    now += hour
    await runEarlierVersion()
    await failUpgrade()
    await failUpgrade()
    expect((await backups()).toSorted()).toEqual([
      'lyceum-2026-06-01T00-00-00Z.tar.gz',
      'lyceum-2026-06-01T01-00-00Z.tar.gz',
    ])
  })

  it('is made again for the next upgrade, even if no server has run in between', async () => {
    await breakUpgrade(records.db)
    await failUpgrade()
    await repairUpgrade(records.db, new Date('2999-01-01'))
    expect(await tryUpgrade()).toEqual([])
    await breakUpgrade(records.db)
    now += hour
    await failUpgrade()
    expect(await backups()).toHaveLength(2)
  })

  it('is made under another name than one of the same second', async () => {
    await breakUpgrade(records.db)
    await failUpgrade()
    await runEarlierVersion()
    await failUpgrade()
    expect((await backups()).toSorted()).toEqual([
      'lyceum-2026-06-01T00-00-00Z.tar.gz',
      'lyceum-2026-06-01T00-00-01Z.tar.gz',
    ])
  })

  it('is made again when the record of the attempt cannot be read', async () => {
    await breakUpgrade(records.db)
    await failUpgrade()
    await writeFile(join(env.DATA_DIR, 'upgrade-attempt.json'), '{"backup":')
    now += hour
    await failUpgrade()
    expect(await backups()).toHaveLength(2)
  })

  it('replaces the incomplete file of an attempt that was killed', async () => {
    await breakUpgrade(records.db)
    await failUpgrade()
    const [name = ''] = await backups()
    const path = join(env.BACKUP_DIR, 'before-upgrade', name)
    // The process was killed after it had recorded the attempt and before the backup was complete.
    await rename(path, getPartialPath(path, 1))
    await failUpgrade()
    expect(await backups()).toEqual([name])
    expect((await readArchive(path, null)).tables.find((table) => table.name === 'users')?.rows).toBe(1)
  })

  it('leaves the reason to the database when the database is lost', async () => {
    await breakUpgrade(records.db)
    env = { ...env, DATABASE_DIRECT_URL: 'postgres://nobody@127.0.0.1:1/none' }
    const error = await tryUpgrade().catch((reason: unknown) => reason)
    expect(isDatabaseUnavailable(error)).toBe(true)
  })
})

describe('a failed upgrade', () => {
  it('says which step failed, where the backup is and what to do', async () => {
    await breakUpgrade(records.db)
    const path = join(env.BACKUP_DIR, 'before-upgrade', 'lyceum-2026-06-01T00-00-00Z.tar.gz')
    for (let i = 0; i < 2; i += 1) {
      const { message } = await tryUpgrade().then(
        () => new Error('it succeeded'),
        (error: Error) => error,
      )
      expect(message).toContain(`migration ${failingMigration} failed`)
      expect(message).toContain(`All data is as before. The backup made before the upgrade is ${path}.`)
      expect(message).toContain('start the previous version again')
    }
  })

  it('names no backup if there is none', async () => {
    await breakUpgrade(records.db)
    env = { ...env, BACKUP_BEFORE_UPGRADE: false }
    await expect(tryUpgrade()).rejects.toThrow(/All data is as before. If you cannot/)
  })
})

describe('pruning the backups from before upgrades', () => {
  /** Five upgrades that failed on different data, each with its own backup. */
  async function collectBackups(): Promise<void> {
    await breakUpgrade(records.db)
    for (let i = 0; i < 5; i += 1) {
      await failUpgrade()
      now += hour
      await runEarlierVersion()
    }
    await sql`update kysely_migration set timestamp = ${new Date(start - 30 * day).toISOString()}`.execute(
      records.db,
    )
  }

  function prune(): Promise<void> {
    return pruneUpgradeBackups({ env, db: records.db, now: () => now })
  }

  it('keeps all of them for a day after an upgrade succeeded', async () => {
    await collectBackups()
    await repairUpgrade(records.db, new Date(now))
    await prune()
    now += day - 1
    await prune()
    expect(await backups()).toHaveLength(5)
    now += 1
    await prune()
    expect((await backups()).toSorted()).toEqual(
      ['02', '03', '04'].map((at) => `lyceum-2026-06-01T${at}-00-00Z.tar.gz`),
    )
  })

  it('is not part of an upgrade', async () => {
    await collectBackups()
    await failUpgrade()
    expect(await backups()).toHaveLength(6)
  })

  it('works without a folder of backups', async () => {
    await sql`update kysely_migration set timestamp = ${new Date(start - 30 * day).toISOString()}`.execute(
      records.db,
    )
    await expect(prune()).resolves.toBeUndefined()
  })
})
