import { migrationState } from '#db/migrate.ts'
import { upgrade } from '../backup/before-upgrade.ts'
import { readEnv } from '../env.ts'
import { type BaseDeps, openBaseDeps } from '../start.ts'
import { withoutServer } from './without-server.ts'

/** Upgrades the schema while no server is running. Returns the names of the migrations that ran. */
export function migrateExclusively(deps: BaseDeps): Promise<string[]> {
  const { DATA_DIR, DATABASE_DIRECT_URL } = deps.env
  return withoutServer({ folder: DATA_DIR, postgres: DATABASE_DIRECT_URL }, 'upgrade the database', () =>
    upgrade(deps),
  )
}

/** Opens the database and the secrets for one task, without upgrading the schema. */
export async function withDatabaseAsIs<R>(work: (deps: BaseDeps) => Promise<R>): Promise<R> {
  const env = readEnv()
  // A command prints what it did, so it logs only problems.
  const deps = openBaseDeps({ ...env, LOG_LEVEL: env.LOG_LEVEL ?? 'warn' })
  try {
    return await work(deps)
  } finally {
    await deps.db.destroy()
  }
}

/**
 * Opens the database and the secrets for one task. If the schema is not current, upgrades it first, so that commands
 * also work before the first start. A server may be running only if no upgrade is needed.
 */
export function withDatabase<R>(work: (deps: BaseDeps) => Promise<R>): Promise<R> {
  return withDatabaseAsIs(async (deps) => {
    const { pending, isNewer } = await migrationState(deps.db)
    if (isNewer || pending.length > 0) await migrateExclusively(deps)
    return work(deps)
  })
}
