import type { ChatMessage } from '@lyceum/contract/chats'
import { memo, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { formatFullTime } from '#lib/chat-time.ts'
import { texts } from '#texts/member.ts'
import { isCut, ReplyNote } from '../messages/ReplyNote.tsx'
import { Reply } from '../reply/Reply.tsx'
import type { WholeChat } from './load-whole-chat.ts'

/** Few enough per task to keep the page responsive. */
const batchSize = 20

const PrintedMessage = memo(({ message, hasFailed }: { message: ChatMessage; hasFailed: boolean }) => (
  <li className="space-y-1.5">
    <h2 className="flex gap-2 text-xs">
      <span className="font-semibold">{message.role === 'user' ? 'You' : 'Assistant'}</span>
      <time dateTime={message.timestamp} className="text-muted tabular-nums">
        {formatFullTime(new Date(message.timestamp))}
      </time>
    </h2>
    {message.role === 'user' ? (
      <p dir="auto" className="wrap-anywhere whitespace-pre-wrap border-hairline border-s-4 ps-3 text-base">
        {message.content}
        {hasFailed && texts.chat.notSent}
      </p>
    ) : (
      <>
        {message.content !== '' && (
          <Reply text={message.content} citations={message.citations} isCut={isCut(message)} atOnce />
        )}
        <ReplyNote message={message} isLost={false} />
      </>
    )}
  </li>
))

interface Props {
  title: string
  /** The channel and the date of the chat. */
  subtitle: string
  chat: WholeChat
  onProgress: (progress: number) => void
  onRendered: () => void
}

/** A whole chat for printing: hidden on the screen, and the only thing printed while it is mounted. */
export function PrintedChat({ title, subtitle, chat, onProgress, onRendered }: Props) {
  const { messages, isTruncated } = chat
  const [renderedCount, setRenderedCount] = useState(0)
  const isRendered = renderedCount >= messages.length
  useEffect(() => {
    onProgress(messages.length === 0 ? 1 : Math.min(1, renderedCount / messages.length))
    if (isRendered) {
      onRendered()
      return
    }
    const timer = setTimeout(() => setRenderedCount(renderedCount + batchSize))
    return () => clearTimeout(timer)
  }, [renderedCount, isRendered, messages.length, onProgress, onRendered])
  return createPortal(
    <article data-printed className="hidden text-ink print:block">
      <h1 dir="auto" className="wrap-anywhere text-start font-semibold text-2xl">
        {title}
      </h1>
      <p className="mt-1 mb-6 border-hairline border-b pb-3 text-muted text-xs">
        {subtitle}
        {isTruncated && ' Only the most recent messages are printed. Export the chat to get all messages.'}
      </p>
      <ol className="space-y-5">
        {messages.slice(0, renderedCount).map((message, index) => {
          const next = messages[index + 1]
          const hasFailed = next?.role === 'assistant' && next.state === 'failed'
          return <PrintedMessage key={message._id} message={message} hasFailed={hasFailed} />
        })}
      </ol>
    </article>,
    document.body,
  )
}
