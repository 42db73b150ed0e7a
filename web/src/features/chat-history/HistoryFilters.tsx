import { ListFilter, X } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '#ui/Button.tsx'
import { Field } from '#ui/Field.tsx'
import { SearchInput } from '#ui/SearchInput.tsx'
import { Select } from '#ui/Select.tsx'
import { ChannelChoice } from './ChannelChoice.tsx'
import { DayField } from './DayField.tsx'
import { Labelled } from './Labelled.tsx'
import { filtersSet, type HistoryView, pageSizes, sortFields, sortOrders } from './use-history-view.ts'

type Narrow = (change: Partial<Omit<HistoryView, 'page' | 'tab'>>) => void

const sortWords: Record<HistoryView['sortBy'], Record<HistoryView['sortOrder'], string>> = {
  createdAt: { desc: 'Created, newest first', asc: 'Created, oldest first' },
  updatedAt: { desc: 'Updated, newest first', asc: 'Updated, oldest first' },
  messageCount: { desc: 'Messages, most first', asc: 'Messages, fewest first' },
}

const sorts = sortFields.flatMap((sortBy) =>
  sortOrders.map((sortOrder) => ({ sortBy, sortOrder, value: `${sortBy} ${sortOrder}` })),
)

function Order({ view, onNarrow }: { view: HistoryView; onNarrow: Narrow }) {
  return (
    <Field label="Sort by">
      {(control) => (
        <Select
          {...control}
          value={`${view.sortBy} ${view.sortOrder}`}
          onChange={({ target }) => {
            const sort = sorts.find(({ value }) => value === target.value)
            if (sort) onNarrow({ sortBy: sort.sortBy, sortOrder: sort.sortOrder })
          }}
        >
          {sorts.map(({ sortBy, sortOrder, value }) => (
            <option key={value} value={value}>
              {sortWords[sortBy][sortOrder]}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

export function PageSize({ view, onNarrow }: { view: HistoryView; onNarrow: Narrow }) {
  return (
    <Field label="Per page">
      {(control) => (
        <Select
          {...control}
          value={view.pageSize}
          onChange={({ target }) => onNarrow({ pageSize: Number(target.value) })}
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

interface Props {
  view: HistoryView
  onNarrow: Narrow
  onClear: () => void
  isNarrowed: boolean
  maySearch: boolean
  /** The choice of a person. */
  person: ReactNode
}

export function HistoryFilters({ view, onNarrow, onClear, isNarrowed, maySearch, person }: Props) {
  const count = filtersSet(view)
  const [isOpen, setIsOpen] = useState(count > 0)
  const id = useId()
  return (
    <section aria-label="Filters" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end gap-3">
        {maySearch && (
          <div className="min-w-0 grow basis-full sm:basis-64">
            <Labelled label="Search">
              <SearchInput
                label="Messages, titles, people"
                value={view.search}
                onSearch={(search) => onNarrow({ search })}
              />
            </Labelled>
          </div>
        )}
        <div className="min-w-0 flex-1 sm:w-56 sm:flex-none">
          <Order view={view} onNarrow={onNarrow} />
        </div>
        <div className="w-24">
          <PageSize view={view} onNarrow={onNarrow} />
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
            {person}
            <ChannelChoice value={view.channelId} onChange={(channelId) => onNarrow({ channelId })} />
            <Labelled label="Chat id">
              <SearchInput
                label="Chat id"
                value={view.chatId}
                maxLength={64}
                onSearch={(chatId) => onNarrow({ chatId })}
              />
            </Labelled>
            <DayField
              label="Created from"
              value={view.from}
              max={view.to}
              onChange={(from) => onNarrow({ from })}
            />
            <DayField
              label="Created until"
              value={view.to}
              min={view.from}
              onChange={(to) => onNarrow({ to })}
            />
          </div>
          <Button
            disabled={!isNarrowed}
            onClick={onClear}
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
