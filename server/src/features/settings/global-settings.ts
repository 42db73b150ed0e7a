import { expiryDays, expiryDaysDefault, type TwoFactorSettings } from '@lyceum/contract/two-factor'
import * as z from 'zod'
import type { Executor } from '#db/client.ts'
import { readSetting } from '#db/settings.ts'

const stored = z.object({ twoFactorExpiryDays: expiryDays, twoFactorExpiryEnabled: z.boolean() })

const defaults: TwoFactorSettings = { twoFactorExpiryDays: expiryDaysDefault, twoFactorExpiryEnabled: true }

/** The second factor of everybody who has no settings of their own. */
export async function globalTwoFactor(db: Executor): Promise<TwoFactorSettings> {
  const setting = stored.safeParse(await readSetting(db, 'twoFactor'))
  return setting.success ? setting.data : defaults
}
