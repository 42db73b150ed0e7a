import type { Quota, QuotaEntries } from '@lyceum/contract/quotas'
import type { SchemaForm } from '#lib/use-schema-form.ts'
import { Field } from '#ui/Field.tsx'
import { TextInput } from '#ui/TextInput.tsx'

interface Props {
  form: SchemaForm<QuotaEntries, Quota>
  disabled?: boolean
  usage?: Record<keyof Quota, string>
}

const fields = [
  { name: 'messagesPerDay', label: 'Messages a day' },
  { name: 'tokensPerMonth', label: 'Tokens a month' },
] as const

/** The two limits. Empty means no limit; 0 blocks all messages. */
export function QuotaFields({ form, disabled = false, usage }: Props) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {fields.map(({ name, label }) => (
        <Field key={name} label={label} error={form.errors[name]} hint={usage && `Used: ${usage[name]}`}>
          {(control) => (
            <TextInput
              {...control}
              {...form.field(name)}
              inputMode="numeric"
              autoComplete="off"
              placeholder="No limit"
              disabled={disabled}
            />
          )}
        </Field>
      ))}
    </div>
  )
}
