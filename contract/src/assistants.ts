import * as z from 'zod/mini'
import { languageModel, languageModels } from './channels.ts'
import { messageInput } from './chats.ts'
import { endpoint } from './endpoint.ts'
import { count, id, idParams, instant, line, message, prose } from './wire.ts'

/** How many ready-made assistants there may be: a list of them is never cut. */
export const presetMaximum = 500
export const instructionsMaxLength = 16_000
export const outputTokensMaximum = 200_000
export const reasoningEfforts = ['low', 'medium', 'high'] as const

/** What a map of models may name: the labels, and '*' for those it does not name. */
export const mappedLabels = [...languageModels, '*'] as const
const mappedLabel = z.enum(mappedLabels)
export type MappedLabel = z.output<typeof mappedLabel>

export const modelMap = z.partialRecord(mappedLabel, z.string())
export type ModelMap = z.output<typeof modelMap>

/** What stands behind the labels right now, for those who set channels up. */
export const assistantStatus = z.object({
  /** 'extractive' when no model endpoint is configured. */
  mode: z.enum(['extractive', 'model']),
  embeddings: z.boolean(),
  /** Whether ids that are none of our own are asked for at a server of assistants. */
  external: z.boolean(),
  models: z.array(
    z.object({
      label: languageModel,
      answeredBy: z.nullable(z.string()),
      note: z.nullable(z.string()),
      /** Whether channels may newly choose it. */
      offered: z.boolean(),
    }),
  ),
  /** As administrators set it; it goes before what the environment says. */
  modelMap,
  environmentMap: modelMap,
})
export type AssistantStatus = z.output<typeof assistantStatus>

/** The key by which channels name an assistant, ours or another server's. */
const assistantId = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Assistant id is required'),
    z.regex(/^$|^[A-Za-z0-9_.:-]{1,128}$/, 'Letters, digits, and . _ : - only, at most 128'),
  )

const presetOptions = z.object({
  /** For models that think before they write; others ignore it. */
  reasoningEffort: z.optional(z.enum(reasoningEfforts)),
  maxOutputTokens: z.optional(count(1, outputTokensMaximum)),
})
export type PresetOptions = z.output<typeof presetOptions>

/** What decides how an assistant answers. */
const character = {
  instructions: z._default(prose(instructionsMaxLength), ''),
  model: languageModel,
  options: z._default(presetOptions, {}),
}

export const presetInput = z.object({
  assistantId,
  name: line(200, 'Name is required'),
  description: z._default(prose(2000), ''),
  ...character,
})
export type PresetInput = z.output<typeof presetInput>

/** A ready-made assistant of our own. */
export const preset = z.object({
  _id: id,
  assistantId: z.string(),
  name: z.string(),
  description: z.string(),
  instructions: z.string(),
  model: languageModel,
  options: presetOptions,
  createdAt: instant,
  updatedAt: instant,
  /** Channels that name it. */
  channelCount: z.number(),
})
export type Preset = z.output<typeof preset>

export const presetTrial = z.object({ ...character, message: messageInput.shape.message })
export type PresetTrial = z.output<typeof presetTrial>

/** Empty takes a label out of the map. */
const providerModel = z
  .string()
  .check(z.trim(), z.regex(/^[\x21-\x7e]{0,200}$/, 'A model name without spaces, at most 200 characters'))

export const assistantsApi = {
  status: endpoint({
    method: 'GET',
    path: '/assistants/status',
    access: 'canManageChannels',
    summary: 'Which model answers for each label',
    reply: assistantStatus,
  }),
  setModelMap: endpoint({
    method: 'PUT',
    path: '/assistants/model-map',
    access: 'canManageSettings',
    summary: 'Change which model answers for a label (an empty one removes the entry) and which are offered',
    body: z.object({
      map: z.partialRecord(mappedLabel, providerModel),
      /** All that channels may newly choose; left out, it stays as it is. */
      offered: z.optional(
        z.array(languageModel).check(
          z.minLength(1, 'At least one model has to be offered'),
          z.refine((labels) => new Set(labels).size === labels.length, 'Each model once'),
        ),
      ),
    }),
    reply: assistantStatus,
  }),
  resolve: endpoint({
    method: 'GET',
    path: '/assistants/resolve',
    access: 'canManageChannels',
    summary: 'Who would answer in a channel with this assistant id',
    query: z.object({ assistantId }),
    reply: z.object({
      kind: z.enum(['preset', 'external', 'none']),
      name: z.nullable(z.string()),
      warning: z.nullable(z.string()),
    }),
  }),
  presets: endpoint({
    method: 'GET',
    path: '/assistants/presets',
    access: 'canManageChannels',
    summary: 'The ready-made assistants of this installation',
    reply: z.array(preset),
  }),
  createPreset: endpoint({
    method: 'POST',
    path: '/assistants/presets',
    access: 'canManageSettings',
    summary: 'Create a ready-made assistant',
    body: presetInput,
    reply: preset,
  }),
  tryPreset: endpoint({
    method: 'POST',
    path: '/assistants/presets/try',
    access: 'canManageSettings',
    limit: 'message',
    summary: 'Ask an assistant that need not be stored yet',
    body: presetTrial,
    reply: z.object({ reply: z.string(), model: z.string(), milliseconds: z.number() }),
  }),
  updatePreset: endpoint({
    method: 'PUT',
    path: '/assistants/presets/:id',
    access: 'canManageSettings',
    summary: 'Change a ready-made assistant; its id only while no channel names it',
    params: idParams,
    body: presetInput,
    reply: preset,
  }),
  removePreset: endpoint({
    method: 'DELETE',
    path: '/assistants/presets/:id',
    access: 'canManageSettings',
    summary: 'Delete a ready-made assistant that no channel names',
    params: idParams,
    reply: message,
  }),
} as const
