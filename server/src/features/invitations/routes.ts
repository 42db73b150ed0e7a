import { authApi } from '@lyceum/contract/auth'
import { invitationsApi } from '@lyceum/contract/invitations'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { listPresentedInvitations, removeInvitation, verifyInvitation } from './invitations.ts'
import { invite, inviteSeveral, resendInvitation } from './invite.ts'
import { register } from './register.ts'

export function invitationsRoutes(http: Http, deps: Deps): void {
  http.serve(authApi.register, ({ body, client }) => register(deps, body, client))
  http.serve(invitationsApi.verify, ({ params }) => verifyInvitation(deps, params.token))
  http.serve(invitationsApi.list, ({ query }) => listPresentedInvitations(deps, query))
  http.serve(invitationsApi.create, ({ actor, body, idempotencyKey }) =>
    invite(deps, actor, body, idempotencyKey),
  )
  http.serve(invitationsApi.createSeveral, ({ actor, body, idempotencyKey }) =>
    inviteSeveral(deps, actor, body, idempotencyKey),
  )
  http.serve(invitationsApi.resend, ({ actor, params }) => resendInvitation(deps, actor, params.id))
  http.serve(invitationsApi.remove, ({ actor, params }) => removeInvitation(deps, actor, params.id))
}
