import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface Props {
  icon: LucideIcon
  children: ReactNode
  hint?: ReactNode
  action?: ReactNode
}

export function EmptyState({ icon: Icon, children, hint, action }: Props) {
  return (
    <div className="flex flex-col items-center gap-3 px-6 py-14 text-center">
      <span className="flex size-12 items-center justify-center rounded-full bg-surface-2 text-muted">
        <Icon aria-hidden="true" className="size-6" strokeWidth={1.5} />
      </span>
      <p className="font-medium text-base">{children}</p>
      {hint && <p className="max-w-sm text-muted text-sm">{hint}</p>}
      {action && <div className="mt-2">{action}</div>}
    </div>
  )
}
