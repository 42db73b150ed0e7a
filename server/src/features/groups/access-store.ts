import type { Permission } from '@lyceum/contract/permissions'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Executor, Tx } from '#db/client.ts'
import type { Database } from '#db/schema.ts'
import { parsePermissions } from './store.ts'

/** Users per statement: databases limit how many values a statement can have. */
const batchSize = 500

function getGroupSource(groupId: string): string {
  return `group:${groupId}`
}

export function toTarget(channelId: string): string {
  return `channel:${channelId}`
}

/** A group and some of its members; all of them without `userIds`. */
interface Recipients {
  groupId: string
  userIds?: readonly string[]
}

/**
 * Gives a channel to members of a group and returns those who were not members of the channel. Users to whom it was given by
 * hand get no grant, so that the group does not take it back. The caller has locked the channel.
 */
export async function giveChannel(
  tx: Tx,
  { groupId, userIds }: Recipients,
  channelId: string,
  now: number,
): Promise<string[]> {
  const target = toTarget(channelId)
  let members = tx.selectFrom('group_members as m').distinct().where('m.group_id', '=', groupId)
  if (userIds) members = members.where('m.user_id', 'in', userIds)
  const time = sql<number>`cast(${now} as bigint)`
  await tx
    .insertInto('access_grants')
    .columns(['user_id', 'target', 'source', 'created_at'])
    .expression(
      members
        .select([
          'm.user_id',
          sql<string>`cast(${target} as text)`.as('target'),
          sql<string>`cast(${getGroupSource(groupId)} as text)`.as('source'),
          time.as('created_at'),
        ])
        .where(({ or, not, exists, selectFrom }) =>
          or([
            not(
              exists(
                selectFrom('channel_members')
                  .select('channel_members.user_id')
                  .whereRef('channel_members.user_id', '=', 'm.user_id')
                  .where('channel_members.channel_id', '=', channelId),
              ),
            ),
            exists(
              selectFrom('access_grants')
                .select('access_grants.user_id')
                .whereRef('access_grants.user_id', '=', 'm.user_id')
                .where('access_grants.target', '=', target),
            ),
          ]),
        ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const joined = await tx
    .insertInto('channel_members')
    .columns(['channel_id', 'user_id', 'is_admin', 'created_at'])
    .expression(
      members.select([
        sql<string>`cast(${channelId} as text)`.as('channel_id'),
        'm.user_id',
        sql<0>`0`.as('is_admin'),
        time.as('created_at'),
      ]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .execute()
  return joined.map(({ user_id }) => user_id)
}

/** Whether no other source gives the same to the same user. */
function isOnlySource(eb: ExpressionBuilder<Database, 'access_grants'>, source: string) {
  return eb.not(
    eb.exists(
      eb
        .selectFrom('access_grants as other')
        .select('other.user_id')
        .whereRef('other.user_id', '=', 'access_grants.user_id')
        .whereRef('other.target', '=', 'access_grants.target')
        .where('other.source', '<>', source),
    ),
  )
}

/** Takes a channel back that the group gave, and returns those who lost it because nothing else gives it. */
export async function withdrawChannel(
  tx: Tx,
  { groupId, userIds }: Recipients,
  channelId: string,
): Promise<string[]> {
  const source = getGroupSource(groupId)
  const target = toTarget(channelId)
  let losers = tx
    .selectFrom('access_grants')
    .select('access_grants.user_id')
    .where('target', '=', target)
    .where('source', '=', source)
    .where((eb) => isOnlySource(eb, source))
  if (userIds) losers = losers.where('user_id', 'in', userIds)
  const left = await tx
    .deleteFrom('channel_members')
    .where('channel_id', '=', channelId)
    .where('user_id', 'in', losers)
    .returning('user_id')
    .execute()
  let grants = tx.deleteFrom('access_grants').where('target', '=', target).where('source', '=', source)
  if (userIds) grants = grants.where('user_id', 'in', userIds)
  await grants.execute()
  return left.map(({ user_id }) => user_id)
}

/** How many users would lose each channel with the group, and how many users that are altogether. */
export async function countLosses(
  db: Executor,
  groupId: string,
  channelIds: readonly string[],
): Promise<{ userCount: number; byChannel: Map<string, number> }> {
  if (channelIds.length === 0) return { userCount: 0, byChannel: new Map() }
  const source = getGroupSource(groupId)
  const losses = db
    .selectFrom('access_grants')
    .where('source', '=', source)
    .where('target', 'in', channelIds.map(toTarget))
    .where((eb) => isOnlySource(eb, source))
  const rows = await losses
    .select((eb) => ['target', eb.fn.countAll<number>().as('count')])
    .groupBy('target')
    .execute()
  const { users } = await losses
    .select((eb) => eb.fn.count<number>('user_id').distinct().as('users'))
    .executeTakeFirstOrThrow()
  const counts = new Map(rows.map(({ target, count }) => [target, count]))
  return {
    userCount: users,
    byChannel: new Map(channelIds.map((id) => [id, counts.get(toTarget(id)) ?? 0])),
  }
}

function selectMembers(db: Executor, { groupId, userIds }: Recipients) {
  const members = db.selectFrom('group_members').select('user_id').where('group_id', '=', groupId)
  return userIds ? members.where('user_id', 'in', userIds) : members
}

/** Adds up what groups give to each of these users. */
function sumPermissions(
  rows: readonly { user_id: string; permissions: string }[],
): Map<string, Permission[]> {
  const byUser = Map.groupBy(rows, ({ user_id }) => user_id)
  return new Map(
    [...byUser].map(([userId, groups]) => [
      userId,
      [...new Set(groups.flatMap(parsePermissions))].toSorted(),
    ]),
  )
}

/**
 * Stores with each user what their groups give them, so that requests need not read the groups. Call it after a change to the
 * permissions of a group or to members. The caller has locked the administrators.
 */
export async function refreshPermissions(tx: Tx, userIds: readonly string[]): Promise<void> {
  for (let start = 0; start < userIds.length; start += batchSize) {
    const batch = userIds.slice(start, start + batchSize)
    const rows = await tx
      .selectFrom('group_members')
      .innerJoin('user_groups', 'user_groups.id', 'group_members.group_id')
      .select(['group_members.user_id', 'user_groups.permissions'])
      .where('group_members.user_id', 'in', batch)
      .where('user_groups.permissions', '<>', '[]')
      .execute()
    const sums = sumPermissions(rows)
    const byText = Map.groupBy(batch, (id) => JSON.stringify(sums.get(id) ?? []))
    for (const [text, ids] of byText)
      await tx
        .updateTable('users')
        .set({ group_permissions: text === '[]' ? null : text })
        .where('id', 'in', ids)
        .execute()
  }
}

export async function listMemberIds(db: Executor, groupId: string): Promise<string[]> {
  const rows = await selectMembers(db, { groupId }).distinct().execute()
  return rows.map(({ user_id }) => user_id)
}

/** The administrators of a group whose permissions it can change, with what their other groups give them. */
export async function listRestrictedAdministrators(db: Executor, groupId: string) {
  const users = await db
    .selectFrom('users')
    .select(['id', 'role', 'is_system_admin', 'permission_overrides'])
    .where('id', 'in', selectMembers(db, { groupId }))
    .where('role', '=', 'admin')
    .where('is_system_admin', '=', 0)
    .execute()
  if (users.length === 0) return []
  const rows = await db
    .selectFrom('group_members')
    .innerJoin('user_groups', 'user_groups.id', 'group_members.group_id')
    .innerJoin('users', 'users.id', 'group_members.user_id')
    .select(['group_members.user_id', 'user_groups.permissions'])
    .where('group_members.user_id', 'in', selectMembers(db, { groupId }))
    .where('group_members.group_id', '<>', groupId)
    .where('users.role', '=', 'admin')
    .execute()
  const others = sumPermissions(rows)
  return users.map((user) => ({ ...user, others: others.get(user.id) ?? [] }))
}

/** The channels of a user; only those that `seenBy` is a member of, too, if given. */
export function listChannelsOfUser(
  db: Executor,
  userId: string,
  { seenBy, limit }: { seenBy: string | null; limit: number },
) {
  let query = db
    .selectFrom('channel_members')
    .innerJoin('channels', 'channels.id', 'channel_members.channel_id')
    .select(['channels.id', 'channels.name'])
    .where('channel_members.user_id', '=', userId)
  if (seenBy !== null)
    query = query.where('channels.id', 'in', (eb) =>
      eb.selectFrom('channel_members as own').select('own.channel_id').where('own.user_id', '=', seenBy),
    )
  return query.orderBy('channels.name').orderBy('channels.id').limit(limit).execute()
}

/** Which groups give which channels to the user. */
export function listGroupsGiving(db: Executor, userId: string) {
  return db
    .selectFrom('group_members')
    .innerJoin('group_channels', 'group_channels.group_id', 'group_members.group_id')
    .innerJoin('user_groups', 'user_groups.id', 'group_members.group_id')
    .select(['group_channels.channel_id', 'user_groups.id', 'user_groups.name'])
    .distinct()
    .where('group_members.user_id', '=', userId)
    .orderBy('user_groups.name')
    .execute()
}
