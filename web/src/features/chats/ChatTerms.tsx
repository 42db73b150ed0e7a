import { useQuery } from '@tanstack/react-query'
import { channelQuery } from '#features/channels/queries.ts'

const keptWords = (days: number): string => `Chats are kept for ${days.toLocaleString()} days`

/** Who may read what is written here, and how long it is kept, as administrators chose it. */
export const ChatTerms = ({ channelId }: { channelId: string }) => {
  const { data: channel } = useQuery({ ...channelQuery(channelId), meta: { quiet: true } })
  const notice = channel?.reviewNotice ?? null
  const days = channel?.chatsKeptDays ?? null
  // Its line is there before its words, so that nothing moves when they come.
  if (channel !== undefined && notice === null && days === null) return null
  return (
    <p className="wrap-anywhere mt-2 min-h-4 text-center text-muted text-xs">
      {notice !== null && <bdi>{notice}</bdi>}
      {notice !== null && days !== null && <span aria-hidden="true"> · </span>}
      {days !== null && <span className="inline-block">{keptWords(days)}</span>}
    </p>
  )
}
