import {
  type AssistantStatus,
  instructionsMaxLength,
  type PresetInput,
  reasoningEfforts,
} from '@lyceum/contract/assistants'
import { languageModels } from '@lyceum/contract/channels'
import type { SchemaForm } from '#lib/use-schema-form.ts'
import { cx } from '#ui/cx.ts'
import { Field } from '#ui/Field.tsx'
import { Select } from '#ui/Select.tsx'
import { TextArea } from '#ui/TextArea.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import type { PresetEntries } from './preset-form.ts'

interface Props {
  form: Pick<SchemaForm<PresetEntries, PresetInput>, 'values' | 'errors' | 'field'>
  createId: (name: string) => string
  models: AssistantStatus['models']
  channelCount: number
  readOnly: boolean
}

function describeId({ form, channelCount }: Props): string {
  if (channelCount > 0)
    return `${channelCount === 1 ? 'One channel uses' : `${channelCount} channels use`} this ID, so it can’t be changed.`
  const rule =
    'Channels refer to the assistant by this ID. Use only letters, digits and . _ : - (at most 128 characters).'
  return form.values.assistantId === null ? `${rule} Generated from the name until you edit it.` : rule
}

function IdField(props: Props) {
  const { form, createId, channelCount, readOnly } = props
  const { name, assistantId } = form.values
  return (
    <Field label="Assistant ID" hint={describeId(props)} error={form.errors.assistantId}>
      {(control) => (
        <TextInput
          {...control}
          {...form.field('assistantId')}
          value={assistantId ?? (name.trim() === '' ? '' : createId(name))}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          readOnly={readOnly || channelCount > 0}
        />
      )}
    </Field>
  )
}

function Counter({ length }: { length: number }) {
  return (
    <span
      className={cx('shrink-0 tabular-nums', length > instructionsMaxLength && 'font-medium text-danger')}
    >
      {length.toLocaleString()} of {instructionsMaxLength.toLocaleString()} characters
    </span>
  )
}

function InstructionsField({ form, readOnly }: Props) {
  return (
    <Field
      label="Instructions"
      hint={
        <span className="flex flex-wrap justify-between gap-x-4">
          <span>How the assistant should behave. Members don’t see this.</span>
          <Counter length={form.values.instructions.trim().length} />
        </span>
      }
      error={form.errors.instructions}
    >
      {(control) => (
        <TextArea
          {...control}
          {...form.field('instructions')}
          dir="auto"
          rows={8}
          className="min-h-44"
          readOnly={readOnly}
        />
      )}
    </Field>
  )
}

function findNote(model: PresetInput['model'], models: Props['models']): string | undefined {
  return models.find(({ label }) => label === model)?.note ?? undefined
}

const effortLabels = { low: 'Low', medium: 'Medium', high: 'High' } as const

function ModelFields({ form, models, readOnly }: Props) {
  return (
    <>
      <Field label="Language model" hint={findNote(form.values.model, models)} error={form.errors.model}>
        {(control) => (
          <Select {...control} {...form.field('model')} disabled={readOnly}>
            {languageModels.map((label) => (
              <option key={label} value={label}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          label="Reasoning effort"
          hint="Only used by reasoning models."
          error={form.errors.reasoningEffort}
        >
          {(control) => (
            <Select {...control} {...form.field('reasoningEffort')} disabled={readOnly}>
              <option value="">Model default</option>
              {reasoningEfforts.map((effort) => (
                <option key={effort} value={effort}>
                  {effortLabels[effort]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field
          label="Maximum output tokens"
          hint="Maximum reply length. Leave empty for no limit."
          error={form.errors.maxOutputTokens}
        >
          {(control) => (
            <TextInput
              {...control}
              {...form.field('maxOutputTokens')}
              inputMode="numeric"
              autoComplete="off"
              readOnly={readOnly}
            />
          )}
        </Field>
      </div>
    </>
  )
}

export function PresetFields(props: Props) {
  const { form, readOnly } = props
  return (
    <>
      <Field label="Name" error={form.errors.name}>
        {(control) => (
          <TextInput {...control} {...form.field('name')} dir="auto" autoComplete="off" readOnly={readOnly} />
        )}
      </Field>
      <IdField {...props} />
      <Field label="Description (optional)" error={form.errors.description}>
        {(control) => (
          <TextArea {...control} {...form.field('description')} dir="auto" rows={2} readOnly={readOnly} />
        )}
      </Field>
      <InstructionsField {...props} />
      <ModelFields {...props} />
    </>
  )
}
