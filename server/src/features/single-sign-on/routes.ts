import { authApi } from '@lyceum/contract/auth'
import { ldapApi } from '@lyceum/contract/ldap'
import { singleSignOnApi } from '@lyceum/contract/single-sign-on'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { endSessionsOfIssuer } from './backchannel-logout.ts'
import { connectUser, disconnectUser, getSignInMethods } from './identities.ts'
import { presentDirectory, removeDirectory, saveDirectory, testDirectory } from './ldap-settings.ts'
import { signInWithPassword } from './password-sign-in.ts'
import {
  addIssuer,
  changeIssuer,
  listPublicIssuers,
  presentSingleSignOn,
  removeIssuer,
  setPasswordSignIn,
  testIssuer,
} from './settings.ts'
import { finishSignIn, startSignIn } from './sign-in.ts'

export function singleSignOnRoutes(http: Http, deps: Deps): void {
  http.serve(authApi.login, ({ body, ...origin }) => signInWithPassword(deps, body, origin))
  http.serve(singleSignOnApi.listPublic, () => listPublicIssuers(deps))
  http.serve(singleSignOnApi.start, ({ params, body, ...origin }) =>
    startSignIn(deps, params.issuerId, body.door, origin),
  )
  http.serve(singleSignOnApi.finish, ({ params, body, ...origin }) =>
    finishSignIn(deps, params.issuerId, body.query, origin),
  )
  http.serve(singleSignOnApi.backchannelLogout, ({ params, body, client }) =>
    endSessionsOfIssuer(deps, params.issuerId, body.logout_token, client),
  )
  http.serve(singleSignOnApi.get, () => presentSingleSignOn(deps))
  http.serve(singleSignOnApi.add, ({ actor, body }) => addIssuer(deps, actor, body))
  http.serve(singleSignOnApi.change, ({ actor, params, body }) =>
    changeIssuer(deps, actor, params.issuerId, body),
  )
  http.serve(singleSignOnApi.remove, ({ actor, params }) => removeIssuer(deps, actor, params.issuerId))
  http.serve(singleSignOnApi.test, ({ actor, body }) => testIssuer(deps, actor, body.issuer))
  http.serve(singleSignOnApi.setPasswordSignIn, ({ actor, body }) =>
    setPasswordSignIn(deps, actor, body.isOn),
  )
  http.serve(ldapApi.get, () => presentDirectory(deps))
  http.serve(ldapApi.save, ({ actor, body }) => saveDirectory(deps, actor, body))
  http.serve(ldapApi.remove, ({ actor }) => removeDirectory(deps, actor))
  http.serve(ldapApi.test, ({ actor, body }) => testDirectory(deps, actor, body))
  http.serve(singleSignOnApi.methodsOfUser, ({ params }) => getSignInMethods(deps, params.userId))
  http.serve(singleSignOnApi.connectUser, ({ actor, params, body }) =>
    connectUser(deps, actor, params.userId, body),
  )
  http.serve(singleSignOnApi.disconnectUser, ({ actor, params }) => disconnectUser(deps, actor, params))
}
