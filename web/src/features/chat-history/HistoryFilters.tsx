import { useQuery } from '@tanstack/react-query'
import { ListFilter, X } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { channelPageQuery, channelQuery } from '#features/channels/queries.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { DayField, explainRange } from '#ui/DayField.tsx'
import { Field } from '#ui/Field.tsx'
import { SearchInput } from '#ui/SearchInput.tsx'
import { SearchSelect } from '#ui/SearchSelect.tsx'
import { Select } from '#ui/Select.tsx'
import { VisibleLabel } from '#ui/VisibleLabel.tsx'
import { countFilters, type HistoryView, pageSizes, sortFields, sortOrders } from './use-history-view.ts'

type ChangeFilters = (change: Partial<Omit<HistoryView, 'page' | 'tab'>>) => void

const sortLabels: Record<HistoryView['sortBy'], Record<HistoryView['sortOrder'], string>> = {
  createdAt: { desc: 'Created, newest first', asc: 'Created, oldest first' },
  updatedAt: { desc: 'Updated, newest first', asc: 'Updated, oldest first' },
  messageCount: { desc: 'Messages, most first', asc: 'Messages, fewest first' },
}

const sorts = sortFields.flatMap((sortBy) =>
  sortOrders.map((sortOrder) => ({ sortBy, sortOrder, value: `${sortBy} ${sortOrder}` })),
)

function SortField({ view, onFilter }: { view: HistoryView; onFilter: ChangeFilters }) {
  return (
    <Field label="Sort by">
      {(control) => (
        <Select
          {...control}
          value={`${view.sortBy} ${view.sortOrder}`}
          onChange={({ target }) => {
            const sort = sorts.find(({ value }) => value === target.value)
            if (sort) onFilter({ sortBy: sort.sortBy, sortOrder: sort.sortOrder })
          }}
        >
          {sorts.map(({ sortBy, sortOrder, value }) => (
            <option key={value} value={value}>
              {sortLabels[sortBy][sortOrder]}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

export function PageSizeField({ view, onFilter }: { view: HistoryView; onFilter: ChangeFilters }) {
  return (
    <Field label="Per page">
      {(control) => (
        <Select
          {...control}
          value={view.pageSize}
          onChange={({ target }) => onFilter({ pageSize: Number(target.value) })}
        >
          {pageSizes.map((size) => (
            <option key={size} value={size}>
              {size}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

interface ChannelSelectProps {
  value: string | null
  onChange: (id: string | null) => void
}

const allChannels = { value: '', label: 'All channels' }
const quiet = { meta: { quiet: true } } as const

function ChannelSelect({ value, onChange }: ChannelSelectProps) {
  const [search, setSearch] = useState('')
  const { data } = useQuery({ ...channelPageQuery(1, search.trim(), 'include'), ...quiet })
  const channels = data?.items ?? []
  const loaded = channels.find(({ _id }) => _id === value)
  const fetched = useQuery({
    ...channelQuery(value ?? ''),
    ...quiet,
    enabled: value !== null && data !== undefined && loaded === undefined,
  })
  const selectedName = (loaded ?? fetched.data)?.name ?? 'Selected channel'
  const options = channels.map(({ _id, name }) => ({ value: _id, label: name }))
  return (
    <VisibleLabel label="Channel">
      <SearchSelect
        label="Channel"
        value={value ?? ''}
        valueLabel={value === null ? allChannels.label : selectedName}
        options={search === '' ? [allChannels, ...options] : options}
        unlisted={Math.max(0, (data?.total ?? 0) - options.length)}
        onSearch={setSearch}
        onChange={(id) => onChange(id === '' ? null : id)}
      />
    </VisibleLabel>
  )
}

interface Props {
  view: HistoryView
  onFilter: ChangeFilters
  onClear: () => void
  isFiltered: boolean
  canSearch: boolean
  /** The field that selects a user. */
  userField: ReactNode
}

export function HistoryFilters({ view, onFilter, onClear, isFiltered, canSearch, userField }: Props) {
  const count = countFilters(view)
  const [isOpen, setIsOpen] = useState(count > 0)
  // Also empties date fields that hold a date that was not applied.
  const [clearCount, setClearCount] = useState(0)
  function clear(): void {
    setClearCount(clearCount + 1)
    onClear()
  }
  const id = useId()
  return (
    <section aria-label="Filters" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end gap-3">
        {canSearch && (
          <div className="min-w-0 grow basis-full sm:basis-64">
            <VisibleLabel label="Search">
              <SearchInput
                label="Messages, titles, users"
                value={view.search}
                onSearch={(search) => onFilter({ search })}
              />
            </VisibleLabel>
          </div>
        )}
        <div className="min-w-0 flex-1 sm:w-56 sm:flex-none">
          <SortField view={view} onFilter={onFilter} />
        </div>
        <div className="w-24">
          <PageSizeField view={view} onFilter={onFilter} />
        </div>
        <Button
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setIsOpen(!isOpen)}
          className="max-sm:w-full"
        >
          <ListFilter aria-hidden="true" className="size-4" />
          {count === 0 ? 'Filters' : `Filters (${count})`}
        </Button>
      </div>
      {isOpen && (
        <div
          id={id}
          className="grid grid-cols-2 items-start gap-3 rounded-card border border-hairline bg-raised p-4 lg:grid-cols-6"
        >
          <div className="contents lg:*:col-span-2">
            {userField}
            <ChannelSelect value={view.channelId} onChange={(channelId) => onFilter({ channelId })} />
            <VisibleLabel label="Chat ID">
              <SearchInput
                label="Chat ID"
                value={view.chatId}
                maxLength={64}
                onSearch={(chatId) => onFilter({ chatId })}
              />
            </VisibleLabel>
            <DayField
              key={`from-${clearCount}`}
              label="Created from"
              value={view.from}
              onChange={(from) => onFilter({ from })}
            />
            <DayField
              key={`until-${clearCount}`}
              label="Created until"
              value={view.to}
              error={explainRange(view)}
              onChange={(to) => onFilter({ to })}
            />
          </div>
          <div className="self-center max-lg:col-span-2 lg:col-span-4">
            <Checkbox
              label="Only chats with messages"
              checked={view.hidesEmpty}
              onChange={({ target }) => onFilter({ hidesEmpty: target.checked })}
            />
          </div>
          <Button
            aria-disabled={!isFiltered}
            onClick={clear}
            className="self-end max-lg:col-span-2 lg:col-span-2"
          >
            <X aria-hidden="true" className="size-4" />
            Clear filters
          </Button>
        </div>
      )}
    </section>
  )
}
