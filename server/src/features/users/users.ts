import type { User } from '@lyceum/contract/auth'
import type { QueryOf } from '@lyceum/contract/endpoint'
import type { Role } from '@lyceum/contract/permissions'
import type { ListedUser, UserDetail, usersApi } from '@lyceum/contract/users'
import { listMaximum } from '@lyceum/contract/wire'
import type { Executor, Tx } from '#db/client.ts'
import { toPage } from '#lib/page.ts'
import { type Actor, requirePermission } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { audit, userObject } from '../audit/append.ts'
import { presentUser } from '../auth/present.ts'
import { endAllSessions, revokeAccess } from '../auth/revoke.ts'
import { getGlobalTwoFactor } from '../auth/two-factor-policy.ts'
import { requireAuthorityOver, requireEditor, requireLockedUser, requireUser } from './access.ts'
import {
  createPromotionOverrides,
  getDeniedOverrides,
  lockAdministratorsAs,
  requireGroupPermissions,
  requireRemainingAdministrators,
} from './administrators.ts'
import { forgetGrants } from './grants.ts'
import {
  changeUser,
  countUserData,
  countUsers,
  listChannelIdsByUser,
  listUsers,
  type UserRow,
} from './store.ts'

async function presentListedUsers(db: Executor, users: UserRow[]): Promise<ListedUser[]> {
  const channels = await listChannelIdsByUser(
    db,
    users.map(({ id }) => id),
  )
  const global = await getGlobalTwoFactor(db)
  return users.map((user) => ({
    ...presentUser(user, channels.get(user.id) ?? []),
    lastSignInAt: user.last_seen_at === null ? null : new Date(user.last_seen_at).toISOString(),
    twoFactorEnabled:
      user.two_factor_enabled === null ? global.twoFactorExpiryEnabled : user.two_factor_enabled === 1,
    ...(user.deactivated_at !== null && { deactivatedAt: new Date(user.deactivated_at).toISOString() }),
  }))
}

export async function presentUserWithChannels(db: Executor, user: UserRow): Promise<User> {
  const channels = await listChannelIdsByUser(db, [user.id])
  return presentUser(user, channels.get(user.id) ?? [])
}

/** Returns an array, or a page if `limit` is given. */
export async function listPresentedUsers(
  { db }: Deps,
  {
    limit,
    skip = 0,
    search = '',
    role,
    status,
    groupId,
    exceptGroupId,
    ...order
  }: QueryOf<typeof usersApi.list>,
) {
  const filter = { search: search.trim(), role, status, groupId, exceptGroupId }
  const rows = await listUsers(db, filter, order, { limit: limit ?? listMaximum, skip })
  const items = await presentListedUsers(db, rows)
  if (limit === undefined) return items
  const total = await countUsers(db, filter)
  return toPage(items, total, limit)
}

export async function getUserDetail({ db, env, now }: Deps, id: string): Promise<UserDetail> {
  const user = await requireUser(db, id)
  const counts = await countUserData(db, id, now())
  const [listed] = await presentListedUsers(db, [user])
  if (!listed) throw new Error('presentListedUsers returned no user')
  return {
    ...listed,
    chatCount: counts.chats ?? 0,
    documentCount: counts.documents ?? 0,
    sessionCount: (counts.sessions ?? 0) + (counts.embeddedSignIns ?? 0),
    ...(listed.deactivatedAt !== undefined &&
      counts.deactivatedByName !== null && { deactivatedByName: counts.deactivatedByName }),
    ...(counts.directoryName === null ? {} : { directoryName: counts.directoryName }),
    chatsAreRetained: env.RETAIN_CHATS,
  }
}

/** Returns the change for the audit log; null if the user already had the role. */
async function changeRole(tx: Tx, actor: Actor, id: string, role: Role) {
  const current = await lockAdministratorsAs(tx, actor)
  requireEditor(current, id)
  const target = await requireUser(tx, id)
  if (target.role === role) return null
  if (role === 'user') {
    requireAuthorityOver(current, target)
    await requireRemainingAdministrators(tx, target)
  }
  if (role === 'admin') requireGroupPermissions(current, target)
  const permission_overrides =
    role === 'admin' ? createPromotionOverrides(current, target) : getDeniedOverrides(target)
  await changeUser(tx, id, { role, is_system_admin: 0, permission_overrides })
  await forgetGrants(tx, id, 'role:admin')
  await revokeAccess(tx, id)
  const withheld = Object.keys(JSON.parse(permission_overrides ?? '{}') as object)
  return { before: { role: target.role }, after: { role, ...(withheld.length > 0 ? { withheld } : {}) } }
}

interface UserChanges {
  name?: string | undefined
  role?: Role | undefined
}

/** Every user may change their own name. Roles and other users require permissions. */
export async function editUser(
  deps: Deps,
  actor: Actor,
  id: string,
  { name, role }: UserChanges,
): Promise<User> {
  if (id !== actor.userId || role !== undefined) requireEditor(actor, id)
  await deps.db.transaction().execute(async (tx) => {
    const roleChange = role === undefined ? null : await changeRole(tx, actor, id, role)
    const userBefore = name === undefined ? null : await requireLockedUser(tx, id)
    if (userBefore && id !== actor.userId) requireAuthorityOver(actor, userBefore)
    if (name !== undefined) await changeUser(tx, id, { name })
    if (roleChange)
      await audit(deps, tx, {
        actor,
        action: 'user.role-changed',
        object: userObject(await requireUser(tx, id)),
        ...roleChange,
      })
    if (userBefore && userBefore.name !== name)
      await audit(deps, tx, {
        actor,
        action: 'user.renamed',
        object: userObject(userBefore),
        before: { name: userBefore.name },
        after: { name },
      })
  })
  return presentUserWithChannels(deps.db, await requireUser(deps.db, id))
}

export async function endSessions(deps: Deps, actor: Actor, id: string): Promise<{ message: string }> {
  requirePermission(actor, 'canManageUsers')
  const user = await requireUser(deps.db, id)
  requireAuthorityOver(actor, user)
  const { name } = user
  const ended = await deps.db.transaction().execute(async (tx) => {
    const count = await endAllSessions(tx, id)
    await audit(deps, tx, {
      actor,
      action: 'user.sessions-ended',
      object: userObject(user),
      after: { sessions: count },
    })
    return count
  })
  return {
    message:
      ended === 0
        ? `“${name}” was not signed in anywhere`
        : `“${name}” was signed out everywhere (${ended} ${ended === 1 ? 'session' : 'sessions'})`,
  }
}
