import type { Executor, Tx } from '#db/client.ts'
import { lockName } from '#db/dialect.ts'

/** Prevents other processes from changing the keys until the transaction ends. */
export function lockKeys(tx: Tx): Promise<void> {
  return lockName(tx, 'keys')
}

async function deleteAll(
  db: Executor,
  table: 'sessions' | 'embedded_sign_ins' | 'sign_in_challenges' | 'trusted_browsers',
): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom(table).executeTakeFirst()
  return Number(numDeletedRows)
}

export async function endAllSessions(db: Executor): Promise<number> {
  const sessions = await deleteAll(db, 'sessions')
  return sessions + (await deleteAll(db, 'embedded_sign_ins'))
}
export function invalidateAllCodes(db: Executor): Promise<number> {
  return deleteAll(db, 'sign_in_challenges')
}
export function forgetAllBrowsers(db: Executor): Promise<number> {
  return deleteAll(db, 'trusted_browsers')
}

export function listJobs(
  db: Executor,
  names: readonly string[],
  after: string,
  limit: number,
): Promise<{ id: string; payload: string }[]> {
  return db
    .selectFrom('jobs')
    .select(['id', 'payload'])
    .where('name', 'in', names)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function updatePayload(db: Executor, id: string, payload: string): Promise<void> {
  await db.updateTable('jobs').set({ payload }).where('id', '=', id).execute()
}
