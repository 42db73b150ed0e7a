import { useState } from 'react'
import { Field } from '#ui/Field.tsx'
import { TextInput } from '#ui/TextInput.tsx'

interface Props {
  /** Null uses the global setting; NaN is an invalid entry. */
  value: number | null
  error: string | undefined
  onChange: (days: number | null) => void
}

export function RetentionField({ value, error, onChange }: Props) {
  const [entry, setEntry] = useState(() => (value === null ? '' : String(value)))
  return (
    <Field
      label="Keep chats for (days, optional)"
      hint="Days after the last message. Leave empty to use the global setting."
      error={error}
    >
      {(control) => (
        <TextInput
          {...control}
          name="retentionDays"
          value={entry}
          onChange={({ target }) => {
            setEntry(target.value)
            onChange(target.value.trim() === '' ? null : Number(target.value))
          }}
          inputMode="numeric"
          autoComplete="off"
          placeholder="Global setting"
          className="sm:max-w-48"
        />
      )}
    </Field>
  )
}
