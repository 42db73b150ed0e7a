import * as z from 'zod/mini'
import { languageModel, languageModels } from './channels.ts'
import { messageInput } from './chats.ts'
import { endpoint } from './endpoint.ts'
import {
  confirmation,
  id,
  idParams,
  intParam,
  isoTimestamp,
  multiLine,
  requiredText,
  singleLine,
} from './wire.ts'

/** Maximum number of ready-made assistants, low enough to list them all without paging. */
export const presetMaximum = 500
export const instructionsMaxLength = 16_000
export const outputTokensMaximum = 200_000
export const reasoningEfforts = ['low', 'medium', 'high'] as const

/** Keys of a model map: the model labels, and '*' for all labels without an entry of their own. */
export const mappedLabels = [...languageModels, '*'] as const
const mappedLabel = z.enum(mappedLabels)
export type MappedLabel = z.output<typeof mappedLabel>

export const modelMap = z.partialRecord(mappedLabel, z.string())
export type ModelMap = z.output<typeof modelMap>

/** Why no model can write replies now. */
export const modelTrouble = z.object({
  /** `off`: none is connected. `failing`: the one that is connected did not answer when it was used last. */
  kind: z.enum(['off', 'failing']),
  /** As sentences. */
  words: z.string(),
  failedAt: z.optional(isoTimestamp),
})
export type ModelTrouble = z.output<typeof modelTrouble>

/** Which model answers for each label right now. */
export const assistantStatus = z.object({
  /** `extractive`: no model is connected. */
  mode: z.enum(['extractive', 'model']),
  trouble: z.nullable(modelTrouble),
  embeddings: z.boolean(),
  /** Whether an id that belongs to no preset is looked up on an external assistants server. */
  external: z.boolean(),
  models: z.array(
    z.object({
      label: languageModel,
      answeredBy: z.nullable(z.string()),
      note: z.nullable(z.string()),
      /** Whether the model that answers takes pictures. */
      takesPictures: z.optional(z.boolean()),
      /** Whether a channel can choose this label. Channels that already use it keep it. */
      offered: z.boolean(),
    }),
  ),
  /** Set by administrators; overrides the map from the environment. */
  modelMap,
  environmentMap: modelMap,
})
export type AssistantStatus = z.output<typeof assistantStatus>

const assistantIdRequired = 'Assistant ID is required'
/** The id of an assistant: a preset, or an assistant on an external server. Channels store it. */
const assistantId = requiredText(assistantIdRequired).check(
  z.trim(),
  z.minLength(1, assistantIdRequired),
  z.regex(/^$|^[A-Za-z0-9_.:-]{1,128}$/, 'Use only letters, digits and . _ : - (at most 128 characters)'),
)

const presetOptions = z.object({
  /** For reasoning models; others ignore it. */
  reasoningEffort: z.optional(z.enum(reasoningEfforts)),
  maxOutputTokens: z.optional(intParam(1, outputTokensMaximum)),
})
export type PresetOptions = z.output<typeof presetOptions>

/** The settings that decide how an assistant answers. */
const answerSettings = {
  instructions: z._default(multiLine(instructionsMaxLength), ''),
  model: languageModel,
  options: z._default(presetOptions, {}),
}

export const presetInput = z.object({
  assistantId,
  name: singleLine(200, 'Name is required'),
  description: z._default(multiLine(2000), ''),
  ...answerSettings,
})
export type PresetInput = z.output<typeof presetInput>

/** A ready-made assistant that is stored in Lyceum. */
export const preset = z.object({
  _id: id,
  assistantId: z.string(),
  name: z.string(),
  description: z.string(),
  instructions: z.string(),
  model: languageModel,
  options: presetOptions,
  createdAt: isoTimestamp,
  updatedAt: isoTimestamp,
  /** Number of channels that use it. */
  channelCount: z.number(),
})
export type Preset = z.output<typeof preset>

export const presetTrial = z.object({ ...answerSettings, message: messageInput.shape.message })
export type PresetTrial = z.output<typeof presetTrial>

/** An empty name removes the label from the map. */
export const providerModel = z
  .string()
  .check(
    z.trim(),
    z.regex(/^[\x21-\x7e]{0,200}$/, 'Enter a model name without spaces, at most 200 characters.'),
  )

export const assistantsApi = {
  status: endpoint({
    method: 'GET',
    path: '/assistants/status',
    access: 'canManageChannels',
    summary: 'Get the model that answers for each label',
    reply: assistantStatus,
  }),
  setModelMap: endpoint({
    method: 'PUT',
    path: '/assistants/model-map',
    access: 'canManageSettings',
    summary:
      'Change which model answers for each label (an empty name removes the entry) and which labels are offered',
    body: z.object({
      map: z.partialRecord(mappedLabel, providerModel),
      /** All labels that channels can choose. Omit it to leave them unchanged. */
      offered: z.optional(
        z.array(languageModel).check(
          z.minLength(1, 'Offer at least one model'),
          z.refine((labels) => new Set(labels).size === labels.length, 'List each model only once'),
        ),
      ),
    }),
    reply: assistantStatus,
  }),
  resolve: endpoint({
    method: 'GET',
    path: '/assistants/resolve',
    access: 'canManageChannels',
    summary: 'Find the assistant that an id refers to',
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
    summary: 'List the ready-made assistants',
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
    summary: 'Try an assistant without saving it',
    body: presetTrial,
    reply: z.object({ reply: z.string(), model: z.string(), milliseconds: z.number() }),
  }),
  updatePreset: endpoint({
    method: 'PUT',
    path: '/assistants/presets/:id',
    access: 'canManageSettings',
    summary: 'Change a ready-made assistant; its id can change only while no channel uses it',
    params: idParams,
    body: presetInput,
    reply: preset,
  }),
  removePreset: endpoint({
    method: 'DELETE',
    path: '/assistants/presets/:id',
    access: 'canManageSettings',
    summary: 'Delete a ready-made assistant that no channel uses',
    params: idParams,
    reply: confirmation,
  }),
} as const
