import { stripInvisible } from '@lyceum/contract/invisible-text'
import type { UserDetail } from '@lyceum/contract/users'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { useCan } from '#features/auth/use-can.ts'
import { chatHistoryPath } from '#features/chat-history/chat-history-paths.ts'
import { recentChatsQuery } from '#features/chat-history/queries.ts'
import { formatCount } from '#lib/format-count.ts'
import { phoneQuery, useMediaQuery } from '#lib/use-media-query.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextLink } from '#ui/TextLink.tsx'
import { Timestamp } from '#ui/Timestamp.tsx'
import { Fact, Facts, Section } from './user-section.tsx'

interface RecentChatsProps {
  userId: string
  /** With those without messages, which are not listed. */
  chatCount: number
  search: string
}

function RecentChats({ userId, chatCount, search }: RecentChatsProps) {
  const { data, error, refetch } = useQuery({ ...recentChatsQuery(userId), meta: { quiet: true } })
  if (error !== null)
    return (
      <div className="flex flex-col items-start gap-3 text-sm">
        <p className="text-danger">{messageOf(error, texts.chatHistory.loadFailed)}</p>
        <Button size="small" onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    )
  if (data === undefined)
    return (
      <div role="status">
        <span className="sr-only">Loading the chats…</span>
        <Skeleton className="h-40" />
      </div>
    )
  const emptyCount = chatCount - data.total
  return (
    <>
      <ul aria-label="Recent chats" className="divide-y divide-hairline">
        {data.chatHistories.map(({ _id, title, channel, updatedAt }) => (
          <li key={_id} className="py-2.5 text-sm last:pb-0">
            <TextLink to={chatHistoryPath(_id)} state={{ list: search }} className="wrap-anywhere">
              <bdi>{title === null ? 'Chat' : stripInvisible(title)}</bdi>
            </TextLink>
            <p className="mt-0.5 text-muted text-xs">
              <bdi className="wrap-anywhere">{channel.name}</bdi> · <Timestamp at={updatedAt} />
            </p>
          </li>
        ))}
      </ul>
      {emptyCount > 0 && (
        <p className="mt-2 text-muted text-xs">
          Not listed: {formatCount(emptyCount, 'chat')} without messages.
        </p>
      )}
    </>
  )
}

interface Props {
  user: UserDetail
  limits: ReactNode
  limitsAction: ReactNode
}

/**
 * The user's limits, chats and documents. The list of chats is loaded on request, because that is recorded in the audit
 * log.
 */
export function UserUsage({ user, limits, limitsAction }: Props) {
  const canViewChats = useCan('canViewChatHistory')
  const canManageDocuments = useCan('canManageDocuments')
  const [areChatsShown, setAreChatsShown] = useState(false)
  const listId = useId()
  const isPhone = useMediaQuery(phoneQuery)
  const { _id, chatCount, documentCount } = user
  const search = `?user=${encodeURIComponent(_id)}`
  const chats = formatCount(chatCount, 'chat')
  const documents = formatCount(documentCount, 'document')
  const canShowChats = canViewChats && chatCount > 0
  const chatsButton = canShowChats && (
    <Button
      size="small"
      aria-expanded={areChatsShown}
      aria-controls={areChatsShown ? listId : undefined}
      onClick={() => setAreChatsShown(!areChatsShown)}
    >
      {areChatsShown ? 'Hide recent chats' : 'Show recent chats'}
    </Button>
  )
  return (
    <Section
      title="Usage"
      action={
        <>
          {!isPhone && chatsButton}
          {limitsAction}
        </>
      }
    >
      {limits}
      <div className="mt-4">
        <Facts>
          <Fact label="Chats">
            {canShowChats ? <TextLink to={`/admin/chat-history${search}`}>{chats}</TextLink> : chats}
          </Fact>
          <Fact label="Uploads">
            {canManageDocuments && documentCount > 0 ? (
              <TextLink to={`/admin/documents?status=approved&uploaderId=${encodeURIComponent(_id)}`}>
                {documents}
              </TextLink>
            ) : (
              documents
            )}
          </Fact>
        </Facts>
      </div>
      {isPhone && chatsButton && <div className="mt-4 grid">{chatsButton}</div>}
      {canShowChats && (
        <div id={listId} className="mt-4 max-sm:mt-2">
          {areChatsShown ? (
            <RecentChats userId={_id} chatCount={chatCount} search={search} />
          ) : (
            <p className="text-muted text-xs">Showing the chats is recorded in the audit log.</p>
          )}
        </div>
      )}
    </Section>
  )
}
