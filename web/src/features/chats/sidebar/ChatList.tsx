import type { Chat } from '@lyceum/contract/chats'
import { Ellipsis, Plus, RotateCw, Trash2 } from 'lucide-react'
import { formatChatTime } from '#lib/chat-time.ts'
import { texts } from '#texts/member.ts'
import { Button } from '#ui/Button.tsx'
import { cx } from '#ui/cx.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { Link } from '#ui/Link.tsx'
import { Menu } from '#ui/Menu.tsx'
import type { MenuItem } from '#ui/OpenMenu.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { chatName, chatPreview } from './chat-label.ts'
import type { ChatSelection } from './use-chat-selection.ts'

interface ItemProps {
  chat: Chat
  isCurrent: boolean
  menuItems: readonly MenuItem[]
  onSelect: () => void
  onDelete: () => void
}

function ChatItem({ chat, isCurrent, menuItems, onSelect, onDelete }: ItemProps) {
  const time = formatChatTime(new Date(chat.createdAt), new Date())
  const name = chatName(chat)
  return (
    <li
      className={cx(
        'flex items-center gap-1 rounded-control pr-1 transition-colors',
        isCurrent ? 'bg-primary-100 dark:bg-primary-900' : 'hover:bg-hairline/60',
      )}
    >
      <Link
        to={`?chat=${encodeURIComponent(chat._id)}`}
        aria-current={isCurrent ? 'true' : undefined}
        onClick={onSelect}
        className="min-w-0 flex-1 rounded-control px-2.5 py-2"
      >
        <span className="flex items-baseline gap-1.5">
          <span dir="auto" className="truncate font-medium text-sm">
            {name}
          </span>{' '}
          <time dateTime={chat.createdAt} className="shrink-0 text-muted text-xs tabular-nums">
            {time}
          </time>
        </span>
        <span dir="auto" className="wrap-anywhere block text-pretty text-muted text-xs">
          {chatPreview(chat)}
        </span>
      </Link>
      <Menu
        icon={Ellipsis}
        label={`More actions for ${name}, ${time}`}
        tip="More"
        items={menuItems}
        className="size-8 [&_svg]:size-4"
      />
      <IconButton
        icon={Trash2}
        tone="danger"
        tooltipAlign="end"
        label={`Delete ${name}, ${time}`}
        tip="Delete"
        onClick={onDelete}
        className="size-8 [&_svg]:size-4"
      />
    </li>
  )
}

interface Props {
  selection: ChatSelection
  onSelect: (chatId: string) => void
  onDelete: (chat: Chat) => void
  onCreate: () => void
  menuItemsFor: (chat: Chat) => readonly MenuItem[]
}

/** The chats of the open channel, last updated first. */
export function ChatList({ selection, onSelect, onDelete, onCreate, menuItemsFor }: Props) {
  const { list, chats, currentId, isCreating } = selection
  return (
    <div className="mt-1 flex flex-col gap-1 pl-1">
      <Button
        variant="ghost"
        busy={isCreating}
        onClick={onCreate}
        className="justify-start px-2.5 text-primary-600 dark:text-link"
      >
        <Plus aria-hidden="true" className="size-4" />
        New chat
      </Button>
      {list.isPending && (
        <div className="space-y-2 px-3 py-1">
          <Skeleton className="h-10" />
          <Skeleton className="h-10" />
        </div>
      )}
      {chats === undefined && list.isError && (
        <div className="px-3 py-2 text-sm">
          <p className="text-danger">{texts.chat.loadChatsFailed}</p>
          <Button size="small" className="mt-2" onClick={() => void list.refetch()}>
            <RotateCw aria-hidden="true" className="size-4" />
            Try again
          </Button>
        </div>
      )}
      {chats !== undefined && (
        <ul aria-label="Chats" className="flex flex-col gap-0.5">
          {chats.map((chat) => (
            <ChatItem
              key={chat._id}
              chat={chat}
              isCurrent={chat._id === currentId}
              menuItems={menuItemsFor(chat)}
              onSelect={() => onSelect(chat._id)}
              onDelete={() => onDelete(chat)}
            />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button
          variant="ghost"
          size="small"
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Show older chats
        </Button>
      )}
    </div>
  )
}
