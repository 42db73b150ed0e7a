import type { HistoryFilters, HistoryItem } from '@lyceum/contract/chat-history'
import { stripInvisible } from '@lyceum/contract/invisible-text'
import { ChevronRight, MessagesSquare, SearchX } from 'lucide-react'
import { formatDateTime } from '#lib/date-time.ts'
import { Button } from '#ui/Button.tsx'
import { cx } from '#ui/cx.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { type Column, coversCard, Table } from '#ui/Table.tsx'
import { Timestamp } from '#ui/Timestamp.tsx'
import { chatHistoryPath } from './chat-history-paths.ts'
import { UserName } from './UserName.tsx'

function toSingleLine(text: string): string {
  return stripInvisible(text).replaceAll(/\s+/gu, ' ').trim()
}

/** The title, and the first question where the title is not its beginning. */
function Title({ title, firstQuestion }: Pick<HistoryItem, 'title' | 'firstQuestion'>) {
  const question = toSingleLine(firstQuestion ?? '')
  const name = toSingleLine(title ?? '')
  const repeatsQuestion = question.startsWith(name.replace(/(?:…|\.\.\.)$/u, ''))
  const lines = [name, ...(name !== '' && repeatsQuestion ? [] : [question])].filter(Boolean)
  if (lines.length === 0) return <span className="text-muted">Chat</span>
  return (
    <div className="sm:min-w-26 md:min-w-32">
      <bdi className="wrap-anywhere line-clamp-2">{lines[0]}</bdi>
      {lines[1] !== undefined && (
        <bdi className="wrap-anywhere mt-0.5 line-clamp-1 font-normal text-muted text-sm">{lines[1]}</bdi>
      )}
    </div>
  )
}

function NoChats({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return isFiltered ? (
    <EmptyState icon={SearchX} action={<Button onClick={onClear}>Clear filters</Button>}>
      No chats match these filters.
    </EmptyState>
  ) : (
    <EmptyState icon={MessagesSquare} hint="Chats appear here once users start them.">
      There are no chats yet.
    </EmptyState>
  )
}

const times: Record<'createdAt' | 'updatedAt', Pick<Column<HistoryItem>, 'header' | 'cell'>> = {
  createdAt: { header: 'Created', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  updatedAt: { header: 'Updated', cell: ({ updatedAt }) => <Timestamp at={updatedAt} /> },
}

interface Props {
  items: readonly HistoryItem[]
  /** The time in this order is shown on narrow screens, which have room for one. */
  sortBy: HistoryFilters['sortBy']
  isFiltered: boolean
  onClear: () => void
  onView: (item: HistoryItem) => void
}

export function HistoryTable({ items, sortBy, isFiltered, onClear, onView }: Props) {
  const leadingTime = sortBy === 'updatedAt' ? 'updatedAt' : 'createdAt'
  const timeColumns = (['createdAt', 'updatedAt'] as const).map(
    (time): Column<HistoryItem> =>
      time === leadingTime ? { ...times[time], card: 'lastDetail' } : { ...times[time], hideBelow: 'xl' },
  )
  const columns: Column<HistoryItem>[] = [
    {
      header: 'User',
      isRowHeader: true,
      hidesHeader: true,
      card: 'detail',
      cell: (item) => <UserName user={item.user} hidesEmailOnPhones />,
    },
    { header: 'Chat', hidesHeader: true, card: 'title', cell: (item) => <Title {...item} /> },
    {
      header: 'Channel',
      hidesHeader: true,
      card: 'detail',
      cell: ({ channel }) => (
        <bdi className="wrap-anywhere line-clamp-2 sm:min-w-22 md:min-w-24">{channel.name}</bdi>
      ),
    },
    {
      header: 'Messages',
      align: 'end',
      hideBelow: 'lg',
      card: 'lastDetail',
      cell: ({ messageCount }) => messageCount.toLocaleString(),
    },
    ...timeColumns,
    {
      header: 'Details',
      hidesHeader: true,
      align: 'end',
      card: 'label',
      cell: (item) => (
        <Button
          size="small"
          className={cx(
            'max-sm:border-transparent max-sm:bg-transparent max-sm:h-6! max-sm:min-h-0! max-sm:px-1',
            coversCard,
          )}
          aria-label={`View the chat of ${item.user.name} in ${item.channel.name}, ${formatDateTime(item.createdAt)}`}
          data-leads-to={chatHistoryPath(item._id)}
          onClick={() => onView(item)}
        >
          <span className="max-sm:hidden">View</span>
          <ChevronRight aria-hidden="true" className="size-4 text-muted sm:hidden" />
        </Button>
      ),
    },
  ]
  return (
    <Table
      caption="Chats"
      columns={columns}
      rows={items}
      getKey={({ _id }) => _id}
      empty={<NoChats isFiltered={isFiltered} onClear={onClear} />}
    />
  )
}
