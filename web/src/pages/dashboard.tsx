import type { Channel } from '@lyceum/contract/channels'
import type { RecentChat } from '@lyceum/contract/chats'
import { useQuery } from '@tanstack/react-query'
import { MessagesSquare, Plus } from 'lucide-react'
import { useCallback, useId, useState } from 'react'
import { useUser } from '#features/auth/SessionProvider.tsx'
import { usePermissionCheck } from '#features/auth/use-can.ts'
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
import { cx } from '#ui/cx.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Link } from '#ui/Link.tsx'
import { SearchInput } from '#ui/SearchInput.tsx'
import { Loading } from '#ui/Spinner.tsx'

// Below the channels and loaded on demand, so that the channels appear first.
const SetupPanel = lazyComponent(
  async () => (await import('#features/get-started/SetupPanel.tsx')).SetupPanel,
)

// Its code is large and would be loaded with every page.
const AskForm = lazyComponent(async () => (await import('#features/chats/AskForm.tsx')).AskForm)

/** From this number of channels on, they can be filtered. */
const filterFrom = 9

/** With a filter, this many of the channels that the user used last come first. */
const recentCount = 4

/** Without the steps, the dashboard is complete. The failure is logged. */
function ignoreLoadError(): void {}

interface NoChannelsProps {
  /** The number of channels in the installation, as far as the user sees them; null if the load failed. */
  channelCount: number | null
}

function NoChannels({ channelCount }: NoChannelsProps) {
  const can = usePermissionCheck()
  const isLoaded = channelCount !== null
  const empty = { icon: MessagesSquare, children: 'No channels available.' }
  const notMember = 'You are not a member of any channel yet.'
  if (can('canManageChannels'))
    return (
      <EmptyState
        {...empty}
        hint={isLoaded && channelCount > 0 && notMember}
        action={
          <Link to="/admin/channels" className={buttonStyle()}>
            Manage Channels
          </Link>
        }
      />
    )
  if (can('canAccessAdminPanel'))
    return (
      <EmptyState
        {...empty}
        hint={isLoaded && notMember}
        action={
          <Link to="/admin" className={buttonStyle()}>
            Open the admin area
          </Link>
        }
      />
    )
  return (
    <EmptyState
      {...empty}
      hint={isLoaded && 'Ask an administrator for access. Your channels will appear here.'}
    />
  )
}

interface GridProps {
  channels: readonly Channel[]
  /** Recent chats are beside it on wide screens. */
  isNarrow: boolean
  heading?: string
}

/** Shown when the user has dismissed the steps, the first of which creates a channel. */
function CreateFirstChannel() {
  return (
    <div>
      <Link to="/admin/channels?new" className={buttonStyle('primary')}>
        <Plus aria-hidden="true" className="size-4" />
        Create your first channel
      </Link>
    </div>
  )
}

function ChannelGrid({ channels, isNarrow, heading }: GridProps) {
  const headingId = useId()
  return (
    <div>
      {heading !== undefined && (
        <h3 id={headingId} className="mb-2 font-semibold text-base">
          {heading}
        </h3>
      )}
      <ul
        aria-labelledby={heading === undefined ? undefined : headingId}
        className={cx(
          'grid gap-2 sm:grid-cols-2 sm:gap-4',
          isNarrow ? channels.length !== 4 && 'xl:grid-cols-3' : 'lg:grid-cols-3 xl:grid-cols-4',
        )}
      >
        {channels.map((channel) => (
          <li key={channel._id}>
            <ChannelCard channel={channel} />
          </li>
        ))}
      </ul>
    </div>
  )
}

interface ManyChannelsProps {
  channels: readonly Channel[]
  search: string
  chats: readonly RecentChat[]
}

/** The matches of the filter. Without one, the channels that the user used last come first. */
function ManyChannels({ channels, search, chats }: ManyChannelsProps) {
  const isNarrow = chats.length > 0
  if (search !== '') {
    const matches = findChannels(channels, search)
    if (matches.length > 0) return <ChannelGrid channels={matches} isNarrow={isNarrow} />
    return (
      <Card flush>
        <EmptyState icon={MessagesSquare}>{`No channel matches “${search}”.`}</EmptyState>
      </Card>
    )
  }
  const usedIds = new Set(chats.map(({ channelId }) => channelId))
  const recent = [...usedIds]
    .flatMap((id) => channels.find(({ _id }) => _id === id) ?? [])
    .slice(0, recentCount)
  if (recent.length === 0) return <ChannelGrid channels={channels} isNarrow={isNarrow} />
  return (
    <>
      <ChannelGrid heading="Recent channels" channels={recent} isNarrow={isNarrow} />
      <ChannelGrid
        heading="Other channels"
        channels={channels.filter((channel) => !recent.includes(channel))}
        isNarrow={isNarrow}
      />
    </>
  )
}

