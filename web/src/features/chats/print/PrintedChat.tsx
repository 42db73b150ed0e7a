import type { ChatMessage } from '@lyceum/contract/chats'
import { memo, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { wholeTime } from '#lib/chat-time.ts'
import { texts } from '#texts/member.ts'
import { ReplyNote } from '../messages/ReplyNote.tsx'
import { Reply } from '../reply/Reply.tsx'
import type { WholeChat } from './load-whole-chat.ts'

/** As many at a time as are drawn without holding the page up. */
const step = 20

const PrintedMessage = memo(({ message, hasFailed }: { message: ChatMessage; hasFailed: boolean }) => (
  <li className="space-y-1.5">
    <h2 className="flex gap-2 text-xs">
      <span className="font-semibold">{message.role === 'user' ? 'You' : 'Assistant'}</span>
      <time dateTime={message.timestamp} className="text-muted tabular-nums">
        {wholeTime(new Date(message.timestamp))}
      </time>
    </h2>
    {message.role === 'user' ? (
      <p dir="auto" className="wrap-anywhere whitespace-pre-wrap border-hairline border-s-4 ps-3 text-base">
        {message.content}
        {hasFailed && texts.chat.notSent}
      </p>
    ) : (
      <>
        {message.content !== '' && <Reply text={message.content} citations={message.citations} />}
        <ReplyNote message={message} isLost={false} />
      </>
    )}
  </li>
))

interface Props {
  title: string
  /** What it is printed from. */
  source: string
  chat: WholeChat
  onProgress: (share: number) => void
  onDrawn: () => void
}

/** A whole chat on paper: nobody sees it on the screen, and nothing else is printed while it is there. */
export function PrintedChat({ title, source, chat, onProgress, onDrawn }: Props) {
  const { messages, isCut } = chat
  const [drawn, setDrawn] = useState(0)
  const isDrawn = drawn >= messages.length
  useEffect(() => {
    onProgress(messages.length === 0 ? 1 : Math.min(1, drawn / messages.length))
    if (isDrawn) {
      onDrawn()
      return
    }
    const timer = setTimeout(() => setDrawn(drawn + step))
    return () => clearTimeout(timer)
  }, [drawn, isDrawn, messages.length, onProgress, onDrawn])
  return createPortal(
    <article data-printed className="hidden text-ink print:block">
      <h1 dir="auto" className="wrap-anywhere text-start font-semibold text-2xl">
        {title}
      </h1>
      <p className="mt-1 mb-6 border-hairline border-b pb-3 text-muted text-xs">
        {source}
        {isCut &&
          ' The beginning is left out: only the last messages are printed. An export holds all of them.'}
      </p>
      <ol className="space-y-5">
        {messages.slice(0, drawn).map((message, at) => {
          const next = messages[at + 1]
          const hasFailed = next?.role === 'assistant' && next.state === 'failed'
          return <PrintedMessage key={message._id} message={message} hasFailed={hasFailed} />
        })}
      </ol>
    </article>,
    document.body,
  )
}
