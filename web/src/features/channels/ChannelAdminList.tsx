import type { Channel } from '@lyceum/contract/channels'
import { useQuery } from '@tanstack/react-query'
import { Hash, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useSearchParams } from 'wouter'
import { messageOf } from '#api/api-error.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Pagination } from '#ui/Pagination.tsx'
import { SearchInput } from '#ui/SearchInput.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { channelPageQuery } from './queries.ts'

/** The search and the page, kept in the URL. */
function useChannelView() {
  const [params, setParams] = useSearchParams()
  const search = params.get('search') ?? ''
  const requestedPage = Number(params.get('page'))
  const page = Number.isSafeInteger(requestedPage) && requestedPage > 0 ? requestedPage : 1

  function show(change: { page?: number; search?: string }): void {
    const next = { search, page: 1, ...change }
    const entries: [string, string][] = []
    if (next.search !== '') entries.push(['search', next.search])
    if (next.page > 1) entries.push(['page', String(next.page)])
    setParams(new URLSearchParams(entries), { replace: change.search !== undefined })
  }
  return { page, search, show }
}

function CardSkeletons() {
  return (
    <div role="status" className="flex flex-col gap-4">
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

/** A searchable, paged list of channels. */
export function ChannelAdminList({ children }: { children: (channel: Channel) => ReactNode }) {
  const { page, search, show } = useChannelView()
  const list = useQuery(channelPageQuery(page, search))
  const { data, error } = list
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
  const isSearchable = data.total > 5 || search !== ''
  return (
    <div aria-busy={list.isPlaceholderData} className="flex flex-col gap-4">
      {isSearchable && (
        <SearchInput
          label="Search by name"
          value={search}
          onSearch={(text) => show({ search: text })}
          className="sm:w-80"
        />
      )}
      {data.items.length === 0 &&
        renderFrame(
          search === '' ? (
            <EmptyState
              icon={Hash}
              hint="A channel is a space where users chat with an assistant. Create your first one."
            >
              There are no channels yet.
            </EmptyState>
          ) : (
            <EmptyState icon={Hash}>{`No channel matches “${search}”.`}</EmptyState>
          ),
        )}
      <ul aria-label="Channels" className="flex flex-col gap-4">
        {data.items.map((channel) => (
          <li key={channel._id}>{children(channel)}</li>
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
