import {
  type ChannelInput,
  type LanguageModel,
  languageModel,
  languageModels,
} from '@lyceum/contract/channels'
import * as z from 'zod'
import type { Executor } from '#db/client.ts'
import { readSetting } from '#db/settings.ts'
import { AppError } from '../../errors.ts'

const storedLabels = z.array(languageModel).min(1)

/** In the contract's order, so that the same choice is always stored the same way. */
export function sortLabels(labels: readonly LanguageModel[]): LanguageModel[] {
  return languageModels.filter((label) => labels.includes(label))
}

/** The labels from which channels can choose: all of them until administrators restrict the list. */
export async function listOfferedModels(db: Executor): Promise<LanguageModel[]> {
  const offered = storedLabels.safeParse(await readSetting(db, 'modelsOffered'))
  return offered.success ? sortLabels(offered.data) : [...languageModels]
}

type Choice = Pick<ChannelInput, 'useAssistant' | 'llmModel'>

/** A channel may keep its current label even if it is no longer offered. */
export async function requireOfferedModel(
  db: Executor,
  { useAssistant, llmModel }: Choice,
  currentLabel: string | null,
): Promise<void> {
  if (useAssistant || llmModel === '' || llmModel === currentLabel) return
  if ((await listOfferedModels(db)).includes(llmModel)) return
  const message = 'This model is not offered. Choose another one.'
  throw new AppError('validation.failed', { fields: { llmModel: message } })
}
