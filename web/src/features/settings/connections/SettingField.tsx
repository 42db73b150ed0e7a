import type { ChangeEvent, ReactNode } from 'react'
import { Field } from '#ui/Field.tsx'
import { PasswordInput } from '#ui/PasswordInput.tsx'
import { TextInput } from '#ui/TextInput.tsx'

interface Props {
  label: string
  hint: ReactNode
  error: string | undefined
  /** The variable that sets this field on the server. */
  variable: string | undefined
  disabled: boolean
  /** What a secret field contains. A secret is never shown again, and browsers must not offer to store it. */
  secret?: string
  inputMode?: 'url' | 'numeric' | 'email'
  placeholder?: string
  field: { name: string; value: string; onChange: (event: ChangeEvent<HTMLInputElement>) => void }
}

/** A field that may be set by the environment. */
export function SettingField({
  label,
  hint,
  error,
  variable,
  disabled,
  secret,
  inputMode,
  placeholder,
  field,
}: Props) {
  const input = {
    ...field,
    autoCapitalize: 'none',
    spellCheck: false,
    inputMode,
    placeholder,
    disabled: disabled || variable !== undefined,
  } as const
  return (
    <Field label={label} hint={variable ? `Set by ${variable} on the server` : hint} error={error}>
      {(control) =>
        secret === undefined ? (
          <TextInput {...control} {...input} autoComplete="off" />
        ) : (
          <PasswordInput {...control} {...input} secret={secret} autoComplete="new-password" />
        )
      }
    </Field>
  )
}
