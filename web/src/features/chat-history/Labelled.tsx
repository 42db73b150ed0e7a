import type { ReactNode } from 'react'

/** The label that is seen, above a control that says its name itself. */
export function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5 max-sm:col-span-2">
      <span aria-hidden="true" className="font-medium text-sm">
        {label}
      </span>
      {children}
    </div>
  )
}
