import type { Channel } from '@lyceum/contract/channels'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useObjectUrl } from '#lib/use-object-url.ts'
import { cx } from '#ui/cx.ts'
import { wallpaperQuery } from '../queries.ts'

interface Props {
  /** Undefined while loading. */
  channel: Channel | undefined
  children: ReactNode
}

/** Shows a chat in front of its channel's wallpaper, if there is one. */
export function WallpaperBackdrop({ channel, children }: Props) {
  const url = useObjectUrl(useQuery(wallpaperQuery(channel)).data)
  return (
    <div className={cx('relative isolate flex min-h-0 flex-1 flex-col', url !== null && 'on-picture')}>
      {url !== null && (
        <div
          aria-hidden="true"
          className="-z-10 absolute inset-0 animate-appear bg-center bg-cover"
          style={{ backgroundImage: `url("${url}")` }}
        >
          {/* Keeps the text readable (theme.css, "on-picture"). Somewhat wider than the column of messages. */}
          <div className="mx-auto h-full max-w-200 bg-page/92" />
        </div>
      )}
      {children}
    </div>
  )
}
