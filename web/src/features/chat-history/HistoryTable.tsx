import type { HistoryItem } from '@lyceum/contract/chat-history'
import { stripInvisible } from '@lyceum/contract/invisible-text'
import { MessagesSquare, SearchX } from 'lucide-react'
import { formatDateTime } from '#lib/date-time.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { type Column, Table } from '#ui/Table.tsx'
import { UserName } from './UserName.tsx'

function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} className="sm:max-lg:inline-block sm:max-lg:w-25 lg:whitespace-nowrap">
      {formatDateTime(at)}
    </time>
  )
}

/** The title, which is made from the first question unless the user named the chat. */
function Title({ title }: Pick<HistoryItem, 'title'>) {
  if (title === null) return <span className="text-muted">Chat</span>
  return <bdi className="wrap-break-word line-clamp-2">{stripInvisible(title)}</bdi>
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

interface Props {
  items: readonly HistoryItem[]
  isFiltered: boolean
  onClear: () => void
  onView: (item: HistoryItem) => void
}

export function HistoryTable({ items, isFiltered, onClear, onView }: Props) {
  const columns: Column<HistoryItem>[] = [
    { header: 'User', isRowHeader: true, cell: (item) => <UserName user={item.user} /> },
    { header: 'Chat', cell: ({ title }) => <Title title={title} /> },
    {
      header: 'Channel',
      cell: ({ channel }) => <bdi className="wrap-break-word line-clamp-2">{channel.name}</bdi>,
    },
    {
      header: 'Messages',
      align: 'end',
      hideBelow: 'lg',
      cell: ({ messageCount }) => messageCount.toLocaleString(),
    },
    { header: 'Created', hideBelow: 'lg', cell: ({ createdAt }) => <Time at={createdAt} /> },
    { header: 'Updated', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
    {
      header: 'Details',
      hidesHeader: true,
      align: 'end',
      cell: (item) => (
        <Button
          size="small"
          aria-label={`View the chat of ${item.user.name} in ${item.channel.name}, ${formatDateTime(item.createdAt)}`}
          onClick={() => onView(item)}
        >
          View
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
