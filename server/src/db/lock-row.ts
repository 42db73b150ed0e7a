import type { Selectable } from 'kysely'
import type { Tx } from './client.ts'
import { isPostgres } from './dialect.ts'
import type { Database } from './schema.ts'

type LockableTable = 'users' | 'sessions' | 'channels' | 'chats' | 'documents'

/**
 * Locks these rows until the transaction ends, always in the order of their ids, and returns them as they are now.
 * SQLite has one writer at a time, so reading is enough there.
 */
export async function lockRows<T extends LockableTable>(
  tx: Tx,
  table: T,
  ids: readonly string[],
): Promise<Selectable<Database[T]>[]> {
  if (ids.length === 0) return []
  // Kysely cannot infer the columns of a table that is a type parameter.
  const query = tx
    .selectFrom(table as 'users')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id')
  const rows = await (isPostgres(tx as never) ? query.forNoKeyUpdate() : query).execute()
  return rows as unknown as Selectable<Database[T]>[]
}

/**
 * Locks rows that the caller does not need, or reads later with a query that also checks permissions. `shared` keeps
 * others from changing the rows, but lets them take the same lock: for rows that many transactions depend on and few
 * change. SQLite has one writer at a time and needs no statement.
 */
export async function lockUnread(
  tx: Tx,
  table: LockableTable,
  ids: readonly string[],
  strength: 'exclusive' | 'shared' = 'exclusive',
): Promise<void> {
  if (ids.length === 0 || !isPostgres(tx as never)) return
  const query = tx
    .selectFrom(table as 'users')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
  await (strength === 'shared' ? query.forShare() : query.forNoKeyUpdate()).execute()
}

/** Locks one row; undefined when it does not exist. */
export async function lockRow<T extends LockableTable>(
  tx: Tx,
  table: T,
  id: string,
): Promise<Selectable<Database[T]> | undefined> {
  const [row] = await lockRows(tx, table, [id])
  return row
}
