import type { GroupLosses } from '@lyceum/contract/groups'
import type { Executor, Tx } from '#db/client.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { type AuditActor, audit } from '../audit/append.ts'
import { getOwnPermissions } from '../auth/present.ts'
import { groupObject, lockGroupsAs, requireGroup, requireMemberEditor } from './access.ts'
import {
  countLosses,
  listMemberIds,
  listRestrictedAdministrators,
  refreshPermissions,
} from './access-store.ts'
import { type ChannelUsers, lockGroupChannels, stopReplies, withdrawChannels } from './change-access.ts'
import { listVisibleGroupChannels } from './groups.ts'
import { deleteGroup, type GroupRow, parsePermissions, storePermissions } from './store.ts'

/** How many administrators have a permission from this group only. */
async function countAdministrators(db: Executor, group: GroupRow): Promise<number> {
  const given = parsePermissions(group)
  if (given.length === 0) return 0
  const administrators = await listRestrictedAdministrators(db, group.id)
  return administrators.filter((user) => {
    const own = getOwnPermissions(user)
    return given.some((name) => !own[name] && !user.others.includes(name))
  }).length
}

export async function countGroupLosses({ db }: Deps, actor: Actor, id: string): Promise<GroupLosses> {
  const group = await requireGroup(db, id)
  const channels = await listVisibleGroupChannels(db, actor, id)
  const { userCount, byChannel } = await countLosses(
    db,
    id,
    channels.map(({ _id }) => _id),
  )
  return {
    userCount,
    channels: channels.map((channel) => ({ ...channel, userCount: byChannel.get(channel._id) ?? 0 })),
    administratorCount: await countAdministrators(db, group),
  }
}

/** Takes back what the group gave and deletes it. Returns the lost channels. The caller has locked the groups. */
export async function deleteLockedGroup(
  deps: Deps,
  tx: Tx,
  actor: AuditActor,
  group: GroupRow,
): Promise<ChannelUsers[]> {
  const { id } = group
  await lockGroupChannels(tx, [id])
  const memberIds = await listMemberIds(tx, id)
  const withdrawn = await withdrawChannels(tx, { groupId: id })
  const permissions = parsePermissions(group)
  if (permissions.length > 0) {
    await storePermissions(tx, id, [])
    await refreshPermissions(tx, memberIds)
  }
  await deleteGroup(tx, id)
  await audit(deps, tx, {
    actor,
    action: 'group.deleted',
    object: groupObject(group),
    before: {
      description: group.description,
      members: memberIds.length,
      permissions,
      channels: withdrawn.map(({ name: channel, userIds }) => ({ channel, usersRemoved: userIds.size })),
    },
  })
  return withdrawn
}

export async function removeGroup(deps: Deps, actor: Actor, id: string): Promise<{ message: string }> {
  const { name, lost } = await deps.db.transaction().execute(async (tx) => {
    const current = await lockGroupsAs(tx, actor)
    const group = await requireGroup(tx, id)
    await requireMemberEditor(tx, current, group)
    return { name: group.name, lost: await deleteLockedGroup(deps, tx, actor, group) }
  })
  await stopReplies(deps, lost)
  return { message: `The group “${name}” was deleted` }
}
