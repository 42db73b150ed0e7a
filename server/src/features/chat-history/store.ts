import { type HistoryFilters, questionPreviewMaximum } from '@lyceum/contract/chat-history'
import { type ExpressionBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { countChats } from '#db/chat-totals.ts'
import type { Executor } from '#db/client.ts'
import type { Database } from '#db/schema.ts'
import type { ChatSelection } from './filters.ts'

export type Sort = Pick<HistoryFilters, 'sortBy' | 'sortOrder'>

const sortColumns = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  messageCount: 'message_count',
} as const

function matchesSelection(
  { userId, channelId, chatId, from, to, isNotEmpty }: ChatSelection,
  { sortBy }: Pick<Sort, 'sortBy'>,
) {
  return (eb: ExpressionBuilder<Database, 'chats'>) => {
    // For other sort orders, scan the index of that order, which also contains `created_at`. The unary plus keeps the
    // database from choosing the `created_at` index instead and sorting all chats of a long period.
    const createdAt = sortBy === 'createdAt' ? eb.ref('created_at') : sql<number>`+${eb.ref('created_at')}`
    return eb.and([
      ...(userId === undefined ? [] : [eb('user_id', '=', userId)]),
      ...(channelId === undefined ? [] : [eb('channel_id', '=', channelId)]),
      ...(chatId === undefined ? [] : [eb('id', '=', chatId)]),
      ...(from === undefined ? [] : [eb(createdAt, '>=', from)]),
      ...(to === undefined ? [] : [eb(createdAt, '<=', to)]),
      ...(isNotEmpty ? [eb('message_count', '>', 0)] : []),
    ])
  }
}

/** Chats with their user and channel. Callers must limit the rows. */
function selectHistories(db: Executor) {
  return db
    .selectFrom('chats')
    .innerJoin('users', 'users.id', 'chats.user_id')
    .innerJoin('channels', 'channels.id', 'chats.channel_id')
    .select([
      'chats.id',
      'chats.title',
      'chats.active_leaf_id',
      'chats.message_count',
      'chats.created_at',
      'chats.updated_at',
      'users.id as user_id',
      'users.name as user_name',
      'users.email as user_email',
      'users.deleted_at as user_deleted_at',
      'users.visitor_channel_id as user_visitor_channel_id',
      'channels.id as channel_id',
      'channels.name as channel_name',
    ])
}

/** Reads the beginning of the index of the chat's messages. */
function selectFirstQuestion(eb: ExpressionBuilder<Database, 'chats'>) {
  return eb
    .selectFrom('messages')
    .select(sql<string>`substr(messages.content, 1, ${sql.lit(questionPreviewMaximum)})`.as('preview'))
    .whereRef('messages.chat_id', '=', 'chats.id')
    .where('messages.role', '=', 'user')
    .orderBy('messages.created_at')
    .orderBy('messages.seq')
    .limit(1)
    .as('first_question')
}

export interface HistoryRow
  extends Pick<
    Selectable<Database['chats']>,
    | 'id'
    | 'title'
    | 'active_leaf_id'
    | 'message_count'
    | 'created_at'
    | 'updated_at'
    | 'user_id'
    | 'channel_id'
  > {
  user_name: string
  user_email: string
  user_deleted_at: number | null
  user_visitor_channel_id: string | null
  channel_name: string
}

export interface HistoryRowWithQuestion extends HistoryRow {
  /** Its beginning; null if there is none. */
  first_question: string | null
}

export function findHistory(db: Executor, chatId: string): Promise<HistoryRowWithQuestion | undefined> {
  return selectHistories(db).select(selectFirstQuestion).where('chats.id', '=', chatId).executeTakeFirst()
}

function orderByIds<Row extends { id: string }>(rows: readonly Row[], ids: readonly string[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Returns the chats in the order of `ids`. */
export async function findHistories(db: Executor, ids: readonly string[]): Promise<HistoryRow[]> {
  if (ids.length === 0) return []
  return orderByIds(await selectHistories(db).where('chats.id', 'in', ids).execute(), ids)
}

/** Returns the chats and their first questions in the order of `ids`. */
export async function findHistoriesWithQuestions(
  db: Executor,
  ids: readonly string[],
): Promise<HistoryRowWithQuestion[]> {
  if (ids.length === 0) return []
  const query = selectHistories(db).select(selectFirstQuestion).where('chats.id', 'in', ids)
  return orderByIds(await query.execute(), ids)
}

function selectSorted(db: Executor, selection: ChatSelection, { sortBy, sortOrder }: Sort) {
  return db
    .selectFrom('chats')
    .where(matchesSelection(selection, { sortBy }))
    .orderBy(sortColumns[sortBy], sortOrder)
    .orderBy('id', sortOrder)
}

/** Selects ids only, so that skipped rows are read from the index alone. */
export async function listChatIds(
  db: Executor,
  selection: ChatSelection,
  { sortBy, sortOrder, limit, skip }: Sort & { limit: number; skip: number },
): Promise<string[]> {
  const rows = await selectSorted(db, selection, { sortBy, sortOrder })
    .select('id')
    .limit(limit)
    .offset(skip)
    .execute()
  return rows.map(({ id }) => id)
}

export async function countSelectedChats(db: Executor, selection: ChatSelection): Promise<number> {
  if (Object.values(selection).every((value) => value === undefined)) return countChats(db)
  const { chats } = await db
    .selectFrom('chats')
    .select((eb) => eb.fn.countAll<number>().as('chats'))
    .where(matchesSelection(selection, { sortBy: 'createdAt' }))
    .executeTakeFirstOrThrow()
  return chats
}

export interface PlannedChat {
  id: string
  messageCount: number
  sortKey: number
}

/** The next non-empty chats after a cursor. An offset would read the earlier rows again. */
export function listChatsAfter(
  db: Executor,
  selection: ChatSelection,
  { sortBy, sortOrder }: Sort,
  after: PlannedChat | null,
  limit: number,
): Promise<PlannedChat[]> {
  const query = selectSorted(db, selection, { sortBy, sortOrder })
    .select(['id', 'message_count as messageCount', `${sortColumns[sortBy]} as sortKey`])
    .where('message_count', '>', 0)
    .limit(limit)
  if (after === null) return query.execute()
  const sortColumn = sql.ref(sortColumns[sortBy])
  const operator = sql.raw(sortOrder === 'asc' ? '>' : '<')
  return query.where(sql<SqlBool>`(${sortColumn}, id) ${operator} (${after.sortKey}, ${after.id})`).execute()
}

export async function userExists(db: Executor, id: string): Promise<boolean> {
  return (await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

export async function channelExists(db: Executor, id: string): Promise<boolean> {
  return (await db.selectFrom('channels').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}
