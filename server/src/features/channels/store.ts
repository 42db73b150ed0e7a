import type { ArchivedFilter } from '@lyceum/contract/channels'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Executor, Tx } from '#db/client.ts'
import { lockRow, lockRows, lockUnread } from '#db/lock-row.ts'
import type { Database } from '#db/schema.ts'
import { contains } from '#db/text-match.ts'

export type ChannelRow = Selectable<Database['channels']>

/** A channel with one user’s membership. */
export interface ChannelForUser extends ChannelRow {
  is_member: 0 | 1
  is_channel_admin: 0 | 1
}

function selectChannelsForUser(db: Executor, userId: string) {
  return db
    .selectFrom('channels')
    .leftJoin('channel_members', (join) =>
      join.onRef('channel_members.channel_id', '=', 'channels.id').on('channel_members.user_id', '=', userId),
    )
    .selectAll('channels')
    .select((eb) => [
      eb
        .case()
        .when('channel_members.user_id', 'is', null)
        .then(0)
        .else(1)
        .end()
        .$castTo<0 | 1>()
        .as('is_member'),
      eb.fn.coalesce('channel_members.is_admin', eb.lit(0)).$castTo<0 | 1>().as('is_channel_admin'),
    ])
}

export function findChannel(db: Executor, id: string, userId: string): Promise<ChannelForUser | undefined> {
  return selectChannelsForUser(db, userId).where('channels.id', '=', id).executeTakeFirst()
}

interface ChannelFilter {
  userId: string
  /** When false, only channels the user is a member of. */
  all: boolean
  search?: string | undefined
  archived: ArchivedFilter
  limit: number
  skip: number
}

function matchesArchived(archived: ArchivedFilter) {
  switch (archived) {
    case 'exclude':
      return sql<boolean>`channels.archived_at is null`
    case 'only':
      return sql<boolean>`channels.archived_at is not null`
    case 'include':
      return sql<boolean>`true`
  }
}

export function listChannels(
  db: Executor,
  { userId, all, search, archived, limit, skip }: ChannelFilter,
): Promise<ChannelForUser[]> {
  let query = selectChannelsForUser(db, userId).where(matchesArchived(archived))
  if (!all) query = query.where('channel_members.user_id', '=', userId)
  if (search) query = query.where((eb) => contains(eb.ref('channels.name'), search))
  return query.orderBy('channels.name').orderBy('channels.id').limit(limit).offset(skip).execute()
}

export async function countChannels(
  db: Executor,
  { userId, all, search, archived }: ChannelFilter,
): Promise<number> {
  let query = db
    .selectFrom('channels')
    .select((eb) => eb.fn.countAll<number>().as('channels'))
    .where(matchesArchived(archived))
  if (!all)
    query = query.where('channels.id', 'in', (eb) =>
      eb.selectFrom('channel_members').select('channel_id').where('user_id', '=', userId),
    )
  if (search) query = query.where((eb) => contains(eb.ref('channels.name'), search))
  const { channels } = await query.executeTakeFirstOrThrow()
  return channels
}

export interface ChannelCounts {
  members: number
  documents: number
  /** Those that are approved and indexed. */
  answerableDocuments: number
  pendingDocuments: number
  /** Those that are approved and could not be indexed. */
  failedDocuments: number
  /** Other sites on which the channel can be used. */
  sites: number
  /** Whether it can be used there without an account. */
  allowsVisitors: boolean
}

export const noCounts: ChannelCounts = {
  members: 0,
  documents: 0,
  answerableDocuments: 0,
  pendingDocuments: 0,
  failedDocuments: 0,
  sites: 0,
  allowsVisitors: false,
}

/** Counts members, but no visitors, documents and sites of any number of channels in three queries. */
export async function countContents(
  db: Executor,
  ids: readonly string[],
): Promise<Map<string, ChannelCounts>> {
  const counts = new Map<string, ChannelCounts>(ids.map((id) => [id, noCounts]))
  if (ids.length === 0) return counts
  const members = await db
    .selectFrom('channel_members')
    .select((eb) => ['channel_id', eb.fn.countAll<number>().as('count')])
    .where('channel_id', 'in', ids)
    .where('user_id', 'not in', (eb) =>
      eb.selectFrom('users').select('id').where('visitor_channel_id', 'in', ids),
    )
    .groupBy('channel_id')
    .execute()
  const documents = await db
    .selectFrom('documents')
    .leftJoin('document_versions as approved', (join) =>
      join
        .onRef('approved.id', '=', 'documents.approved_version_id')
        .on('approved.index_state', '=', 'failed')
        .on('documents.status', '=', 'approved'),
    )
    .select((eb) => [
      'documents.channel_id',
      eb.fn.countAll<number>().as('documents'),
      eb.fn.count<number>('documents.generation').as('answerableDocuments'),
      eb.fn
        .count<number>(eb.case().when('documents.status', '=', 'pending').then(1).end())
        .as('pendingDocuments'),
      eb.fn.count<number>('approved.id').as('failedDocuments'),
    ])
    .where('documents.channel_id', 'in', ids)
    .groupBy('documents.channel_id')
    .execute()
  for (const { channel_id, count } of members) counts.set(channel_id, { ...noCounts, members: count })
  for (const { channel_id, ...found } of documents)
    counts.set(channel_id, { ...(counts.get(channel_id) ?? noCounts), ...found })
  const embeddings = await db
    .selectFrom('channel_embeddings')
    .select(['channel_id', 'sites', 'allows_visitors'])
    .where('channel_id', 'in', ids)
    .execute()
  for (const { channel_id, sites, allows_visitors } of embeddings)
    counts.set(channel_id, {
      ...(counts.get(channel_id) ?? noCounts),
      sites: (JSON.parse(sites) as string[]).length,
      allowsVisitors: allows_visitors === 1,
    })
  return counts
}

