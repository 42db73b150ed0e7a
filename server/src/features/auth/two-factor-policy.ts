import {
  expiryDays,
  expiryDaysDefault,
  type TwoFactorSettings,
  type UserTwoFactor,
} from '@lyceum/contract/two-factor'
import * as z from 'zod'
import type { Executor } from '#db/client.ts'
import { readSetting } from '#db/settings.ts'

const storedSettings = z.object({ twoFactorExpiryDays: expiryDays, twoFactorExpiryEnabled: z.boolean() })

const defaults: TwoFactorSettings = { twoFactorExpiryDays: expiryDaysDefault, twoFactorExpiryEnabled: true }

/** Applies to all users without settings of their own. */
export async function getGlobalTwoFactor(db: Executor): Promise<TwoFactorSettings> {
  const setting = storedSettings.safeParse(await readSetting(db, 'twoFactor'))
  return setting.success ? setting.data : defaults
}

/** Columns of the users table; null follows the global setting. */
export interface TwoFactorColumns {
  two_factor_days: number | null
  two_factor_enabled: 0 | 1 | null
}

/** The user's own settings, or the global ones if they have none. */
export async function getTwoFactorPolicy(db: Executor, user: TwoFactorColumns): Promise<UserTwoFactor> {
  const global = await getGlobalTwoFactor(db)
  return {
    twoFactorExpiryDays: user.two_factor_days ?? global.twoFactorExpiryDays,
    twoFactorExpiryEnabled:
      user.two_factor_enabled === null ? global.twoFactorExpiryEnabled : user.two_factor_enabled === 1,
    isOverride: user.two_factor_days !== null || user.two_factor_enabled !== null,
  }
}

/** Returns the columns to store for a user: only differences from the global settings, so that the rest follow them. */
export function diffFromGlobal(global: TwoFactorSettings, chosen: TwoFactorSettings): TwoFactorColumns {
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
