import { quotasApi } from '@lyceum/contract/quotas'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import {
  changeQuotaForEverybody,
  changeQuotaOfChannel,
  changeQuotaOfUser,
  ownQuotaLeft,
  quotaForEverybody,
  quotaOfChannel,
  quotaOfUser,
} from './quota-settings.ts'

export function quotasRoutes(http: Http, deps: Deps): void {
  http.serve(quotasApi.get, () => quotaForEverybody(deps))
  http.serve(quotasApi.update, ({ actor, body }) => changeQuotaForEverybody(deps, actor, body))
  http.serve(quotasApi.ofUser, ({ params }) => quotaOfUser(deps, params.id))
  http.serve(quotasApi.setForUser, ({ actor, params, body }) =>
    changeQuotaOfUser(deps, actor, params.id, body),
  )
  http.serve(quotasApi.resetForUser, ({ actor, params }) => changeQuotaOfUser(deps, actor, params.id, null))
  http.serve(quotasApi.ofChannel, ({ actor, params }) => quotaOfChannel(deps, actor, params.id))
  http.serve(quotasApi.setForChannel, ({ actor, params, body }) =>
    changeQuotaOfChannel(deps, actor, params.id, body),
  )
  http.serve(quotasApi.left, ({ actor, params }) => ownQuotaLeft(deps, actor, params.channelId))
}
