import { TriangleAlert, Users } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { cx } from '#ui/cx.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Pagination } from '#ui/Pagination.tsx'
import { SearchInput } from '#ui/SearchInput.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'

interface ListedUser {
  _id: string
  name: string
  email: string
}

/** The page and search of a list, and the users chosen on all of its pages. */
export function usePickerView<U extends ListedUser>() {
  const [{ page, search }, set] = useState({ page: 1, search: '' })
  const [chosen, setChosen] = useState<ReadonlyMap<string, U>>(new Map())
  return {
    page,
    search,
    chosen,
    setPage: (next: number): void => set({ page: next, search }),
    setSearch: (text: string): void => set({ page: 1, search: text }),
    toggle: (user: U, isChosen: boolean): void => {
      const next = new Map(chosen)
      if (isChosen) next.set(user._id, user)
      else next.delete(user._id)
      setChosen(next)
    },
    clear: (): void => setChosen(new Map()),
  }
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
  view: ReturnType<typeof usePickerView<U>>
  errorText: string
  emptyText: string
  /** Users without a checkbox are only listed. */
  canPick: boolean
  renderNote?: (user: U) => ReactNode
  /** At the end of the row. */
  renderEnd?: (user: U) => ReactNode
  className?: string
}

/** A searchable, paged list from which users can be chosen. */
export function UserPicker<U extends ListedUser>(props: Props<U>) {
  const { label, list, view, canPick, renderNote, renderEnd } = props
  const { data, error } = list
  const lastPage = Math.max(1, data?.totalPages ?? 1)
  const isBeyondEnd = data !== undefined && !list.isPlaceholderData && view.page > lastPage
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page is corrected once
  useEffect(() => {
    if (isBeyondEnd) view.setPage(lastPage)
  }, [isBeyondEnd, lastPage])
  const listedIds = new Set(data?.items.map(({ _id }) => _id))
  const unlisted = [...view.chosen.values()].filter(({ _id }) => !listedIds.has(_id))
  const noMatch = view.search === '' ? props.emptyText : `No user matches “${view.search}”.`
  return (
    <div aria-busy={list.isPlaceholderData} className={cx('flex flex-col gap-2', props.className)}>
      <SearchInput label={props.searchLabel} value={view.search} onSearch={view.setSearch} />
      <p role="status" className="sr-only">
        {data !== undefined &&
          !list.isPlaceholderData &&
          (data.total === 0 ? noMatch : `${label}: ${data.total.toLocaleString()}`)}
      </p>
      {data === undefined && error === null && (
        <div role="status" className="flex flex-col gap-3 pt-2">
          <span className="sr-only">Loading the users…</span>
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
          {props.errorText}
        </EmptyState>
      )}
      {data?.items.length === 0 && (
        <EmptyState icon={Users}>
          <span className="wrap-anywhere">{noMatch}</span>
        </EmptyState>
      )}
      {data !== undefined && data.items.length > 0 && (
        <ul aria-label={label} className="divide-y divide-hairline">
          {data.items.map((user) => {
            const name = <bdi className="wrap-anywhere font-medium">{user.name}</bdi>
            const note = (
              <span className="wrap-anywhere">
                {user.email}
                {renderNote?.(user)}
              </span>
            )
            return (
              <li key={user._id} className="flex items-center justify-between gap-3 py-1">
                {canPick ? (
                  <Checkbox
                    label={name}
                    hint={note}
                    value={user._id}
                    checked={view.chosen.has(user._id)}
                    onChange={({ target }) => view.toggle(user, target.checked)}
                  />
                ) : (
                  <div className="py-2 text-sm">
                    <p>{name}</p>
                    <p className="text-muted text-xs">{note}</p>
                  </div>
                )}
                {renderEnd?.(user)}
              </li>
            )
          })}
        </ul>
      )}
      {unlisted.length > 0 && (
        <p className="wrap-anywhere line-clamp-3 text-muted text-sm">
          Also selected: <bdi>{unlisted.map(({ name }) => name).join(', ')}</bdi>
        </p>
      )}
      <Pagination
        page={view.page}
        totalPages={lastPage}
        onChange={view.setPage}
        label={`Pages of ${label.toLowerCase()}`}
      />
    </div>
  )
}
