import type { ExpressionBuilder, Insertable } from 'kysely'
import type { Executor, Tx } from '#db/client.ts'
import { databaseNow } from '#db/dialect.ts'
import { leaseEnd } from '#db/lease.ts'
import type { Database } from '#db/schema.ts'
import type { MessageRow } from '../messages/message-store.ts'

/** The columns of a reply that this node begins to write. */
export function beginLease(db: Executor, nodeId: string, now: number) {
  return { state: 'streaming' as const, lease_owner: nodeId, lease_until: leaseEnd(db, now) }
}

/** The ids of the chats of a user in which a reply is running. */
export async function findBusyChats(db: Executor, userId: string, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom('messages')
    .select('chat_id')
    .where('asked_by', '=', userId)
    .where('lease_until', '>', databaseNow(db, now))
    .where('state', '=', 'streaming')
    .execute()
  return rows.map(({ chat_id }) => chat_id)
}

const endedColumns = [
  'id',
  'chat_id',
  'content',
  'created_at',
  'state',
  'mode',
  'actual_model',
  'citations',
] as const
export type EndedReply = Pick<MessageRow, (typeof endedColumns)[number]>

/** Later than every lease, to use the index of running replies. */
const endOfTime = Number.MAX_SAFE_INTEGER

export interface LostReplyFilter {
  now: number
  /** The replies of this node are lost even if their lease is valid, unless the caller knows that they are running. */
  nodeId: string
  chatId?: string
  /** The owner of the chat, so that the replies of other users need not be read. */
  userId?: string
}

function isLeaseVoid(db: Executor, { now, nodeId }: LostReplyFilter) {
  return (eb: ExpressionBuilder<Database, 'messages'>) =>
    eb.and([
      eb('state', '=', 'streaming'),
      eb('lease_until', '<', endOfTime),
      eb.or([eb('lease_until', '<', databaseNow(db, now)), eb('lease_owner', '=', nodeId)]),
    ])
}

export type LostReply = Pick<MessageRow, 'id' | 'chat_id' | 'lease_owner'>

/** Replies with an expired lease, and those of the node. */
export function findLostReplies(db: Executor, filter: LostReplyFilter): Promise<LostReply[]> {
  const { chatId, userId } = filter
  return db
    .selectFrom('messages')
    .select(['id', 'chat_id', 'lease_owner'])
    .where(isLeaseVoid(db, filter))
    .$if(chatId !== undefined, (query) => query.where('chat_id', '=', chatId ?? ''))
    .$if(userId !== undefined, (query) => query.where('asked_by', '=', userId ?? ''))
    .execute()
}

/** Ends those replies that are still lost, in chats that the caller has locked, and keeps their text. */
export function setInterrupted(
  tx: Tx,
  filter: LostReplyFilter,
  messageIds: readonly string[],
): Promise<EndedReply[]> {
  return tx
    .updateTable('messages')
    .set((eb) => ({
      state: 'interrupted' as const,
      error: 'chat.interrupted',
      last_event: eb('last_event', '+', 1),
      lease_owner: null,
      lease_until: null,
    }))
    .where('id', 'in', messageIds)
    .where(isLeaseVoid(tx, filter))
    .returning(endedColumns)
    .execute()
}

/** The given replies that are stored and that nobody has ended. */
export async function findStoredReplies(db: Executor, messageIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('messages')
    .select('id')
    .where('id', 'in', messageIds)
    .where('state', '=', 'streaming')
    .execute()
  return rows.map(({ id }) => id)
}

