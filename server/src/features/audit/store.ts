import { type AuditFilters, type AuditResult, auditResults, getAuditArea } from '@lyceum/contract/audit'
import { type Insertable, type Selectable, sql } from 'kysely'
import { afterCommit } from '#db/after-commit.ts'
import { allowPurge } from '#db/audit-guard.ts'
import type { Executor, Tx } from '#db/client.ts'
import { lockName } from '#db/dialect.ts'
import type { Database } from '#db/schema.ts'
import { createTurns } from '#db/turns.ts'

export type AuditRow = Selectable<Database['audit_log']>

/** The previous hash of the very first entry. */
export const genesisHash = '0'.repeat(64)

/** One has the end of the chain, and the next one waits for it. */
export const runEntryInTurn = createTurns(2)

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

/** Calls `onCommitted` once the entry is committed. */
export async function insertEntry(
  tx: Tx,
  entry: Insertable<Database['audit_log']>,
  onCommitted: (() => void) | null,
): Promise<void> {
  await tx.insertInto('audit_log').values(entry).execute()
  if (onCommitted) afterCommit(tx, onCommitted)
}

export interface EntryFilter extends Omit<AuditFilters, 'startDate' | 'endDate'> {
  /** Inclusive bounds in milliseconds. */
  from: number | null
  until: number | null
  /** Sequence number of the newest entry to include. */
  asOf: number
  /** The user whose reading is left out. */
  exceptReadingOf?: string | undefined
}

/** Each combination of filters has its own index, in which the entries with one result form one ordered range. */
function filterByResult(db: Executor, filter: EntryFilter, result: AuditResult) {
  const { actorId, area, action, objectId } = filter
  let query = db.selectFrom('audit_log').select(['seq', 'at']).where('result', '=', result)
  if (objectId) query = query.where('object_id', '=', objectId)
  if (actorId) query = query.where('actor_id', '=', actorId)
  // An action implies its area, so the area needs no filter of its own.
  if (action) query = query.where('action', '=', action)
  else if (area) query = query.where('area', '=', area)
  if (filter.from !== null) query = query.where('at', '>=', filter.from)
  if (filter.until !== null) query = query.where('at', '<=', filter.until)
  const reader = filter.exceptReadingOf
  if (reader !== undefined)
    query = query.where((eb) =>
      eb.or([eb('area', '!=', 'reading'), eb('actor_id', 'is', null), eb('actor_id', '!=', reader)]),
    )
  return query.where('seq', '<=', filter.asOf)
}

type Cursor = Pick<AuditRow, 'at' | 'seq'>

/**
 * Finds the keys of the matching entries. Merging one index range per result lets the database return them in order
 * without sorting.
 */
function selectMatchingKeys(db: Executor, filter: EntryFilter, after: Cursor | null = null) {
  const { area, action, result } = filter
  const isContradictory = action !== undefined && area !== undefined && getAuditArea(action) !== area
  const results = isContradictory
    ? []
    : auditResults.filter((candidate) => (result ?? candidate) === candidate)
  const ranges = results.map((candidate) => {
    const query = filterByResult(db, filter, candidate)
    return after === null ? query : query.where(sql<boolean>`(at, seq) > (${after.at}, ${after.seq})`)
  })
  const [first, ...others] = ranges
  return first === undefined ? null : others.reduce((all, other) => all.unionAll(other), first)
}

export function selectKeyPage(db: Executor, filter: EntryFilter, limit: number, skip: number) {
  return selectMatchingKeys(db, filter)
    ?.orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .limit(limit)
    .offset(skip)
}

export function selectKeysAfter(db: Executor, filter: EntryFilter, after: Cursor, limit: number) {
  return selectMatchingKeys(db, filter, after)?.orderBy('at').orderBy('seq').limit(limit)
}

/** Loads the entries of a page in the order of their keys, so that the content of skipped entries is never read. */
async function loadEntries(db: Executor, keys: readonly Cursor[]): Promise<AuditRow[]> {
  if (keys.length === 0) return []
  const seqs = keys.map(({ seq }) => seq)
  const rows = await db.selectFrom('audit_log').selectAll().where('seq', 'in', seqs).execute()
  const bySeq = new Map(rows.map((row) => [row.seq, row]))
  return seqs.flatMap((seq) => bySeq.get(seq) ?? [])
}

/** Newest first. */
export async function listEntries(
  db: Executor,
  filter: EntryFilter,
  limit: number,
  skip: number,
): Promise<AuditRow[]> {
  return loadEntries(db, (await selectKeyPage(db, filter, limit, skip)?.execute()) ?? [])
}

/** Stops counting at `limit`. */
export async function countEntries(db: Executor, filter: EntryFilter, limit: number): Promise<number> {
  const keys = selectMatchingKeys(db, filter)
  if (!keys) return 0
  const { entries } = await db
    .selectFrom(keys.limit(limit).as('found'))
    .select((eb) => eb.fn.countAll<number>().as('entries'))
    .executeTakeFirstOrThrow()
  return entries
}

/** The matching entries after a cursor, ordered by time. */
export async function listEntriesAfter(
  db: Executor,
  filter: EntryFilter,
  after: Cursor,
  limit: number,
): Promise<AuditRow[]> {
  return loadEntries(db, (await selectKeysAfter(db, filter, after, limit)?.execute()) ?? [])
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

/**
 * The last expired entry among the `limit` oldest up to `lastSeq`, and how many expired entries there are up to it. With
 * null, all entries count.
 */
export async function findLastExpired(
  db: Executor,
  { before, lastSeq, limit }: { before: number; lastSeq: number | null; limit: number },
): Promise<{ seq: number; hash: string; entries: number } | null> {
  const oldest = await db
    .selectFrom('audit_log')
    .select(['seq', 'at', 'hash'])
    .$if(lastSeq !== null, (query) => query.where('seq', '<=', lastSeq))
    .orderBy('seq')
    .limit(limit)
    .execute()
  const firstKept = oldest.findIndex(({ at }) => at >= before)
  const entries = firstKept === -1 ? oldest.length : firstKept
  const last = oldest[entries - 1]
  return last ? { seq: last.seq, hash: last.hash, entries } : null
}

export async function deleteUntil(tx: Tx, seq: number, now: number): Promise<void> {
  await allowPurge(tx, seq, now)
  await tx.deleteFrom('audit_log').where('seq', '<=', seq).execute()
}

/** The current names of channels, and the channel and owner of chats, by id. */
export async function findObjectNames(
  db: Executor,
  ids: { channels: readonly string[]; chats: readonly string[] },
): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  if (ids.channels.length > 0)
    for (const { id, name } of await db
      .selectFrom('channels')
      .select(['id', 'name'])
      .where('id', 'in', ids.channels)
      .execute())
      names.set(id, name)
  if (ids.chats.length > 0)
    for (const { id, channel, owner } of await db
      .selectFrom('chats')
      .innerJoin('channels', 'channels.id', 'chats.channel_id')
      .innerJoin('users', 'users.id', 'chats.user_id')
      .select(['chats.id', 'channels.name as channel', 'users.name as owner'])
      .where('chats.id', 'in', ids.chats)
      .execute())
      names.set(id, `${owner}, ${channel}`)
  return names
}
