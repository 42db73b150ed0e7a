import type { ReactNode } from 'react'

interface Props {
  label: string
  children: ReactNode
}

/** Shows a label above a control that has its own accessible name. */
export function VisibleLabel({ label, children }: Props) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5 max-sm:col-span-2">
      <span aria-hidden="true" className="font-medium text-sm">
        {label}
      </span>
      {children}
    </div>
  )
}
