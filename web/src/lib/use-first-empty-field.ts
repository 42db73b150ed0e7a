import { type RefObject, useEffect, useRef } from 'react'

/** Focuses the first empty field of a form when the form appears. */
export function useFirstEmptyField(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const fields = [...(form.current?.querySelectorAll('input') ?? [])]
    fields.find(({ value, readOnly }) => value === '' && !readOnly)?.focus()
  }, [])
  return form
}
