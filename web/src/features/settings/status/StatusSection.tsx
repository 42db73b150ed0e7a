import { useQuery } from '@tanstack/react-query'
import { Activity } from 'lucide-react'
import { messageOf } from '#api/api-error.ts'
import { formatDateTime } from '#lib/date-time.ts'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { systemStatusQuery } from '../queries.ts'
import { JobsCard } from './JobsCard.tsx'
import { PartCard } from './PartCard.tsx'
import { ServersCard } from './ServersCard.tsx'

const refreshMs = 15_000

function StatusSkeleton() {
  return (
    <div role="status" className="grid gap-4 md:grid-cols-2">
      <span className="sr-only">Loading the system status…</span>
      {['mail', 'model', 'search', 'storage'].map((part) => (
        <Skeleton key={part} className="h-56 rounded-card" />
      ))}
    </div>
  )
}

function PartGrid() {
  const { data, error, refetch } = useQuery({ ...systemStatusQuery(), refetchInterval: refreshMs })
  if (data === undefined && error === null) return <StatusSkeleton />
  if (data === undefined) {
    return (
      <Card flush>
        <EmptyState
          icon={Activity}
          hint={messageOf(error, '')}
          action={<Button onClick={() => void refetch()}>Try again</Button>}
        >
          {texts.status.loadFailed}
        </EmptyState>
      </Card>
    )
  }
  return (
    <>
      {error !== null && (
        <Banner tone="warning">
          {texts.status.loadFailed} Last update: {formatDateTime(data.at)}.
        </Banner>
      )}
      <p className="text-muted text-sm">Lyceum {data.version}. Updates every 15 seconds.</p>
      <div className="gap-4 *:mb-4 *:break-inside-avoid md:columns-2">
        {data.parts.map((part) => (
          <PartCard key={part.part} {...part} />
        ))}
        <JobsCard {...data.jobs} />
        {data.nodes.length > 1 && <ServersCard nodes={data.nodes} />}
      </div>
    </>
  )
}

/** The status of the installation's parts and background jobs. */
export function StatusSection() {
  return (
    <section aria-labelledby="status" className="flex flex-col gap-4">
      <h2 id="status" className="font-semibold text-lg">
        Status
      </h2>
      <PartGrid />
    </section>
  )
}