function canAnswer({ isArchived, setupProblem }: Channel): boolean {
  return isArchived !== true && setupProblem === undefined
}

export function DashboardPage() {
  const userId = useUser()?._id
  const can = usePermissionCheck()
  const canSeeSteps = can('canAccessAdminPanel')
  const channels = useQuery({ ...channelsQuery(), meta: { quiet: true } })
  const recent = useQuery(recentChatsQuery())
  // Both appear together, so that the recent chats do not push the channels down. A failed load is not waited for.
  const isPending = channels.isPending || (recent.isPending && recent.failureCount === 0)
  const background = useObjectUrl(useQuery(dashboardBackgroundQuery()).data)
  // A failed load is logged and shows an empty list.
  const own = (channels.data ?? []).filter(isOwnChannel)
  const chats = recent.data?.chats ?? []
  const hasChats = chats.length > 0
  const [firstReady, ...otherReady] = own.filter(canAnswer)
  const [search, setSearch] = useState('')
  const [canAsk, setCanAsk] = useState(true)
  const hideForm = useCallback(() => setCanAsk(false), [])
  const isFirstRun =
    canSeeSteps && can('canManageChannels') && can('canCreateChannels') && channels.data?.length === 0
  const isFilterable = own.length >= filterFrom
  return (
    <div
      className="flex-1 bg-center bg-cover bg-fixed"
      style={background === null ? undefined : { backgroundImage: `url("${background}")` }}
    >
      <div className="mx-auto w-full max-w-7xl px-4 py-6 md:px-6 md:py-8">
        {/* Over an image the text has its own surface, so that its contrast does not depend on the image. */}
        <div className={background === null ? '' : 'rounded-dialog bg-surface/95 p-4 sm:p-6'}>
          <h1 className="sr-only">Dashboard</h1>
          {isPending ? (
            <div aria-busy="true">
              <Loading label="Loading your channels…" />
            </div>
          ) : (
            <div className="flex flex-col gap-6 sm:gap-7">
              {userId !== undefined && firstReady !== undefined && canAsk && (
                // As high as the form, so that nothing moves when it has loaded.
                <div className="max-sm:empty:min-h-24 sm:empty:min-h-55">
                  <AskForm
                    open
                    onLoadError={hideForm}
                    props={{ userId, channels: [firstReady, ...otherReady], chats }}
                  />
                </div>
              )}
              <div
                className={cx(
                  'flex flex-col gap-6 lg:gap-8',
                  hasChats && 'lg:grid lg:grid-cols-[20rem_minmax(0,1fr)] lg:items-start',
                )}
              >
                <RecentChats chats={chats} />
                <div className="flex flex-col gap-2">
                  <div className="flex min-h-10 flex-wrap items-center justify-between gap-2">
                    <h2 className={cx('font-semibold', own.length > 0 ? 'text-lg' : 'text-2xl')}>
                      Your Channels
                    </h2>
                    {isFilterable && (
                      <SearchInput
                        label="Find a channel"
                        value={search}
                        onSearch={setSearch}
                        className="min-w-36 flex-1 sm:max-w-80 max-sm:[&_input]:pr-1"
                      />
                    )}
                  </div>
                  {isFirstRun && <p className="text-muted text-sm">No channels available.</p>}
                  {!isFirstRun && own.length === 0 && (
                    <Card flush>
                      <NoChannels channelCount={channels.data?.length ?? null} />
                    </Card>
                  )}
                  {isFilterable ? (
                    <div className="flex flex-col gap-5">
                      <ManyChannels channels={own} search={search} chats={chats} />
                    </div>
                  ) : (
                    own.length > 0 && <ChannelGrid channels={own} isNarrow={hasChats} />
                  )}
                </div>
              </div>
              <SetupPanel
                open={canSeeSteps}
                onLoadError={ignoreLoadError}
                props={{ userId, children: isFirstRun && <CreateFirstChannel /> }}
              />
            </div>
          )}
        </div>
      </div>
    </div>
  )
}
