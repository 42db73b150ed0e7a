import type { ServerNode } from '@lyceum/contract/status'
import { Server } from 'lucide-react'
import { formatDateTime } from '#lib/date-time.ts'
import { Card } from '#ui/Card.tsx'

const roleNames: Record<ServerNode['role'], string> = { all: 'Web and jobs', web: 'Web', worker: 'Jobs' }

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
          {nodes.map(({ _id, name, role, version, lastSeenAt }) => (
            <li
              key={_id}
              className="flex flex-wrap justify-between gap-x-4 border-hairline border-b py-1.5 tabular-nums"
            >
              <span className="wrap-anywhere min-w-0">{name}</span>
              <span className="text-muted">
                {roleNames[role]} · Lyceum {version} · Last seen {formatDateTime(lastSeenAt)}
              </span>
            </li>
          ))}
        </ul>
      </section>
    </Card>
  )
}
