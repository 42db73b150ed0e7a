import { useQuery } from '@tanstack/react-query'
import { TriangleAlert, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { channelGroupPageQuery } from '#features/groups/queries.ts'
import { formatCount } from '#lib/format-count.ts'
import { groupPath } from '#lib/group-paths.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Pagination } from '#ui/Pagination.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextLink } from '#ui/TextLink.tsx'

/** The groups that give access to a channel. */
export function ChannelGroups({ channelId }: { channelId: string }) {
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useQuery(channelGroupPageQuery(channelId, page))
  if (data === undefined && error === null) return <Skeleton className="h-24" />
  if (data === undefined)
    return (
      <EmptyState
        icon={TriangleAlert}
        hint={messageOf(error, '')}
        action={<Button onClick={() => void refetch()}>Try again</Button>}
      >
        {texts.groups.loadFailed}
      </EmptyState>
    )
  if (data.items.length === 0)
    return (
      <EmptyState
        icon={UsersRound}
        hint={
          <>
            Channels are added to a group on its page. <TextLink to="/admin/groups">Show groups</TextLink>
          </>
        }
      >
        No group gives access to this channel.
      </EmptyState>
    )
  return (
    <div className="flex min-h-96 flex-col gap-2">
      <ul aria-label="Groups" className="flex-1 divide-y divide-hairline">
        {data.items.map(({ _id, name, memberCount }) => (
          <li key={_id} className="flex items-baseline justify-between gap-3 py-2.5 text-sm">
            <TextLink to={groupPath(_id)} className="wrap-anywhere">
              <bdi>{name}</bdi>
            </TextLink>
            <span className="shrink-0 text-muted text-xs">{formatCount(memberCount, 'member')}</span>
          </li>
        ))}
      </ul>
      <Pagination page={page} totalPages={data.totalPages} onChange={setPage} label="Pages of groups" />
    </div>
  )
}
