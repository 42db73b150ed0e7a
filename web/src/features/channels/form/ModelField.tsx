import type { AssistantStatus } from '@lyceum/contract/assistants'
import { languageModels } from '@lyceum/contract/channels'
import { useQuery } from '@tanstack/react-query'
import type { ChangeEvent } from 'react'
import { assistantStatusQuery } from '#features/assistants/queries.ts'
import { Field } from '#ui/Field.tsx'
import { Select } from '#ui/Select.tsx'

interface Props {
  value: string
  /** What the channel has: it stays to be chosen when it is no longer offered. */
  present: string
  error: string | undefined
  control: { name: string; value: string; onChange: (event: ChangeEvent<HTMLSelectElement>) => void }
}

/** A label together with the model that answers for it, when that is another one. */
function optionOf(label: string, status: AssistantStatus | undefined): string {
  const answeredBy = status?.models.find((model) => model.label === label)?.answeredBy ?? null
  return answeredBy === null || answeredBy === label ? label : `${label} (answered by ${answeredBy})`
}

function isOffered(label: string, status: AssistantStatus | undefined): boolean {
  return status?.models.find((model) => model.label === label)?.offered ?? true
}

function hintOf(label: string, status: AssistantStatus | undefined): string | undefined {
  if (!isOffered(label, status))
    return 'This model is no longer offered. The channel keeps it until another one is chosen.'
  if (status?.mode === 'extractive') {
    return 'No language model is configured: members get the closest passages of the approved documents, and the system prompt is not used.'
  }
  return status?.models.find((model) => model.label === label)?.note ?? undefined
}

export function ModelField({ value, present, error, control }: Props) {
  const { data: status } = useQuery(assistantStatusQuery())
  return (
    <Field label="Language model" hint={hintOf(value, status)} error={error}>
      {(field) => (
        <Select {...field} {...control}>
          {value === '' && <option value="">Choose a model</option>}
          {languageModels
            .filter((label) => label === value || label === present || isOffered(label, status))
            .map((label) => (
              <option key={label} value={label}>
                {optionOf(label, status)}
              </option>
            ))}
        </Select>
      )}
    </Field>
  )
}
