import type { RecentChat } from '@lyceum/contract/chats'
import { MessageSquare } from 'lucide-react'
import { useId } from 'react'
import { formatChatTime } from '#lib/chat-time.ts'
import { Link } from '#ui/Link.tsx'
import { chatName } from '../sidebar/chat-label.ts'

function RecentChatLink({ chat }: { chat: RecentChat }) {
  const { channelId, chatId, channelName, updatedAt } = chat
  return (
    <Link
      to={`/channels/${encodeURIComponent(channelId)}?chat=${encodeURIComponent(chatId)}`}
      className="flex items-center gap-3 rounded-control px-3 py-2.5 hover:bg-surface-2"
    >
      <MessageSquare aria-hidden="true" className="size-4 shrink-0 text-muted" />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate text-left font-medium text-sm">
          {chatName(chat)}
        </span>
        <span className="flex justify-between gap-3 text-muted text-xs">
          <span dir="auto" className="min-w-0 truncate">
            {channelName}
          </span>
          <time dateTime={updatedAt} className="shrink-0 tabular-nums">
            {formatChatTime(new Date(updatedAt), new Date())}
          </time>
        </span>
      </span>
    </Link>
  )
}

/** The chats that the user used last, in all channels. Phones show three, so that the channels stay in view. */
export function RecentChats({ chats }: { chats: readonly RecentChat[] }) {
  const headingId = useId()
  if (chats.length === 0) return null
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="flex min-h-10 items-center font-semibold text-lg">
        Recent chats
      </h2>
      <ul className="mt-2 grid rounded-card border border-hairline bg-raised p-2 sm:max-lg:grid-cols-2">
        {chats.map((chat) => (
          <li key={chat.chatId} className="min-w-0 max-sm:nth-[n+4]:hidden sm:max-lg:only:col-span-2">
            <RecentChatLink chat={chat} />
          </li>
        ))}
      </ul>
    </section>
  )
}
