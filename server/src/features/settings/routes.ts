import { settingsApi } from '@lyceum/contract/settings'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { dashboardBackground } from './background.ts'
import { changeSettings, currentSettings } from './settings.ts'

export const settingsRoutes = (http: Http, deps: Deps): void => {
  http.serve(settingsApi.get, () => currentSettings(deps))
  http.serve(settingsApi.update, ({ body }) => changeSettings(deps, body))
  http.serve(settingsApi.background, () => dashboardBackground(deps))
}
