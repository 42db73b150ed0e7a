import type { Channel } from '@lyceum/contract/channels'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Avatar } from '#ui/Avatar.tsx'
import { cx } from '#ui/cx.ts'
import { Link } from '#ui/Link.tsx'
import { SearchInput } from '#ui/SearchInput.tsx'
import { findChannels } from './find-channels.ts'

/** From this number of channels on, they can be filtered. */
const filterFrom = 10

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
  const [search, setSearch] = useState('')
  const isFilterable = channels.length >= filterFrom
  const matches = new Set(isFilterable ? findChannels(channels, search) : channels)
  // The current channel stays, because its chats are below it.
  const shown = channels.filter((channel) => matches.has(channel) || channel._id === currentId)
  // Below many channels, the current one and its chats would be outside the sidebar.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever another channel is opened or listed, or the filter changes
  useEffect(() => {
    const row = current.current
    if (row !== null && row.getBoundingClientRect().top > innerHeight / 2)
      row.scrollIntoView({ block: 'start' })
  }, [currentId, channels.length, search])
  return (
    <nav aria-label="Channels" className="p-2">
      {isFilterable && (
        <div className="sticky top-0 z-10 -mx-2 -mt-2 bg-surface-2 p-2">
          <SearchInput label="Find a channel" value={search} onSearch={setSearch} />
        </div>
      )}
      {matches.size === 0 && isFilterable && (
        <p className="wrap-anywhere p-2 text-muted text-sm">{`No channel matches “${search}”.`}</p>
      )}
      <ul className="flex flex-col gap-1">
        {shown.map((channel) => {
          const isCurrent = channel._id === currentId
          return (
            <li
              key={channel._id}
              ref={isCurrent ? current : undefined}
              className={cx(isCurrent && 'pb-2', isFilterable && 'scroll-mt-14')}
            >
              <Link
                to={`/channels/${encodeURIComponent(channel._id)}`}
                aria-current={isCurrent ? 'page' : undefined}
                onClick={() => {
                  setSearch('')
                  onSelect()
                }}
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
