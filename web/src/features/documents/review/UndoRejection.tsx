import type { Document } from '@lyceum/contract/documents'
import { X } from 'lucide-react'
import type { Ref } from 'react'
import { Button } from '#ui/Button.tsx'
import { Status } from '#ui/Status.tsx'
import type { UndoOffer } from './use-undo-offer.ts'

interface Props {
  ref: Ref<HTMLButtonElement>
  document: Document
  /** The document as it was rejected. */
  offered: Document
  undo: UndoOffer
}

/** Undoes a rejection. It disappears after ten seconds, but not while it is hovered or focused. */
export function UndoRejection({ ref, document, offered, undo: { run, setIsPaused } }: Props) {
  return (
    <span className="flex items-center gap-1.5 text-sm">
      {document.status !== 'rejected' && (
        <Status tone="danger" icon={X}>{`Version ${offered.version.number} rejected`}</Status>
      )}
      <span aria-hidden="true" className="text-muted">
        ·
      </span>
      <Button
        ref={ref}
        size="small"
        variant="ghost"
        // Does not make the row higher.
        className="-my-2.5 -ms-1.5 px-2 underline underline-offset-4"
        aria-description={offered.originalName}
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
