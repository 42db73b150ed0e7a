import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { backdropStyle } from './backdrop-style.ts'
import { DialogResults } from './DialogResults.tsx'

interface Props {
  open: boolean
  onClose: () => void
  label: string
  children: ReactNode
}

/** A panel that slides in from the left on narrow screens. Closes with its button, Escape or the backdrop. */
export function Drawer({ open, onClose, label, children }: Props) {
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={backdropStyle} />
        <Base.Popup
          data-drawer
          className="fixed inset-y-0 left-0 flex w-[min(20rem,calc(100vw-3rem))] flex-col bg-surface-2 shadow-float outline-none transition-transform duration-200 ease-out data-[ending-style]:-translate-x-full data-[starting-style]:-translate-x-full"
        >
          <header className="flex items-center justify-between gap-2 border-hairline border-b py-2 pr-2 pl-4">
            <Base.Title className="font-semibold text-sm">{label}</Base.Title>
            <Base.Close
              aria-label="Close"
              className="inline-flex size-10 items-center justify-center rounded-control text-muted hover:bg-hairline hover:text-ink pointer-coarse:size-11"
            >
              <X aria-hidden="true" className="size-5" />
            </Base.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
          {open && <DialogResults />}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
