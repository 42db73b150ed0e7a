import { ArrowLeft, PanelLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { IconButton } from '#ui/IconButton.tsx'

interface Props {
  /** Undefined while it is on its way. */
  channel: { name: string; description: string } | undefined
  isSidebarOpen: boolean
  onToggleSidebar: () => void
  /** What can be done here, at the end of the line. */
  children: ReactNode
}

export const ChannelHeader = ({ channel, isSidebarOpen, onToggleSidebar, children }: Props) => {
  const navigate = useNavigate()
  return (
    <header className="flex h-14 shrink-0 items-center gap-1 border-hairline border-b bg-page px-2">
      <IconButton
        icon={ArrowLeft}
        label="Back to dashboard"
        className="[&>span]:left-0 [&>span]:translate-x-0"
        onClick={() => void navigate('/dashboard')}
      />
      <IconButton
        icon={PanelLeft}
        label="Channels and chats"
        aria-expanded={isSidebarOpen}
        onClick={onToggleSidebar}
      />
      <div className="min-w-0 flex-1 px-2">
        <h1 dir="auto" className="truncate font-semibold text-base leading-5">
          {channel?.name ?? <span className="sr-only">Channel</span>}
        </h1>
        {channel !== undefined && (
          <p dir="auto" title={channel.description} className="truncate text-muted text-xs">
            {channel.description || 'No description'}
          </p>
        )}
      </div>
      {children}
    </header>
  )
}
