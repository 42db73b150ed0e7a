import type { Chat } from '@lyceum/contract/chats'
import { Ellipsis, Share2, Trash2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { formatChatTime } from '#lib/chat-time.ts'
import { useLostFocus } from '#lib/use-lost-focus.ts'
import { useMediaQuery } from '#lib/use-media-query.ts'
import { cx } from '#ui/cx.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { Link } from '#ui/Link.tsx'
import { Menu } from '#ui/Menu.tsx'
import type { MenuItem } from '#ui/OpenMenu.tsx'
import { chatName, chatPreview } from './chat-label.ts'
import { listRowControls } from './use-rows.ts'

/** Loads the actions on a chat. `hasDelete` is false beside a button that deletes it. */
export type ChatMenu = (chat: Chat, options: { hasDelete: boolean }) => Promise<readonly MenuItem[]>

interface Props {
  chat: Chat
  isCurrent: boolean
  /** Tab reaches this row; the arrow keys reach the others. */
  isTabStop: boolean
  menuItemsFor: ChatMenu
  onSelect: () => void
  onDelete: () => void
  /** The row was removed with the focus in it. `controlIndex` counts the link and the buttons. */
  onFocusLost: (controlIndex: number) => void
}

/** The pointer can hover, so a row shows its actions only when they are needed. Otherwise its menu has them all. */
const finePointer = '(hover: hover) and (pointer: fine)'

export function ChatItem(props: Props) {
  const { chat, isCurrent, isTabStop, menuItemsFor, onSelect, onDelete, onFocusLost } = props
  const row = useRef<HTMLLIElement>(null)
  useLostFocus(row, (focused, container) =>
    onFocusLost(listRowControls(container).indexOf(focused as HTMLElement)),
  )
  const hasFinePointer = useMediaQuery(finePointer)
  const time = formatChatTime(new Date(chat.createdAt), new Date())
  const name = chatName(chat)
  const tabIndex = isTabStop ? 0 : -1
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  const begun = (
    <time dateTime={chat.createdAt} className="shrink-0 tabular-nums">
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
        className={cx(
          'block rounded-control px-2.5 py-1.5',
          // Room for the actions, so that they never cover the text.
          hasFinePointer ? 'group-focus-within:pr-18 group-hover:pr-18' : 'pr-12',
        )}
      >
        <span className="flex items-baseline gap-1.5">
          <span dir="auto" className="truncate font-medium text-sm">
            {name}
          </span>{' '}
          {chat.title === null && <span className="shrink-0 text-muted text-xs">{begun}</span>}
          {chat.isShared === true && <Share2 aria-label="Shared" className="size-3 shrink-0 text-muted" />}
        </span>
        <span className="block truncate text-muted text-xs">
          {chat.title !== null && <>Chat {begun} · </>}
          <bdi>{chatPreview(chat)}</bdi>
        </span>
      </Link>
      <div
        className={cx(
          'absolute inset-y-0 right-0.5 flex items-center',
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
