import type { AssistantStatus } from '@lyceum/contract/assistants'
import { type LanguageModel, languageModels } from '@lyceum/contract/channels'
import type { Deps } from '../../deps.ts'

const isLabel = (label: string): label is LanguageModel =>
  (languageModels as readonly string[]).includes(label)

interface ChannelModel {
  use_assistant: 0 | 1
  llm_model: string
}

/** What the administrator of a channel should know about who answers in it; null when all is as its label says. */
export const modelNote = ({ assistant }: Deps, { use_assistant, llm_model }: ChannelModel): string | null => {
  if (use_assistant)
    return 'No ready-made assistant answers here yet: this version serves custom channels only.'
  if (!assistant.chat)
    return 'No language model is configured. Members get the closest passages of the approved documents; the system prompt is not used.'
  return isLabel(llm_model) ? assistant.chat.resolve(llm_model).note : null
}

export const assistantStatus = ({ assistant }: Deps): AssistantStatus => ({
  mode: assistant.chat ? 'model' : 'extractive',
  embeddings: assistant.embedder !== null,
  models: languageModels.map((label) => {
    const resolved = assistant.chat?.resolve(label)
    return { label, answeredBy: resolved?.actual ?? null, note: resolved?.note ?? null }
  }),
})
