import { AlertDialog as Base } from '@base-ui/react/alert-dialog'
import { type ReactNode, useRef } from 'react'
import { Button } from './Button.tsx'
import { backdropStyle } from './backdrop-style.ts'
import { DialogResults } from './DialogResults.tsx'

export interface ConfirmDialogProps {
  open: boolean
  title: string
  children: ReactNode
  confirmLabel: string
  cancelLabel?: string
  tone?: 'danger' | 'primary'
  busy?: boolean
  onConfirm: () => void
  onCancel: () => void
  /** The element to focus on close, when the one that opened the dialog may be gone. */
  finalFocus?: () => HTMLElement | boolean | null
}

/** The window of a confirmation. The cancel button has the initial focus. */
export function ConfirmDialogWindow({
  open,
  title,
  children,
  confirmLabel,
  cancelLabel = 'Cancel',
  tone = 'danger',
  busy = false,
  onConfirm,
  onCancel,
  finalFocus,
}: ConfirmDialogProps) {
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onCancel()}>
      <Base.Portal>
        {/* Also above another dialog, which a question would otherwise not be told from. */}
        <Base.Backdrop forceRender className={backdropStyle} />
        <Base.Viewport className="fixed inset-0 flex items-end justify-center sm:items-center sm:p-6">
          <Base.Popup
            initialFocus={cancel}
            finalFocus={finalFocus}
            className="fading w-full max-w-md rounded-t-dialog bg-page p-6 shadow-float outline-none sm:rounded-dialog dark:border dark:border-hairline dark:bg-surface"
          >
            <Base.Title className="font-semibold text-lg">{title}</Base.Title>
            <Base.Description render={<div />} className="mt-2 text-muted text-sm">
              {children}
            </Base.Description>
            <div className="mt-6 flex flex-wrap justify-end gap-3">
              <Button ref={cancel} onClick={onCancel}>
                {cancelLabel}
              </Button>
              <Button variant={tone} busy={busy} onClick={onConfirm}>
                {confirmLabel}
              </Button>
            </div>
            {open && <DialogResults />}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}
