import { Keyboard, Plus, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#ui/Button.tsx'

interface Props {
  onSearch: () => void
  /** Undefined when no chat can be started in the open channel. */
  onCreate: (() => void) | undefined
  isCreating: boolean
  onHelp: () => void
  /** The channels. Only they scroll. */
  children: ReactNode
}

const rowStyle = 'w-full justify-start px-2.5'

/** The frame around the list of channels: search and a new chat above, help below. */
export function ChatSidebar({ onSearch, onCreate, isCreating, onHelp, children }: Props) {
  return (
    // In a window too short for the list, the frame scrolls as well.
    <div className="flex h-full min-h-80 flex-col">
      <div className="shrink-0 px-2 pt-2">
        {onCreate !== undefined && (
          <Button
            variant="ghost"
            busy={isCreating}
            onClick={onCreate}
            className={`${rowStyle} text-primary-600 dark:text-link`}
          >
            <Plus aria-hidden="true" className="size-4" />
            New chat
          </Button>
        )}
        <Button variant="ghost" onClick={onSearch} className={`${rowStyle} text-muted`}>
          <Search aria-hidden="true" className="size-4" />
          Search your chats
        </Button>
      </div>
      {children}
      {/* A touch screen usually has no keyboard. */}
      <div className="shrink-0 p-2 pt-0 pointer-coarse:hidden">
        <Button variant="ghost" onClick={onHelp} className={`${rowStyle} text-muted`}>
          <Keyboard aria-hidden="true" className="size-4" />
          Keyboard shortcuts
        </Button>
      </div>
    </div>
  )
}