export async function countChats(db: Executor, channelId: string): Promise<number> {
  const { chats } = await db
    .selectFrom('chats')
    .select((eb) => eb.fn.countAll<number>().as('chats'))
    .where('channel_id', '=', channelId)
    .executeTakeFirstOrThrow()
  return chats
}

export interface MemberRow {
  channel_id: string
  id: string
  email: string
  name: string
  is_admin: 0 | 1
}

/** Returns at most `limit` members in total, without visitors. `listMembers` pages through the members of a single channel. */
export function listMembersOfChannels(
  db: Executor,
  ids: readonly string[],
  limit: number,
): Promise<MemberRow[]> {
  return ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('channel_members')
        .innerJoin('users', 'users.id', 'channel_members.user_id')
        .select([
          'channel_members.channel_id',
          'users.id',
          'users.email',
          'users.name',
          'channel_members.is_admin',
        ])
        .where('channel_members.channel_id', 'in', ids)
        .where('users.visitor_channel_id', 'is', null)
        .orderBy('channel_members.channel_id')
        .orderBy('users.name')
        .limit(limit)
        .execute()
}

export async function insertChannel(db: Executor, channel: Insertable<Database['channels']>): Promise<void> {
  await db.insertInto('channels').values(channel).execute()
}

export async function updateChannel(
  db: Executor,
  id: string,
  changes: Updateable<Database['channels']>,
): Promise<void> {
  await db.updateTable('channels').set(changes).where('id', '=', id).execute()
}

/** Deletes the channel with its members, documents, passages and chats. Schedule its files for deletion first. */
export async function deleteChannel(db: Executor, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('channels').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Returns false when the user is already a member. */
export async function insertMember(
  db: Executor,
  channelId: string,
  userId: string,
  now: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('channel_members')
    .values({ channel_id: channelId, user_id: userId, is_admin: 0, created_at: now })
    .onConflict((conflict) => conflict.columns(['channel_id', 'user_id']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** Keeps the channel from being archived, changed or deleted until the transaction ends. */
export function lockChannelShared(tx: Tx, id: string): Promise<void> {
  return lockUnread(tx, 'channels', [id], 'shared')
}

export function lockChannel(tx: Tx, id: string): Promise<ChannelRow | undefined> {
  return lockRow(tx, 'channels', id)
}

interface MemberFilter {
  search: string
  limit: number
  skip: number
}

function selectMatchingMembers(db: Executor, channelId: string, search: string) {
  const members = db
    .selectFrom('channel_members')
    .innerJoin('users', 'users.id', 'channel_members.user_id')
    .where('channel_members.channel_id', '=', channelId)
    .where('users.visitor_channel_id', 'is', null)
  return search === ''
    ? members
    : members.where((eb) =>
        eb.or([contains(eb.ref('users.name'), search), contains(eb.ref('users.email'), search)]),
      )
}

export function listMembers(
  db: Executor,
  channelId: string,
  { search, limit, skip }: MemberFilter,
): Promise<MemberRow[]> {
  return selectMatchingMembers(db, channelId, search)
    .select([
      'channel_members.channel_id',
      'users.id',
      'users.email',
      'users.name',
      'channel_members.is_admin',
    ])
    .orderBy('users.name')
    .orderBy('users.id')
    .limit(limit)
    .offset(skip)
    .execute()
}

export async function countMembers(db: Executor, channelId: string, search: string): Promise<number> {
  const { members } = await selectMatchingMembers(db, channelId, search)
    .select((eb) => eb.fn.countAll<number>().as('members'))
    .executeTakeFirstOrThrow()
  return members
}

/** Returns false when the user was not a member. */
export async function deleteMember(db: Executor, channelId: string, userId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('channel_members')
    .where('channel_id', '=', channelId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Returns false when the user is not a member. */
export async function updateMember(
  db: Executor,
  channelId: string,
  userId: string,
  isAdmin: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('channel_members')
    .set({ is_admin: isAdmin ? 1 : 0 })
    .where('channel_id', '=', channelId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The given channels that the user is a member of. */
export async function findJoinedChannelIds(
  db: Executor,
  userId: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('channel_members')
    .select('channel_id')
    .where('user_id', '=', userId)
    .where('channel_id', 'in', ids)
    .execute()
  return rows.map(({ channel_id }) => channel_id)
}

export async function findExistingChannelIds(db: Executor, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('channels').select('id').where('id', 'in', ids).execute()
  return rows.map(({ id }) => id)
}

/** The names of a few groups through which the user has the channel. */
export async function findGroupsGiving(db: Executor, channelId: string, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('group_channels')
    .innerJoin('user_groups', 'user_groups.id', 'group_channels.group_id')
    .select('user_groups.name')
    .where('group_channels.channel_id', '=', channelId)
    .where('group_channels.group_id', 'in', (eb) =>
      eb.selectFrom('group_members').select('group_id').where('user_id', '=', userId),
    )
    .orderBy('user_groups.name_key')
    .limit(3)
    .execute()
  return rows.map(({ name }) => name)
}

/** Locks channels in the order of their ids and returns those that exist. */
export function lockChannels(tx: Tx, ids: readonly string[]): Promise<ChannelRow[]> {
  return lockRows(tx, 'channels', ids)
}
