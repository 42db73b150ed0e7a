import { embeddingApi } from '@lyceum/contract/embedding'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { getEmbedding, setEmbedding } from './settings.ts'
import { signInEmbedded, signOutEmbedded } from './sign-ins.ts'
import { visit } from './visitors.ts'

export function embeddingRoutes(http: Http, deps: Deps): void {
  http.serve(embeddingApi.get, ({ actor, params }) => getEmbedding(deps, actor, params.id))
  http.serve(embeddingApi.set, ({ actor, params, body }) => setEmbedding(deps, actor, params.id, body))
  http.serve(embeddingApi.signIn, ({ actor, params, body }) =>
    signInEmbedded(deps, actor, params.channelId, body.site),
  )
  http.serve(embeddingApi.visit, ({ client, params, body }) =>
    visit(deps, client, params.channelId, body.site),
  )
  http.serve(embeddingApi.signOut, ({ actor }) => signOutEmbedded(deps, actor))
}
