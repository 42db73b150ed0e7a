import { getStartedApi } from '@lyceum/contract/get-started'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { getSetupProgress } from './get-started.ts'

export function getStartedRoutes(http: Http, deps: Deps): void {
  http.serve(getStartedApi.get, ({ actor }) => getSetupProgress(deps, actor))
}
