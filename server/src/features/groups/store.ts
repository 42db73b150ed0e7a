import type { Permission } from '@lyceum/contract/permissions'
import type { ExpressionBuilder, Insertable, Selectable } from 'kysely'
import type { Executor, Tx } from '#db/client.ts'
import { byHand } from '#db/membership-source.ts'
import type { Database } from '#db/schema.ts'
import { contains } from '#db/text-match.ts'

export type GroupRow = Selectable<Database['user_groups']>

export interface PageQuery {
  limit: number
  skip: number
}

export function parsePermissions({ permissions }: Pick<GroupRow, 'permissions'>): Permission[] {
  return JSON.parse(permissions) as Permission[]
}

export function findGroup(db: Executor, id: string): Promise<GroupRow | undefined> {
  return db.selectFrom('user_groups').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findGroups(db: Executor, ids: readonly string[]): Promise<GroupRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return db.selectFrom('user_groups').selectAll().where('id', 'in', ids).orderBy('id').execute()
}

/** The id of the group with this name, whatever the case of the letters. */
export async function findGroupIdByName(db: Executor, name: string): Promise<string | null> {
  const row = await db
    .selectFrom('user_groups')
    .select('id')
    .where('name_key', '=', name.toLowerCase())
    .executeTakeFirst()
  return row?.id ?? null
}

/** What decides whether an administrator can change the members of a group. */
export interface MemberEditor {
  isSystemAdmin: boolean
  /** The user whose channels are the only ones that the administrator sees; null if they see all. */
  seenBy: string | null
}

interface GroupFilter {
  /** Part of the name; empty for all. */
  search: string
  channelId?: string
  /** Only the groups whose members this administrator can change. */
  editor?: MemberEditor
  /** Without the groups to which this user was added by hand. */
  exceptUserId?: string
}

/** Matches the groups for which `findRefusal` finds no reason. */
function isChangeableBy(eb: ExpressionBuilder<Database, 'user_groups'>, editor: MemberEditor) {
  const { isSystemAdmin, seenBy } = editor
  const conditions = isSystemAdmin ? [] : [eb('permissions', '=', '[]')]
  if (seenBy === null) return eb.and(conditions)
  const seen = eb
    .selectFrom('channel_members')
    .select('channel_members.channel_id')
    .where('channel_members.user_id', '=', seenBy)
  const hidden = eb
    .selectFrom('group_channels')
    .select('group_channels.group_id')
    .where('group_channels.channel_id', 'not in', seen)
  return eb.and([...conditions, eb('id', 'not in', hidden)])
}

function filterGroups(db: Executor, { search, channelId, editor, exceptUserId }: GroupFilter) {
  let query = db.selectFrom('user_groups')
  if (editor !== undefined) query = query.where((eb) => isChangeableBy(eb, editor))
  if (exceptUserId !== undefined)
    query = query.where('id', 'not in', (eb) =>
      eb
        .selectFrom('group_members')
        .select('group_id')
        .where('user_id', '=', exceptUserId)
        .where('source', '=', byHand),
    )
  if (search !== '') query = query.where((eb) => contains(eb.ref('name'), search))
  if (channelId !== undefined)
    query = query.where('id', 'in', (eb) =>
      eb.selectFrom('group_channels').select('group_id').where('channel_id', '=', channelId),
    )
  return query
}

export function listGroups(
  db: Executor,
  filter: GroupFilter,
  { limit, skip }: PageQuery,
): Promise<GroupRow[]> {
  return filterGroups(db, filter)
    .selectAll()
    .orderBy('name_key')
    .orderBy('id')
    .limit(limit)
    .offset(skip)
    .execute()
}

export async function countGroups(db: Executor, filter: GroupFilter): Promise<number> {
  const { groups } = await filterGroups(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('groups'))
    .executeTakeFirstOrThrow()
  return groups
}

/** Those of the groups whose members the administrator can change. */
export async function findChangeableGroupIds(
  db: Executor,
  ids: readonly string[],
  editor: MemberEditor,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await filterGroups(db, { search: '', editor }).select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

export interface GroupCounts {
  members: number
  channels: number
}

/** Counts members and channels of any number of groups in two queries. */
export async function countMembersAndChannels(
  db: Executor,
  ids: readonly string[],
): Promise<Map<string, GroupCounts>> {
  const counts = new Map<string, GroupCounts>(ids.map((id) => [id, { members: 0, channels: 0 }]))
  if (ids.length === 0) return counts
  const members = await db
    .selectFrom('group_members')
    .select((eb) => ['group_id', eb.fn.count<number>('user_id').distinct().as('count')])
    .where('group_id', 'in', ids)
    .groupBy('group_id')
    .execute()
  const channels = await db
    .selectFrom('group_channels')
    .select((eb) => ['group_id', eb.fn.countAll<number>().as('count')])
    .where('group_id', 'in', ids)
    .groupBy('group_id')
    .execute()
  for (const { group_id, count } of members) counts.set(group_id, { members: count, channels: 0 })
  for (const { group_id, count } of channels)
    counts.set(group_id, { members: counts.get(group_id)?.members ?? 0, channels: count })
  return counts
}

export async function insertGroup(tx: Tx, group: Omit<Insertable<Database['user_groups']>, 'name_key'>) {
  await tx
    .insertInto('user_groups')
    .values({ ...group, name_key: group.name.toLowerCase() })
    .execute()
}

export async function renameGroup(
  tx: Tx,
  id: string,
  { name, description }: Pick<GroupRow, 'name' | 'description'>,
): Promise<void> {
  await tx
    .updateTable('user_groups')
    .set({ name, name_key: name.toLowerCase(), description })
    .where('id', '=', id)
    .execute()
}

export async function storePermissions(
  tx: Tx,
  id: string,
  permissions: readonly Permission[],
): Promise<void> {
  await tx
    .updateTable('user_groups')
    .set({ permissions: JSON.stringify(permissions) })
    .where('id', '=', id)
    .execute()
}

/** Also deletes the memberships. Take back what the group gave first. */
export async function deleteGroup(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('user_groups').where('id', '=', id).execute()
}

/** The name of the directory that manages the group. */
export async function findDirectoryName(db: Executor, groupId: string): Promise<string | null> {
  const row = await db
    .selectFrom('directory_groups')
    .innerJoin('directories', 'directories.id', 'directory_groups.directory_id')
    .select('directories.name')
    .where('directory_groups.group_id', '=', groupId)
    .executeTakeFirst()
  return row?.name ?? null
}

/** The channels of these groups, sorted by name. */
export function listGroupChannels(db: Executor, groupIds: readonly string[]) {
  if (groupIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('group_channels')
    .innerJoin('channels', 'channels.id', 'group_channels.channel_id')
    .select(['group_channels.group_id', 'channels.id', 'channels.name'])
    .where('group_channels.group_id', 'in', groupIds)
    .orderBy('channels.name')
    .orderBy('channels.id')
    .execute()
}

export async function insertGroupChannels(
  tx: Tx,
  groupId: string,
  channelIds: readonly string[],
  now: number,
): Promise<void> {
  await tx
    .insertInto('group_channels')
    .values(channelIds.map((channel_id) => ({ group_id: groupId, channel_id, created_at: now })))
    .execute()
}

export async function deleteGroupChannel(tx: Tx, groupId: string, channelId: string): Promise<void> {
  await tx
    .deleteFrom('group_channels')
    .where('group_id', '=', groupId)
    .where('channel_id', '=', channelId)
    .execute()
}
