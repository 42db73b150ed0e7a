import type { MouseEvent } from 'react'
import { Button } from './Button.tsx'

interface Props {
  isChanged: boolean
  onDiscard: () => void
}

/** Says beside the save button of a form that it has unsaved changes, and discards them. */
export function UnsavedChanges({ isChanged, onDiscard }: Props) {
  if (!isChanged) return null
  function discard({ currentTarget }: MouseEvent<HTMLButtonElement>): void {
    // This button disappears, so the focus moves to the save button.
    currentTarget.form?.querySelector<HTMLElement>('[type=submit]')?.focus()
    onDiscard()
  }
  return (
    <p className="flex items-center gap-1 text-muted text-sm max-sm:w-full">
      Unsaved changes
      <Button variant="ghost" onClick={discard}>
        Discard
      </Button>
    </p>
  )
}
