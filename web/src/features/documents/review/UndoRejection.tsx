import type { Ref } from 'react'
import { Button } from '#ui/Button.tsx'
import type { UndoOffer } from './use-undo-offer.ts'

interface Props {
  ref: Ref<HTMLButtonElement>
  /** The name of the document. */
  name: string
  undo: UndoOffer
}

/** Undoes a rejection. It disappears after ten seconds, but not while it is hovered or focused. */
export function UndoRejection({ ref, name, undo: { run, setIsPaused } }: Props) {
  return (
    <span className="flex items-center text-sm">
      <span aria-hidden="true" className="text-muted">
        ·
      </span>
      <Button
        ref={ref}
        size="small"
        variant="ghost"
        // Does not make the row higher.
        className="-my-2.5 px-2 text-link"
        aria-description={name}
        onPointerEnter={() => setIsPaused(true)}
        onPointerLeave={() => setIsPaused(false)}
        onFocus={() => setIsPaused(true)}
        onBlur={() => setIsPaused(false)}
        onClick={run}
      >
        Undo
      </Button>
    </span>
  )
}
