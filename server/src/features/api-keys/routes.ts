import { apiKeysApi } from '@lyceum/contract/api-keys'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import {
  createApiKey,
  listApiKeysOfUser,
  listOwnApiKeys,
  revokeApiKeyOfUser,
  revokeOwnApiKey,
} from './api-keys.ts'

export function apiKeysRoutes(http: Http, deps: Deps): void {
  http.serve(apiKeysApi.list, ({ actor }) => listOwnApiKeys(deps, actor))
  http.serve(apiKeysApi.create, ({ actor, body }) => createApiKey(deps, actor, actor.userId, body))
  http.serve(apiKeysApi.revoke, ({ actor, params }) => revokeOwnApiKey(deps, actor, params.id))
  http.serve(apiKeysApi.listOfUser, ({ params }) => listApiKeysOfUser(deps, params.userId))
  http.serve(apiKeysApi.createForUser, ({ actor, params, body }) =>
    createApiKey(deps, actor, params.userId, body),
  )
  http.serve(apiKeysApi.revokeOfUser, ({ actor, params }) => revokeApiKeyOfUser(deps, actor, params))
}
