import type { GlobalSettings } from '@lyceum/contract/settings'
import type { TwoFactorSettings } from '@lyceum/contract/two-factor'
import { lockSettings, writeSetting } from '#db/settings.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { audit } from '../audit/append.ts'
import { findChanges } from '../audit/changes.ts'
import { createTwoFactorOffEmail } from '../auth/sign-in-emails.ts'
import { getGlobalTwoFactor } from '../auth/two-factor-policy.ts'
import { emailSystemAdministrators } from '../users/administrators.ts'
import { getBackgroundUrl } from './background.ts'

export async function getSettings({ db }: Deps): Promise<{ settings: GlobalSettings }> {
  return {
    settings: { ...(await getGlobalTwoFactor(db)), dashboardBackgroundImage: await getBackgroundUrl(db) },
  }
}

/** Applies from the next sign-in. The new number of days also applies to browsers that are already trusted. */
export async function changeSettings(deps: Deps, actor: Actor, chosen: TwoFactorSettings) {
  await deps.db.transaction().execute(async (tx) => {
    await lockSettings(tx)
    const before = await getGlobalTwoFactor(tx)
    const changes = findChanges({ ...before }, { ...chosen })
    await writeSetting(tx, 'twoFactor', chosen, deps.now())
    if (before.twoFactorExpiryEnabled && !chosen.twoFactorExpiryEnabled)
      await emailSystemAdministrators(deps, tx, {
        content: createTwoFactorOffEmail(deps.env.PUBLIC_URL, actor, deps.now()),
        expiresAt: null,
      })
    if (changes) await audit(deps, tx, { actor, action: 'settings.changed', ...changes })
  })
  return getSettings(deps)
}
