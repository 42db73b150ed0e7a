import type { Selectable } from 'kysely'
import type { Executor, Tx } from '#db/client.ts'
import { lockName } from '#db/dialect.ts'
import type { Database } from '#db/schema.ts'
import { createTurns } from '#db/turns.ts'

export type Counter = Selectable<Database['sign_in_counters']>

/** More than the passwords that are verified at once. Attempts from one network wait for each other. */
export const runCountInTurn = createTurns(4)

/** Serializes transactions that use the same counters. */
export async function lockCounters(tx: Tx, names: readonly string[]): Promise<void> {
  for (const name of names) await lockName(tx, `sign-in|${name}`)
}

export function readCounter(db: Executor, key: string): Promise<Counter | undefined> {
  return db.selectFrom('sign_in_counters').selectAll().where('key', '=', key).executeTakeFirst()
}

export async function saveCounter(tx: Tx, { key, ...counts }: Counter): Promise<void> {
  await tx
    .insertInto('sign_in_counters')
    .values({ key, ...counts })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(counts))
    .execute()
}

/** Subtracts one failure from each counter. */
export async function undoFailures(tx: Tx, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await tx
    .updateTable('sign_in_counters')
    .set((eb) => ({ failures: eb('failures', '-', 1) }))
    .where('key', 'in', keys)
    .where('failures', '>', 0)
    .execute()
}

export async function clearCounters(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx.deleteFrom('sign_in_counters').where('key', 'in', keys).execute()
}

/** Deletes one kind per statement. A sign-in locks one counter of each kind, so it cannot deadlock with this. */
export async function deleteOldCounters(db: Executor, kind: string, before: number): Promise<void> {
  await db
    .deleteFrom('sign_in_counters')
    .where('key', 'like', `${kind}|%`)
    .where('last_failure_at', '<', before)
    .execute()
}
