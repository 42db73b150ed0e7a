import type { Channel } from '@lyceum/contract/channels'
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLocation } from 'wouter'
import { Avatar } from '#ui/Avatar.tsx'
import { cx } from '#ui/cx.ts'
import { Link } from '#ui/Link.tsx'
import { SearchInput } from '#ui/SearchInput.tsx'
import { findChannels } from './find-channels.ts'

/** From this number of channels on, they can be filtered. */
const filterFrom = 10
/** From this number of channels on, the chats of the last one would begin below the first screen. */
const currentFirstFrom = 6

/** With many channels, the current one comes first. While filtered, it comes last and without its chats. */
function arrangeChannels(channels: readonly Channel[], currentId: string, search: string): Channel[] {
  const current = channels.filter(({ _id }) => _id === currentId)
  const others = channels.filter(({ _id }) => _id !== currentId)
  if (search !== '') return [...findChannels(others, search), ...current]
  return channels.length < currentFirstFrom ? [...channels] : [...current, ...others]
}

function toPath({ _id }: Channel): string {
  return `/channels/${encodeURIComponent(_id)}`
}

/** The links to channels, without those to the chats of the current one. */
function listLinks(list: Element | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('a[data-channel]') ?? [])]
}

/** Up and Down move between the matches, and from the first one back to the field. */
function moveBetweenMatches(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const links = listLinks(event.currentTarget)
  const index = links.indexOf(event.target as HTMLElement)
  if (step === undefined || index === -1) return
  event.preventDefault()
  const field = event.currentTarget.closest('nav')?.querySelector<HTMLElement>('[type=search]')
  ;(index + step < 0 ? field : links[index + step])?.focus()
}

interface Props {
  channels: readonly Channel[]
  currentId: string
  onSelect: () => void
  /** Shown below the current channel. */
  children: ReactNode
}

/** The user's channels, the current one expanded. */
export function ChannelList({ channels, currentId, onSelect, children }: Props) {
  const [search, setSearch] = useState('')
  const isFilterable = channels.length >= filterFrom
  const filter = isFilterable ? search : ''
  const list = useRef<HTMLDivElement>(null)
  const [, navigate] = useLocation()
  const matches = filter === '' ? [] : findChannels(channels, filter)
  const isCurrentApart = filter !== '' && matches.every(({ _id }) => _id !== currentId)
  function choose(): void {
    setSearch('')
    onSelect()
  }
  function openFirstMatch(text: string): void {
    const [first] = text === '' ? [] : arrangeChannels(findChannels(channels, text), currentId, text)
    if (first === undefined) return
    choose()
    navigate(toPath(first))
  }
  function enterMatches(text: string): void {
    if (findChannels(channels, text).length === 0) return
    flushSync(() => setSearch(text))
    listLinks(list.current)[0]?.focus()
  }
  // Another search shows its first matches.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the matches depend on the filter
  useLayoutEffect(() => {
    if (list.current !== null) list.current.scrollTop = 0
  }, [filter])
  return (
    <nav aria-label="Channels" className="flex min-h-0 flex-1 flex-col">
      {isFilterable && (
        <div className="shrink-0 px-2 py-1">
          <SearchInput
            label="Find a channel"
            value={search}
            onSearch={setSearch}
            onEnter={openFirstMatch}
            onArrowDown={enterMatches}
          />
          <p role="status" className="wrap-anywhere px-2 pt-2 pb-1 text-muted text-sm empty:hidden">
            {filter !== '' && matches.length === 0 && `No channel matches “${filter}”.`}
          </p>
        </div>
      )}
      <div ref={list} className="mt-1 min-h-0 flex-1 overflow-y-auto border-hairline border-t p-2">
        <ul className="flex flex-col gap-1" onKeyDown={filter === '' ? undefined : moveBetweenMatches}>
          {arrangeChannels(channels, currentId, filter).map((channel) => {
            const isCurrent = channel._id === currentId
            return (
              <li key={channel._id} className={cx(isCurrent && 'pb-2')}>
                {isCurrent && isCurrentApart && (
                  <p className="px-2 pt-2 pb-1 font-medium text-muted text-xs">Current channel</p>
                )}
                <Link
                  data-channel
                  to={toPath(channel)}
                  aria-current={isCurrent ? 'page' : undefined}
                  onClick={choose}
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
                {isCurrent && <div hidden={filter !== ''}>{children}</div>}
              </li>
            )
          })}
        </ul>
      </div>
    </nav>
  )
}
