import type { ReactNode } from 'react'
import type { SchemaForm } from '#lib/use-schema-form.ts'
import { Field } from '#ui/Field.tsx'
import { TextArea } from '#ui/TextArea.tsx'

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

/** Fields that few receivers need. Open while one of them is wrong. */
export function MoreSettings({ hasError, children }: { hasError: boolean; children: ReactNode }) {
  return (
    <details open={hasError || undefined}>
      <summary className="w-fit cursor-pointer rounded-control py-1.5 text-muted text-sm pointer-coarse:min-h-11 pointer-coarse:py-3">
        More settings
      </summary>
      <div className="mt-3 flex flex-col gap-5">{children}</div>
    </details>
  )
}
