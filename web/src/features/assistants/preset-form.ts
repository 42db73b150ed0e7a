import {
  outputTokensMaximum,
  type Preset,
  type PresetInput,
  presetInput,
  reasoningEfforts,
} from '@lyceum/contract/assistants'
import { languageModels } from '@lyceum/contract/channels'
import * as z from 'zod/mini'

/** The values of the assistant form. */
export type PresetEntries = {
  name: string
  /** Null while it is derived from the name. */
  assistantId: string | null
  description: string
  instructions: string
  model: PresetInput['model']
  reasoningEffort: '' | (typeof reasoningEfforts)[number]
  maxOutputTokens: string
}

function isTokenLimit(text: string): boolean {
  return text === '' || (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= outputTokensMaximum)
}

const { name, assistantId, description, instructions, model } = presetInput.shape

const entriesSchema = z.object({
  name,
  assistantId: z.nullable(assistantId),
  description,
  instructions,
  model,
  reasoningEffort: z.enum(['', ...reasoningEfforts]),
  maxOutputTokens: z
    .string()
    .check(
      z.trim(),
      z.refine(
        isTokenLimit,
        `Enter a whole number from 1 to ${outputTokensMaximum.toLocaleString()}, or leave empty`,
      ),
    ),
})

function toOptions({ reasoningEffort, maxOutputTokens }: z.output<typeof entriesSchema>) {
  return {
    ...(reasoningEffort === '' ? {} : { reasoningEffort }),
    ...(maxOutputTokens === '' ? {} : { maxOutputTokens: Number(maxOutputTokens) }),
  }
}

/** Schema of the assistant form. Without an entered id, `createId` derives one from the name. */
export function createPresetForm(
  createId: (name: string) => string,
): z.ZodMiniType<PresetInput, PresetEntries> {
  return z.pipe(
    entriesSchema,
    z.transform((values: z.output<typeof entriesSchema>): PresetInput => {
      const { reasoningEffort: _, maxOutputTokens: __, ...input } = values
      return {
        ...input,
        assistantId: input.assistantId ?? createId(input.name),
        options: toOptions(values),
      }
    }),
  ) as z.ZodMiniType<PresetInput, PresetEntries>
}

/** Schema of the fields that a trial needs. A trial needs no name or id. */
export const trialForm = z.pipe(
  z.pick(entriesSchema, { instructions: true, model: true, reasoningEffort: true, maxOutputTokens: true }),
  z.transform(({ instructions, model, ...options }) => ({
    instructions,
    model,
    options: toOptions(options as z.output<typeof entriesSchema>),
  })),
)

export function toEntries(preset: Preset | null): PresetEntries {
  return {
    name: preset?.name ?? '',
    assistantId: preset?.assistantId ?? null,
    description: preset?.description ?? '',
    instructions: preset?.instructions ?? '',
    model: preset?.model ?? languageModels[0],
    reasoningEffort: preset?.options.reasoningEffort ?? '',
    maxOutputTokens: String(preset?.options.maxOutputTokens ?? ''),
  }
}

export function isChanged(current: PresetEntries, initial: PresetEntries): boolean {
  return (Object.keys(initial) as (keyof PresetEntries)[]).some((entry) => current[entry] !== initial[entry])
}

/** Shorter than the limit for ids, to leave space for a number at the end. */
const generatedIdMaxLength = 100

/** Derives an unused id from a name. */
export function createAssistantId(name: string, taken: ReadonlySet<string>): string {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  const base = (words ?? ['assistant']).join('-').slice(0, generatedIdMaxLength)
  let id = base
  for (let next = 2; taken.has(id); next += 1) id = `${base}-${next}`
  return id
}
