import { useQuery } from '@tanstack/react-query'
import { MessagesSquare, Plus } from 'lucide-react'
import { useSession } from '#features/auth/SessionProvider.tsx'
import { useCan, usePermissionCheck } from '#features/auth/use-can.ts'
import { ChannelCard } from '#features/channels/ChannelCard.tsx'
import { channelsQuery, isOwnChannel } from '#features/channels/queries.ts'
import { dashboardBackgroundQuery } from '#features/settings/background/background-query.ts'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { useObjectUrl } from '#lib/use-object-url.ts'
import { buttonStyle } from '#ui/button-style.ts'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Link } from '#ui/Link.tsx'
import { Loading } from '#ui/Spinner.tsx'

// Both are below the channels and loaded on demand, so that the channels appear first.
const RecentChats = lazyComponent(
  async () => (await import('#features/chats/recent/RecentChats.tsx')).RecentChats,
)
const SetupPanel = lazyComponent(
  async () => (await import('#features/get-started/SetupPanel.tsx')).SetupPanel,
)

/** Without these parts, the dashboard is complete. The failure is logged. */
function ignoreLoadError(): void {}

interface NoChannelsProps {
  /** The number of channels in the installation, as far as the user sees them; null if the load failed. */
  channelCount: number | null
}

function NoChannels({ channelCount }: NoChannelsProps) {
  const can = usePermissionCheck()
  const canManage = can('canManageChannels')
  const canCreate = canManage && can('canCreateChannels')
  const empty = { icon: MessagesSquare, children: 'No channels available.' }
  if (canCreate && channelCount === 0)
    return (
      <EmptyState
        {...empty}
        hint="A channel has its own assistant, documents and members."
        action={
          <Link to="/admin/channels?new" className={buttonStyle('primary')}>
            <Plus aria-hidden="true" className="size-4" />
            Create your first channel
          </Link>
        }
      />
    )
  if (canManage)
    return (
      <EmptyState
        {...empty}
        hint={channelCount !== null && channelCount > 0 && 'You are not a member of any channel yet.'}
        action={
          <Link to="/admin/channels" className={buttonStyle()}>
            Manage Channels
          </Link>
        }
      />
    )
  return <EmptyState {...empty} hint="Ask an administrator for access. Your channels will appear here." />
}

export function DashboardPage() {
  const userId = useSession().user?._id
  const canSeeSteps = useCan('canAccessAdminPanel')
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
          <div className="mt-5 flex flex-col gap-5" aria-busy={channels.isPending}>
            {channels.isPending && <Loading label="Loading your channels…" />}
            {!channels.isPending && own.length === 0 && (
              <Card flush>
                <NoChannels channelCount={channels.data?.length ?? null} />
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
            <RecentChats open={own.length > 0} onLoadError={ignoreLoadError} props={{}} />
            <SetupPanel
              open={canSeeSteps && !channels.isPending}
              onLoadError={ignoreLoadError}
              props={{ userId }}
            />
          </div>
        </div>
      </div>
    </div>
  )
}
