import { type RawBuilder, sql } from 'kysely'
import type { Executor } from './client.ts'
import { databaseNow } from './dialect.ts'

/** How long a lease is valid without being renewed, in milliseconds. */
export const leaseMs = 60_000

/** When a lease ends that begins or is renewed now. `now` is the time of the process: see `databaseNow`. */
export function leaseEnd(db: Executor, now: number): RawBuilder<number> {
  return sql`${databaseNow(db, now)} + ${leaseMs}`
}

/** A claim on one row of the table. Every claim has a new owner id. */
interface Lease {
  id: string
  owner: string
}

export interface Leases {
  /** How long a lease is valid without being renewed, in milliseconds. */
  duration: number
  /** False while another owner has a valid lease. */
  take(db: Executor, lease: Lease, now: number): Promise<boolean>
  /** False when another owner took the lease, or when the row was deleted together with its user or channel. */
  renew(db: Executor, lease: Lease, now: number): Promise<boolean>
  release(db: Executor, lease: Lease): Promise<void>
}

/** The columns that hold the id and the owner. */
const columnsOf = {
  test_run_leases: ['channel_id', 'owner'],
  history_exports: ['user_id', 'fence'],
  audit_receiver_leases: ['receiver_id', 'owner'],
} as const

/**
 * Leases that have a table of their own, with one row each. Jobs and replies store their lease in their own row
 * instead, because ending them changes their state in the same statement: `jobs/queue.ts`, `features/chats`.
 */
export function leasesIn(name: keyof typeof columnsOf): Leases {
  const table = sql.table(name)
  const [idColumn, ownerColumn] = columnsOf[name].map((column) => sql.ref(column))
  return {
    duration: leaseMs,
    async take(db, { id, owner }, now) {
      const { rows } = await sql`
        insert into ${table} (${idColumn}, ${ownerColumn}, lease_until) values (${id}, ${owner}, ${leaseEnd(db, now)})
        on conflict (${idColumn}) do update
        set ${ownerColumn} = excluded.${ownerColumn}, lease_until = excluded.lease_until
        where ${table}.lease_until <= ${databaseNow(db, now)}
        returning ${ownerColumn}`.execute(db)
      return rows.length > 0
    },
    async renew(db, { id, owner }, now) {
      const { numAffectedRows = 0n } = await sql`
        update ${table} set lease_until = ${leaseEnd(db, now)}
        where ${idColumn} = ${id} and ${ownerColumn} = ${owner}`.execute(db)
      return numAffectedRows > 0n
    },
    async release(db, { id, owner }) {
      await sql`delete from ${table} where ${idColumn} = ${id} and ${ownerColumn} = ${owner}`.execute(db)
    },
  }
}
