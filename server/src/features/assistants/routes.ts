import { assistantsApi } from '@lyceum/contract/assistants'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { changeModels } from './model-map.ts'
import { getAssistantStatus } from './models.ts'
import { changePreset, createPreset, listPresentedPresets, removePreset } from './presets.ts'
import { explainAssistant } from './resolve.ts'
import { tryPreset } from './try-preset.ts'

export function assistantsRoutes(http: Http, deps: Deps): void {
  http.serve(assistantsApi.status, () => getAssistantStatus(deps))
  http.serve(assistantsApi.setModelMap, async ({ actor, body }) => {
    await changeModels(deps, actor, body)
    return getAssistantStatus(deps)
  })
  http.serve(assistantsApi.resolve, ({ query }) => explainAssistant(deps, query.assistantId))
  http.serve(assistantsApi.presets, () => listPresentedPresets(deps))
  http.serve(assistantsApi.createPreset, ({ actor, body }) => createPreset(deps, actor, body))
  http.serve(assistantsApi.tryPreset, ({ actor, body }) => tryPreset(deps, actor, body))
  http.serve(assistantsApi.updatePreset, ({ actor, params, body }) =>
    changePreset(deps, actor, params.id, body),
  )
  http.serve(assistantsApi.removePreset, ({ actor, params }) => removePreset(deps, actor, params.id))
}
