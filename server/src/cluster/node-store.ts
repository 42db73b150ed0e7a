import { type Selectable, sql } from 'kysely'
import type { Executor } from '#db/client.ts'
import { databaseNow } from '#db/dialect.ts'
import type { Database } from '#db/schema.ts'

/** How long a node counts as alive after it last renewed its lease, in milliseconds. */
export const nodeLeaseMs = 6000

export type NodeRow = Selectable<Database['nodes']>
/** What a node says about itself. */
export type NodeIdentity = Pick<NodeRow, 'id' | 'name' | 'role' | 'version'>

/** The columns of a lease that begins or is renewed now. */
function renewed(db: Executor, now: number) {
  return {
    seen_at: databaseNow(db, now),
    lease_until: sql<number>`${databaseNow(db, now)} + ${nodeLeaseMs}`,
  }
}

/** Returns the time of the database. */
export async function insertNode(db: Executor, node: NodeIdentity, now: number): Promise<number> {
  const { seen_at } = await db
    .insertInto('nodes')
    .values({ ...node, started_at: databaseNow(db, now), ...renewed(db, now) })
    .returning('seen_at')
    .executeTakeFirstOrThrow()
  return seen_at
}

/** Returns the time of the database; null when the lease has expired: other nodes have taken over, or may do so at any moment. */
export async function renewNode(
  db: Executor,
  id: string,
  now: number,
  changes: Partial<Pick<NodeRow, 'clock_difference'>> = {},
): Promise<number | null> {
  const renewal = await db
    .updateTable('nodes')
    .set({ ...renewed(db, now), ...changes })
    .where('id', '=', id)
    .where('lease_until', '>=', databaseNow(db, now))
    .returning('seen_at')
    .executeTakeFirst()
  return renewal?.seen_at ?? null
}

export async function drainNode(db: Executor, id: string): Promise<void> {
  await db.updateTable('nodes').set({ state: 'draining' }).where('id', '=', id).execute()
}

/** Lets the other nodes take over now. */
export async function expireNode(db: Executor, id: string): Promise<void> {
  await db.updateTable('nodes').set({ lease_until: 0 }).where('id', '=', id).execute()
}

export async function findDeadNodes(db: Executor, now: number): Promise<Pick<NodeRow, 'id' | 'name'>[]> {
  return db
    .selectFrom('nodes')
    .select(['id', 'name'])
    .where('lease_until', '<', databaseNow(db, now))
    .execute()
}

/** Whether a node that is alive runs jobs. */
export async function isWorkerAlive(db: Executor, now: number): Promise<boolean> {
  const found = await db
    .selectFrom('nodes')
    .select('id')
    .where('role', '<>', 'web')
    .where('state', '=', 'running')
    .where('lease_until', '>=', databaseNow(db, now))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** False when another node has removed it. */
export async function deleteNode(db: Executor, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('nodes').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

export function listNodes(db: Executor): Promise<NodeRow[]> {
  return db.selectFrom('nodes').selectAll().orderBy('name').orderBy('id').execute()
}
