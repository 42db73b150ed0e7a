import { contractAt, expandAt, kindOfStep, MigrationFailed, migrationState } from '#db/migrate.ts'
import { upgrade } from '../backup/before-upgrade.ts'
import { requireNoEarlierServer } from '../cluster/node-store.ts'
import { readEnv } from '../env.ts'
import { type BaseDeps, openBaseDeps } from '../start.ts'
import { CommandError } from './command.ts'
import { besideCluster, withoutServer } from './without-server.ts'

const task = 'upgrade the database'

/** Runs work while the servers of a cluster may be running. */
function upgradeBesideCluster(postgres: string, work: () => Promise<string[]>): Promise<string[]> {
  return besideCluster(postgres, task, async () => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof MigrationFailed)) throw error
      throw new CommandError(
        `The upgrade of the database was not completed, because ${error.message}. Servers that are running can go on. Remove the reason, then run the command again.`,
      )
    }
  })
}

/**
 * Upgrades the schema, for which a single server must be stopped. The servers of a cluster may be running, unless their
 * schema is older than any that can be upgraded beside them. Returns the names of the migrations that ran.
 */
export async function upgradeSchema(deps: BaseDeps): Promise<string[]> {
  const { CLUSTER, DATA_DIR, DATABASE_DIRECT_URL: postgres } = deps.env
  const { pending } = await migrationState(deps.db)
  if (CLUSTER && postgres !== undefined && pending.every((name) => kindOfStep(name) === 'expand'))
    return upgradeBesideCluster(postgres, () => expandAt({ postgres, poolSize: 1 }, pending))
  return withoutServer({ folder: DATA_DIR, postgres }, task, () => upgrade(deps))
}

/** Removes what only earlier versions need. Returns the names of the migrations that ran. */
export async function contractSchema({ db, env, now }: BaseDeps): Promise<string[]> {
  const { pending, uncontracted } = await migrationState(db)
  if (pending.length > 0)
    throw new CommandError('Run npx lyceum migrate first, and replace the servers of the earlier version.')
  const postgres = env.DATABASE_DIRECT_URL ?? ''
  return upgradeBesideCluster(postgres, () =>
    contractAt({ postgres, poolSize: 1 }, uncontracted, (tx, step) =>
      requireNoEarlierServer(tx, step, now()),
    ),
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
 * also work before the first start. A single server may be running only if no upgrade is needed.
 */
export function withDatabase<R>(work: (deps: BaseDeps) => Promise<R>): Promise<R> {
  return withDatabaseAsIs(async (deps) => {
    const { pending, isNewer } = await migrationState(deps.db)
    if (isNewer || pending.length > 0) await upgradeSchema(deps)
    return work(deps)
  })
}
