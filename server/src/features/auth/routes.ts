import { authApi } from '@lyceum/contract/auth'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { getDelivery } from './delivery.ts'
import { endOtherSessions, endOwnSession, listOwnSessions, signOut } from './own-sessions.ts'
import { requestReset, resetPassword } from './password-reset.ts'
import { getCurrentUser, hasUsers } from './sign-in.ts'
import { forgetTrustedBrowser, listOwnTrustedBrowsers } from './trusted-browsers.ts'
import { resendCode, verifyCode } from './two-factor-challenge.ts'

export function authRoutes(http: Http, deps: Deps): void {
  http.serve(authApi.verify, ({ body, ...origin }) => verifyCode(deps, body, origin))
  http.serve(authApi.resendCode, ({ body, ...origin }) => resendCode(deps, body, origin))
  http.serve(authApi.forgotPassword, ({ body, client }) => requestReset(deps, body, client))
  http.serve(authApi.resetPassword, ({ body, client }) => resetPassword(deps, body, client))
  http.serve(authApi.setupState, async () => ({ isSetUp: await hasUsers(deps.db) }))
  http.serve(authApi.delivery, async () => ({ delivery: getDelivery(deps) }))
  http.serve(authApi.me, ({ actor }) => getCurrentUser(deps, actor))
  http.serve(authApi.logout, ({ actor }) => signOut(deps, actor))
  http.serve(authApi.sessions, ({ actor }) => listOwnSessions(deps, actor))
  http.serve(authApi.endSession, ({ actor, params }) => endOwnSession(deps, actor, params.id))
  http.serve(authApi.endOtherSessions, ({ actor }) => endOtherSessions(deps, actor))
  http.serve(authApi.trustedBrowsers, ({ actor, browser }) => listOwnTrustedBrowsers(deps, actor, browser))
  http.serve(authApi.forgetBrowser, ({ actor, params }) => forgetTrustedBrowser(deps, actor, params.id))
}
