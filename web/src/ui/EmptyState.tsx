import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useLostFocus } from '#lib/use-lost-focus.ts'

interface Props {
  icon: LucideIcon
  children: ReactNode
  hint?: ReactNode
  action?: ReactNode
}

/** Takes the place of what is missing. If the focused action disappears with it, the page or dialog gets the focus. */
export function EmptyState({ icon: Icon, children, hint, action }: Props) {
  const state = useRef<HTMLDivElement>(null)
  useLostFocus(state, (_, container) =>
    container.closest<HTMLElement>('[role="dialog"], #main')?.focus({ preventScroll: true }),
  )
  return (
    <div ref={state} className="flex flex-col items-center gap-3 px-6 py-14 text-center">
      <span className="flex size-12 items-center justify-center rounded-full bg-surface-2 text-muted">
        <Icon aria-hidden="true" className="size-6" strokeWidth={1.5} />
      </span>
      <p className="font-medium text-base">{children}</p>
      {hint && <p className="max-w-sm text-muted text-sm">{hint}</p>}
      {action && <div className="mt-2">{action}</div>}
    </div>
  )
}
