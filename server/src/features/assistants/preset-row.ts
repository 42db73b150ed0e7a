import { type Preset, type PresetInput, type PresetOptions, presetInput } from '@lyceum/contract/assistants'
import type { CountedPreset, PresetRow } from './store.ts'

/** The columns that determine how an assistant replies. */
export interface AssistantBehavior {
  instructions: string
  model: PresetInput['model']
  options: PresetOptions
}

export function toBehavior(row: PresetRow): AssistantBehavior {
  return {
    instructions: row.instructions,
    model: row.model as PresetInput['model'],
    options: presetInput.shape.options.parse(JSON.parse(row.options)),
  }
}

export function presentPreset(row: CountedPreset): Preset {
  return {
    _id: row.id,
    assistantId: row.assistant_id,
    name: row.name,
    description: row.description,
    ...toBehavior(row),
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    channelCount: row.channel_count,
  }
}

export function toColumns(input: PresetInput) {
  return {
    assistant_id: input.assistantId,
    name: input.name,
    description: input.description,
    instructions: input.instructions,
    model: input.model,
    options: JSON.stringify(input.options),
  }
}
