import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'

interface Props {
  /** Starts at 1. */
  page: number
  totalPages: number
  onChange: (page: number) => void
  label?: string
}

const buttonStyle =
  'inline-flex h-10 min-w-10 items-center justify-center gap-1 rounded-control px-2 font-medium text-sm tabular-nums ' +
  'transition-colors not-aria-disabled:hover:bg-surface-2 aria-disabled:cursor-not-allowed aria-disabled:opacity-45 pointer-coarse:h-11'

/** The pages to offer: the first, the last and those around the current one. 'gap' marks omitted pages. */
export function listPages(current: number, total: number): (number | 'gap')[] {
  const shown = new Set([1, total, current - 1, current, current + 1])
  // A gap of one page would take as much space as the page itself.
  if (current <= 4) for (const page of [2, 3, 4, 5]) shown.add(page)
  if (current >= total - 3) for (const back of [1, 2, 3, 4]) shown.add(total - back)
  const pages = [...shown].filter((page) => page >= 1 && page <= total).sort((a, b) => a - b)
  return pages.flatMap((page, index) => {
    const before = pages[index - 1]
    return before !== undefined && page - before > 1 ? (['gap', page] as const) : [page]
  })
}

interface StepProps {
  /** There is no further page in its direction. The button stays focusable, because it may have led to this page. */
  isLast: boolean
  onClick: () => void
  children: ReactNode
}

function StepButton({ isLast, onClick, children }: StepProps) {
  return (
    <button
      type="button"
      aria-disabled={isLast}
      className={buttonStyle}
      onClick={isLast ? undefined : onClick}
    >
      {children}
    </button>
  )
}

/** Numbered pages with previous and next buttons. Renders nothing for a single page. */
export function Pagination({ page, totalPages, onChange, label = 'Pages' }: Props) {
  if (totalPages <= 1) return null
  const numbers = listPages(page, totalPages)
  return (
    <nav aria-label={label} className="flex items-center justify-center gap-1">
      <StepButton isLast={page <= 1} onClick={() => onChange(page - 1)}>
        <ChevronLeft aria-hidden="true" className="size-4" />
        <span className="sr-only sm:not-sr-only">Previous</span>
      </StepButton>
      <span className="px-2 text-muted text-sm tabular-nums sm:hidden">
        {page} of {totalPages}
      </span>
      <ul className="hidden items-center gap-1 sm:flex">
        {numbers.map((entry, index) => (
          <li key={entry === 'gap' ? `gap-${numbers[index - 1]}` : entry}>
            {entry === 'gap' ? (
              <span className="px-1 text-muted">…</span>
            ) : (
              <button
                type="button"
                aria-label={`Page ${entry}`}
                aria-current={entry === page ? 'page' : undefined}
                className={cx(
                  buttonStyle,
                  entry === page && 'bg-accent-soft text-primary-700 dark:text-primary-200',
                )}
                onClick={() => onChange(entry)}
              >
                {entry}
              </button>
            )}
          </li>
        ))}
      </ul>
      <StepButton isLast={page >= totalPages} onClick={() => onChange(page + 1)}>
        <span className="sr-only sm:not-sr-only">Next</span>
        <ChevronRight aria-hidden="true" className="size-4" />
      </StepButton>
    </nav>
  )
}
