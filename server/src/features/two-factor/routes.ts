import { twoFactorApi } from '@lyceum/contract/two-factor'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { forceReverification, overrideSettings, resetSettings, settingsOf } from './two-factor.ts'

export function twoFactorRoutes(http: Http, deps: Deps): void {
  http.serve(twoFactorApi.get, ({ params }) => settingsOf(deps, params.userId))
  http.serve(twoFactorApi.override, ({ actor, params, body }) =>
    overrideSettings(deps, actor, params.userId, body),
  )
  http.serve(twoFactorApi.reset, ({ actor, params }) => resetSettings(deps, actor, params.userId))
  http.serve(twoFactorApi.forceReverification, ({ actor, params }) =>
    forceReverification(deps, actor, params.userId),
  )
}
