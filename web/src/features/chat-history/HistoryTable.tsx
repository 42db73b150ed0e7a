import type { HistoryFilters, HistoryItem } from '@lyceum/contract/chat-history'
import { stripInvisible } from '@lyceum/contract/invisible-text'
import { MessagesSquare, SearchX } from 'lucide-react'
import { useSearch } from 'wouter'
import { formatDateTime } from '#lib/date-time.ts'
import { toListState } from '#lib/list-path.ts'
import { Button } from '#ui/Button.tsx'
import { cx } from '#ui/cx.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { type Column, coversRow, Table } from '#ui/Table.tsx'
import { TextLink } from '#ui/TextLink.tsx'
import { Timestamp } from '#ui/Timestamp.tsx'
import { chatHistoryPath } from './chat-history-paths.ts'
import { UserName } from './UserName.tsx'

function toSingleLine(text: string): string {
  return stripInvisible(text).replaceAll(/\s+/gu, ' ').trim()
}

/** Names a chat by its title or first question, with the question below a title that does not repeat it. */
function describe({ title, firstQuestion, messageCount }: HistoryItem) {
  const question = toSingleLine(firstQuestion ?? '')
  const name = toSingleLine(title ?? '')
  const repeatsQuestion = question.startsWith(name.replace(/(?:…|\.\.\.)$/u, ''))
  const below = messageCount === 0 ? 'No messages' : name !== '' && repeatsQuestion ? '' : question
  return name === '' && messageCount > 0 ? { name: question, below: '' } : { name, below }
}

/** Links to the full chat. A title without a second line may take both lines, so that all rows have the same height. */
function Title({ item }: { item: HistoryItem }) {
  const search = useSearch()
  const { name, below } = describe(item)
  return (
    <div className="sm:flex sm:min-h-10 sm:min-w-26 sm:flex-col sm:items-start sm:justify-center md:min-w-32">
      <TextLink
        to={chatHistoryPath(item._id)}
        state={toListState(search)}
        className={cx(
          'block max-w-full font-normal max-sm:font-medium',
          name === '' && 'text-muted',
          coversRow,
        )}
      >
        <bdi className={cx('wrap-anywhere line-clamp-2', below !== '' && 'sm:line-clamp-1')}>
          {name === '' ? 'Chat' : name}
        </bdi>
      </TextLink>
      {below !== '' && (
        <bdi className="wrap-anywhere line-clamp-1 font-normal text-muted text-sm max-sm:mt-0.5">{below}</bdi>
      )}
    </div>
  )
}

interface NoChatsProps {
  search: string
  /** Counts the filters without the search. */
  filterCount: number
  onClear: () => void
}

function NoChats({ search, filterCount, onClear }: NoChatsProps) {
  if (search === '' && filterCount === 0) {
    return (
      <EmptyState icon={MessagesSquare} hint="Chats appear here once users start them.">
        There are no chats yet.
      </EmptyState>
    )
  }
  const searched = search !== '' && `“${search}”`
  const filtered = filterCount > 0 && 'these filters'
  const cleared = [search !== '' && 'search', filterCount > 0 && 'filters'].filter(Boolean).join(' and ')
  return (
    <EmptyState icon={SearchX} action={<Button onClick={onClear}>Clear {cleared}</Button>}>
      <span className="wrap-anywhere">
        No chats match {[searched, filtered].filter(Boolean).join(' and ')}.
      </span>
    </EmptyState>
  )
}

const times: Record<'createdAt' | 'updatedAt', Pick<Column<HistoryItem>, 'header' | 'cell'>> = {
  createdAt: { header: 'Created', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  updatedAt: { header: 'Updated', cell: ({ updatedAt }) => <Timestamp at={updatedAt} /> },
}

interface Props extends NoChatsProps {
  items: readonly HistoryItem[]
  /** The time in this order is shown on narrow screens, which have room for one. */
  sortBy: HistoryFilters['sortBy']
  onView: (item: HistoryItem) => void
}

export function HistoryTable({ items, sortBy, onView, ...filter }: Props) {
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
      cell: (item) => <UserName user={item.user} isInChatRow />,
    },
    { header: 'Chat', hidesHeader: true, card: 'title', cell: (item) => <Title item={item} /> },
    {
      header: 'Channel',
      hidesHeader: true,
      card: 'detail',
      cell: ({ channel }) => (
        <bdi className="wrap-anywhere line-clamp-2 sm:min-w-22 md:min-w-24 xl:min-w-40">{channel.name}</bdi>
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
      card: 'actions',
      cell: (item) => (
        <Button
          size="small"
          className="max-sm:border-transparent max-sm:bg-transparent max-sm:text-link"
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
      empty={<NoChats {...filter} />}
    />
  )
}
