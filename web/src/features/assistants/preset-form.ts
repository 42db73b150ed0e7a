import {
  outputTokensMaximum,
  type Preset,
  type PresetInput,
  presetInput,
  reasoningEfforts,
} from '@lyceum/contract/assistants'
import { languageModels } from '@lyceum/contract/channels'
import * as z from 'zod/mini'

/** An assistant as the form shows it. */
export type PresetEntries = {
  name: string
  /** Null while it follows the name. */
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

const entries = z.object({
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
      z.refine(isTokenLimit, `A whole number from 1 to ${outputTokensMaximum.toLocaleString()}, or nothing`),
    ),
})

function optionsOf({ reasoningEffort, maxOutputTokens }: z.output<typeof entries>) {
  return {
    ...(reasoningEffort === '' ? {} : { reasoningEffort }),
    ...(maxOutputTokens === '' ? {} : { maxOutputTokens: Number(maxOutputTokens) }),
  }
}

/** The form of an assistant, whose id comes from its name unless one was entered. */
export function presetForm(idFor: (name: string) => string): z.ZodMiniType<PresetInput, PresetEntries> {
  return z.pipe(
    entries,
    z.transform((entered: z.output<typeof entries>): PresetInput => {
      const { reasoningEffort: _, maxOutputTokens: __, ...input } = entered
      return {
        ...input,
        assistantId: input.assistantId ?? idFor(input.name),
        options: optionsOf(entered),
      }
    }),
  ) as z.ZodMiniType<PresetInput, PresetEntries>
}

/** What decides how an assistant answers: it can be tried without a name. */
export const characterForm = z.pipe(
  z.pick(entries, { instructions: true, model: true, reasoningEffort: true, maxOutputTokens: true }),
  z.transform(({ instructions, model, ...options }) => ({
    instructions,
    model,
    options: optionsOf(options as z.output<typeof entries>),
  })),
)

export function entriesOf(preset: Preset | null): PresetEntries {
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

export function isChanged(now: PresetEntries, start: PresetEntries): boolean {
  return (Object.keys(start) as (keyof PresetEntries)[]).some((entry) => now[entry] !== start[entry])
}

/** Room is left for a number behind it. */
const generatedLength = 100

/** An id that reads like the name and that no other assistant has. */
export function assistantIdFor(named: string, taken: ReadonlySet<string>): string {
  const words = named
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  const base = (words ?? ['assistant']).join('-').slice(0, generatedLength)
  let found = base
  for (let next = 2; taken.has(found); next += 1) found = `${base}-${next}`
  return found
}
