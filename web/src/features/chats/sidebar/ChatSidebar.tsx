import { Keyboard, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#ui/Button.tsx'

interface Props {
  onSearch: () => void
  onHelp: () => void
  /** The channels and their chats. */
  children: ReactNode
}

const lineStyle = 'w-full justify-start px-2.5 text-muted'

/** What stands above and below the channels, whichever of them is open. */
export function ChatSidebar({ onSearch, onHelp, children }: Props) {
  return (
    <>
      <div className="p-2 pb-0">
        <Button variant="ghost" onClick={onSearch} className={lineStyle}>
          <Search aria-hidden="true" className="size-4" />
          Search your chats
        </Button>
      </div>
      {children}
      <div className="p-2 pt-0">
        <Button variant="ghost" onClick={onHelp} className={lineStyle}>
          <Keyboard aria-hidden="true" className="size-4" />
          Keyboard shortcuts
        </Button>
      </div>
    </>
  )
}
