import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'

interface Props {
  /** The name of the row, for screen readers. */
  of: string
  children: ReactNode
}

/** What a row of a list shows only on request. */
export function RowDetails({ of, children }: Props) {
  return (
    <details className="group min-w-0 text-xs leading-5">
      <summary className="flex w-fit cursor-pointer list-none items-center gap-1 rounded-control py-1.5 font-medium text-link pointer-coarse:min-h-11 pointer-coarse:py-3 [&::-webkit-details-marker]:hidden">
        <span>
          Details<span className="sr-only"> of {of}</span>
        </span>
        <ChevronDown aria-hidden="true" className="size-4 transition-transform group-open:rotate-180" />
      </summary>
      <div className="wrap-anywhere flex flex-col gap-0.5 pb-1">{children}</div>
    </details>
  )
}

/** Places the main facts, the details and the button of a row. On phones, the button is beside the details. */
export const detailedRow = {
  row: 'grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] gap-x-4',
  main: 'min-w-0 max-sm:col-span-2',
  action: 'col-start-2 row-start-2 self-start sm:row-span-2 sm:row-start-1',
} as const
