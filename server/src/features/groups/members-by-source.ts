import type { Tx } from '#db/client.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { type AuditActor, audit, userObject } from '../audit/append.ts'
import { requireLockedUsers } from '../users/access.ts'
import { refreshPermissions } from './access-store.ts'
import {
  type ChannelUsers,
  giveChannels,
  lockGroupChannels,
  namesFor,
  withdrawChannels,
} from './change-access.ts'
import { deleteMemberships, insertMembers, listSourcesByUser } from './member-store.ts'
import type { GroupRow } from './store.ts'

interface MemberChange {
  source: string
  /** Users who are no members from this source yet. */
  added: readonly string[]
  /** Users who are members from this source. They stay members if another source says so. */
  removed: readonly string[]
}

async function addFromSource(
  deps: Deps,
  tx: Tx,
  groupId: string,
  members: { userIds: readonly string[]; source: string },
): Promise<ChannelUsers[]> {
  if (members.userIds.length === 0) return []
  await insertMembers(tx, groupId, members, deps.now())
  return giveChannels(deps, tx, { groupId, userIds: members.userIds })
}

async function removeFromSource(
  tx: Tx,
  groupId: string,
  members: { userIds: readonly string[]; source: string },
): Promise<ChannelUsers[]> {
  if (members.userIds.length === 0) return []
  await deleteMemberships(tx, groupId, members)
  const others = await listSourcesByUser(tx, groupId, members.userIds)
  const left = members.userIds.filter((id) => !others.has(id))
  return left.length === 0 ? [] : withdrawChannels(tx, { groupId, userIds: left })
}

/**
 * Adds and removes members as a source says. Returns the lost channels, for `stopReplies`. The caller has locked the
 * groups.
 */
export async function changeMembersOfSource(
  deps: Deps,
  tx: Tx,
  actor: AuditActor,
  { id: groupId, name: group }: GroupRow,
  { source, added, removed }: MemberChange,
): Promise<ChannelUsers[]> {
  const ids = [...added, ...removed]
  if (ids.length === 0) return []
  await lockGroupChannels(tx, [groupId])
  const users = await requireLockedUsers(tx, ids, () => new AppError('group.unknown_user'))
  const gained = await addFromSource(deps, tx, groupId, { userIds: added, source })
  const lost = await removeFromSource(tx, groupId, { userIds: removed, source })
  await refreshPermissions(tx, ids)
  const addedIds = new Set(added)
  for (const user of users) {
    const isAdded = addedIds.has(user.id)
    const change = { groupId, group, source, channels: namesFor(user.id, isAdded ? gained : lost) }
    await audit(deps, tx, {
      actor,
      action: isAdded ? 'group.member-added' : 'group.member-removed',
      object: userObject(user),
      ...(isAdded ? { after: change } : { before: change }),
    })
  }
  return lost
}
