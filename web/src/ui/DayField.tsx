import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Field } from './Field.tsx'
import { TextInput } from './TextInput.tsx'

/** Pause in typing after which a day is applied. */
export const dayDelayMs = 800

/** While the user types 2026, the field holds the years 2, 20 and 202. These are never applied. */
const earliestDay = '1970-01-01'

interface Props {
  label: string
  /** YYYY-MM-DD, or null if the field is empty. */
  value: string | null
  min?: string | null
  max?: string | null
  /** The field cannot be emptied. */
  isRequired?: boolean
  /** Null when the user empties the field. */
  onChange: (day: string | null) => void
}

/**
 * A field for a day that applies what was typed after a pause, on Enter and when the user leaves it. If each digit were
 * applied at once, the page would show wrong days, and the browser would clear parts of the date while the user types it.
 */
export function DayField({ label, value, min, max, isRequired = false, onChange }: Props) {
  const [text, setText] = useState(value ?? '')
  const ownValue = useRef(value)
  // The value may change elsewhere, such as by Clear filters. The user may have typed on since a change by this field.
  useEffect(() => {
    if (value !== ownValue.current) setText(value ?? '')
    ownValue.current = value
  }, [value])

  const canApply = text === '' ? !isRequired : text >= earliestDay
  function apply(): void {
    const day = text === '' ? null : text
    if (!canApply || day === value) return
    ownValue.current = day
    onChange(day)
  }
  const applyAfterPause = useEffectEvent(apply)
  // biome-ignore lint/correctness/useExhaustiveDependencies: starts again with each change of the text
  useEffect(() => {
    const timer = setTimeout(() => applyAfterPause(), dayDelayMs)
    return () => clearTimeout(timer)
  }, [text])

  function handleBlur(): void {
    if (canApply) apply()
    else setText(value ?? '')
  }
  function handleKeyDown({ key }: KeyboardEvent): void {
    if (key === 'Enter') apply()
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
          onChange={({ target }) => setText(target.value)}
          onBlur={handleBlur}
          onKeyDown={handleKeyDown}
        />
      )}
    </Field>
  )
}
