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
  /** A secret is never shown again, and browsers must not offer to store it. */
  isSecret?: boolean
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
  isSecret = false,
  inputMode,
  placeholder,
  field,
}: Props) {
  const Input = isSecret ? PasswordInput : TextInput
  return (
    <Field label={label} hint={variable ? `Set by ${variable} on the server` : hint} error={error}>
      {(control) => (
        <Input
          {...control}
          {...field}
          autoComplete={isSecret ? 'new-password' : 'off'}
          autoCapitalize="none"
          spellCheck={false}
          inputMode={inputMode}
          placeholder={placeholder}
          disabled={disabled || variable !== undefined}
        />
      )}
    </Field>
  )
}
