import { twoFactorApi } from '@lyceum/contract/two-factor'
import { usersApi } from '@lyceum/contract/users'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { changePassword } from '../auth/change-password.ts'
import { changeActive } from './activation.ts'
import { removeUser } from './delete-user.ts'
import { getAdminPermissions, setPermissions, setSystemAdmin } from './permissions.ts'
import { forceReverification, getTwoFactorSettings, overrideTwoFactor, resetTwoFactor } from './two-factor.ts'
import { editUser, endSessions, getUserDetail, listPresentedUsers } from './users.ts'

export function usersRoutes(http: Http, deps: Deps): void {
  http.serve(usersApi.list, ({ query }) => listPresentedUsers(deps, query))
  http.serve(usersApi.get, ({ params }) => getUserDetail(deps, params.id))
  http.serve(usersApi.update, ({ actor, params, body }) => editUser(deps, actor, params.id, body))
  http.serve(usersApi.changePassword, ({ actor, params, body, client }) =>
    changePassword(deps, actor, params.id, body, client),
  )
  http.serve(usersApi.remove, ({ actor, params }) => removeUser(deps, actor, params.id))
  http.serve(usersApi.endSessions, ({ actor, params }) => endSessions(deps, actor, params.id))
  http.serve(usersApi.setActive, ({ actor, params, body }) =>
    changeActive(deps, actor, params.id, body.isActive),
  )
  http.serve(usersApi.permissions, ({ params }) => getAdminPermissions(deps, params.id))
  http.serve(usersApi.setPermissions, ({ actor, params, body }) =>
    setPermissions(deps, actor, params.id, body),
  )
  http.serve(usersApi.setSystemAdmin, ({ actor, params, body }) =>
    setSystemAdmin(deps, actor, params.id, body.isSystemAdmin),
  )
  http.serve(twoFactorApi.get, ({ params }) => getTwoFactorSettings(deps, params.userId))
  http.serve(twoFactorApi.override, ({ actor, params, body }) =>
    overrideTwoFactor(deps, actor, params.userId, body),
  )
  http.serve(twoFactorApi.reset, ({ actor, params }) => resetTwoFactor(deps, actor, params.userId))
  http.serve(twoFactorApi.forceReverification, ({ actor, params }) =>
    forceReverification(deps, actor, params.userId),
  )
}
