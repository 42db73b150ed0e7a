import type { TwoFactorSettings, UserTwoFactor } from '@lyceum/contract/two-factor'
import { type Actor, requirePermission } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { audit, userObject } from '../audit/append.ts'
import { findChanges } from '../audit/changes.ts'
import { revokeAccess } from '../auth/revoke.ts'
import { getTwoFactorPolicy, type TwoFactorColumns } from '../auth/two-factor-policy.ts'
import { requireAuthorityOver, requireLockedUser, requireUser } from './access.ts'
import { requireCodeAtNextSignIn, setTwoFactorOverride } from './store.ts'

/**
 * Whether the change makes signing in easier, now or later. Turning codes off always does: they stay off for this user
 * even if the global setting is turned on later.
 */
function isWeaker(before: TwoFactorSettings, after: TwoFactorSettings): boolean {
  return (
    !after.twoFactorExpiryEnabled ||
    (before.twoFactorExpiryEnabled && after.twoFactorExpiryDays > before.twoFactorExpiryDays)
  )
}

export async function getTwoFactorSettings({ db }: Deps, userId: string): Promise<UserTwoFactor> {
  return getTwoFactorPolicy(db, await requireUser(db, userId))
}

function changeTwoFactor(
  deps: Deps,
  actor: Actor,
  userId: string,
  columns: TwoFactorColumns,
  action: 'two-factor.changed' | 'two-factor.reset',
): Promise<UserTwoFactor> {
  requirePermission(actor, 'canEditUsers')
  return deps.db.transaction().execute(async (tx) => {
    const user = await requireLockedUser(tx, userId)
    const before = await getTwoFactorPolicy(tx, user)
    const after = await getTwoFactorPolicy(tx, columns)
    if (isWeaker(before, after)) requireAuthorityOver(actor, user)
    await setTwoFactorOverride(tx, userId, columns)
    const changes = findChanges({ ...before }, { ...after })
    if (changes) await audit(deps, tx, { actor, action, object: userObject(user), ...changes })
    return after
  })
}

/** Later changes to the global settings no longer affect this user. */
export function overrideTwoFactor(deps: Deps, actor: Actor, userId: string, chosen: TwoFactorSettings) {
  return changeTwoFactor(
    deps,
    actor,
    userId,
    {
      two_factor_days: chosen.twoFactorExpiryDays,
      two_factor_enabled: chosen.twoFactorExpiryEnabled ? 1 : 0,
    },
    'two-factor.changed',
  )
}

export function resetTwoFactor(deps: Deps, actor: Actor, userId: string) {
  return changeTwoFactor(
    deps,
    actor,
    userId,
    { two_factor_days: null, two_factor_enabled: null },
    'two-factor.reset',
  )
}

/** Ends a user's sessions and trusted browsers. Their next sign-in requires a code, whatever the settings. */
export function forceReverification(deps: Deps, actor: Actor, userId: string): Promise<{ message: string }> {
  return deps.db.transaction().execute(async (tx) => {
    const user = await requireLockedUser(tx, userId)
    // Repeated requests could otherwise keep a system administrator out permanently.
    requireAuthorityOver(actor, user)
    await requireCodeAtNextSignIn(tx, userId)
    await revokeAccess(tx, userId)
    await audit(deps, tx, { actor, action: 'two-factor.forced', object: userObject(user) })
    return { message: `“${user.name}” has to enter a code at the next sign-in` }
  })
}