/** Of the given replies, those whose lease has expired and that nobody has marked as interrupted yet. */
export async function findExpiredReplies(
  db: Executor,
  messageIds: readonly string[],
  now: number,
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('messages')
    .select('id')
    .where('id', 'in', messageIds)
    .where('state', '=', 'streaming')
    .where('lease_until', '<', databaseNow(db, now))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Returns the replies that this node still owns. Another process ended the missing ones. */
export async function extendLeases(
  db: Executor,
  nodeId: string,
  messageIds: readonly string[],
  now: number,
): Promise<Set<string>> {
  const rows = await db
    .updateTable('messages')
    .set({ lease_until: leaseEnd(db, now) })
    .where('id', 'in', messageIds)
    .where('lease_owner', '=', nodeId)
    .where('state', '=', 'streaming')
    .returning('id')
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** What the writer of a reply knows about it. */
type WrittenColumn =
  | 'content'
  | 'citations'
  | 'has_documents'
  | 'removed_citations'
  | 'unchecked_citations'
  | 'mode'
  | 'requested_model'
  | 'actual_model'

/** Includes mode and models, so that if the writing process dies we still know whether the reply can be continued. */
export type Snapshot = Pick<MessageRow, 'id' | 'last_event' | WrittenColumn>

/** False if this node no longer owns the reply. */
export async function saveSnapshot(
  db: Executor,
  nodeId: string,
  { id, ...written }: Snapshot,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('messages')
    .set(written)
    .where('id', '=', id)
    .where('lease_owner', '=', nodeId)
    .where('state', '=', 'streaming')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A reply that this node was writing, as its last snapshot has it. */
export function findUnfinishedReply(
  tx: Tx,
  nodeId: string,
  messageId: string,
): Promise<Pick<MessageRow, 'content' | 'citations' | 'last_event'> | undefined> {
  return tx
    .selectFrom('messages')
    .select(['content', 'citations', 'last_event'])
    .where('id', '=', messageId)
    .where('lease_owner', '=', nodeId)
    .where('state', '=', 'streaming')
    .executeTakeFirst()
}

export type FinalReplyColumns = Pick<MessageRow, 'last_event' | 'state' | 'error' | WrittenColumn>

/** Returns the finished row; undefined if another process ended the reply or it was deleted. */
export function endReply(
  db: Executor,
  nodeId: string,
  messageId: string,
  end: FinalReplyColumns,
): Promise<MessageRow | undefined> {
  return db
    .updateTable('messages')
    .set({ ...end, lease_owner: null, lease_until: null })
    .where('id', '=', messageId)
    .where('lease_owner', '=', nodeId)
    .where('state', '=', 'streaming')
    .returningAll()
    .executeTakeFirst()
}

/**
 * Stops a reply that another node writes, in a chat that the caller has locked. That node notices when it next saves a
 * snapshot or extends the lease.
 */
export function setStopped(tx: Tx, messageId: string): Promise<EndedReply[]> {
  return tx
    .updateTable('messages')
    .set((eb) => ({
      state: 'stopped' as const,
      last_event: eb('last_event', '+', 1),
      lease_owner: null,
      lease_until: null,
    }))
    .where('id', '=', messageId)
    .where('state', '=', 'streaming')
    .returning(endedColumns)
    .execute()
}

/**
 * Returns the rows that were not stored yet. If a commit succeeded but its acknowledgement was lost, the retry inserts
 * the same ids again.
 */
export async function insertUsage<Row extends Insertable<Database['llm_usage']>>(
  db: Executor,
  rows: readonly Row[],
): Promise<Row[]> {
  if (rows.length === 0) return []
  const added = await db
    .insertInto('llm_usage')
    .values(rows)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute()
  const ids = new Set(added.map(({ id }) => id))
  return rows.filter(({ id }) => ids.has(id))
}

export interface UsageSum {
  input: number
  output: number
  estimated: 0 | 1
}

/** The token usage of all model calls for a reply; undefined if there were none. */
export async function sumUsage(db: Executor, messageId: string): Promise<UsageSum | undefined> {
  const { calls, input, output, estimated } = await db
    .selectFrom('llm_usage')
    .select((eb) => [
      eb.fn.countAll<number>().as('calls'),
      eb.fn.sum<number | null>('input').as('input'),
      eb.fn.sum<number | null>('output').as('output'),
      eb.fn.max('estimated').as('estimated'),
    ])
    .where('message_id', '=', messageId)
    .executeTakeFirstOrThrow()
  if (calls === 0) return undefined
  return { input: Number(input), output: Number(output), estimated: estimated === 1 ? 1 : 0 }
}
