import { Keyboard, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#ui/Button.tsx'

interface Props {
  onSearch: () => void
  onHelp: () => void
  children: ReactNode
}

const rowStyle = 'w-full justify-start px-2.5 text-muted'

/** The frame around the list of channels: search above, help below. */
export function ChatSidebar({ onSearch, onHelp, children }: Props) {
  return (
    <>
      <div className="p-2 pb-0">
        <Button variant="ghost" onClick={onSearch} className={rowStyle}>
          <Search aria-hidden="true" className="size-4" />
          Search your chats
        </Button>
      </div>
      {children}
      <div className="p-2 pt-0">
        <Button variant="ghost" onClick={onHelp} className={rowStyle}>
          <Keyboard aria-hidden="true" className="size-4" />
          Keyboard shortcuts
        </Button>
      </div>
    </>
  )
}
