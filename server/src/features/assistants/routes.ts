import { assistantsApi } from '@lyceum/contract/assistants'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { assistantStatus } from './models.ts'

export const assistantsRoutes = (http: Http, deps: Deps): void => {
  http.serve(assistantsApi.status, async () => assistantStatus(deps))
}
