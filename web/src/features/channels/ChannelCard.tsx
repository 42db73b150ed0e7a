import type { Channel } from '@lyceum/contract/channels'
import { ArrowRight } from 'lucide-react'
import { Avatar } from '#ui/Avatar.tsx'
import { Link } from '#ui/Link.tsx'

/** A channel on the dashboard; the whole card is the link. */
export function ChannelCard({ channel }: { channel: Channel }) {
  return (
    <Link
      to={`/channels/${encodeURIComponent(channel._id)}`}
      className="group flex h-full min-h-36 flex-col rounded-card border border-hairline bg-raised p-5 transition-colors hover:border-link"
    >
      <span className="flex items-center gap-3">
        <Avatar name={channel.name} colorOf={channel._id} />
        <span
          dir="auto"
          className="wrap-anywhere line-clamp-2 min-w-0 flex-1 text-start font-semibold text-base leading-6"
        >
          {channel.name}
        </span>
      </span>
      <span dir="auto" className="wrap-anywhere mt-3 line-clamp-3 text-start text-muted text-sm">
        {channel.description || 'No description'}
      </span>
      <span className="mt-auto flex items-center gap-1.5 pt-4 font-medium text-link text-sm">
        Open channel
        <ArrowRight aria-hidden="true" className="size-4 transition-transform group-hover:translate-x-0.5" />
      </span>
    </Link>
  )
}
