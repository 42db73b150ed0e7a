import { type Insertable, type RawBuilder, type SqlBool, sql, type Updateable } from 'kysely'
import type { Executor, Tx } from '#db/client.ts'
import type { Database } from '#db/schema.ts'
import { getDirectorySource } from '../groups/sources.ts'
import { type Filter, invalidFilter } from './filter.ts'
import { type FilterColumns, toCondition } from './filter-sql.ts'

function toMemberColumn(directoryId: string): FilterColumns[string] {
  const members = sql`select 1 from group_members where group_members.group_id = link.group_id
    and group_members.source = ${getDirectorySource(directoryId)}`
  return {
    type: 'custom',
    compare({ operator, value }): RawBuilder<SqlBool> {
      if (operator === 'pr') return sql`exists (${members})`
      if (operator !== 'eq' || typeof value !== 'string')
        throw invalidFilter('Members are compared by “eq” with the id of a user')
      return sql`exists (${members} and group_members.user_id = ${value})`
    },
  }
}

function createColumns(directoryId: string): FilterColumns {
  return {
    id: { type: 'text', column: sql.ref('groups.id'), isExact: true },
    externalid: { type: 'text', column: sql.ref('link.external_id'), isExact: true },
    displayname: { type: 'text', column: sql.ref('groups.name_key'), isFolded: true },
    members: toMemberColumn(directoryId),
    'members.value': toMemberColumn(directoryId),
    'meta.created': { type: 'time', column: sql.ref('link.created_at') },
    'meta.lastmodified': { type: 'time', column: sql.ref('link.updated_at') },
  }
}

function selectGroups(db: Executor, directoryId: string) {
  return db
    .selectFrom('directory_groups as link')
    .innerJoin('user_groups as groups', 'groups.id', 'link.group_id')
    .where('link.directory_id', '=', directoryId)
}

const groupColumns = [
  'groups.id',
  'groups.name',
  'link.external_id',
  'link.version',
  'link.created_at',
  'link.updated_at',
] as const

export interface DirectoryGroup {
  id: string
  name: string
  external_id: string | null
  version: number
  created_at: number
  updated_at: number
}

/** A group that the directory manages. */
export function findDirectoryGroup(
  db: Executor,
  directoryId: string,
  groupId: string,
): Promise<DirectoryGroup | undefined> {
  return selectGroups(db, directoryId)
    .select(groupColumns)
    .where('link.group_id', '=', groupId)
    .executeTakeFirst()
}

function filterGroups(db: Executor, directoryId: string, filter: Filter | null) {
  const groups = selectGroups(db, directoryId)
  return filter === null ? groups : groups.where(toCondition(filter, createColumns(directoryId)))
}

/** A page of the groups that the directory manages. */
export function selectGroupPage(
  db: Executor,
  directoryId: string,
  { filter, startIndex, count }: { filter: Filter | null; startIndex: number; count: number },
) {
  return filterGroups(db, directoryId, filter)
    .select(groupColumns)
    .orderBy('link.group_id')
    .limit(count)
    .offset(startIndex - 1)
}

export async function countDirectoryGroups(
  db: Executor,
  directoryId: string,
  filter: Filter | null,
): Promise<number> {
  // Without a filter, the join would read all of them.
  const all =
    filter === null
      ? db.selectFrom('directory_groups as link').where('link.directory_id', '=', directoryId)
      : filterGroups(db, directoryId, filter)
  const { count } = await all.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return count
}

/** Which users the directory put into these groups. */
export function listDirectoryMembers(
  db: Executor,
  directoryId: string,
  groupIds: readonly string[],
  limit: number,
): Promise<{ group_id: string; user_id: string }[]> {
  return db
    .selectFrom('group_members')
    .select(['group_id', 'user_id'])
    .where('group_id', 'in', groupIds)
    .where('source', '=', getDirectorySource(directoryId))
    .orderBy('group_id')
    .orderBy('user_id')
    .limit(limit)
    .execute()
}

/** The ids of all users whom the directory put into the group; only of these, if given. */
export async function listMemberIdsOf(
  db: Executor,
  directoryId: string,
  groupId: string,
  userIds?: readonly string[],
): Promise<string[]> {
  if (userIds?.length === 0) return []
  let query = db
    .selectFrom('group_members')
    .select('user_id')
    .where('group_id', '=', groupId)
    .where('source', '=', getDirectorySource(directoryId))
  if (userIds) query = query.where('user_id', 'in', userIds)
  return (await query.execute()).map(({ user_id }) => user_id)
}

export async function insertDirectoryGroup(
  tx: Tx,
  group: Insertable<Database['directory_groups']>,
): Promise<void> {
  await tx.insertInto('directory_groups').values(group).execute()
}

export async function updateDirectoryGroup(
  tx: Tx,
  groupId: string,
  changes: Updateable<Database['directory_groups']>,
): Promise<void> {
  await tx.updateTable('directory_groups').set(changes).where('group_id', '=', groupId).execute()
}
