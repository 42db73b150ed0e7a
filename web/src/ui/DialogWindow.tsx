import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type FocusEvent, type ReactNode, useEffect, useRef } from 'react'
import { backdropStyle } from './backdrop-style.ts'
import { cx } from './cx.ts'
import { DialogResults } from './DialogResults.tsx'
import { findFirstControl } from './first-control.ts'

export interface DialogProps {
  open: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  size?: 'small' | 'regular' | 'wide'
  children: ReactNode
  /** Buttons, the primary one last. */
  footer?: ReactNode
  /** The first field is not there yet. It receives the focus once it is, unless the user has moved the focus. */
  isLoading?: boolean | undefined
  /** Returns false when the focus should stay where it is on close, or the element to focus. */
  finalFocus?: (() => HTMLElement | boolean) | undefined
  /** Clicks on the backdrop do not close the dialog, because that would lose input. */
  ignoresBackdrop?: boolean
}

const widths = { small: 'max-w-md', regular: 'max-w-xl', wide: 'max-w-5xl' }

/** The window of a dialog. It traps the focus and restores it on close. */
export function DialogWindow({
  open,
  onClose,
  title,
  description,
  size = 'regular',
  children,
  footer,
  isLoading = false,
  finalFocus,
  ignoresBackdrop = false,
}: DialogProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const awaitsFields = useRef(false)
  useEffect(() => {
    if (!isLoading && awaitsFields.current) findFirstControl(content.current)?.focus()
  }, [isLoading])

  function findInitialFocus(): HTMLElement | null {
    awaitsFields.current = isLoading
    return (isLoading ? null : findFirstControl(content.current)) ?? heading.current
  }
  function handleFocus({ target }: FocusEvent<HTMLElement>): void {
    if (target !== heading.current) awaitsFields.current = false
  }
  return (
    <Base.Root
      open={open}
      onOpenChange={(next) => !next && onClose()}
      disablePointerDismissal={ignoresBackdrop}
    >
      <Base.Portal>
        <Base.Backdrop className={backdropStyle} />
        {/* Above it is room for a result with one line, or with two on phones. */}
        <Base.Viewport className="fixed inset-0 flex items-end justify-center pt-19 sm:items-center sm:px-6 sm:pt-14 sm:pb-6">
          <Base.Popup
            onFocus={handleFocus}
            initialFocus={findInitialFocus}
            finalFocus={finalFocus}
            className={cx(
              'fading relative flex max-h-full w-full flex-col rounded-t-dialog bg-page shadow-float outline-none sm:rounded-dialog dark:border dark:border-hairline dark:bg-surface',
              widths[size],
            )}
          >
            <header className="py-5 pr-16 pb-3 pl-6">
              <Base.Title
                ref={heading}
                tabIndex={-1}
                dir="auto"
                className="wrap-anywhere line-clamp-2 rounded-sm text-start font-semibold text-lg"
              >
                {title}
              </Base.Title>
              {description && (
                <Base.Description className="mt-1 text-muted text-sm">{description}</Base.Description>
              )}
            </header>
            <div ref={content} className="min-h-0 flex-1 overflow-y-auto px-6 pt-1 pb-6">
              {children}
            </div>
            {footer && (
              <footer className="flex flex-wrap justify-end gap-3 border-hairline border-t px-6 py-4">
                {footer}
              </footer>
            )}
            {open && <DialogResults />}
            {/* Last, so that the Tab key reaches the content before this button. */}
            <Base.Close
              aria-label="Close"
              className="absolute top-3.5 right-3.5 inline-flex size-10 shrink-0 items-center justify-center rounded-control text-muted hover:bg-surface-2 hover:text-ink"
            >
              <X aria-hidden="true" className="size-5" />
            </Base.Close>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}
