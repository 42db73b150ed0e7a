import type { Channel } from '@lyceum/contract/channels'
import { type ReactNode, useEffect, useRef } from 'react'
import { Avatar } from '#ui/Avatar.tsx'
import { cx } from '#ui/cx.ts'
import { Link } from '#ui/Link.tsx'

interface Props {
  channels: readonly Channel[]
  currentId: string
  onSelect: () => void
  /** Shown below the current channel. */
  children: ReactNode
}

/** The user's channels, the current one expanded. */
export function ChannelList({ channels, currentId, onSelect, children }: Props) {
  const current = useRef<HTMLLIElement>(null)
  // Below many channels, the current one and its chats would be outside the sidebar.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever another channel is opened or listed
  useEffect(() => {
    const row = current.current
    if (row !== null && row.getBoundingClientRect().top > innerHeight / 2)
      row.scrollIntoView({ block: 'start' })
  }, [currentId, channels.length])
  return (
    <nav aria-label="Channels" className="p-2">
      <ul className="flex flex-col gap-1">
        {channels.map((channel) => {
          const isCurrent = channel._id === currentId
          return (
            <li key={channel._id} ref={isCurrent ? current : undefined} className={cx(isCurrent && 'pb-2')}>
              <Link
                to={`/channels/${encodeURIComponent(channel._id)}`}
                aria-current={isCurrent ? 'page' : undefined}
                onClick={onSelect}
                className="flex items-center gap-3 rounded-control p-2 transition-colors hover:bg-hairline/60"
              >
                <Avatar name={channel.name} colorOf={channel._id} />
                <span className="min-w-0 flex-1">
                  <span
                    dir="auto"
                    className={cx('block truncate text-sm', isCurrent ? 'font-semibold' : 'font-medium')}
                  >
                    {channel.name}
                  </span>
                  <span dir="auto" className="block truncate text-muted text-xs">
                    {channel.description || 'No description'}
                  </span>
                </span>
              </Link>
              {isCurrent && children}
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
