import { getPermissions } from '@lyceum/contract/permissions'
import type { Tx } from '#db/client.ts'
import type { Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { audit, userObject } from '../audit/append.ts'
import { revokeAccess } from '../auth/revoke.ts'
import { requireUser } from './access.ts'
import { createPromotionOverrides, getDeniedOverrides } from './administrators.ts'
import { planGrants, recordGrant } from './grants.ts'
import { changeUser, lockAdministrators, type UserRow } from './store.ts'

const ordinaryAdministrator = { permissions: getPermissions({ role: 'admin', isSystemAdmin: false }) }

interface GrantedRole {
  userId: string
  source: string
  isAdmin: boolean
  client: Client
}

async function changeRole(
  deps: Deps,
  tx: Tx,
  user: UserRow,
  { source, isAdmin, client }: GrantedRole,
): Promise<void> {
  const permission_overrides = isAdmin
    ? createPromotionOverrides(ordinaryAdministrator, user)
    : getDeniedOverrides(user)
  const role = isAdmin ? 'admin' : 'user'
  await changeUser(tx, user.id, { role, permission_overrides })
  await revokeAccess(tx, user.id)
  await audit(deps, tx, {
    actor: null,
    client,
    action: 'user.role-changed',
    object: userObject(user),
    before: { role: user.role },
    after: { role, source },
  })
}

/**
 * Makes a user an administrator because a source says so, or takes that back. System administrators are left alone:
 * they were made that by hand, so at least one always remains.
 */
export function applyGrantedRole(deps: Deps, granted: GrantedRole): Promise<void> {
  const { userId, source, isAdmin } = granted
  return deps.db.transaction().execute(async (tx) => {
    await lockAdministrators(tx)
    const user = await requireUser(tx, userId)
    const plan = await planGrants(tx, userId, { source, kind: 'role' }, isAdmin ? ['role:admin'] : [])
    const isByHand = user.role === 'admin' && !plan.isGranted('role:admin')
    if (isAdmin && !isByHand) {
      await recordGrant(tx, userId, 'role:admin', source, deps.now())
      if (user.role !== 'admin') await changeRole(deps, tx, user, granted)
    }
    const isWithdrawn = plan.withdrawn.includes('role:admin')
    if (isWithdrawn && user.role === 'admin' && user.is_system_admin === 0)
      await changeRole(deps, tx, user, granted)
  })
}
