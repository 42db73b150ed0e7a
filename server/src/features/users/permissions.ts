import type { User } from '@lyceum/contract/auth'
import type { Permissions } from '@lyceum/contract/permissions'
import type { Executor, Tx } from '#db/client.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { audit, userObject } from '../audit/append.ts'
import { findChanges } from '../audit/changes.ts'
import { getOwnPermissions } from '../auth/present.ts'
import { requireUser } from './access.ts'
import { lockAdministratorsAs, requireRemainingAdministrators, toOverrides } from './administrators.ts'
import { changeUser, type UserRow } from './store.ts'
import { presentUserWithChannels } from './users.ts'

/** Ordinary users have no permissions to change, and system administrators have all of them. */
async function requireRestrictableAdmin(db: Executor, id: string): Promise<UserRow> {
  const user = await requireUser(db, id)
  if (user.role !== 'admin') throw new AppError('user.not_admin')
  if (user.is_system_admin === 1)
    throw new AppError('user.not_admin', { message: 'A system administrator has all permissions' })
  return user
}

async function lockAdministratorsAsSystemAdmin(tx: Tx, actor: Actor): Promise<void> {
  const { isSystemAdmin } = await lockAdministratorsAs(tx, actor)
  if (!isSystemAdmin) throw new AppError('permission.denied')
}

export async function getAdminPermissions({ db }: Deps, id: string): Promise<Permissions> {
  return getOwnPermissions(await requireRestrictableAdmin(db, id))
}

export function setPermissions(
  deps: Deps,
  actor: Actor,
  id: string,
  permissions: Permissions,
): Promise<Permissions> {
  return deps.db.transaction().execute(async (tx) => {
    await lockAdministratorsAsSystemAdmin(tx, actor)
    const user = await requireRestrictableAdmin(tx, id)
    const permission_overrides = toOverrides(permissions)
    await changeUser(tx, id, { permission_overrides })
    const changed = getOwnPermissions({ ...user, permission_overrides })
    const changes = findChanges(getOwnPermissions(user), changed)
    if (changes)
      await audit(deps, tx, { actor, action: 'user.rights-changed', object: userObject(user), ...changes })
    return changed
  })
}

/** Permissions that were denied earlier are denied again when the user stops being a system administrator. */
export function setSystemAdmin(deps: Deps, actor: Actor, id: string, isSystemAdmin: boolean): Promise<User> {
  return deps.db.transaction().execute(async (tx) => {
    await lockAdministratorsAsSystemAdmin(tx, actor)
    const user = await requireUser(tx, id)
    if (user.role !== 'admin')
      throw new AppError('user.not_admin', {
        message: 'Only an administrator can become a system administrator',
      })
    if (!isSystemAdmin) await requireRemainingAdministrators(tx, user)
    const is_system_admin = isSystemAdmin ? 1 : 0
    await changeUser(tx, id, { is_system_admin })
    const presented = await presentUserWithChannels(tx, { ...user, is_system_admin })
    if (user.is_system_admin !== is_system_admin)
      await audit(deps, tx, {
        actor,
        action: 'user.system-admin-changed',
        object: userObject(user),
        before: { isSystemAdmin: !isSystemAdmin },
        after: { isSystemAdmin },
      })
    return presented
  })
}
