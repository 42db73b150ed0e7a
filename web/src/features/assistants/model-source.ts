import type { AssistantStatus, MappedLabel, ModelMap } from '@lyceum/contract/assistants'

type Model = AssistantStatus['models'][number]

export const hasEntry = (map: ModelMap, label: MappedLabel): boolean => map[label] !== undefined

/** Where it was set that this model answers for the label; null when it was set nowhere. */
export const sourceOf = ({ label, answeredBy }: Model, status: AssistantStatus): string | null => {
  const { modelMap, environmentMap } = status
  if (answeredBy === null) return null
  // What is set for the label goes before what is set for the rest, whoever has set it.
  if (hasEntry(modelMap, label)) return 'Set here'
  if (hasEntry(environmentMap, label)) return 'Set by MODEL_MAP'
  if (hasEntry(modelMap, '*')) return 'Set here for the rest'
  if (hasEntry(environmentMap, '*')) return 'Set by MODEL_MAP for the rest'
  return null
}

/** What else there is to know, without the name and the source that stand beside it already. */
export const remarkOf = ({ answeredBy, note }: Model): string =>
  (note ?? '').replace(`Answered by ${answeredBy}, as the model map says.`, '').trim()
