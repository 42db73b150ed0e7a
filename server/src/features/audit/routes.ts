import { auditApi } from '@lyceum/contract/audit'
import { auditStreamApi } from '@lyceum/contract/audit-stream'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { exportLog, readLog } from './read-log.ts'
import {
  addReceiver,
  changeReceiver,
  presentStream,
  removeReceiver,
  testReceiver,
} from './stream/receivers.ts'

export function auditRoutes(http: Http, deps: Deps): void {
  http.serve(auditApi.list, ({ actor, query }) => readLog(deps, actor, query))
  http.serve(auditApi.export, ({ actor, query, recheck }) => exportLog(deps, actor, query, recheck))
  http.serve(auditStreamApi.get, () => presentStream(deps))
  http.serve(auditStreamApi.add, ({ actor, body }) => addReceiver(deps, actor, body.receiver, body.startsAt))
  http.serve(auditStreamApi.change, ({ actor, params, body }) =>
    changeReceiver(deps, actor, params.receiverId, body),
  )
  http.serve(auditStreamApi.remove, ({ actor, params }) => removeReceiver(deps, actor, params.receiverId))
  http.serve(auditStreamApi.test, ({ actor, body }) => testReceiver(deps, actor, body))
}
