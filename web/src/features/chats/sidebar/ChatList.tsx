import type { Chat } from '@lyceum/contract/chats'
import { Ellipsis, RotateCw, Share2, Trash2 } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { formatChatTime } from '#lib/chat-time.ts'
import { useMediaQuery } from '#lib/use-media-query.ts'
import { texts } from '#texts/member.ts'
import { Button } from '#ui/Button.tsx'
import { cx } from '#ui/cx.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { Link } from '#ui/Link.tsx'
import { Menu } from '#ui/Menu.tsx'
import type { MenuItem } from '#ui/OpenMenu.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { groupChats } from './chat-groups.ts'
import { chatName, chatPreview } from './chat-label.ts'
import type { ChatSelection } from './use-chat-selection.ts'
import { useRows } from './use-rows.ts'

/** Loads the actions on a chat. `hasDelete` is false beside a button that deletes it. */
export type ChatMenu = (chat: Chat, options: { hasDelete: boolean }) => Promise<readonly MenuItem[]>

interface ItemProps {
  chat: Chat
  isCurrent: boolean
  /** Tab reaches this row; the arrow keys reach the others. */
  isTabStop: boolean
  menuItemsFor: ChatMenu
  onSelect: () => void
  onDelete: () => void
}

/** The pointer can hover, so a row shows its actions only when they are needed. Otherwise its menu has them all. */
const finePointer = '(hover: hover) and (pointer: fine)'

function ChatItem({ chat, isCurrent, isTabStop, menuItemsFor, onSelect, onDelete }: ItemProps) {
  const row = useRef<HTMLLIElement>(null)
  const hasFinePointer = useMediaQuery(finePointer)
  const time = formatChatTime(new Date(chat.createdAt), new Date())
  const name = chatName(chat)
  const tabIndex = isTabStop ? 0 : -1
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  const begun = (
    <time dateTime={chat.createdAt} className="shrink-0 text-muted text-xs tabular-nums">
      {time}
    </time>
  )
  return (
    <li
      ref={row}
      data-row={chat._id}
      className={cx(
        'group relative scroll-my-2 rounded-control transition-colors',
        isCurrent
          ? 'bg-primary-100 before:absolute before:inset-y-2 before:start-0 before:w-0.5 before:rounded-full before:bg-link dark:bg-control/20'
          : 'hover:bg-hairline/60 focus-within:bg-hairline/60',
      )}
    >
      <Link
        to={`?chat=${encodeURIComponent(chat._id)}`}
        aria-current={isCurrent ? 'true' : undefined}
        tabIndex={tabIndex}
        onClick={onSelect}
        className="block rounded-control px-2.5 py-1.5"
      >
        <span
          className={cx(
            'flex items-baseline gap-1.5',
            // Room for the actions, so that they never cover the title.
            hasFinePointer ? 'group-focus-within:pr-16 group-hover:pr-16' : 'pr-10',
          )}
        >
          <span dir="auto" className="truncate font-medium text-sm">
            {name}
          </span>{' '}
          {chat.title === null && begun}
          {chat.isShared === true && <Share2 aria-label="Shared" className="size-3 shrink-0 text-muted" />}
        </span>
        {chat.title !== null && (
          <span className={cx('block text-muted text-xs', !hasFinePointer && 'pr-10')}>Chat {begun}</span>
        )}
        <span dir="auto" className="wrap-anywhere block text-pretty text-muted text-xs md:max-lg:truncate">
          {chatPreview(chat)}
        </span>
      </Link>
      <div
        className={cx(
          'absolute top-0.5 right-0.5 flex',
          hasFinePointer && 'opacity-0 group-focus-within:opacity-100 group-hover:opacity-100',
        )}
      >
        <Menu
          icon={Ellipsis}
          label={`More actions for ${name}, ${time}`}
          tip="More"
          items={() => menuItemsFor(chat, { hasDelete: !hasFinePointer })}
          tabIndex={tabIndex}
          className="size-8 [&_svg]:size-4"
        />
        {hasFinePointer && (
          <IconButton
            icon={Trash2}
            tone="danger"
            tooltipAlign="end"
            label={`Delete ${name}, ${time}`}
            tip="Delete"
            onClick={onDelete}
            tabIndex={tabIndex}
            className="size-8 [&_svg]:size-4"
          />
        )}
      </div>
    </li>
  )
}

interface Props {
  selection: ChatSelection
  onSelect: (chatId: string) => void
  onDelete: (chat: Chat) => void
  menuItemsFor: ChatMenu
}

/** The chats of the open channel, last updated first and pinned ones above the others, which are grouped by day. */
export function ChatList({ selection, onSelect, onDelete, menuItemsFor }: Props) {
  const headingId = useId()
  const { list, chats, currentId } = selection
  const groups = groupChats(chats ?? [], new Date())
  const rowIds = groups.flatMap((group) => group.chats.map(({ _id }) => _id))
  const { tabStopId, listProps } = useRows(rowIds, currentId)
  return (
    <div className="mt-1 flex flex-col gap-1 pl-1">
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
        // biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields
        <div role="group" aria-label="Chats" {...listProps} className="flex flex-col gap-3">
          {groups.map(({ label, chats: inGroup }) => (
            <div key={label}>
              <h2 id={`${headingId}-${label}`} className="px-2.5 py-1 font-medium text-muted text-xs">
                {label}
              </h2>
              <ul aria-labelledby={`${headingId}-${label}`} className="flex flex-col gap-0.5">
                {inGroup.map((chat) => (
                  <ChatItem
                    key={chat._id}
                    chat={chat}
                    isCurrent={chat._id === currentId}
                    isTabStop={chat._id === tabStopId}
                    menuItemsFor={menuItemsFor}
                    onSelect={() => onSelect(chat._id)}
                    onDelete={() => onDelete(chat)}
                  />
                ))}
              </ul>
            </div>
          ))}
        </div>
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
