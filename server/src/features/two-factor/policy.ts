import type { TwoFactorSettings, UserTwoFactor } from '@lyceum/contract/two-factor'
import type { Executor } from '#db/client.ts'
import { globalTwoFactor } from '../settings/global-settings.ts'

/** Of the users table; null follows the global setting. */
export interface TwoFactorColumns {
  two_factor_days: number | null
  two_factor_enabled: 0 | 1 | null
}

/** What holds for a person: their own settings, and the global ones where they have none. */
export async function policyFor(db: Executor, user: TwoFactorColumns): Promise<UserTwoFactor> {
  const global = await globalTwoFactor(db)
  return {
    twoFactorExpiryDays: user.two_factor_days ?? global.twoFactorExpiryDays,
    twoFactorExpiryEnabled:
      user.two_factor_enabled === null ? global.twoFactorExpiryEnabled : user.two_factor_enabled === 1,
    isOverride: user.two_factor_days !== null || user.two_factor_enabled !== null,
  }
}

/** Only what differs from the global settings becomes a person's own, so that the rest goes on following them. */
export function differencesFrom(global: TwoFactorSettings, chosen: TwoFactorSettings): TwoFactorColumns {
  return {
    two_factor_days:
      chosen.twoFactorExpiryDays === global.twoFactorExpiryDays ? null : chosen.twoFactorExpiryDays,
    two_factor_enabled:
      chosen.twoFactorExpiryEnabled === global.twoFactorExpiryEnabled
        ? null
        : chosen.twoFactorExpiryEnabled
          ? 1
          : 0,
  }
}
