import type { Insertable, Selectable } from 'kysely'
import type { Executor, Tx } from '#db/client.ts'
import { lockUnread } from '#db/lock-row.ts'
import type { Database } from '#db/schema.ts'

export type ChatRow = Selectable<Database['chats']>

/** The user's own chats in a channel, while they are a member of it. */
function selectOwnChats(db: Executor, userId: string, channelId: string) {
  return db
    .selectFrom('chats')
    .innerJoin('channel_members', (join) =>
      join
        .onRef('channel_members.channel_id', '=', 'chats.channel_id')
        .onRef('channel_members.user_id', '=', 'chats.user_id'),
    )
    .where('chats.user_id', '=', userId)
    .where('chats.channel_id', '=', channelId)
}

export function findOwnChat(
  db: Executor,
  userId: string,
  channelId: string,
  chatId: string,
): Promise<ChatRow | undefined> {
  return selectOwnChats(db, userId, channelId)
    .selectAll('chats')
    .where('chats.id', '=', chatId)
    .executeTakeFirst()
}

/**
 * Like `findOwnChat`, but locks the user and then the chat, always in this order. A concurrent request, on any node,
 * waits here and then sees the changes of this transaction.
 */
export async function lockOwnChat(
  tx: Tx,
  userId: string,
  channelId: string,
  chatId: string,
): Promise<ChatRow | undefined> {
  await lockUnread(tx, 'users', [userId])
  await lockUnread(tx, 'chats', [chatId])
  return findOwnChat(tx, userId, channelId, chatId)
}

/** The user and channel of each chat. */
export async function findChatOwners(
  db: Executor,
  chatIds: readonly string[],
): Promise<Map<string, { userId: string; channelId: string }>> {
  const rows = await db
    .selectFrom('chats')
    .select(['id', 'user_id', 'channel_id'])
    .where('id', 'in', [...new Set(chatIds)])
    .execute()
  return new Map(rows.map(({ id, user_id, channel_id }) => [id, { userId: user_id, channelId: channel_id }]))
}

export function listChats(
  db: Executor,
  userId: string,
  channelId: string,
  { limit, skip }: { limit: number; skip: number },
): Promise<ChatRow[]> {
  return db
    .selectFrom('chats')
    .selectAll()
    .where('user_id', '=', userId)
    .where('channel_id', '=', channelId)
    .orderBy('is_pinned', 'desc')
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(skip)
    .execute()
}

export interface RecentChatRow {
  id: string
  channel_id: string
  channel_name: string
  title: string | null
  updated_at: number
}

/** Of a user's last chats, those that have messages and whose channel is in the user's list of channels. */
export function listRecentChats(
  db: Executor,
  userId: string,
  { considered, limit }: { considered: number; limit: number },
): Promise<RecentChatRow[]> {
  return db
    .selectFrom((eb) =>
      eb
        .selectFrom('chats')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('updated_at', 'desc')
        .orderBy('id', 'desc')
        // Only these are read, even if the user has lost access to most of their channels.
        .limit(considered)
        .as('latest'),
    )
    .innerJoin('channel_members', (join) =>
      join
        .onRef('channel_members.channel_id', '=', 'latest.channel_id')
        .onRef('channel_members.user_id', '=', 'latest.user_id'),
    )
    .innerJoin('channels', 'channels.id', 'latest.channel_id')
    .select([
      'latest.id',
      'latest.channel_id',
      'channels.name as channel_name',
      'latest.title',
      'latest.updated_at',
    ])
    .where('latest.message_count', '>', 0)
    .where('channels.archived_at', 'is', null)
    .orderBy('latest.updated_at', 'desc')
    .orderBy('latest.id', 'desc')
    .limit(limit)
    .execute()
}

export async function countChats(db: Executor, userId: string, channelId: string): Promise<number> {
  const { chats } = await db
    .selectFrom('chats')
    .select((eb) => eb.fn.countAll<number>().as('chats'))
    .where('user_id', '=', userId)
    .where('channel_id', '=', channelId)
    .executeTakeFirstOrThrow()
  return chats
}

export async function countPinnedChats(db: Executor, userId: string, channelId: string): Promise<number> {
  const { chats } = await db
    .selectFrom('chats')
    .select((eb) => eb.fn.countAll<number>().as('chats'))
    .where('user_id', '=', userId)
    .where('channel_id', '=', channelId)
    .where('is_pinned', '=', 1)
    .executeTakeFirstOrThrow()
  return chats
}

/** Keeps `updated_at`, so that a chat returns to its old place when it is unpinned. */
export async function setPinned(db: Executor, chatId: string, isPinned: boolean): Promise<void> {
  await db
    .updateTable('chats')
    .set({ is_pinned: isPinned ? 1 : 0 })
    .where('id', '=', chatId)
    .execute()
}

/** A chat to insert. Columns that are left out are null, and `message_count` is 0. */
export type NewChat = Omit<Insertable<Database['chats']>, 'message_count'> & { message_count?: number }

export function insertChat(db: Executor, chat: NewChat): Promise<ChatRow> {
  return db
    .insertInto('chats')
    .values({ message_count: 0, ...chat })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Sets the title that the user chose. Automatic titles never replace it. */
export async function renameChat(db: Executor, chatId: string, title: string): Promise<void> {
  await db.updateTable('chats').set({ title, title_source: null }).where('id', '=', chatId).execute()
}

/**
 * Every transaction that changes chats takes its locks in this order: the channel, the user, chats by id, messages,
 * usage counters.
 * With another order, PostgreSQL would end one of two transactions as a deadlock.
 */
export async function lockChat(tx: Tx, chatId: string): Promise<void> {
  await lockUnread(tx, 'chats', [chatId])
}

/** Locks in the order of the ids. */
export async function lockChats(tx: Tx, chatIds: readonly string[]): Promise<void> {
  await lockUnread(tx, 'chats', chatIds)
}

/** The ids of the chats that still exist and whose owners are still members of the channel. */
export async function findReachableChats(db: Executor, chatIds: readonly string[]): Promise<Set<string>> {
  if (chatIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('chats')
    .innerJoin('channel_members', (join) =>
      join
        .onRef('channel_members.channel_id', '=', 'chats.channel_id')
        .onRef('channel_members.user_id', '=', 'chats.user_id'),
    )
    .select('chats.id')
    .where('chats.id', 'in', chatIds)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

interface LastMessage {
  role: 'user' | 'assistant'
  preview: string
  at: number
}

/** Sets the path and preview that a chat shows. Keeps `updated_at`, so that the order of the list does not change. */
export async function setActivePath(
  tx: Executor,
  chatId: string,
  leafId: string,
  last: LastMessage,
): Promise<void> {
  await tx
    .updateTable('chats')
    .set({
      active_leaf_id: leafId,
      last_message_role: last.role,
      last_message_preview: last.preview,
      last_message_at: last.at,
    })
    .where('id', '=', chatId)
    .execute()
}

/** Updates the chat after a message was sent or a reply ended. */
export async function advanceChat(
  tx: Executor,
  chatId: string,
  change: { leafId?: string; added: number; last: LastMessage | null; now: number },
): Promise<void> {
  await tx
    .updateTable('chats')
    .set((eb) => ({
      ...(change.leafId === undefined ? {} : { active_leaf_id: change.leafId }),
      ...(change.last === null
        ? {}
        : {
            last_message_role: change.last.role,
            last_message_preview: change.last.preview,
            last_message_at: change.last.at,
          }),
      message_count: eb('message_count', '+', change.added),
      updated_at: change.now,
    }))
    .where('id', '=', chatId)
    .execute()
}
