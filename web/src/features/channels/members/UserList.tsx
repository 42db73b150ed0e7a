import { TriangleAlert, Users } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { Avatar } from '#ui/Avatar.tsx'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Pagination } from '#ui/Pagination.tsx'
import { SearchInput } from '#ui/SearchInput.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'

interface ListedUser {
  _id: string
  name: string
  email: string
}

/** The page and search of a user list. A new search starts on the first page. */
export function useUserListView() {
  const [{ page, search }, set] = useState({ page: 1, search: '' })
  return {
    page,
    search,
    setPage: (next: number): void => set({ page: next, search }),
    setSearch: (text: string): void => set({ page: 1, search: text }),
  }
}

interface RowProps {
  user: ListedUser
  badge?: ReactNode
  children: ReactNode
}

function Row({ user: { name, email }, badge, children }: RowProps) {
  return (
    <li className="flex items-center gap-3 py-2.5">
      <Avatar name={name} className="max-sm:hidden" />
      <div className="min-w-0 flex-1">
        <p title={name} className="wrap-anywhere line-clamp-2 font-medium text-sm">
          <bdi>{name}</bdi>
        </p>
        <p title={email} className="truncate text-muted text-xs">
          {email}
        </p>
        {badge}
      </div>
      <div className="flex shrink-0 items-center gap-1">{children}</div>
    </li>
  )
}

function RowSkeletons() {
  return (
    <div role="status" className="flex flex-col gap-3 pt-2">
      <span className="sr-only">Loading the users…</span>
      {['first', 'second', 'third', 'fourth'].map((key) => (
        <Skeleton key={key} className="h-11" />
      ))}
    </div>
  )
}

interface Props<U extends ListedUser> {
  label: string
  searchLabel: string
  list: {
    data: { items: U[]; total: number; totalPages: number } | undefined
    error: Error | null
    isPlaceholderData: boolean
    refetch: () => Promise<unknown>
  }
  view: ReturnType<typeof useUserListView>
  errorText: string
  emptyText: string
  renderBadge?: (user: U) => ReactNode
  renderActions: (user: U) => ReactNode
}

/** A searchable, paged list of users. The minimum height keeps a dialog from jumping during a search. */
export function UserList<U extends ListedUser>({
  label,
  searchLabel,
  list: { data, error, isPlaceholderData, refetch },
  view: { page, search, setPage, setSearch },
  errorText,
  emptyText,
  renderBadge,
  renderActions,
}: Props<U>) {
  const lastPage = Math.max(1, data?.totalPages ?? 1)
  const isBeyondEnd = data !== undefined && !isPlaceholderData && page > lastPage
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page is corrected once
  useEffect(() => {
    if (isBeyondEnd) setPage(lastPage)
  }, [isBeyondEnd, lastPage])

  return (
    <div aria-busy={isPlaceholderData} className="flex min-h-96 flex-col gap-2">
      <SearchInput label={searchLabel} value={search} onSearch={setSearch} />
      <p role="status" className="sr-only">
        {data !== undefined &&
          !isPlaceholderData &&
          `${label}: ${data.total === 0 ? 'none' : data.total.toLocaleString()}`}
      </p>
      <div className="flex-1">
        {data === undefined && error === null && <RowSkeletons />}
        {data === undefined && error !== null && (
          <EmptyState
            icon={TriangleAlert}
            hint={messageOf(error, '')}
            action={<Button onClick={() => void refetch()}>Try again</Button>}
          >
            {errorText}
          </EmptyState>
        )}
        {data?.items.length === 0 && (
          <EmptyState icon={Users}>
            <span className="wrap-anywhere">
              {search === '' ? emptyText : `No user matches “${search}”.`}
            </span>
          </EmptyState>
        )}
        {data !== undefined && data.items.length > 0 && (
          <ul aria-label={label} className="divide-y divide-hairline">
            {data.items.map((user) => (
              <Row key={user._id} user={user} badge={renderBadge?.(user)}>
                {renderActions(user)}
              </Row>
            ))}
          </ul>
        )}
      </div>
      <Pagination
        page={page}
        totalPages={lastPage}
        onChange={setPage}
        label={`Pages of ${label.toLowerCase()}`}
      />
    </div>
  )
}
