import { conversationsApi } from '@lyceum/contract/conversation-settings'
import { settingsApi } from '@lyceum/contract/settings'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { openBackground, removeBackground, setBackground } from './background.ts'
import { changeRetention, changeReviewNotice, getConversationSettings } from './conversation-settings.ts'
import { changeSettings, getSettings } from './settings.ts'

export function settingsRoutes(http: Http, deps: Deps): void {
  http.serve(settingsApi.get, () => getSettings(deps))
  http.serve(settingsApi.update, ({ actor, body }) => changeSettings(deps, actor, body))
  http.serve(settingsApi.setBackground, ({ actor, file }) => setBackground(deps, actor, file))
  http.serve(settingsApi.removeBackground, ({ actor }) => removeBackground(deps, actor))
  http.serve(settingsApi.background, () => openBackground(deps))
  http.serve(conversationsApi.get, () => getConversationSettings(deps.db))
  http.serve(conversationsApi.setNotice, ({ actor, body }) => changeReviewNotice(deps, actor, body))
  http.serve(conversationsApi.setRetention, ({ actor, body }) => changeRetention(deps, actor, body))
}
