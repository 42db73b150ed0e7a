import { embeddingApi } from '@lyceum/contract/embedding'
import { quotasApi } from '@lyceum/contract/quotas'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { describeEmbedded } from './describe-embedded.ts'
import {
  changeChannelQuota,
  changeGeneralQuota,
  changeUserQuota,
  getChannelQuota,
  getGeneralQuota,
  getOwnQuotaLeft,
  getUserQuota,
} from './quota-settings.ts'

export function quotasRoutes(http: Http, deps: Deps): void {
  http.serve(quotasApi.get, () => getGeneralQuota(deps))
  http.serve(quotasApi.update, ({ actor, body }) => changeGeneralQuota(deps, actor, body))
  http.serve(quotasApi.getForUser, ({ params }) => getUserQuota(deps, params.id))
  http.serve(quotasApi.setForUser, ({ actor, params, body }) => changeUserQuota(deps, actor, params.id, body))
  http.serve(quotasApi.resetForUser, ({ actor, params }) => changeUserQuota(deps, actor, params.id, null))
  http.serve(quotasApi.getForChannel, ({ actor, params }) => getChannelQuota(deps, actor, params.id))
  http.serve(quotasApi.setForChannel, ({ actor, params, body }) =>
    changeChannelQuota(deps, actor, params.id, body),
  )
  http.serve(quotasApi.getRemaining, ({ actor, params }) => getOwnQuotaLeft(deps, actor, params.channelId))
  http.serve(embeddingApi.describe, ({ params }) => describeEmbedded(deps, params.channelId))
}
