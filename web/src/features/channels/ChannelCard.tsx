import type { Channel } from '@lyceum/contract/channels'
import { ArrowRight } from 'lucide-react'
import { Avatar } from '#ui/Avatar.tsx'
import { Link } from '#ui/Link.tsx'

/** A channel on the dashboard; the whole card is the link. On phones it is a compact row. */
export function ChannelCard({ channel }: { channel: Channel }) {
  return (
    <Link
      to={`/channels/${encodeURIComponent(channel._id)}`}
      className="group grid h-full min-h-13 grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 rounded-card border border-hairline bg-raised px-4 py-1 transition-colors hover:border-link sm:min-h-36 sm:grid-rows-[auto_1fr_auto] sm:p-5"
    >
      <span className="flex max-sm:row-span-2">
        <Avatar name={channel.name} colorOf={channel._id} />
      </span>
      <span
        dir="auto"
        className="wrap-anywhere line-clamp-2 text-start font-semibold text-base leading-6 max-sm:line-clamp-1"
      >
        {channel.name}
      </span>
      <span
        dir="auto"
        className="wrap-anywhere line-clamp-1 text-start text-muted text-sm sm:col-span-2 sm:mt-3 sm:line-clamp-3 sm:self-start"
      >
        {channel.description || 'No description'}
      </span>
      <span className="col-span-2 hidden items-center gap-1.5 pt-4 font-medium text-link text-sm sm:flex">
        Open channel
        <ArrowRight aria-hidden="true" className="size-4 transition-transform group-hover:translate-x-0.5" />
      </span>
    </Link>
  )
}
