import type { Executor, Tx } from '#db/client.ts'
import { type Actor, can, requirePermission } from '../../actor.ts'
import { AppError, notFound } from '../../errors.ts'
import { canSeeChannels } from '../channels/access.ts'
import { lockAdministratorsAs } from '../users/administrators.ts'
import { findGroup, type GroupRow, listGroupChannels, type MemberEditor, parsePermissions } from './store.ts'

export async function requireGroup(db: Executor, id: string): Promise<GroupRow> {
  const group = await findGroup(db, id)
  if (!group) throw notFound()
  return group
}

/**
 * Changes to groups run one at a time, and not at the same time as changes to administrators, because groups give
 * permissions. Returns the actor as stored now.
 */
export async function lockGroupsAs(tx: Tx, actor: Actor): Promise<Actor> {
  const current = await lockAdministratorsAs(tx, actor)
  requirePermission(current, 'canManageUsers')
  return current
}

export function toMemberEditor(actor: Actor): MemberEditor {
  return {
    isSystemAdmin: actor.isSystemAdmin,
    seenBy: can(actor, 'canManageChannels') ? null : actor.userId,
  }
}

/** Why the actor cannot change who has what the group gives; null if they can. */
export async function findRefusal(
  db: Executor,
  actor: Actor,
  group: GroupRow,
): Promise<'group.system_admin_only' | 'group.hidden_channels' | null> {
  if (parsePermissions(group).length > 0 && !actor.isSystemAdmin) return 'group.system_admin_only'
  if (can(actor, 'canManageChannels')) return null
  const channels = await listGroupChannels(db, [group.id])
  const ids = channels.map(({ id }) => id)
  return (await canSeeChannels(db, actor, ids)) ? null : 'group.hidden_channels'
}

/** The permission to manage users must neither open channels to the actor nor give them permissions. */
export async function requireMemberEditor(db: Executor, actor: Actor, group: GroupRow): Promise<void> {
  const refusal = await findRefusal(db, actor, group)
  if (refusal !== null) throw new AppError(refusal)
}

export function groupObject({ id, name }: { id: string; name: string }) {
  return { type: 'group' as const, id, name }
}
