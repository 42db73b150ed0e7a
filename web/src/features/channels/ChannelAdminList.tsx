import type { ModelTrouble } from '@lyceum/contract/assistants'
import type { Channel } from '@lyceum/contract/channels'
import { useQuery } from '@tanstack/react-query'
import { Archive, Hash, Plus, TriangleAlert, Undo2 } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { messageOf } from '#api/api-error.ts'
import { assistantStatusQuery } from '#features/assistants/queries.ts'
import { useCan } from '#features/auth/use-can.ts'
import { withFailureTime } from '#lib/failure-time.ts'
import { formatCount } from '#lib/format-count.ts'
import { modelSettingsPath } from '#lib/settings-paths.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { buttonStyle } from '#ui/button-style.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Link } from '#ui/Link.tsx'
import { Pagination } from '#ui/Pagination.tsx'
import { SearchInput } from '#ui/SearchInput.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextLink } from '#ui/TextLink.tsx'
import { channelPageQuery } from './queries.ts'

/** The search, the page and whether archived channels are shown, kept in the URL. */
function useChannelView() {
  const [params, setParams] = useSearchParams()
  const search = params.get('search') ?? ''
  const isArchived = params.has('archived')
  const requestedPage = Number(params.get('page'))
  const page = Number.isSafeInteger(requestedPage) && requestedPage > 0 ? requestedPage : 1

  function show(change: { page?: number; search?: string; isArchived?: boolean }): void {
    const next = { search, isArchived, page: 1, ...change }
    const entries: [string, string][] = []
    if (next.isArchived) entries.push(['archived', 'true'])
    if (next.search !== '') entries.push(['search', next.search])
    if (next.page > 1) entries.push(['page', String(next.page)])
    setParams(new URLSearchParams(entries), { replace: change.search !== undefined })
  }
  return { page, search, isArchived, show }
}

/** There may still be archived channels, which are listed separately. */
function NoChannels() {
  const canCreate = useCan('canCreateChannels')
  const { data: archived = 0 } = useQuery({
    ...channelPageQuery(1, '', 'only'),
    select: ({ total }) => total,
    meta: { quiet: true },
  })
  return (
    <EmptyState
      icon={Hash}
      hint={
        archived === 0
          ? 'A channel is a space where users chat with an assistant.'
          : `${formatCount(archived, 'channel')} ${archived === 1 ? 'is' : 'are'} archived.`
      }
      action={
        canCreate && (
          <Link to="/admin/channels?new" className={buttonStyle('primary')}>
            <Plus aria-hidden="true" className="size-4" />
            Create channel
          </Link>
        )
      }
    >
      {archived === 0 ? 'There are no channels yet.' : 'There are no active channels.'}
    </EmptyState>
  )
}

function CardSkeletons() {
  return (
    <div role="status" className="grid gap-4 xl:grid-cols-2">
      <span className="sr-only">Loading the channels…</span>
      {['first', 'second', 'third'].map((key) => (
        <Skeleton key={key} className="h-48 rounded-card" />
      ))}
    </div>
  )
}

function renderFrame(content: ReactNode) {
  return <div className="rounded-card border border-hairline bg-raised">{content}</div>
}

const troubles: Record<ModelTrouble['kind'], { effect: string; linkLabel: string; advice: string }> = {
  off: {
    effect:
      'Replies quote the closest passages of approved documents, and system prompts are not used. Ready-made assistants defined in the settings cannot reply.',
    linkLabel: 'Connect a model',
    advice: 'An administrator who manages the settings can connect a model.',
  },
  failing: {
    effect: 'No channel can write replies until it answers again.',
    linkLabel: 'Open the model settings',
    advice: 'An administrator who manages the settings can mend the connection.',
  },
}

/** Stated once, because it concerns every channel. */
function ModelTroubleBanner({ trouble }: { trouble: ModelTrouble }) {
  const canConnect = useCan('canManageSettings')
  const { effect, linkLabel, advice } = troubles[trouble.kind]
  return (
    <Banner tone="warning">
      <p className="wrap-anywhere font-medium">{withFailureTime(trouble)}</p>
      <p className="mt-0.5">
        {effect}{' '}
        {canConnect ? (
          <TextLink to={modelSettingsPath} className="whitespace-nowrap">
            {linkLabel}
          </TextLink>
        ) : (
          advice
        )}
      </p>
    </Banner>
  )
}

/** A searchable, paged list of channels. */
export function ChannelAdminList({ children }: { children: (channel: Channel) => ReactNode }) {
  const { page, search, isArchived, show } = useChannelView()
  const list = useQuery(channelPageQuery(page, search, isArchived ? 'only' : 'exclude'))
  const { data, error } = list
  const status = useQuery(assistantStatusQuery())
  // Both appear together, so that the banner does not push the cards down. A failed load is not waited for, not even when
  // the cards load it again.
  const [hasWaited, setHasWaited] = useState(false)
  if (!hasWaited && !(status.isPending && status.failureCount === 0)) setHasWaited(true)
  const lastPage = Math.max(1, data?.totalPages ?? 1)
  const isBeyondEnd = data !== undefined && !list.isPlaceholderData && page > lastPage
  // biome-ignore lint/correctness/useExhaustiveDependencies: the URL is corrected once
  useEffect(() => {
    if (isBeyondEnd) show({ page: lastPage })
  }, [isBeyondEnd, lastPage])

  if (data === undefined) {
    if (error === null) return <CardSkeletons />
    return renderFrame(
      <EmptyState
        icon={TriangleAlert}
        hint={messageOf(error, '')}
        action={<Button onClick={() => void list.refetch()}>Try again</Button>}
      >
        The channels could not be loaded.
      </EmptyState>,
    )
  }
  if (!hasWaited) return <CardSkeletons />
  const isSearchable = data.total > 5 || search !== ''
  return (
    <div aria-busy={list.isPlaceholderData} className="flex flex-col gap-4">
      {status.data?.trouble && data.items.length > 0 && <ModelTroubleBanner trouble={status.data.trouble} />}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {isSearchable && (
          <SearchInput
            label="Search by name"
            value={search}
            onSearch={(text) => show({ search: text })}
            className="max-sm:w-full sm:w-80"
          />
        )}
        {isArchived && <h2 className="font-semibold text-lg">Archived channels</h2>}
        <Button
          variant="ghost"
          size="small"
          className="ms-auto"
          onClick={() => show({ isArchived: !isArchived, search: '' })}
        >
          {isArchived ? (
            <Undo2 aria-hidden="true" className="size-4" />
          ) : (
            <Archive aria-hidden="true" className="size-4" />
          )}
          {isArchived ? 'Show active channels' : 'Show archived channels'}
        </Button>
      </div>
      {data.items.length === 0 &&
        renderFrame(
          isArchived && search === '' ? (
            <EmptyState icon={Archive}>There are no archived channels.</EmptyState>
          ) : search === '' ? (
            <NoChannels />
          ) : (
            <EmptyState icon={Hash}>{`No channel matches “${search}”.`}</EmptyState>
          ),
        )}
      <ul aria-label="Channels" className="grid grid-cols-1 gap-4 xl:grid-cols-2">
        {data.items.map((channel) => (
          // The documents of a channel need the whole width.
          <li key={channel._id} className="xl:has-data-shows-documents:col-span-2">
            {children(channel)}
          </li>
        ))}
      </ul>
      <Pagination
        page={page}
        totalPages={data.totalPages}
        onChange={(next) => show({ page: next })}
        label="Pages of channels"
      />
    </div>
  )
}
