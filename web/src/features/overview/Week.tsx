import type { UsageTotals } from '@lyceum/contract/analytics'
import type { Overview } from '@lyceum/contract/overview'
import { useId } from 'react'
import { Card } from '#ui/Card.tsx'
import { TextLink } from '#ui/TextLink.tsx'

const figures: readonly { label: string; read: (totals: UsageTotals) => number }[] = [
  { label: 'Questions', read: ({ messages }) => messages },
  { label: 'Active users', read: ({ people }) => people },
  { label: 'Not found in the documents', read: ({ refusals }) => refusals },
  { label: 'Failed replies', read: ({ failures }) => failures },
  { label: 'Good ratings', read: ({ good }) => good },
  { label: 'Bad ratings', read: ({ bad }) => bad },
]

/** The last seven days, each figure with the seven days before. */
export function Week({ week: { totals, before } }: { week: NonNullable<Overview['week']> }) {
  const headingId = useId()
  const isEmpty = figures.every(({ read }) => read(totals) === 0 && read(before) === 0)
  return (
    <section aria-labelledby={headingId}>
      <Card>
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <h2 id={headingId} className="font-semibold text-lg">
            Last 7 days
          </h2>
          <TextLink to="/admin/analytics" className="text-sm">
            Open analytics
          </TextLink>
        </div>
        {isEmpty ? (
          <p className="mt-2 text-muted text-sm">No questions in these 7 days or the 7 days before.</p>
        ) : (
          <dl className="mt-4 grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-6">
            {figures.map(({ label, read }) => (
              <div key={label} className="flex min-w-0 flex-col">
                <dt className="text-muted text-xs">{label}</dt>
                <dd className="mt-0.5">
                  <span className="font-semibold text-2xl tabular-nums">{read(totals).toLocaleString()}</span>
                  <span className="block text-muted text-xs">
                    {read(before).toLocaleString()} in the 7 days before
                  </span>
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Card>
    </section>
  )
}
