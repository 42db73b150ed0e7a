import { ArrowLeft, PanelLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { IconButton } from '#ui/IconButton.tsx'

interface Props {
  /** Undefined while loading. */
  channel: { name: string; description: string } | undefined
  isSidebarOpen: boolean
  onToggleSidebar: () => void
  /** The buttons at the end of the header. */
  children: ReactNode
}

/** Reserves the space of a button until the user's permissions are known, so that the header does not shift. */
export function ButtonSkeleton() {
  return <button type="button" disabled className="invisible size-10 shrink-0 pointer-coarse:size-11" />
}

export function ChannelHeader({ channel, isSidebarOpen, onToggleSidebar, children }: Props) {
  const [, navigate] = useLocation()
  return (
    // On phones, the name gets its own line if there are five or more buttons. Open menus do not count as buttons.
    <header className="group/head flex min-h-14 shrink-0 items-center gap-1 border-hairline border-b bg-page px-2 max-sm:has-[>button:nth-of-type(5)]:flex-wrap max-sm:has-[>button:nth-of-type(5)]:gap-y-0 max-sm:has-[>button:nth-of-type(5)]:pt-1 max-sm:has-[>button:nth-of-type(5)]:pb-2">
      <IconButton
        icon={ArrowLeft}
        label="Back to dashboard"
        className="[&>span]:left-0 [&>span]:translate-x-0"
        onClick={() => navigate('/dashboard')}
      />
      <IconButton
        icon={PanelLeft}
        label="Channels and chats"
        aria-expanded={isSidebarOpen}
        className="max-sm:group-has-[>button:nth-of-type(5)]/head:mr-auto"
        onClick={onToggleSidebar}
      />
      <div className="min-w-0 flex-1 px-2 max-sm:group-has-[>button:nth-of-type(5)]/head:order-last max-sm:group-has-[>button:nth-of-type(5)]/head:basis-full">
        <h1 dir="auto" className="min-h-5 truncate font-semibold text-base leading-5">
          {channel?.name ?? <span className="sr-only">Channel</span>}
        </h1>
        <p dir="auto" title={channel?.description} className="h-4 truncate text-muted text-xs">
          {channel !== undefined && (channel.description || 'No description')}
        </p>
      </div>
      {children}
    </header>
  )
}
