import { channelsApi } from '@lyceum/contract/channels'
import { conversationsApi } from '@lyceum/contract/conversations'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { previewForEverybody, previewInChannel } from './retention.ts'

export function retentionRoutes(http: Http, deps: Deps): void {
  http.serve(conversationsApi.previewRetention, ({ query }) => previewForEverybody(deps, query.days))
  http.serve(channelsApi.previewRetention, ({ actor, params, query }) =>
    previewInChannel(deps, actor, params.id, query.days),
  )
}
