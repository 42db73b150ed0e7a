import { join } from 'node:path'
import type { DatabaseLocation } from '#db/client.ts'
import type { Env } from '../env.ts'

/** Where the records are; long readers take connections of their own. */
export function recordsOf(env: Pick<Env, 'DATABASE_URL' | 'DATA_DIR'>): DatabaseLocation {
  return env.DATABASE_URL
    ? { postgres: env.DATABASE_URL, poolSize: 2 }
    : { sqlite: join(env.DATA_DIR, 'lyceum.db') }
}

export function filesOf(env: Pick<Env, 'DATA_DIR'>): string {
  return join(env.DATA_DIR, 'blobs')
}
