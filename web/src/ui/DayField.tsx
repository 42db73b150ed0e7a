import { type ChangeEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Field } from './Field.tsx'
import { TextInput } from './TextInput.tsx'

/** While the user types 2026, the field holds the years 2, 20 and 202. These are never applied. */
const earliestDay = '1970-01-01'
/** Makes Chromium accept only four digits of the year. */
const latestDay = '9999-12-31'

/** The error of a range that contains no day, for the field of its end. Days are compared as YYYY-MM-DD. */
export function explainRange({ from, to }: { from: string | null; to: string | null }): string | undefined {
  return from !== null && to !== null && to < from ? 'The end is before the start.' : undefined
}

interface Props {
  label: string
  /** YYYY-MM-DD, or null if the field is empty. */
  value: string | null
  /** Today, if later days are refused. Must not change while the user types, or browsers forget what was typed. */
  max?: string
  /** The field cannot be emptied. */
  isRequired?: boolean
  error?: string | undefined
  /** Null when the user empties the field. */
  onChange: (day: string | null) => void
}

/**
 * A field for a day. It applies a day that is picked in the calendar at once, and one that is typed on Enter and when the
 * user leaves the field: while a day is being typed, the field holds others. A day that cannot be applied stays in the
 * field with the reason, and the last one that was applied stays in use.
 */
export function DayField({ label, value, max = latestDay, isRequired = false, error, onChange }: Props) {
  const [text, setText] = useState(value ?? '')
  const [problem, setProblem] = useState<string>()
  const isTyped = useRef(false)
  const input = useRef<HTMLInputElement>(null)
  // The value may change elsewhere, such as by Clear filters.
  useEffect(() => {
    setText(value ?? '')
    setProblem(undefined)
    // An incomplete date reads as empty, so React would leave it in the field.
    if (input.current?.validity.badInput) input.current.value = ''
  }, [value])

  function findProblem({ value: day, validity }: HTMLInputElement): string | undefined {
    const isEmptied = day === '' && !validity.badInput
    if (isEmptied && !isRequired) return undefined
    if (day.length !== latestDay.length || day < earliestDay) return 'Enter a complete date.'
    return day > max ? 'This day is in the future.' : undefined
  }
  function apply(target: HTMLInputElement): void {
    const found = findProblem(target)
    setProblem(found)
    if (found === undefined && target.value !== (value ?? '')) onChange(target.value || null)
  }
  function handleChange({ target }: ChangeEvent<HTMLInputElement>): void {
    setText(target.value)
    if (!isTyped.current) apply(target)
    else if (findProblem(target) === undefined) setProblem(undefined)
  }
  function handleKeyDown({ key, currentTarget }: KeyboardEvent<HTMLInputElement>): void {
    if (key === 'Enter') apply(currentTarget)
    else if (key !== 'Tab') isTyped.current = true
  }
  return (
    <Field label={label} error={problem ?? error}>
      {(control) => (
        <TextInput
          {...control}
          ref={input}
          type="date"
          value={text}
          max={max}
          onChange={handleChange}
          onBlur={({ target }) => {
            isTyped.current = false
            apply(target)
          }}
          onKeyDown={handleKeyDown}
          onPointerDown={() => {
            isTyped.current = false
          }}
        />
      )}
    </Field>
  )
}
