import type { ReactNode } from 'react'
import type { SchemaForm } from '#lib/use-schema-form.ts'
import { Field } from './Field.tsx'
import { TextArea } from './TextArea.tsx'

interface Props {
  label: string
  hint: ReactNode
  error: string | undefined
  placeholder: string
  field: ReturnType<SchemaForm<Record<string, unknown>, unknown>['field']>
}

/** A certificate or a key in PEM format. */
export function PemField({ label, hint, error, placeholder, field }: Props) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <TextArea
          {...control}
          {...field}
          rows={3}
          className="font-mono text-xs"
          placeholder={placeholder}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
    </Field>
  )
}

export const certificatePlaceholder = '-----BEGIN CERTIFICATE-----'
