import { connectedProgramsApi, oauthApi } from '@lyceum/contract/connected-programs'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { decideRequest, describeRequest } from './authorization.ts'
import { registerClient } from './clients.ts'
import {
  listOwnPrograms,
  listProgramsOfUser,
  revokeOwnProgram,
  revokeProgramOfUser,
} from './connected-programs.ts'
import { requestTokens, revokeToken } from './tokens.ts'

export function connectedProgramsRoutes(http: Http, deps: Deps): void {
  http.serve(connectedProgramsApi.describe, ({ body }) => describeRequest(deps, body.query))
  http.serve(connectedProgramsApi.decide, ({ actor, body }) => decideRequest(deps, actor, body))
  http.serve(connectedProgramsApi.list, ({ actor }) => listOwnPrograms(deps, actor))
  http.serve(connectedProgramsApi.revoke, ({ actor, params }) => revokeOwnProgram(deps, actor, params.id))
  http.serve(connectedProgramsApi.listOfUser, ({ params }) => listProgramsOfUser(deps, params.userId))
  http.serve(connectedProgramsApi.revokeOfUser, ({ actor, params }) =>
    revokeProgramOfUser(deps, actor, params),
  )
}

/** What programs call by themselves. */
export function oauthRoutes(http: Http, deps: Deps): void {
  http.serve(oauthApi.register, ({ body }) => registerClient(deps, body))
  http.serve(oauthApi.token, ({ body, client }) => requestTokens(deps, body, client))
  http.serve(oauthApi.revoke, ({ body, client }) => revokeToken(deps, body, client))
}
