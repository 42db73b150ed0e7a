import type { ReactNode } from 'react'

interface Props {
  /** The name of the row, for screen readers. */
  of: string
  children: ReactNode
}

/** What a row of a list shows only on request. */
export function RowDetails({ of, children }: Props) {
  return (
    <details className="min-w-0 text-xs leading-5">
      <summary className="w-fit cursor-pointer rounded-control py-1.5 text-muted pointer-coarse:min-h-11 pointer-coarse:py-3">
        Details<span className="sr-only"> of {of}</span>
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
