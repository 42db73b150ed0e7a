import { useEffect, useState } from 'react'
import { Field } from '#ui/Field.tsx'
import { TextInput } from '#ui/TextInput.tsx'

/** On the way to 2026 a year is 2, 20 and 202. */
const firstDay = '1970-01-01'

interface Props {
  label: string
  value: string | null
  min?: string | null
  max?: string | null
  onChange: (day: string | null) => void
}

/** A day that is looked for as soon as it is typed in full. */
export function DayField({ label, value, min, max, onChange }: Props) {
  const [text, setText] = useState(value ?? '')
  useEffect(() => setText(value ?? ''), [value])
  function handleChange(next: string): void {
    setText(next)
    const day = next === '' ? null : next
    if (day !== value && (day === null || day >= firstDay)) onChange(day)
  }
  return (
    <Field label={label}>
      {(control) => (
        <TextInput
          {...control}
          type="date"
          value={text}
          min={min ?? undefined}
          max={max ?? undefined}
          onChange={({ target }) => handleChange(target.value)}
        />
      )}
    </Field>
  )
}
