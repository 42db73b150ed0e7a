import type { Citation } from '@lyceum/contract/citations'
import { use, useId } from 'react'
import { CitationsContext, locationLabel, unavailableLabel } from './citation.ts'

/** The documents that a reply cites. */
export function Sources({ citations }: { citations: readonly Citation[] }) {
  const { open } = use(CitationsContext)
  const heading = useId()
  return (
    <div dir="ltr" className="space-y-1.5 pt-1">
      <h3 id={heading} className="text-xs leading-4 font-semibold text-muted">
        Sources
      </h3>
      <ol aria-labelledby={heading} className="flex flex-wrap gap-2">
        {citations.map((citation) => (
          <li key={citation.n} className="max-w-full">
            {citation.available ? (
              <button
                type="button"
                onClick={() => open?.(citation)}
                className={`${card} text-ink hover:border-control hover:bg-surface`}
              >
                <SourceLine citation={citation} />
              </button>
            ) : (
              <span className={`${card} text-muted`}>
                <SourceLine citation={citation} />
              </span>
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}

const card =
  'flex min-h-9 max-w-full items-center gap-2 rounded-lg border border-hairline px-2.5 py-1 text-start text-sm transition-colors'

function SourceLine({ citation }: { citation: Citation }) {
  const location = locationLabel(citation)
  return (
    <>
      <span className="text-xs font-semibold text-muted tabular-nums">
        <span className="sr-only">Source </span>
        {citation.n}
      </span>
      <span
        dir="auto"
        translate="no"
        className={`min-w-0 truncate ${citation.available ? '' : 'line-through'}`}
      >
        {citation.title}
      </span>
      <span dir="auto" className="min-w-0 max-w-48 shrink-999 truncate text-xs text-muted">
        {citation.available ? location : unavailableLabel(citation)}
      </span>
    </>
  )
}
