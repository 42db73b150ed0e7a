import { statusApi } from '@lyceum/contract/status'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { getSystemStatus, retryJob, testPart } from './status.ts'

export function statusRoutes(http: Http, deps: Deps): void {
  http.serve(statusApi.get, () => getSystemStatus(deps))
  http.serve(statusApi.test, ({ actor, params }) => testPart(deps, actor, params.part))
  http.serve(statusApi.retryJob, ({ actor, params }) => retryJob(deps, actor, params.id))
}
