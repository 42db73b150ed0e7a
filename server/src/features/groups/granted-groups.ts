import type { Tx } from '#db/client.ts'
import type { Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { type AuditActor, audit, userObject } from '../audit/append.ts'
import { requireLockedUser } from '../users/access.ts'
import { keepAdministratorsUnchanged } from '../users/administrators.ts'
import { refreshPermissions } from './access-store.ts'
import {
  type ChannelUsers,
  giveChannels,
  lockGroupChannels,
  namesFor,
  stopReplies,
  withdrawChannels,
} from './change-access.ts'
import { deleteMemberships, insertMembers, keepMembersOf, listMemberships } from './member-store.ts'
import { findGroups } from './store.ts'

interface GrantedGroups {
  userId: string
  /** For example `issuer:<id>`. */
  source: string
  /** Those that do not exist are skipped. */
  groupIds: readonly string[]
  client: Client
  /** The directory that is the source; none for an issuer. */
  actor?: AuditActor
}

interface MembershipPlan {
  joins: string[]
  leaves: string[]
  /** Leaves a group of these only as far as the source is concerned: another source keeps the user in it. */
  staysIn: ReadonlySet<string>
}

async function planMemberships(
  db: Deps['db'] | Tx,
  { userId, source, groupIds }: GrantedGroups,
): Promise<MembershipPlan> {
  const memberships = await listMemberships(db, userId)
  const current = memberships.filter((membership) => membership.source === source).map(({ id }) => id)
  const existing = await findGroups(db, groupIds)
  return {
    joins: existing.map(({ id }) => id).filter((id) => !current.includes(id)),
    leaves: current.filter((id) => !groupIds.includes(id)),
    staysIn: new Set(memberships.filter((other) => other.source !== source).map(({ id }) => id)),
  }
}

/** As `applyGrantedGroups`, in a transaction. Returns the lost channels, for `stopReplies`. */
export async function changeMemberships(deps: Deps, tx: Tx, granted: GrantedGroups): Promise<ChannelUsers[]> {
  const { userId, source, client, actor = null } = granted
  await keepAdministratorsUnchanged(tx)
  const { joins, leaves, staysIn } = await planMemberships(tx, granted)
  await lockGroupChannels(tx, [...joins, ...leaves])
  const user = userObject(await requireLockedUser(tx, userId))
  const userIds = [userId]
  const groups = await findGroups(tx, [...joins, ...leaves])
  const changes: { groupId: string; group: string; gained?: ChannelUsers[]; lost?: ChannelUsers[] }[] = []
  for (const { id: groupId, name: group } of groups)
    if (joins.includes(groupId)) {
      await insertMembers(tx, groupId, { userIds, source }, deps.now())
      changes.push({ groupId, group, gained: await giveChannels(deps, tx, { groupId, userIds }) })
    } else {
      await deleteMemberships(tx, groupId, { userIds, source })
      const lost = staysIn.has(groupId) ? [] : await withdrawChannels(tx, { groupId, userIds })
      changes.push({ groupId, group, lost })
    }
  await refreshPermissions(tx, userIds)
  for (const { groupId, group, gained, lost } of changes)
    await audit(deps, tx, {
      actor,
      client,
      action: gained ? 'group.member-added' : 'group.member-removed',
      object: user,
      ...(gained ? { after: { groupId, group, source, channels: namesFor(userId, gained) } } : {}),
      ...(lost ? { before: { groupId, group, source, channels: namesFor(userId, lost) } } : {}),
    })
  return changes.flatMap(({ lost = [] }) => lost)
}

/** Makes a user a member of the groups that a source names, and of no others as far as the source is concerned. */
export async function applyGrantedGroups(deps: Deps, granted: GrantedGroups): Promise<void> {
  const { joins, leaves } = await planMemberships(deps.db, granted)
  // Most sign-ins change nothing, and need not wait for other changes to groups.
  if (joins.length + leaves.length === 0) return
  const lost = await deps.db.transaction().execute((tx) => changeMemberships(deps, tx, granted))
  await stopReplies(deps, lost)
}

/** When a source ends: its members stay, as if they had been added by hand. */
export function keepGrantedMembers(tx: Tx, source: string): Promise<void> {
  return keepMembersOf(tx, source)
}
