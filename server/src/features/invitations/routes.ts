import { invitationsApi } from '@lyceum/contract/invitations'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { verifyInvitation } from './invitations.ts'

export const invitationsRoutes = (http: Http, deps: Deps): void => {
  http.serve(invitationsApi.verify, ({ params }) => verifyInvitation(deps, params.token))
}
