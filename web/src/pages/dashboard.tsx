import { useQuery } from '@tanstack/react-query'
import { MessagesSquare } from 'lucide-react'
import { ChannelCard } from '#features/channels/ChannelCard.tsx'
import { channelsQuery, isOwnChannel } from '#features/channels/queries.ts'
import { dashboardBackgroundQuery } from '#features/settings/background/background-query.ts'
import { useObjectUrl } from '#lib/use-object-url.ts'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loading } from '#ui/Spinner.tsx'

export function DashboardPage() {
  const channels = useQuery({ ...channelsQuery(), meta: { quiet: true } })
  const background = useObjectUrl(useQuery(dashboardBackgroundQuery()).data)
  // A failed load is logged and shows an empty list.
  const own = (channels.data ?? []).filter(isOwnChannel)
  return (
    <div
      className="flex-1 bg-center bg-cover bg-fixed"
      style={background === null ? undefined : { backgroundImage: `url("${background}")` }}
    >
      <div className="mx-auto w-full max-w-7xl px-4 py-6 md:px-6 md:py-8">
        {/* Over an image the text has its own surface, so that its contrast does not depend on the image. */}
        <div className={background === null ? '' : 'rounded-dialog bg-surface/95 p-4 sm:p-6'}>
          <h1 className="font-semibold text-2xl">Your Channels</h1>
          <div className="mt-5" aria-busy={channels.isPending}>
            {channels.isPending && <Loading label="Loading your channels…" />}
            {!channels.isPending && own.length === 0 && (
              <Card flush>
                <EmptyState
                  icon={MessagesSquare}
                  hint="Ask an administrator for access. Your channels will appear here."
                >
                  No channels available.
                </EmptyState>
              </Card>
            )}
            {own.length > 0 && (
              <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
                {own.map((channel) => (
                  <li key={channel._id}>
                    <ChannelCard channel={channel} />
                  </li>
                ))}
              </ul>
            )}
          </div>
        </div>
      </div>
    </div>
  )
}
