import { TriangleAlert, Users, UsersRound } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { cx } from '#ui/cx.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Pagination } from '#ui/Pagination.tsx'
import { SearchInput } from '#ui/SearchInput.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'

interface Listed {
  _id: string
  name: string
}

/** The page and search of a list, and what is chosen on all of its pages. */
export function usePickerView<T extends Listed>() {
  const [{ page, search }, set] = useState({ page: 1, search: '' })
  const [chosen, setChosen] = useState<ReadonlyMap<string, T>>(new Map())
  return {
    page,
    search,
    chosen,
    setPage: (next: number): void => set({ page: next, search }),
    setSearch: (text: string): void => set({ page: 1, search: text }),
    toggle: (item: T, isChosen: boolean): void => {
      const next = new Map(chosen)
      if (isChosen) next.set(item._id, item)
      else next.delete(item._id)
      setChosen(next)
    },
    choose: (items: readonly T[]): void => setChosen(new Map(items.map((item) => [item._id, item]))),
  }
}

const icons = { user: Users, group: UsersRound }

interface Props<T extends Listed> {
  noun: keyof typeof icons
  label: string
  searchLabel: string
  list: {
    data: { items: T[]; total: number; totalPages: number } | undefined
    error: Error | null
    isPlaceholderData: boolean
    refetch: () => Promise<unknown>
  }
  view: ReturnType<typeof usePickerView<T>>
  errorText: string
  emptyText: string
  /** Otherwise, there are no checkboxes. */
  canPick: boolean
  /** As plain text by default. */
  renderName?: (item: T) => ReactNode
  /** Below the name. */
  renderNote: (item: T) => ReactNode
  /** At the end of the row. */
  renderEnd?: (item: T) => ReactNode
  className?: string
}

/** A searchable, paged list from which users or groups can be chosen. */
export function ListPicker<T extends Listed>(props: Props<T>) {
  const { noun, label, list, view, canPick, renderName, renderNote, renderEnd } = props
  const { data, error } = list
  const lastPage = Math.max(1, data?.totalPages ?? 1)
  const isBeyondEnd = data !== undefined && !list.isPlaceholderData && view.page > lastPage
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page is corrected once
  useEffect(() => {
    if (isBeyondEnd) view.setPage(lastPage)
  }, [isBeyondEnd, lastPage])
  const listedIds = new Set(data?.items.map(({ _id }) => _id))
  const unlisted = [...view.chosen.values()].filter(({ _id }) => !listedIds.has(_id))
  const noMatch = view.search === '' ? props.emptyText : `No ${noun} matches “${view.search}”.`
  return (
    <div aria-busy={list.isPlaceholderData} className={cx('flex flex-col gap-2', props.className)}>
      <SearchInput label={props.searchLabel} value={view.search} onSearch={view.setSearch} />
      <p role="status" className="sr-only">
        {data !== undefined &&
          !list.isPlaceholderData &&
          `${label}: ${data.total === 0 ? 'none' : data.total.toLocaleString()}`}
      </p>
      {data === undefined && error === null && (
        <div role="status" className="flex flex-col gap-3 pt-2">
          <span className="sr-only">Loading the {noun}s…</span>
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
        <EmptyState icon={icons[noun]}>
          <span className="wrap-anywhere">{noMatch}</span>
        </EmptyState>
      )}
      {data !== undefined && data.items.length > 0 && (
        // A control that gets the focus is scrolled above a bar at the bottom of the window.
        <ul aria-label={label} className="divide-y divide-hairline [&_:is(a,button,input)]:scroll-mb-24">
          {data.items.map((item) => {
            const name = (
              <span className="wrap-anywhere font-medium">
                {renderName?.(item) ?? <bdi>{item.name}</bdi>}
              </span>
            )
            const note = <span className="wrap-anywhere">{renderNote(item)}</span>
            return (
              <li key={item._id} className="flex items-center justify-between gap-3 py-1">
                {canPick ? (
                  <Checkbox
                    label={name}
                    hint={note}
                    value={item._id}
                    checked={view.chosen.has(item._id)}
                    onChange={({ target }) => view.toggle(item, target.checked)}
                  />
                ) : (
                  <div className="py-2 text-sm">
                    <p>{name}</p>
                    <p className="text-muted text-xs">{note}</p>
                  </div>
                )}
                {renderEnd?.(item)}
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
