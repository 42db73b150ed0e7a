import type { Channel } from '@lyceum/contract/channels'
import { useQuery } from '@tanstack/react-query'
import { MessagesSquare, Plus } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '#features/auth/SessionProvider.tsx'
import { useCan, usePermissionCheck } from '#features/auth/use-can.ts'
import { ChannelCard } from '#features/channels/ChannelCard.tsx'
import { findChannels } from '#features/channels/find-channels.ts'
import { channelsQuery, isOwnChannel } from '#features/channels/queries.ts'
import { recentChatsQuery } from '#features/chats/queries.ts'
import { RecentChats } from '#features/chats/recent/RecentChats.tsx'
import { dashboardBackgroundQuery } from '#features/settings/background/background-query.ts'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { useObjectUrl } from '#lib/use-object-url.ts'
import { buttonStyle } from '#ui/button-style.ts'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Link } from '#ui/Link.tsx'
import { SearchInput } from '#ui/SearchInput.tsx'
import { Loading } from '#ui/Spinner.tsx'

// Below the channels and loaded on demand, so that the channels appear first.
const SetupPanel = lazyComponent(
  async () => (await import('#features/get-started/SetupPanel.tsx')).SetupPanel,
)

/** From this number of channels on, they can be filtered. */
const filterFrom = 9

/** Without the steps, the dashboard is complete. The failure is logged. */
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

function ChannelGrid({ channels }: { channels: readonly Channel[] }) {
  const [search, setSearch] = useState('')
  const isFilterable = channels.length >= filterFrom
  const shown = isFilterable ? findChannels(channels, search) : channels
  return (
    <>
      {isFilterable && (
        <SearchInput
          label="Find a channel"
          value={search}
          onSearch={setSearch}
          className="max-sm:w-full sm:w-80"
        />
      )}
      {shown.length === 0 && (
        <Card flush>
          <EmptyState icon={MessagesSquare}>{`No channel matches “${search}”.`}</EmptyState>
        </Card>
      )}
      <ul className="grid gap-2 sm:grid-cols-2 sm:gap-4 lg:grid-cols-3 xl:grid-cols-4">
        {shown.map((channel) => (
          <li key={channel._id}>
            <ChannelCard channel={channel} />
          </li>
        ))}
      </ul>
    </>
  )
}

export function DashboardPage() {
  const userId = useSession().user?._id
  const canSeeSteps = useCan('canAccessAdminPanel')
  const channels = useQuery({ ...channelsQuery(), meta: { quiet: true } })
  const recent = useQuery(recentChatsQuery())
  // Both appear together, so that the recent chats do not push the channels down. A failed load is not waited for.
  const isPending = channels.isPending || (recent.isPending && recent.failureCount === 0)
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
          <div className="mt-5 flex flex-col gap-5" aria-busy={isPending}>
            {isPending && <Loading label="Loading your channels…" />}
            {!isPending && own.length === 0 && (
              <Card flush>
                <NoChannels channelCount={channels.data?.length ?? null} />
              </Card>
            )}
            {!isPending && own.length > 0 && (
              <>
                <RecentChats chats={recent.data?.chats ?? []} />
                <ChannelGrid channels={own} />
              </>
            )}
            <SetupPanel open={canSeeSteps && !isPending} onLoadError={ignoreLoadError} props={{ userId }} />
          </div>
        </div>
      </div>
    </div>
  )
}
