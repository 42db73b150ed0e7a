import { useQuery } from '@tanstack/react-query'
import { ChartNoAxesColumn, TriangleAlert } from 'lucide-react'
import { messageOf } from '#api/api-error.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Charts } from './Charts.tsx'
import { ExportButton } from './ExportButton.tsx'
import { Figures } from './Figures.tsx'
import { ModelTable } from './ModelTable.tsx'
import { analyticsQuery, type Scope } from './queries.ts'

function OverviewSkeleton() {
  return (
    <div role="status" className="flex flex-col gap-6">
      <span className="sr-only">Loading the figures…</span>
      <div className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-6">
        {Array.from({ length: 6 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders are identical
          <Skeleton key={index} className="h-33 rounded-card" />
        ))}
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        {Array.from({ length: 6 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders are identical
          <Skeleton key={index} className="h-80 rounded-card" />
        ))}
      </div>
    </div>
  )
}

/** The totals, daily charts and models of the period. */
export function Overview({ scope }: { scope: Scope }) {
  const { data, error, isPlaceholderData, refetch } = useQuery(analyticsQuery(scope))
  if (data === undefined) {
    if (error === null) return <OverviewSkeleton />
    return (
      <Card flush>
        <EmptyState
          icon={TriangleAlert}
          hint={messageOf(error, '')}
          action={<Button onClick={() => void refetch()}>Try again</Button>}
        >
          {texts.analytics.loadFailed}
        </EmptyState>
      </Card>
    )
  }
  if (data.totals.messages + data.totals.replies === 0) {
    return (
      <Card flush aria-busy={isPlaceholderData}>
        <EmptyState icon={ChartNoAxesColumn} hint="Try a longer period or all channels.">
          No questions in this period.
        </EmptyState>
      </Card>
    )
  }
  return (
    <div aria-busy={isPlaceholderData} className="flex flex-col gap-6">
      <Figures analytics={data} />
      <section aria-label="Days" className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h2 className="font-semibold text-lg">Day by day</h2>
          <ExportButton table="days" name="days" scope={scope} />
        </div>
        <Charts days={data.days} />
      </section>
      <ModelTable models={data.models} scope={scope} />
    </div>
  )
}
