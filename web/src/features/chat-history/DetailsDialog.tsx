import type { HistoryItem } from '@lyceum/contract/chat-history'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import { useLocation } from 'react-router'
import { messageOf } from '#api/api-error.ts'
import { dateTime } from '#lib/date-time.ts'
import { Button } from '#ui/Button.tsx'
import { buttonStyle } from '#ui/button-style.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Link } from '#ui/Link.tsx'
import { Loading } from '#ui/Spinner.tsx'
import { messages } from '../../messages/admin.ts'
import { ChatFacts } from './ChatFacts.tsx'
import { historyPath } from './history-path.ts'
import { historyDetailsQuery } from './queries.ts'
import { type HistoryMessage, roleWords, stateNote } from './state-note.ts'

const Excerpt = ({ message }: { message: HistoryMessage }) => (
  <li className="flex flex-col gap-1 px-4 py-3">
    <p className="flex flex-wrap gap-x-2 text-xs">
      <span className="font-semibold">{roleWords[message.role]}</span>
      <time dateTime={message.timestamp} className="text-muted tabular-nums">
        {dateTime(message.timestamp)}
      </time>
    </p>
    <p dir="auto" className="wrap-anywhere line-clamp-4 whitespace-pre-wrap text-sm">
      {message.content === '' ? stateNote(message) : message.content}
    </p>
  </li>
)

const LastMessages = ({ id }: { id: string }) => {
  const heading = useId()
  const { data, error, refetch } = useQuery(historyDetailsQuery(id))
  if (error !== null) {
    return (
      <EmptyState
        icon={TriangleAlert}
        hint={messageOf(error, '')}
        action={<Button onClick={() => void refetch()}>Try again</Button>}
      >
        {messages.chatHistory.loadDetailFailed}
      </EmptyState>
    )
  }
  if (data === undefined) return <Loading label="Loading the last messages…" />
  if (data.messages.length === 0) return <p className="text-muted text-sm">Nothing has been said here yet.</p>
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
          <Excerpt key={message._id} message={message} />
        ))}
      </ol>
    </section>
  )
}

interface Props {
  /** Null while none is looked at. */
  chat: HistoryItem | null
  onClose: () => void
}

/** What a chat is, before one opens the whole of it. */
export const DetailsDialog = ({ chat, onClose }: Props) => {
  const { search } = useLocation()
  return (
    <Dialog
      open={chat !== null}
      onClose={onClose}
      title={chat?.title ?? 'Chat details'}
      footer={
        chat !== null && (
          <Link to={historyPath(chat._id)} state={{ list: search }} className={buttonStyle('primary')}>
            View Full Chat
          </Link>
        )
      }
    >
      {chat !== null && (
        <div className="flex min-h-64 flex-col gap-5">
          <ChatFacts chat={chat} />
          <LastMessages id={chat._id} />
        </div>
      )}
    </Dialog>
  )
}
