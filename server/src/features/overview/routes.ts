import { overviewApi } from '@lyceum/contract/overview'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { getOverview } from './overview.ts'

export function overviewRoutes(http: Http, deps: Deps): void {
  http.serve(overviewApi.get, ({ actor }) => getOverview(deps, actor))
}
