import type { AuditFilters } from '@lyceum/contract/audit'
import { type Insertable, type Selectable, sql } from 'kysely'
import { allowPurge } from '#db/audit-guard.ts'
import type { Executor, Tx } from '#db/client.ts'
import { lockName } from '#db/dialect.ts'
import type { Database } from '#db/schema.ts'

export type AuditRow = Selectable<Database['audit_log']>

/** What the first entry of all follows on. */
export const beginning = '0'.repeat(64)

/** Until the transaction ends, nobody else enters anything. */
export const holdEnd = (tx: Tx): Promise<void> => lockName(tx, 'audit')

export const lastHash = async (db: Executor): Promise<string> => {
  const last = await db
    .selectFrom('audit_log')
    .select('hash')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.hash ?? beginning
}

export const lastSeq = async (db: Executor): Promise<number> => {
  const last = await db
    .selectFrom('audit_log')
    .select('seq')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.seq ?? 0
}

export const insertEntry = async (db: Executor, entry: Insertable<Database['audit_log']>): Promise<void> => {
  await db.insertInto('audit_log').values(entry).execute()
}

export interface Range extends Omit<AuditFilters, 'startDate' | 'endDate'> {
  /** Milliseconds, both included. */
  from: number | null
  until: number | null
  /** No entry after this one. */
  asOf: number
}

/** A comparison that no index serves: where another filter finds fewer, that one is to lead. */
const alsoIs = (column: 'actor_id' | 'action' | 'area', value: string) =>
  sql<boolean>`coalesce(${sql.ref(column)}, '') = ${value}`

/**
 * Filters and times are one range of an index, in the order of the list. Of several the one that finds fewest leads: an
 * object, a person, a deed, an area; what did not go well has indexes of its own.
 */
const matching = (db: Executor, range: Range) => {
  const { actorId, area, action, objectId, result } = range
  let query = db.selectFrom('audit_log').where('seq', '<=', range.asOf)
  if (objectId) query = query.where('object_id', '=', objectId)
  if (actorId)
    query = query.where(objectId ? alsoIs('actor_id', actorId) : sql<boolean>`actor_id = ${actorId}`)
  if (action)
    query = query.where(objectId || actorId ? alsoIs('action', action) : sql<boolean>`action = ${action}`)
  if (area) query = query.where(objectId || action ? alsoIs('area', area) : sql<boolean>`area = ${area}`)
  if (result) query = query.where('result', '=', result)
  // Said by itself, so that the indexes of what did not go well can serve.
  if (result && result !== 'ok') query = query.where(sql<boolean>`result <> 'ok'`)
  if (range.from !== null) query = query.where('at', '>=', range.from)
  if (range.until !== null) query = query.where('at', '<=', range.until)
  return query
}

export const listed = (db: Executor, range: Range, limit: number, skip: number) =>
  matching(db, range).selectAll().orderBy('at', 'desc').orderBy('seq', 'desc').limit(limit).offset(skip)

/** Newest first. */
export const listEntries = (db: Executor, range: Range, limit: number, skip: number): Promise<AuditRow[]> =>
  listed(db, range, limit, skip).execute()

/** Counts no further than `most`. */
export const countEntries = async (db: Executor, range: Range, most: number): Promise<number> => {
  const { entries } = await db
    .selectFrom(matching(db, range).select('seq').limit(most).as('found'))
    .select((eb) => eb.fn.countAll<number>().as('entries'))
    .executeTakeFirstOrThrow()
  return entries
}

/** The entries that follow another one in the order of time. */
export const entriesAfter = (
  db: Executor,
  range: Range,
  after: Pick<AuditRow, 'at' | 'seq'>,
  limit: number,
): Promise<AuditRow[]> =>
  matching(db, range)
    .selectAll()
    .where(sql<boolean>`(at, seq) > (${after.at}, ${after.seq})`)
    .orderBy('at')
    .orderBy('seq')
    .limit(limit)
    .execute()

/** The entries in the order of the chain. */
export const chainAfter = (db: Executor, seq: number, limit: number): Promise<AuditRow[]> =>
  db.selectFrom('audit_log').selectAll().where('seq', '>', seq).orderBy('seq').limit(limit).execute()

/** What the newest purge said of the last entry it removed; null where nothing was ever purged. */
export const newestAnchor = async (db: Executor): Promise<string | null> => {
  const purge = await db
    .selectFrom('audit_log')
    .select('after')
    .where('action', '=', 'audit.purged')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return purge?.after ?? null
}

/** Of the oldest entries in a row, at most `limit`, the last one whose time is over. */
export const lastOverdue = async (
  db: Executor,
  before: number,
  limit: number,
): Promise<{ seq: number; hash: string; entries: number } | null> => {
  const oldest = await db
    .selectFrom('audit_log')
    .select(['seq', 'at', 'hash'])
    .orderBy('seq')
    .limit(limit)
    .execute()
  const kept = oldest.findIndex(({ at }) => at >= before)
  const entries = kept === -1 ? oldest.length : kept
  const last = oldest[entries - 1]
  return last ? { seq: last.seq, hash: last.hash, entries } : null
}

export const deleteUntil = async (tx: Tx, seq: number, now: number): Promise<void> => {
  await allowPurge(tx, seq, now)
  await tx.deleteFrom('audit_log').where('seq', '<=', seq).execute()
}
