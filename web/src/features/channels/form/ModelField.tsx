import type { AssistantStatus } from '@lyceum/contract/assistants'
import { languageModels } from '@lyceum/contract/channels'
import { useQuery } from '@tanstack/react-query'
import type { ChangeEvent } from 'react'
import { assistantStatusQuery } from '#features/assistants/queries.ts'
import { Field } from '#ui/Field.tsx'
import { Select } from '#ui/Select.tsx'

interface Props {
  value: string
  /** The channel's current model, which stays selectable when it is no longer offered. */
  currentModel: string
  error: string | undefined
  control: { name: string; value: string; onChange: (event: ChangeEvent<HTMLSelectElement>) => void }
}

/** The label, with the model that is used instead if it differs. */
function formatOption(label: string, status: AssistantStatus | undefined): string {
  const answeredBy = status?.models.find((model) => model.label === label)?.answeredBy ?? null
  return answeredBy === null || answeredBy === label ? label : `${label} (answered by ${answeredBy})`
}

function isOffered(label: string, status: AssistantStatus | undefined): boolean {
  return status?.models.find((model) => model.label === label)?.offered ?? true
}

function describeModel(label: string, status: AssistantStatus | undefined): string | undefined {
  if (!isOffered(label, status))
    return 'This model is no longer offered. The channel keeps it until you choose another one.'
  if (status?.mode === 'extractive') {
    return 'No model is connected, so replies quote the closest passages from approved documents, and the system prompt is ignored.'
  }
  return status?.models.find((model) => model.label === label)?.note ?? undefined
}

export function ModelField({ value, currentModel, error, control }: Props) {
  const { data: status } = useQuery(assistantStatusQuery())
  return (
    <Field label="Language model" hint={describeModel(value, status)} error={error}>
      {(field) => (
        <Select {...field} {...control}>
          {value === '' && <option value="">Choose a model</option>}
          {languageModels
            .filter((label) => label === value || label === currentModel || isOffered(label, status))
            .map((label) => (
              <option key={label} value={label}>
                {formatOption(label, status)}
              </option>
            ))}
        </Select>
      )}
    </Field>
  )
}
