import { type Selectable, sql } from 'kysely'
import type { Db, Executor, Tx } from '#db/client.ts'
import { databaseNow, lockName } from '#db/dialect.ts'
import { requireUsableSchema, SchemaInUse } from '#db/migrate.ts'
import type { Database } from '#db/schema.ts'

/** How long a node counts as alive after it last renewed its lease, in milliseconds. */
export const nodeLeaseMs = 6000

export type NodeRow = Selectable<Database['nodes']>
/** What a node says about itself. */
export type NodeIdentity = Pick<NodeRow, 'id' | 'name' | 'role' | 'version' | 'newest_step'>

/** The columns of a lease that begins or is renewed now. */
function renewed(db: Executor, now: number) {
  return {
    seen_at: databaseNow(db, now),
    lease_until: sql<number>`${databaseNow(db, now)} + ${nodeLeaseMs}`,
  }
}

/** So that no server of an earlier version joins while something is removed that it needs. */
function lockSchema(tx: Tx): Promise<void> {
  return lockName(tx, 'schema')
}

/** Returns the time of the database. Throws if this version cannot use the schema. */
export function insertNode(db: Db, node: NodeIdentity, now: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await lockSchema(tx)
    await requireUsableSchema(tx)
    const { seen_at } = await tx
      .insertInto('nodes')
      .values({ ...node, started_at: databaseNow(tx, now), ...renewed(tx, now) })
      .returning('seen_at')
      .executeTakeFirstOrThrow()
    return seen_at
  })
}

/** Throws if a server is alive that does not know the migration, and keeps others from starting until the transaction ends. */
export async function requireNoEarlierServer(tx: Tx, step: string, now: number): Promise<void> {
  await lockSchema(tx)
  const earlier = await tx
    .selectFrom('nodes')
    .select(['name', 'version'])
    .where('lease_until', '>=', databaseNow(tx, now))
    .where((eb) => eb.or([eb('newest_step', 'is', null), eb('newest_step', '<', step)]))
    .orderBy('name')
    .execute()
  if (earlier.length === 0) return
  const names = earlier.map(({ name, version }) => `${name} (${version})`).join(', ')
  throw new SchemaInUse(
    `The database was not contracted, because servers of an earlier version are running: ${names}. Replace or stop them first.`,
  )
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
