import type { FailedJob, SystemStatus } from '@lyceum/contract/status'
import { ListChecks } from 'lucide-react'
import { formatDateTime } from '#lib/date-time.ts'
import { formatCount } from '#lib/format-count.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Status } from '#ui/Status.tsx'
import { useRetryJob } from './mutations.ts'

function FailedJobItem({ job }: { job: FailedJob }) {
  const retry = useRetryJob()
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-hairline border-t py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="text-sm">
          <code className="wrap-anywhere text-xs">{job.name}</code>
          <span className="text-muted">
            {' '}
            · {formatDateTime(job.addedAt)} · {formatCount(job.attempts, 'attempt')}
          </span>
        </p>
        <p className="wrap-anywhere mt-1 text-muted text-sm">{job.error}</p>
      </div>
      <Button size="small" busy={retry.isPending} onClick={() => retry.mutate(job._id)}>
        Retry
      </Button>
    </li>
  )
}

/** Counts of background jobs, and the failed ones with a retry button. */
export function JobsCard({ hasWorker, waiting, running, failed, failures }: SystemStatus['jobs']) {
  return (
    <Card className={failures.length > 0 ? 'md:col-span-2' : ''}>
      <section aria-labelledby="jobs" className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 id="jobs" className="flex min-w-0 flex-1 items-center gap-2 font-semibold">
            <ListChecks aria-hidden="true" className="size-4.5 shrink-0 text-muted" strokeWidth={1.75} />
            Background jobs
          </h3>
          {hasWorker ? (
            <Status tone={failed === 0 ? 'success' : 'warning'}>
              {failed === 0 ? 'OK' : `${failed.toLocaleString()} failed`}
            </Status>
          ) : (
            <Status tone="danger">Not running</Status>
          )}
        </div>
        {!hasWorker && (
          <p className="text-sm">
            No server that runs jobs has been seen for a minute. Start one with <code>RUN=worker</code> or{' '}
            <code>RUN=all</code>.
          </p>
        )}
        <p className="text-sm">
          {waiting.toLocaleString()} queued, {running.toLocaleString()} running.
        </p>
        {failures.length > 0 && (
          <ul aria-label="Failed jobs" className="flex flex-col">
            {failures.map((job) => (
              <FailedJobItem key={job._id} job={job} />
            ))}
          </ul>
        )}
        {failed > failures.length && (
          <p className="text-muted text-sm">Only the {failures.length} most recent are listed.</p>
        )}
      </section>
    </Card>
  )
}
