import type { ServerNode } from '@lyceum/contract/status'
import { Server } from 'lucide-react'
import { formatDateTime } from '#lib/date-time.ts'
import { formatCount } from '#lib/format-count.ts'
import { Card } from '#ui/Card.tsx'
import { Status } from '#ui/Status.tsx'

const roleNames: Record<ServerNode['role'], string> = { all: 'Web and jobs', web: 'Web', worker: 'Jobs' }

/** Smaller differences, in milliseconds, change nothing that a user would notice. */
const clockTolerance = 2000

/** What an administrator should know about a server, besides what it does. */
function describeTrouble({ state, clockDifference }: ServerNode): string[] {
  const seconds = Math.round(Math.abs(clockDifference) / 1000)
  return [
    ...(state === 'draining' ? ['Stopping'] : []),
    ...(Math.abs(clockDifference) > clockTolerance
      ? [`Clock ${formatCount(seconds, 'second')} ${clockDifference > 0 ? 'fast' : 'slow'}`]
      : []),
  ]
}

/** The servers of an installation that runs several. */
export function ServersCard({ nodes }: { nodes: readonly ServerNode[] }) {
  return (
    <Card>
      <section aria-labelledby="servers" className="flex flex-col gap-3">
        <h3 id="servers" className="flex items-center gap-2 font-semibold">
          <Server aria-hidden="true" className="size-4.5 shrink-0 text-muted" strokeWidth={1.75} />
          Servers
        </h3>
        <ul aria-label="Servers" className="flex flex-col text-sm">
          {nodes.map((node) => (
            <li
              key={node._id}
              className="flex flex-wrap justify-between gap-x-4 border-hairline border-b py-1.5 tabular-nums"
            >
              <span className="wrap-anywhere flex min-w-0 flex-wrap gap-x-3 gap-y-1">
                {node.name}
                {describeTrouble(node).map((trouble) => (
                  <Status key={trouble} tone="warning">
                    {trouble}
                  </Status>
                ))}
              </span>
              <span className="text-muted">
                {roleNames[node.role]} · Lyceum {node.version} · Last seen {formatDateTime(node.lastSeenAt)}
              </span>
            </li>
          ))}
        </ul>
      </section>
    </Card>
  )
}
