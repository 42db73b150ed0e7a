import type { ListedMember } from '@lyceum/contract/channels'
import { sql } from 'kysely'
import type { Executor } from '#db/client.ts'

type Origin = Pick<ListedMember, 'isByHand' | 'groups' | 'issuers'>

export const addedByHand: Origin = { isByHand: true, groups: [], issuers: [] }

const issuerPrefix = 'issuer:'

function asText<T extends string>(value: T) {
  return sql<T>`cast(${value} as text)`
}

function selectGroups(db: Executor, channelId: string, userIds: readonly string[]) {
  return db
    .selectFrom('group_members')
    .innerJoin('group_channels', 'group_channels.group_id', 'group_members.group_id')
    .innerJoin('user_groups', 'user_groups.id', 'group_members.group_id')
    .select([
      'group_members.user_id',
      asText<'group' | 'grant'>('group').as('kind'),
      'user_groups.id',
      'user_groups.name',
      'user_groups.name_key as sort_key',
    ])
    .where('group_channels.channel_id', '=', channelId)
    .where('group_members.user_id', 'in', userIds)
}

function selectGrants(db: Executor, channelId: string, userIds: readonly string[]) {
  return db
    .selectFrom('access_grants')
    .leftJoin('sign_in_issuers', (join) =>
      join.on(
        'access_grants.source',
        '=',
        sql<string>`${asText(issuerPrefix)} || ${sql.ref('sign_in_issuers.id')}`,
      ),
    )
    .select((eb) => [
      'access_grants.user_id',
      asText<'group' | 'grant'>('grant').as('kind'),
      'access_grants.source as id',
      eb.fn.coalesce('sign_in_issuers.name', 'access_grants.source').as('name'),
      eb.fn.coalesce('sign_in_issuers.name', 'access_grants.source').as('sort_key'),
    ])
    .where('access_grants.target', '=', `channel:${channelId}`)
    .where('access_grants.user_id', 'in', userIds)
}

/**
 * Where these members have a channel from, in one query. Access without a grant was given by hand, even if a group gives
 * it, too: groups give no grant to those who have the channel already.
 */
export async function findOrigins(
  db: Executor,
  channelId: string,
  userIds: readonly string[],
): Promise<Map<string, Origin>> {
  if (userIds.length === 0) return new Map()
  const rows = await selectGroups(db, channelId, userIds)
    // Not `unionAll`: a user can be a member of a group from several sources.
    .union(selectGrants(db, channelId, userIds))
    .orderBy('sort_key')
    .execute()
  const byUser = Map.groupBy(rows, ({ user_id }) => user_id)
  return new Map(
    [...byUser].map(([userId, found]) => [
      userId,
      {
        isByHand: found.every(({ kind }) => kind === 'group'),
        groups: found.flatMap(({ kind, id, name }) => (kind === 'group' ? [{ _id: id, name }] : [])),
        issuers: found.flatMap(({ kind, id, name }) =>
          kind === 'grant' && id.startsWith(issuerPrefix)
            ? [{ _id: id.slice(issuerPrefix.length), name }]
            : [],
        ),
      },
    ]),
  )
}
