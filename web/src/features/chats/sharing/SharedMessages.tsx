import type { ChatMessage } from '@lyceum/contract/chats'
import { memo } from 'react'
import { formatFullTime, formatMessageTime } from '#lib/chat-time.ts'
import { MessageFiles } from '../attachments/MessageFiles.tsx'
import { AssistantRow } from '../messages/AssistantMessage.tsx'
import { isCut, ReplyNote } from '../messages/ReplyNote.tsx'
import type { OpenCitation } from '../reply/citation.ts'
import { Reply } from '../reply/Reply.tsx'

interface RowProps {
  message: ChatMessage
  ownerName: string
  onOpenCitation: OpenCitation
}

const Question = memo(({ message, ownerName }: Pick<RowProps, 'message' | 'ownerName'>) => {
  const time = new Date(message.timestamp)
  return (
    <div className="flex flex-col items-end">
      <h2 className="sr-only">
        <bdi>{ownerName}</bdi> said
      </h2>
      <p
        dir="auto"
        className="wrap-anywhere max-w-[85%] whitespace-pre-wrap rounded-dialog bg-primary-50 px-4 py-2.5 text-base sm:max-w-[75%] dark:bg-primary-950 forced-colors:border"
      >
        {message.content}
      </p>
      <MessageFiles files={message.attachments ?? []} className="mt-1.5 justify-end" />
      <time
        dateTime={message.timestamp}
        title={formatFullTime(time)}
        className="mt-1 px-1 text-muted text-xs tabular-nums"
      >
        {formatMessageTime(time, new Date())}
      </time>
    </div>
  )
})

const Answer = memo(({ message, onOpenCitation }: Pick<RowProps, 'message' | 'onOpenCitation'>) => (
  <AssistantRow>
    {message.content !== '' && (
      <Reply
        text={message.content}
        citations={message.citations}
        isCut={isCut(message)}
        onOpenCitation={onOpenCitation}
      />
    )}
    <ReplyNote message={message} isLost={false} />
  </AssistantRow>
))

interface Props extends Omit<RowProps, 'message'> {
  messages: readonly ChatMessage[]
}

/** The messages of another user's chat, without actions. */
export function SharedMessages({ messages, ownerName, onOpenCitation }: Props) {
  return (
    <ol className="space-y-6">
      {messages
        .filter(({ role }) => role !== 'system')
        .map((message) => (
          <li key={message._id}>
            {message.role === 'user' ? (
              <Question message={message} ownerName={ownerName} />
            ) : (
              <Answer message={message} onOpenCitation={onOpenCitation} />
            )}
          </li>
        ))}
    </ol>
  )
}
