import { authApi } from '@lyceum/contract/auth'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { currentUser, endOwnSession, ownSessions, signIn } from './auth.ts'
import { register } from './register.ts'
import { deleteSession } from './store.ts'

export const authRoutes = (http: Http, deps: Deps): void => {
  http.serve(authApi.login, ({ body, client }) => signIn(deps, body, client))
  http.serve(authApi.register, ({ body }) => register(deps, body))
  http.serve(authApi.me, ({ actor }) => currentUser(deps, actor))
  http.serve(authApi.logout, async ({ actor }) => {
    await deleteSession(deps.db, actor.userId, actor.sessionId)
  })
  http.serve(authApi.sessions, ({ actor }) => ownSessions(deps, actor))
  http.serve(authApi.endSession, ({ actor, params }) => endOwnSession(deps, actor, params.id))
}
