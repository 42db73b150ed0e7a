import type { AssistantStatus, Preset } from '@lyceum/contract/assistants'
import { languageModels } from '@lyceum/contract/channels'

export function aPreset(change: Partial<Preset> = {}): Preset {
  return {
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
  }
}

/** A model server that serves every label with a model of the same name. */
export function anAssistantStatus(change: Partial<AssistantStatus> = {}): AssistantStatus {
  return {
    mode: 'model',
    trouble: null,
    embeddings: true,
    external: false,
    models: languageModels.map((label) => ({ label, answeredBy: label, note: null, offered: true })),
    modelMap: {},
    environmentMap: {},
    ...change,
  }
}

/** The status while no model is connected. */
export function anExtractiveStatus(): AssistantStatus {
  return anAssistantStatus({
    mode: 'extractive',
    trouble: { kind: 'off', words: 'No model is connected.' },
    embeddings: false,
    models: languageModels.map((label) => ({ label, answeredBy: null, note: null, offered: true })),
  })
}
