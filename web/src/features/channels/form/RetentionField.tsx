import { useState } from 'react'
import { Field } from '#ui/Field.tsx'
import { TextInput } from '#ui/TextInput.tsx'

interface Props {
  /** Null follows what holds everywhere; NaN is what is no number. */
  value: number | null
  error: string | undefined
  onChange: (days: number | null) => void
}

/** For how many days a channel keeps its chats. */
export function RetentionField({ value, error, onChange }: Props) {
  const [entry, setEntry] = useState(() => (value === null ? '' : String(value)))
  return (
    <Field
      label="Keep chats for … days (optional)"
      hint="After the last message. Empty keeps them as long as everywhere, which is set in Settings."
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
          placeholder="As everywhere"
          className="sm:max-w-48"
        />
      )}
    </Field>
  )
}
