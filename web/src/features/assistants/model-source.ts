import type { AssistantStatus, MappedLabel, ModelMap } from '@lyceum/contract/assistants'

type Model = AssistantStatus['models'][number]

export const hasEntry = (map: ModelMap, label: MappedLabel): boolean => map[label] !== undefined

/** Why this model answers for the label, in a few words; null when it is the label's own. */
export const sourceOf = ({ label, answeredBy }: Model, status: AssistantStatus): string | null => {
  const { modelMap, environmentMap } = status
  if (answeredBy === null) return null
  // What is set for the label goes before what is set for the rest, whoever has set it.
  if (hasEntry(modelMap, label)) return 'Set here'
  if (hasEntry(environmentMap, label)) return 'Set by MODEL_MAP'
  if (hasEntry(modelMap, '*')) return 'Set here for the rest'
  if (hasEntry(environmentMap, '*')) return 'Set by MODEL_MAP for the rest'
  return answeredBy === label ? null : 'Retired by the provider'
}
