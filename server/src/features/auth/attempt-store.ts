import type { Insertable } from 'kysely'
import type { Executor, Tx } from '#db/client.ts'
import { lockName } from '#db/dialect.ts'
import type { Database } from '#db/schema.ts'

/** Serializes transactions that count attempts with the same key. */
export function lockAttempts(tx: Tx, key: string): Promise<void> {
  return lockName(tx, key)
}

/** Times of the attempts since a given time, newest first. */
export async function listNewestAttempts(
  db: Executor,
  key: string,
  since: number,
  limit: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('attempts')
    .select('at')
    .where('key', '=', key)
    .where('at', '>', since)
    .orderBy('at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ at }) => at)
}

export async function insertAttempt(db: Executor, attempt: Insertable<Database['attempts']>): Promise<void> {
  await db.insertInto('attempts').values(attempt).execute()
}

export async function deleteAttempts(db: Executor, key: string): Promise<void> {
  await db.deleteFrom('attempts').where('key', '=', key).execute()
}

export async function deleteOldAttempts(db: Executor, before: number): Promise<void> {
  await db.deleteFrom('attempts').where('at', '<', before).execute()
}
