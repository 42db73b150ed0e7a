import { join } from 'node:path'
import type { DatabaseLocation } from '#db/client.ts'
import type { Env } from '../env.ts'

/** The database location for long reads and for upgrades, which open their own connections. */
export function getDatabaseLocation(env: Pick<Env, 'DATABASE_DIRECT_URL' | 'DATA_DIR'>): DatabaseLocation {
  return env.DATABASE_DIRECT_URL
    ? { postgres: env.DATABASE_DIRECT_URL, poolSize: 2 }
    : { sqlite: join(env.DATA_DIR, 'lyceum.db') }
}
