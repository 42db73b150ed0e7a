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
  idFor: (name: string) => string
  models: AssistantStatus['models']
  channelCount: number
  readOnly: boolean
}

function idHint({ form, channelCount }: Props): string {
  if (channelCount > 0)
    return `${channelCount === 1 ? 'One channel names' : `${channelCount} channels name`} this id, so it stays as it is.`
  const rule =
    'Channels name the assistant by it. Use only letters, digits and . _ : - (at most 128 characters).'
  return form.values.assistantId === null ? `${rule} It follows the name until you change it.` : rule
}

function IdField(props: Props) {
  const { form, idFor, channelCount, readOnly } = props
  const { name, assistantId } = form.values
  return (
    <Field label="Assistant id" hint={idHint(props)} error={form.errors.assistantId}>
      {(control) => (
        <TextInput
          {...control}
          {...form.field('assistantId')}
          value={assistantId ?? (name.trim() === '' ? '' : idFor(name))}
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
          <span>How it should behave. Members do not see them.</span>
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

function modelHint(model: PresetInput['model'], models: Props['models']): string | undefined {
  return models.find(({ label }) => label === model)?.note ?? undefined
}

const effortWords = { low: 'Low', medium: 'Medium', high: 'High' } as const

function ModelFields({ form, models, readOnly }: Props) {
  return (
    <>
      <Field label="Language model" hint={modelHint(form.values.model, models)} error={form.errors.model}>
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
          hint="For models that think before they write; others ignore it."
          error={form.errors.reasoningEffort}
        >
          {(control) => (
            <Select {...control} {...form.field('reasoningEffort')} disabled={readOnly}>
              <option value="">The model’s own</option>
              {reasoningEfforts.map((effort) => (
                <option key={effort} value={effort}>
                  {effortWords[effort]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field
          label="Maximum output tokens"
          hint="How long a reply may get. Left empty there is no limit of ours."
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

/** What an assistant is made of. */
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
