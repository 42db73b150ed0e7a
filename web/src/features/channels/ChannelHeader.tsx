import { ArrowLeft, PanelLeft, Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '#ui/IconButton.tsx'
import { Link } from '#ui/Link.tsx'

interface Props {
  /** Undefined while loading. */
  channel: { name: string; description: string } | undefined
  /** The title of the open chat; null without one. */
  chatTitle: string | null
  onRename: () => void
  /** The window has room for the title of the chat beside the name of the channel. */
  isWide: boolean
  isSidebarOpen: boolean
  onToggleSidebar: () => void
  /** The buttons at the end of the header. */
  children: ReactNode
}

/** Reserves the space of a button until the user's permissions are known, so that the header does not shift. */
export function ButtonSkeleton() {
  return <button type="button" disabled className="invisible size-10 shrink-0 pointer-coarse:size-11" />
}

/** The only bar of the chat screen: Shell hides the top bar while it is shown. */
export function ChannelHeader({
  channel,
  chatTitle,
  onRename,
  isWide,
  isSidebarOpen,
  onToggleSidebar,
  children,
}: Props) {
  const description = channel !== undefined && (channel.description || 'No description')
  const showsTitle = !isWide && chatTitle !== null
  return (
    <header
      data-own-bar
      className="flex h-14 shrink-0 items-center border-hairline border-b bg-page px-1 sm:gap-1 sm:px-2"
    >
      <Link
        to="/dashboard"
        aria-label="Back to Dashboard"
        className="inline-flex h-10 min-w-10 shrink-0 items-center justify-center gap-2 rounded-control font-medium text-muted text-sm transition-colors hover:bg-surface-2 hover:text-ink lg:pe-3 lg:ps-2 pointer-coarse:h-11 pointer-coarse:min-w-11 print:hidden"
      >
        <ArrowLeft aria-hidden="true" className="size-5" strokeWidth={1.75} />
        <span className="max-lg:hidden">Dashboard</span>
      </Link>
      <IconButton
        icon={PanelLeft}
        label="Channels and chats"
        aria-expanded={isSidebarOpen}
        onClick={onToggleSidebar}
      />
      {/* A long title takes the room of the description, but not of the channel's name. */}
      <div className="px-1.5 max-md:min-w-0 max-md:flex-1 sm:px-2 md:min-w-min md:max-w-[36%] md:shrink-999">
        {/* Each part has its own direction. They stay in order, at the start of the bar. */}
        <h1
          dir="auto"
          className="min-h-5 w-fit max-w-full truncate font-semibold text-base leading-5 md:max-w-[28vw]"
        >
          {channel?.name ?? <span className="sr-only">Channel</span>}
        </h1>
        <p title={channel?.description} className="flex h-4 text-muted text-xs">
          {showsTitle && <bdi className="max-w-full shrink-0 truncate font-medium text-ink">{chatTitle}</bdi>}
          <span className="flex min-w-0 overflow-hidden">
            {showsTitle && <span className="whitespace-pre"> · </span>}
            <bdi className="max-md:truncate md:wrap-anywhere md:line-clamp-1">{description}</bdi>
          </span>
        </p>
      </div>
      {isWide && (
        <div className="flex h-8 min-w-0 flex-auto items-center border-hairline border-s ps-1">
          {chatTitle !== null && (
            <button
              type="button"
              aria-label={`${chatTitle}, rename this chat`}
              onClick={onRename}
              className="group/title flex h-9 min-w-0 items-center gap-2 rounded-control px-2 font-medium text-sm transition-colors hover:bg-surface-2"
            >
              <bdi className="truncate">{chatTitle}</bdi>
              <Pencil
                aria-hidden="true"
                strokeWidth={1.75}
                className="size-3.5 shrink-0 text-muted opacity-0 group-hover/title:opacity-100 group-focus-visible/title:opacity-100 pointer-coarse:opacity-100"
              />
            </button>
          )}
        </div>
      )}
      {children}
    </header>
  )
}
