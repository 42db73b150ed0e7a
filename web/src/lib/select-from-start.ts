import type { FocusEvent } from 'react'

/** Selects the text of a field and shows its start, where `select()` may show its end. */
export function selectFromStart({ target }: FocusEvent<HTMLInputElement>): void {
  target.setSelectionRange(0, target.value.length, 'backward')
  target.scrollLeft = 0
}
