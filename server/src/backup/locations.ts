import { join } from 'node:path'
import type { DatabaseLocation } from '#db/client.ts'
import type { Env } from '../env.ts'

/** The database location for long reads, which open their own connections. */
export function getDatabaseLocation(env: Pick<Env, 'DATABASE_URL' | 'DATA_DIR'>): DatabaseLocation {
  return env.DATABASE_URL
    ? { postgres: env.DATABASE_URL, poolSize: 2 }
    : { sqlite: join(env.DATA_DIR, 'lyceum.db') }
}
