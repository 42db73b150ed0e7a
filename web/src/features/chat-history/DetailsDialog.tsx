import type { HistoryItem } from '@lyceum/contract/chat-history'
import { stripInvisible } from '@lyceum/contract/invisible-text'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useSearch } from 'wouter'
import { messageOf } from '#api/api-error.ts'
import { toListState } from '#lib/list-path.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { buttonStyle } from '#ui/button-style.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Link } from '#ui/Link.tsx'
import { Loading } from '#ui/Spinner.tsx'
import { ChatFacts } from './ChatFacts.tsx'
import { chatHistoryPath } from './chat-history-paths.ts'
import { HistoryMessageRow } from './HistoryMessageRow.tsx'
import { historyDetailsQuery } from './queries.ts'

interface LastMessagesProps {
  chat: HistoryItem
  renderReply: (text: string) => ReactNode
}

function LastMessages({ chat, renderReply }: LastMessagesProps) {
  const heading = useId()
  const { data, error, refetch } = useQuery(historyDetailsQuery(chat._id))
  if (error !== null) {
    return (
      <EmptyState
        icon={TriangleAlert}
        hint={messageOf(error, '')}
        action={<Button onClick={() => void refetch()}>Try again</Button>}
      >
        {texts.chatHistory.loadDetailFailed}
      </EmptyState>
    )
  }
  if (data === undefined) return <Loading label="Loading the last messages…" />
  if (data.messages.length === 0) return <p className="text-muted text-sm">No messages yet.</p>
  return (
    <section className="flex flex-col gap-2">
      <h3 id={heading} className="font-medium text-sm">
        {data.before === null ? 'Messages' : 'Last messages'}
      </h3>
      <ol
        aria-labelledby={heading}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the dialog is scrolled with the keyboard from here
        tabIndex={0}
        className="divide-y divide-hairline rounded-card border border-hairline"
      >
        {data.messages.map((message) => (
          <li key={message._id} className="px-4 py-4">
            <HistoryMessageRow
              message={message}
              name={chat.user.name}
              reply={renderReply(message.content)}
              headingLevel="h4"
            />
          </li>
        ))}
      </ol>
    </section>
  )
}

interface Props {
  /** Null while closed. */
  chat: HistoryItem | null
  /** Renders the text of an assistant's message. */
  renderReply: (text: string) => ReactNode
  onClose: () => void
}

/** Shows a chat's details and last messages, with a link to the full chat. */
export function DetailsDialog({ chat, renderReply, onClose }: Props) {
  const search = useSearch()
  return (
    <Dialog
      open={chat !== null}
      onClose={onClose}
      title={stripInvisible(chat?.title ?? 'Chat details')}
      footer={
        chat !== null && (
          <Link to={chatHistoryPath(chat._id)} state={toListState(search)} className={buttonStyle('primary')}>
            View Full Chat
          </Link>
        )
      }
    >
      {chat !== null && (
        <div className="flex min-h-64 flex-col gap-5">
          <ChatFacts chat={chat} />
          <LastMessages chat={chat} renderReply={renderReply} />
        </div>
      )}
    </Dialog>
  )
}
