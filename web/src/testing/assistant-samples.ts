import type { AssistantStatus, Preset } from '@lyceum/contract/assistants'
import { languageModels } from '@lyceum/contract/channels'

export const aPreset = (change: Partial<Preset> = {}): Preset => ({
  _id: 'preset-1',
  assistantId: 'welcome-guide',
  name: 'Welcome guide',
  description: 'For the first week',
  instructions: 'You greet people warmly.',
  model: 'gpt-4o',
  options: {},
  createdAt: '2026-11-20T09:00:00.000Z',
  updatedAt: '2026-11-20T09:00:00.000Z',
  channelCount: 0,
  ...change,
})

/** A model endpoint at which every label answers for itself. */
export const anAssistantStatus = (change: Partial<AssistantStatus> = {}): AssistantStatus => ({
  mode: 'model',
  embeddings: true,
  external: false,
  models: languageModels.map((label) => ({ label, answeredBy: label, note: null, offered: true })),
  modelMap: {},
  environmentMap: {},
  ...change,
})

/** What answers while no model endpoint is set. */
export const anExtractiveStatus = (): AssistantStatus =>
  anAssistantStatus({
    mode: 'extractive',
    embeddings: false,
    models: languageModels.map((label) => ({ label, answeredBy: null, note: null, offered: true })),
  })
