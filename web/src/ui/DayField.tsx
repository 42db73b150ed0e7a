import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Field } from './Field.tsx'
import { TextInput } from './TextInput.tsx'

/** While the user types 2026, the field holds the years 2, 20 and 202. These are never applied. */
const earliestDay = '1970-01-01'

/** The error of a range that contains no day, for the field of its end. Days are compared as YYYY-MM-DD. */
export function explainRange({ from, to }: { from: string | null; to: string | null }): string | undefined {
  return from !== null && to !== null && to < from ? 'The end is before the start.' : undefined
}

interface Props {
  label: string
  /** YYYY-MM-DD, or null if the field is empty. */
  value: string | null
  /** Later days are not applied. Must not change while the user types, or browsers forget what was typed. */
  max?: string
  /** The field cannot be emptied. */
  isRequired?: boolean
  error?: string | undefined
  /** Null when the user empties the field. */
  onChange: (day: string | null) => void
}

/**
 * A field for a day. It applies a day that is picked in the calendar at once, and one that is typed on Enter and when the
 * user leaves the field: while a day is being typed, the field holds others.
 */
export function DayField({ label, value, max, isRequired = false, error, onChange }: Props) {
  const [text, setText] = useState(value ?? '')
  const isTyped = useRef(false)
  // The value may change elsewhere, such as by Clear filters.
  useEffect(() => setText(value ?? ''), [value])

  function canApply(day: string): boolean {
    return day === '' ? !isRequired : day >= earliestDay && (max === undefined || day <= max)
  }
  function apply(day: string): void {
    if (canApply(day) && day !== (value ?? '')) onChange(day === '' ? null : day)
  }
  function handleChange(day: string): void {
    setText(day)
    if (!isTyped.current) apply(day)
  }
  function handleBlur(): void {
    isTyped.current = false
    if (canApply(text)) apply(text)
    else setText(value ?? '')
  }
  function handleKeyDown({ key }: KeyboardEvent): void {
    if (key === 'Enter') apply(text)
    else if (key !== 'Tab') isTyped.current = true
  }
  return (
    <Field label={label} error={error}>
      {(control) => (
        <TextInput
          {...control}
          type="date"
          value={text}
          max={max}
          onChange={({ target }) => handleChange(target.value)}
          onBlur={handleBlur}
          onKeyDown={handleKeyDown}
          onPointerDown={() => {
            isTyped.current = false
          }}
        />
      )}
    </Field>
  )
}
