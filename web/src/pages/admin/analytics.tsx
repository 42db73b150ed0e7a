import { ChannelTable } from '#features/analytics/ChannelTable.tsx'
import { DocumentTable } from '#features/analytics/DocumentTable.tsx'
import { Overview } from '#features/analytics/Overview.tsx'
import { QuestionTable } from '#features/analytics/QuestionTable.tsx'
import { RangeFilter } from '#features/analytics/RangeFilter.tsx'
import {
  type AnalyticsView,
  analyticsTabs,
  useAnalyticsView,
} from '#features/analytics/use-analytics-view.ts'
import { ChannelFilter } from '#features/documents/ChannelFilter.tsx'
import { cx } from '#ui/cx.ts'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { Tabs } from '#ui/Tabs.tsx'
import { VisibleLabel } from '#ui/VisibleLabel.tsx'

interface PanelProps {
  view: AnalyticsView
  onChange: (change: Partial<AnalyticsView>) => void
}

function Panel({ view, onChange }: PanelProps) {
  const { tab, from, to, channelId, page, state } = view
  const scope = { from, to, channelId }
  function goToPage(next: number): void {
    onChange({ page: next })
  }
  switch (tab) {
    case 'overview':
      return <Overview scope={scope} />
    case 'channels':
      return (
        <ChannelTable
          scope={scope}
          page={page}
          onPage={goToPage}
          onChannel={(id) => onChange({ channelId: id, tab: 'overview' })}
        />
      )
    case 'documents':
      return <DocumentTable scope={scope} page={page} onPage={goToPage} />
    case 'questions':
      return <QuestionTable scope={scope} page={page} state={state} onChange={onChange} />
  }
}

export function AnalyticsPage() {
  const { view, updateView } = useAnalyticsView()
  return (
    <div className="flex-1 bg-surface">
      <ResultBanner />
      <div className="mx-auto flex w-full max-w-7xl flex-col gap-5 px-4 py-6 md:px-6 md:py-8">
        <div className="flex flex-col gap-1">
          <h1 className="font-semibold text-2xl">Analytics</h1>
          <p className="text-muted text-sm">
            Usage and answer quality. Days are in UTC. Deleted users and channels stay in the totals.
          </p>
        </div>
        <section
          aria-label="Filters"
          className={cx(
            'flex flex-col gap-3 sm:grid sm:grid-cols-2 sm:items-start',
            view.days === null && 'lg:grid-cols-4',
          )}
        >
          <RangeFilter view={view} onChange={updateView} />
          <VisibleLabel label="Channel">
            <ChannelFilter channelId={view.channelId} onChange={(channelId) => updateView({ channelId })} />
          </VisibleLabel>
        </section>
        <Tabs label="Analytics" tabs={analyticsTabs} value={view.tab} onChange={(tab) => updateView({ tab })}>
          <Panel view={view} onChange={updateView} />
        </Tabs>
      </div>
    </div>
  )
}
