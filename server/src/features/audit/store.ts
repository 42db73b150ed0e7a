import { type AuditFilters, type AuditResult, auditResults, getAuditArea } from '@lyceum/contract/audit'
import { type Insertable, type Selectable, sql } from 'kysely'
import { allowPurge } from '#db/audit-guard.ts'
import type { Executor, Tx } from '#db/client.ts'
import { lockName } from '#db/dialect.ts'
import type { Database } from '#db/schema.ts'

export type AuditRow = Selectable<Database['audit_log']>

/** The previous hash of the very first entry. */
export const genesisHash = '0'.repeat(64)

/** Blocks other writers of the audit log until the transaction ends. */
export function lockAuditLog(tx: Tx): Promise<void> {
  return lockName(tx, 'audit')
}

export async function findLastHash(db: Executor): Promise<string> {
  const last = await db
    .selectFrom('audit_log')
    .select('hash')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.hash ?? genesisHash
}

export async function findLastSeq(db: Executor): Promise<number> {
  const last = await db
    .selectFrom('audit_log')
    .select('seq')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.seq ?? 0
}

export async function insertEntry(db: Executor, entry: Insertable<Database['audit_log']>): Promise<void> {
  await db.insertInto('audit_log').values(entry).execute()
}

export interface Range extends Omit<AuditFilters, 'startDate' | 'endDate'> {
  /** Inclusive bounds in milliseconds. */
  from: number | null
  until: number | null
  /** Sequence number of the newest entry to include. */
  asOf: number
}

/** Each combination of filters has its own index, in which the entries with one result form one ordered range. */
function filterByResult(db: Executor, range: Range, result: AuditResult) {
  const { actorId, area, action, objectId } = range
  let query = db.selectFrom('audit_log').select(['seq', 'at']).where('result', '=', result)
  if (objectId) query = query.where('object_id', '=', objectId)
  if (actorId) query = query.where('actor_id', '=', actorId)
  // An action implies its area, so the area needs no filter of its own.
  if (action) query = query.where('action', '=', action)
  else if (area) query = query.where('area', '=', area)
  if (range.from !== null) query = query.where('at', '>=', range.from)
  if (range.until !== null) query = query.where('at', '<=', range.until)
  return query.where('seq', '<=', range.asOf)
}

type Cursor = Pick<AuditRow, 'at' | 'seq'>

/**
 * Finds the keys of the matching entries. Merging one index range per result lets the database return them in order
 * without sorting.
 */
function selectMatchingKeys(db: Executor, range: Range, after: Cursor | null = null) {
  const { area, action, result } = range
  const isNothing = action !== undefined && area !== undefined && getAuditArea(action) !== area
  const results = isNothing ? [] : auditResults.filter((one) => (result ?? one) === one)
  const ranges = results.map((one) => {
    const query = filterByResult(db, range, one)
    return after === null ? query : query.where(sql<boolean>`(at, seq) > (${after.at}, ${after.seq})`)
  })
  const [first, ...others] = ranges
  return first === undefined ? null : others.reduce((all, other) => all.unionAll(other), first)
}

export function selectKeyPage(db: Executor, range: Range, limit: number, skip: number) {
  return selectMatchingKeys(db, range)?.orderBy('at', 'desc').orderBy('seq', 'desc').limit(limit).offset(skip)
}

export function selectKeysAfter(db: Executor, range: Range, after: Cursor, limit: number) {
  return selectMatchingKeys(db, range, after)?.orderBy('at').orderBy('seq').limit(limit)
}

/** Loads the entries of a page in the order of their keys, so that the content of skipped entries is never read. */
async function loadEntries(db: Executor, found: readonly Cursor[]): Promise<AuditRow[]> {
  if (found.length === 0) return []
  const seqs = found.map(({ seq }) => seq)
  const rows = await db.selectFrom('audit_log').selectAll().where('seq', 'in', seqs).execute()
  const bySeq = new Map(rows.map((row) => [row.seq, row]))
  return seqs.flatMap((seq) => bySeq.get(seq) ?? [])
}

/** Newest first. */
export async function listEntries(
  db: Executor,
  range: Range,
  limit: number,
  skip: number,
): Promise<AuditRow[]> {
  return loadEntries(db, (await selectKeyPage(db, range, limit, skip)?.execute()) ?? [])
}

/** Stops counting at `limit`. */
export async function countEntries(db: Executor, range: Range, limit: number): Promise<number> {
  const found = selectMatchingKeys(db, range)
  if (!found) return 0
  const { entries } = await db
    .selectFrom(found.limit(limit).as('found'))
    .select((eb) => eb.fn.countAll<number>().as('entries'))
    .executeTakeFirstOrThrow()
  return entries
}

/** The matching entries after a cursor, ordered by time. */
export async function listEntriesAfter(
  db: Executor,
  range: Range,
  after: Cursor,
  limit: number,
): Promise<AuditRow[]> {
  return loadEntries(db, (await selectKeysAfter(db, range, after, limit)?.execute()) ?? [])
}

/** Entries in chain order. */
export function listChainAfter(db: Executor, seq: number, limit: number): Promise<AuditRow[]> {
  return db.selectFrom('audit_log').selectAll().where('seq', '>', seq).orderBy('seq').limit(limit).execute()
}

/** JSON recorded by the latest purge about the last entry it deleted; null before the first purge. */
export async function findPurgeAnchor(db: Executor): Promise<string | null> {
  const purge = await db
    .selectFrom('audit_log')
    .select('after')
    .where('action', '=', 'audit.purged')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return purge?.after ?? null
}

/** The last expired entry among the `limit` oldest, and how many expired entries there are up to it. */
export async function findLastExpired(
  db: Executor,
  before: number,
  limit: number,
): Promise<{ seq: number; hash: string; entries: number } | null> {
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

export async function deleteUntil(tx: Tx, seq: number, now: number): Promise<void> {
  await allowPurge(tx, seq, now)
  await tx.deleteFrom('audit_log').where('seq', '<=', seq).execute()
}
