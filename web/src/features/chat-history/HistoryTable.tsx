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
    <time dateTime={at} className="whitespace-nowrap">
      {formatDateTime(at)}
    </time>
  )
}

function ChannelAndTitle({ channel, title }: HistoryItem) {
  return (
    <span className="flex min-w-0 flex-col">
      <bdi className="wrap-anywhere line-clamp-2">{channel.name}</bdi>
      {title !== null && (
        <bdi className="wrap-anywhere line-clamp-1 text-muted text-xs">{stripInvisible(title)}</bdi>
      )}
    </span>
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

interface Props {
  items: readonly HistoryItem[]
  isFiltered: boolean
  onClear: () => void
  onView: (item: HistoryItem) => void
}

export function HistoryTable({ items, isFiltered, onClear, onView }: Props) {
  const columns: Column<HistoryItem>[] = [
    { header: 'User', isRowHeader: true, cell: (item) => <UserName user={item.user} /> },
    { header: 'Channel', cell: (item) => <ChannelAndTitle {...item} /> },
    {
      header: 'Messages',
      align: 'end',
      hideBelow: 'md',
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
