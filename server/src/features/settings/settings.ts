import type { GlobalSettings } from '@lyceum/contract/settings'
import type { TwoFactorSettings } from '@lyceum/contract/two-factor'
import type { Deps } from '../../deps.ts'
import { backgroundUrl } from './background.ts'
import { globalTwoFactor } from './global-settings.ts'
import { writeSetting } from './store.ts'

export const currentSettings = async ({ db }: Deps): Promise<{ settings: GlobalSettings }> => ({
  settings: { ...(await globalTwoFactor(db)), dashboardBackgroundImage: await backgroundUrl(db) },
})

/** Holds from the next sign-in on: browsers that are trusted already are judged by the new number of days. */
export const changeSettings = async (deps: Deps, chosen: TwoFactorSettings) => {
  await writeSetting(deps.db, 'twoFactor', chosen, deps.now())
  return currentSettings(deps)
}
