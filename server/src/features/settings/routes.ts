import { settingsApi } from '@lyceum/contract/settings'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { dashboardBackground } from './background.ts'

export const settingsRoutes = (http: Http, deps: Deps): void => {
  http.serve(settingsApi.background, () => dashboardBackground(deps))
}
