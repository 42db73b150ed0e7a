import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createAdmin } from '#testing/factories.ts'
import { breakUpgrade, failingMigration } from '#testing/failing-migration.ts'
import { openMigratedDatabase } from '#testing/migrated-database.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { readEnv } from '../env.ts'
import { UpgradeFailed, upgrade } from './before-upgrade.ts'
import { readArchive } from './read-archive.ts'
import { backupState } from './state.ts'

const hour = 3_600_000

let app: TestApp | undefined
afterEach(async () => {
  await app?.close()
  app = undefined
})

async function start(): Promise<TestApp> {
  app = await buildTestApp({ env: { BACKUP_EVERY: '1h' } })
  return app
}

async function listBackups({ deps }: TestApp): Promise<string[]> {
  return (await readdir(deps.env.BACKUP_DIR).catch(() => [])).filter((name) => name.startsWith('lyceum-'))
}

async function listActions({ deps }: TestApp): Promise<string[]> {
  const rows = await deps.db.selectFrom('audit_log').select('action').execute()
  return rows.map(({ action }) => action).filter((action) => action.startsWith('backup.'))
}

async function readReadiness({ server }: TestApp): Promise<unknown> {
  return (await server.inject({ method: 'GET', url: '/readyz' })).json()
}

describe('the scheduled backup', () => {
  it('is not made before there is a user', async () => {
    const running = await start()
    await running.runJobs()
    expect(await listBackups(running)).toEqual([])
    expect(await backupState(running.deps)).toMatchObject({
      lastSuccess: null,
      isFailing: false,
      every: hour,
    })
  })

  it('is made once per hour and recorded in the state and the audit log', async () => {
    const running = await start()
    await createAdmin(running.deps)
    await running.runJobs()
    const [name = '', ...more] = await listBackups(running)
    expect(more).toEqual([])
    const manifest = await readArchive(join(running.deps.env.BACKUP_DIR, name), null)
    expect(manifest.tables.find((table) => table.name === 'users')?.rows).toBe(1)
    await running.runJobs()
    expect(await listBackups(running)).toHaveLength(1)
    const state = await backupState(running.deps)
    expect(state).toMatchObject({ lastFailure: null, isFailing: false, lastSuccess: { isScheduled: true } })
    expect(state.nextAt).toBeGreaterThan(running.deps.now())
    running.advance(hour)
    await running.runJobs()
    expect(await listBackups(running)).toHaveLength(2)
    expect(await listActions(running)).toEqual(['backup.made', 'backup.made'])
  })

  it('records a failure, is retried, and clears the failure when it succeeds', async () => {
    const running = await start()
    await createAdmin(running.deps)
    // A file where the folder should be.
    await writeFile(running.deps.env.BACKUP_DIR, 'in the way')
    await running.runJobs()
    expect(await backupState(running.deps)).toMatchObject({ isFailing: true, lastSuccess: null })
    expect(await listActions(running)).toEqual([])
    for (const pause of [5, 15]) {
      running.advance(pause * 60_000)
      await running.runJobs()
    }
    expect(await listActions(running)).toEqual(['backup.failed'])
    expect(await readReadiness(running)).toMatchObject({
      status: 'ready',
      parts: { database: 'ok', disk: 'ok', backups: 'failed' },
    })
    await rm(running.deps.env.BACKUP_DIR)
    running.advance(hour)
    await running.runJobs()
    expect(await backupState(running.deps)).toMatchObject({ isFailing: false })
    expect(await readReadiness(running)).toMatchObject({ parts: { backups: 'ok' } })
    expect(await listBackups(running)).toHaveLength(1)
  })

  it('leaves other files in the folder alone', async () => {
    const running = await start()
    await createAdmin(running.deps)
    await mkdir(running.deps.env.BACKUP_DIR)
    await writeFile(join(running.deps.env.BACKUP_DIR, 'notes.txt'), 'mine')
    await running.runJobs()
    expect(await readdir(running.deps.env.BACKUP_DIR)).toContain('notes.txt')
  })
})

describe('the backup before an upgrade', () => {
  async function openOutdatedDatabase(env: Record<string, string> = {}) {
    const records = await openMigratedDatabase()
    const { db, location } = records
    const url = 'postgres' in location ? { DATABASE_URL: location.postgres } : {}
    const settings = readEnv({ DATA_DIR: records.folder, ...url, ...env })
    return { records, upgradeDeps: { env: settings, db, now: Date.now } }
  }
  const user = {
    ...{
      id: 'u',
      email: 'u@example.org',
      name: 'U',
      role: 'user' as const,
      password_hash: 'x',
      created_at: 1,
    },
    ...{ is_system_admin: 0 as const, permission_overrides: null, two_factor_days: null },
    ...{ two_factor_enabled: null, last_seen_at: null, deleted_at: null },
  }

  it('is made only when there are users and a migration is pending', async () => {
    const { records, upgradeDeps } = await openOutdatedDatabase()
    try {
      const folder = join(upgradeDeps.env.BACKUP_DIR, 'before-upgrade')
      await upgrade(upgradeDeps)
      await breakUpgrade(upgradeDeps.db)
      // The upgrade fails. Only the backup before it matters here.
      await upgrade(upgradeDeps).catch(() => undefined)
      expect(await readdir(folder).catch(() => [])).toEqual([])
      await upgradeDeps.db.insertInto('users').values(user).execute()
      await upgrade(upgradeDeps).catch(() => undefined)
      const [name = '', ...more] = await readdir(folder)
      expect(more).toEqual([])
      const manifest = await readArchive(join(folder, name), null)
      expect(manifest.steps).not.toContain(failingMigration)
      expect(manifest.tables.find((table) => table.name === 'users')?.rows).toBe(1)
    } finally {
      await records.close()
    }
  })

  it('prevents the upgrade when it fails, unless it is turned off', async () => {
    const { records, upgradeDeps } = await openOutdatedDatabase()
    try {
      await upgradeDeps.db.insertInto('users').values(user).execute()
      await breakUpgrade(upgradeDeps.db)
      await writeFile(upgradeDeps.env.BACKUP_DIR, 'in the way')
      await chmod(upgradeDeps.env.BACKUP_DIR, 0o400)
      await expect(upgrade(upgradeDeps)).rejects.toThrow(/not upgraded.*BACKUP_BEFORE_UPGRADE=false/)
      const withoutBackup = { ...upgradeDeps, env: { ...upgradeDeps.env, BACKUP_BEFORE_UPGRADE: false } }
      await expect(upgrade(withoutBackup)).rejects.toThrow(UpgradeFailed)
    } finally {
      await records.close()
    }
  })
})
