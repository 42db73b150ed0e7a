import type { ChatMessage, Citation } from '@lyceum/contract/chats'
import { ArrowDown } from 'lucide-react'
import { type Ref, useCallback, useImperativeHandle, useMemo } from 'react'
import { Button } from '#ui/Button.tsx'
import { Announcer } from './Announcer.tsx'
import { AssistantMessage, AssistantRow } from './AssistantMessage.tsx'
import { type ChatActivity, isBusy } from './activity.ts'
import type { Delivery } from './DeliveryTick.tsx'
import { useTurns } from './TurnsProvider.tsx'
import { TypingIndicator } from './TypingIndicator.tsx'
import { UserMessage } from './UserMessage.tsx'
import { useMessageWindow } from './use-message-window.ts'

export interface LogHandle {
  goToEnd: () => void
}

interface Props {
  chatId: string
  messages: readonly ChatMessage[]
  activity: ChatActivity
  older: { exists: boolean; isLoading: boolean; load: () => void }
  onOpenCitation: (citation: Citation) => void
  ref: Ref<LogHandle>
}

/** A question whose reply failed did not get through: a reload must not make it look as if it had. */
const deliveryOf = (message: ChatMessage, next: ChatMessage | undefined): Delivery =>
  next?.role === 'assistant' && next.state === 'failed' ? 'failed' : (message.status ?? 'delivered')

export const MessageLog = ({ chatId, messages, activity, older, onOpenCitation, ref }: Props) => {
  const turns = useTurns()
  const { turn, unsent } = activity
  const ids = useMemo(() => messages.map(({ _id }) => _id), [messages])
  const view = useMessageWindow(ids, older)
  useImperativeHandle(ref, () => ({ goToEnd: view.goToEnd }))

  const handleAskAgain = useCallback(
    (reply: ChatMessage) => void turns.regenerate(chatId, reply),
    [turns, chatId],
  )
  const handleFollow = useCallback((reply: ChatMessage) => turns.follow(chatId, reply), [turns, chatId])
  const handleRetry = useCallback((key: string) => turns.retry(chatId, key), [turns, chatId])
  const handleDiscard = useCallback((key: string) => turns.discard(chatId, key), [turns, chatId])

  const isAnswering = isBusy(activity)
  const last = messages.at(-1)
  const hasEarlier = view.start > 0 || older.exists

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <h2 className="sr-only">Messages</h2>
      <div
        ref={view.scroller}
        role="log"
        aria-label="Messages"
        // What is said is announced once, when it is complete: a region that grows would be read in pieces.
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the messages are scrolled with the keyboard
        tabIndex={0}
        onScroll={view.handleScroll}
        className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain -outline-offset-2 [scrollbar-gutter:stable]"
      >
        <div className="mx-auto max-w-3xl px-4 py-6 md:px-6">
          {hasEarlier && (
            <div className="mb-6 flex justify-center">
              <Button size="small" variant="ghost" busy={older.isLoading} onClick={view.showEarlier}>
                Show earlier messages
              </Button>
            </div>
          )}
          <ol ref={view.list} className="space-y-6">
            {messages.slice(view.start).map((message, index) => (
              <li key={message._id}>
                {message.role === 'user' ? (
                  <UserMessage
                    text={message.content}
                    timestamp={message.timestamp}
                    delivery={deliveryOf(message, messages[view.start + index + 1])}
                  />
                ) : (
                  <AssistantMessage
                    message={message}
                    turn={turn?.replyId === message._id ? turn : null}
                    onAskAgain={message === last && !isAnswering ? handleAskAgain : null}
                    onFollow={handleFollow}
                    onOpenCitation={onOpenCitation}
                  />
                )}
              </li>
            ))}
            {unsent.map(({ key, text, timestamp, hasFailed }) => (
              <li key={key}>
                <UserMessage
                  text={text}
                  timestamp={timestamp}
                  delivery={hasFailed ? 'failed' : 'sent'}
                  unsentKey={key}
                  onRetry={handleRetry}
                  onDiscard={handleDiscard}
                />
              </li>
            ))}
            {turn?.phase === 'sending' && (
              <li>
                <AssistantRow>
                  <TypingIndicator status={null} isReconnecting={false} />
                </AssistantRow>
              </li>
            )}
          </ol>
        </div>
      </div>
      {view.isAway && (
        <Button
          size="small"
          className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full shadow-float"
          onClick={() => {
            view.goToEnd()
            // The button goes away; the focus stays in the messages.
            view.scroller.current?.focus({ preventScroll: true })
          }}
        >
          <ArrowDown aria-hidden="true" className="size-4" />
          Jump to latest
        </Button>
      )}
      <Announcer isBusy={isAnswering} last={last} />
    </div>
  )
}
