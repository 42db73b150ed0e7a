import { type ExternalAssistants, ModelError } from '#providers/assistant/port.ts'
import type { Deps } from '../../deps.ts'
import { rememberMissing } from './missing-assistants.ts'
import { getCurrentModel } from './model-map.ts'
import { getPresetNote } from './models.ts'
import { type AssistantBehavior, toBehavior } from './preset-row.ts'
import { findPresetsByAssistantId } from './store.ts'
import { unknownAssistantWarning, unknownToServerWarning } from './warnings.ts'

export type ResolvedAssistant =
  | { kind: 'preset'; name: string; behavior: AssistantBehavior }
  | { kind: 'external'; external: ExternalAssistants }
  | { kind: 'none' }

/** Resolves an id to a ready-made assistant, or else to the assistants server. Never falls back to another model. */
export async function resolveAssistant(deps: Deps, assistantId: string): Promise<ResolvedAssistant> {
  const preset = (await findPresetsByAssistantId(deps.db, [assistantId])).get(assistantId)
  if (preset) return { kind: 'preset', name: preset.name, behavior: toBehavior(preset) }
  const { external } = deps.assistant
  return external ? { kind: 'external', external: rememberMissing(deps, external) } : { kind: 'none' }
}

async function explainExternal(external: ExternalAssistants, assistantId: string, hasModel: boolean) {
  try {
    const found = await external.find(assistantId, new AbortController().signal)
    return found
      ? { kind: 'external' as const, name: found.name, warning: null }
      : { kind: 'none' as const, name: null, warning: unknownToServerWarning(assistantId, hasModel) }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    const warning = `The request to the assistants server failed: ${error.detail}.`
    return { kind: 'external' as const, name: null, warning }
  }
}

/** Resolves an id for the channel form, with a warning if the assistant cannot answer. */
export async function explainAssistant(deps: Deps, assistantId: string) {
  const resolved = await resolveAssistant(deps, assistantId)
  const model = await getCurrentModel(deps)
  switch (resolved.kind) {
    case 'preset': {
      const { kind, name, behavior } = resolved
      return { kind, name, warning: getPresetNote(model, behavior.model) }
    }
    case 'external':
      return explainExternal(resolved.external, assistantId, model !== null)
    case 'none':
      return {
        kind: resolved.kind,
        name: null,
        warning: unknownAssistantWarning(assistantId, model !== null),
      }
  }
}
