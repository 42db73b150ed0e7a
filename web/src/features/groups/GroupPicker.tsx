import type { Group } from '@lyceum/contract/groups'
import { TriangleAlert, UsersRound } from 'lucide-react'
import { useEffect } from 'react'
import { messageOf } from '#api/api-error.ts'
import { formatCount } from '#lib/format-count.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Pagination } from '#ui/Pagination.tsx'
import { SearchInput } from '#ui/SearchInput.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'

/** The page and the search of the list. */
interface GroupListView {
  page: number
  search: string
}

interface Props {
  list: {
    data: { items: Group[]; totalPages: number } | undefined
    error: Error | null
    isPlaceholderData: boolean
    refetch: () => Promise<unknown>
  }
  view: GroupListView
  onView: (view: GroupListView) => void
  chosen: ReadonlyMap<string, Group>
  onToggle: (group: Group, isChosen: boolean) => void
  emptyText: string
}

/** What members get from a group. */
function describeGroup({ memberCount, channelCount, permissions }: Group): string {
  return [
    formatCount(memberCount, 'member'),
    formatCount(channelCount, 'channel'),
    ...(permissions.length > 0 ? [formatCount(permissions.length, 'permission')] : []),
  ].join(' · ')
}

/** A searchable, paged list from which groups can be chosen. */
export function GroupPicker({ list, view, onView, chosen, onToggle, emptyText }: Props) {
  const { data, error } = list
  const lastPage = Math.max(1, data?.totalPages ?? 1)
  const isBeyondEnd = data !== undefined && !list.isPlaceholderData && view.page > lastPage
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page is corrected once
  useEffect(() => {
    if (isBeyondEnd) onView({ ...view, page: lastPage })
  }, [isBeyondEnd, lastPage])
  return (
    <div aria-busy={list.isPlaceholderData} className="flex flex-col gap-2">
      <SearchInput
        label="Search groups"
        value={view.search}
        onSearch={(search) => onView({ page: 1, search })}
      />
      {data === undefined && error === null && (
        <div role="status" className="flex flex-col gap-3 pt-2">
          <span className="sr-only">Loading the groups…</span>
          <Skeleton className="h-11" />
          <Skeleton className="h-11" />
        </div>
      )}
      {data === undefined && error !== null && (
        <EmptyState
          icon={TriangleAlert}
          hint={messageOf(error, '')}
          action={<Button onClick={() => void list.refetch()}>Try again</Button>}
        >
          {texts.groups.loadFailed}
        </EmptyState>
      )}
      {data?.items.length === 0 && (
        <EmptyState icon={UsersRound}>
          <span className="wrap-anywhere">
            {view.search === '' ? emptyText : `No group matches “${view.search}”.`}
          </span>
        </EmptyState>
      )}
      {data !== undefined && data.items.length > 0 && (
        <ul aria-label="Groups" className="divide-y divide-hairline">
          {data.items.map((group) => (
            <li key={group._id} className="py-1">
              <Checkbox
                label={<bdi className="wrap-anywhere font-medium">{group.name}</bdi>}
                hint={describeGroup(group)}
                checked={chosen.has(group._id)}
                onChange={({ target }) => onToggle(group, target.checked)}
              />
            </li>
          ))}
        </ul>
      )}
      <Pagination
        page={view.page}
        totalPages={lastPage}
        onChange={(page) => onView({ ...view, page })}
        label="Pages of groups"
      />
    </div>
  )
}
