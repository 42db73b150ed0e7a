import { ChevronLeft, ChevronRight } from 'lucide-react'
import { cx } from './cx.ts'
import { pageNumbers } from './page-numbers.ts'

interface Props {
  /** From 1. */
  page: number
  totalPages: number
  onChange: (page: number) => void
  label?: string
}

const buttonStyle =
  'inline-flex h-10 min-w-10 items-center justify-center gap-1 rounded-control px-2 font-medium text-sm tabular-nums ' +
  'transition-colors enabled:hover:bg-surface-2 disabled:cursor-not-allowed disabled:opacity-45 pointer-coarse:h-11'

/** Numbered pages with previous and next. Nothing when there is only one. */
export function Pagination({ page, totalPages, onChange, label = 'Pages' }: Props) {
  if (totalPages <= 1) return null
  const numbers = pageNumbers(page, totalPages)
  return (
    <nav aria-label={label} className="flex items-center justify-center gap-1">
      <button type="button" className={buttonStyle} disabled={page <= 1} onClick={() => onChange(page - 1)}>
        <ChevronLeft aria-hidden="true" className="size-4" />
        <span className="sr-only sm:not-sr-only">Previous</span>
      </button>
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
      <button
        type="button"
        className={buttonStyle}
        disabled={page >= totalPages}
        onClick={() => onChange(page + 1)}
      >
        <span className="sr-only sm:not-sr-only">Next</span>
        <ChevronRight aria-hidden="true" className="size-4" />
      </button>
    </nav>
  )
}
