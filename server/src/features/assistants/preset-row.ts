import { type Preset, type PresetInput, type PresetOptions, presetInput } from '@lyceum/contract/assistants'
import type { CountedPreset, PresetRow } from './store.ts'

/** What decides how an assistant answers. */
export interface Character {
  instructions: string
  model: PresetInput['model']
  options: PresetOptions
}

export const characterOf = (row: PresetRow): Character => ({
  instructions: row.instructions,
  model: row.model as PresetInput['model'],
  options: presetInput.shape.options.parse(JSON.parse(row.options)),
})

export const presentPreset = (row: CountedPreset): Preset => ({
  _id: row.id,
  assistantId: row.assistant_id,
  name: row.name,
  description: row.description,
  ...characterOf(row),
  createdAt: new Date(row.created_at).toISOString(),
  updatedAt: new Date(row.updated_at).toISOString(),
  channelCount: row.channel_count,
})

export const columnsOf = (input: PresetInput) => ({
  assistant_id: input.assistantId,
  name: input.name,
  description: input.description,
  instructions: input.instructions,
  model: input.model,
  options: JSON.stringify(input.options),
})
