import { auditApi } from '@lyceum/contract/audit'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { exportLog, readLog } from './read-log.ts'

export function auditRoutes(http: Http, deps: Deps): void {
  http.serve(auditApi.list, ({ actor, query }) => readLog(deps, actor, query))
  http.serve(auditApi.export, ({ actor, query, recheck }) => exportLog(deps, actor, query, recheck))
}
