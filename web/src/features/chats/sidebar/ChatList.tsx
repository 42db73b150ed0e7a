import type { Chat } from '@lyceum/contract/chats'
import { RotateCw } from 'lucide-react'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { texts } from '#texts/member.ts'
import { Button } from '#ui/Button.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { ChatItem, type ChatMenu } from './ChatItem.tsx'
import { groupChats, listFirst } from './chat-groups.ts'
import type { ChatSelection } from './use-chat-selection.ts'
import { listRowControls, useRows } from './use-rows.ts'

const moreStyle = 'justify-start px-2.5 text-muted'

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
  const [isExpanded, setIsExpanded] = useState(false)
  const rows = useRef<HTMLDivElement>(null)
  const moreButton = useRef<HTMLButtonElement>(null)
  const known = chats ?? []
  const first = listFirst(known, currentId)
  const shown = isExpanded ? known : first
  const groups = groupChats(shown, new Date())
  const rowIds = groups.flatMap((group) => group.chats.map(({ _id }) => _id))
  const { tabStopId, listProps } = useRows(rowIds, currentId)
  const lostFocus = useRef<{ chatId: string; controlIndex: number } | null>(null)
  // A chat that is pinned or unpinned moves to another group, which removes its row and adds a new one.
  useLayoutEffect(() => {
    if (lostFocus.current === null) return
    const { chatId, controlIndex } = lostFocus.current
    lostFocus.current = null
    const row = rows.current?.querySelector(`[data-row="${chatId}"]`)
    if (row) listRowControls(row)[controlIndex]?.focus()
  })

  function expand(): void {
    const revealed = known.find((chat) => !shown.includes(chat))
    flushSync(() => setIsExpanded(true))
    // The button that had the focus is gone.
    rows.current?.querySelector<HTMLElement>(`[data-row="${revealed?._id}"] a`)?.focus()
  }

  function collapse(): void {
    flushSync(() => setIsExpanded(false))
    moreButton.current?.focus()
  }

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
        <div ref={rows} role="group" aria-label="Chats" {...listProps} className="flex flex-col gap-3">
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
                    onFocusLost={(controlIndex) => {
                      lostFocus.current = { chatId: chat._id, controlIndex }
                    }}
                  />
                ))}
              </ul>
            </div>
          ))}
        </div>
      )}
      {shown.length < known.length && (
        <Button ref={moreButton} variant="ghost" size="small" onClick={expand} className={moreStyle}>
          {list.hasNextPage ? 'Show more' : `Show all ${known.length}`}
        </Button>
      )}
      {shown.length === known.length && list.hasNextPage && (
        <Button
          variant="ghost"
          size="small"
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
          className={moreStyle}
        >
          Show older chats
        </Button>
      )}
      {isExpanded && first.length < known.length && (
        <Button variant="ghost" size="small" onClick={collapse} className={moreStyle}>
          Show fewer
        </Button>
      )}
    </div>
  )
}
