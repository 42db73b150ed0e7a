import type { AssistantStatus, ModelMap } from '@lyceum/contract/assistants'
import { type LanguageModel, languageModels } from '@lyceum/contract/channels'
import type { Executor } from '#db/client.ts'
import type { ChatModel } from '#providers/assistant/port.ts'
import type { Deps } from '../../deps.ts'
import { readMissingAssistants } from './missing-assistants.ts'
import { findModelTrouble } from './model-health.ts'
import { getCurrentModel, readModelMap } from './model-map.ts'
import { listOfferedModels } from './offered-models.ts'
import { findPresetsByAssistantId } from './store.ts'
import { noModelWarning, unknownAssistantWarning, unknownToServerWarning } from './warnings.ts'

function isLabel(label: string): label is LanguageModel {
  return (languageModels as readonly string[]).includes(label)
}

interface ChannelModel {
  use_assistant: 0 | 1
  assistant_id: string
  llm_model: string
}

function getLabelNote(chat: ChatModel, label: string): string | null {
  return isLabel(label) ? chat.resolve(label).note : null
}

/** What administrators should know about the model of a ready-made assistant. */
export function getPresetNote(chat: ChatModel | null, label: string): string | null {
  return chat ? getLabelNote(chat, label) : noModelWarning
}

/**
 * Returns a function that gets the warning about a channel's model or assistant, or null. A missing model is a warning
 * only about channels with a ready-made assistant, which cannot answer without one: see `AssistantStatus.mode`. Does not
 * call the assistants server: a list of channels must not wait for it.
 */
export async function createWarningLookup(
  deps: Deps,
  channels: readonly ChannelModel[],
): Promise<(channel: ChannelModel) => string | null> {
  const chat = await getCurrentModel(deps)
  const assistantIds = channels.flatMap(({ use_assistant, assistant_id }) =>
    use_assistant ? [assistant_id] : [],
  )
  const presets = await findPresetsByAssistantId(deps.db, assistantIds)
  const missing = await readMissingAssistants(deps)
  return ({ use_assistant, assistant_id, llm_model }) => {
    if (use_assistant) {
      const preset = presets.get(assistant_id)
      if (preset) return getPresetNote(chat, preset.model)
      if (!deps.assistant.external) return unknownAssistantWarning(assistant_id, chat !== null)
      return missing.has(assistant_id) ? unknownToServerWarning(assistant_id, chat !== null) : null
    }
    return chat && getLabelNote(chat, llm_model)
  }
}

/** Returns a function that tells whether the model of a label takes pictures. */
export async function createPictureLookup(
  deps: Deps,
  db: Executor = deps.db,
): Promise<(label: string) => boolean> {
  const chat = await getCurrentModel(deps, db)
  return (label) => chat !== null && isLabel(label) && chat.resolve(label).takesPictures
}

export async function getAssistantStatus(deps: Deps): Promise<AssistantStatus> {
  const { assistant, env } = deps
  const chat = await getCurrentModel(deps)
  const offered = await listOfferedModels(deps.db)
  return {
    mode: chat ? 'model' : 'extractive',
    trouble: await findModelTrouble(deps),
    embeddings: assistant.embedder !== null,
    external: assistant.external !== null,
    models: languageModels.map((label) => {
      const resolved = chat?.resolve(label)
      return {
        label,
        answeredBy: resolved?.actual ?? null,
        note: resolved?.note ?? null,
        takesPictures: resolved?.takesPictures ?? false,
        offered: offered.includes(label),
      }
    }),
    modelMap: await readModelMap(deps),
    environmentMap: filterKnownEntries(env.MODEL_MAP),
  }
}

/** The environment may contain labels that do not exist. */
function filterKnownEntries(map: Readonly<Record<string, string>>): ModelMap {
  return Object.fromEntries(Object.entries(map).filter(([label]) => label === '*' || isLabel(label)))
}
