import type { ChatMessage } from '@lyceum/contract/chats'
import { ArrowDown } from 'lucide-react'
import {
  type ReactNode,
  type Ref,
  useCallback,
  useDeferredValue,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
} from 'react'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { Button } from '#ui/Button.tsx'
import { PartBoundary } from '#ui/PartBoundary.tsx'
import { findReadyField } from '../composer/MessageInput.tsx'
import type { OpenCitation } from '../reply/citation.ts'
import { applyTurn } from '../thread.ts'
import { type ChatActivity, isBusy } from '../turns/activity.ts'
import { useTurns } from '../turns/TurnsProvider.tsx'
import { Announcer } from './Announcer.tsx'
import { AssistantRow } from './AssistantMessage.tsx'
import { MessageRow } from './MessageRow.tsx'
import { TypingIndicator } from './TypingIndicator.tsx'
import { UnsentMessage } from './UnsentMessage.tsx'
import { UserBubble, UserRow } from './UserMessage.tsx'
import { findAskedAgain, useMessageActions } from './use-message-actions.ts'
import { useMessageWindow } from './use-message-window.ts'

const FeedbackDialog = lazyComponent(async () => (await import('./FeedbackDialog.tsx')).FeedbackDialog)

export interface LogHandle {
  /** Scrolls the last question to the top. */
  showLastQuestion: () => void
  /** Scrolls to a loaded message and marks words in it. */
  reveal: (messageId: string, words: string) => void
}

interface Props {
  channelId: string
  chatId: string
  messages: readonly ChatMessage[]
  activity: ChatActivity
  older: { hasMore: boolean; isLoading: boolean; load: () => void }
  onOpenCitation: OpenCitation
  tail?: ReactNode
  ref: Ref<LogHandle>
}

function noop(): void {}

export function MessageLog({
  channelId,
  chatId,
  messages,
  activity,
  older,
  onOpenCitation,
  tail,
  ref,
}: Props) {
  const turns = useTurns()
  const { turn, unsent, unsentEdit } = activity
  const { messages: path, question } = useMemo(() => applyTurn(messages, turn), [messages, turn])
  const view = useMessageWindow(path, older)
  const { scroller, goToEnd, openSpace, keepPosition, reveal } = view
  function showLastQuestion(): void {
    openSpace()
    goToEnd()
  }
  useImperativeHandle(ref, () => ({ showLastQuestion, reveal }))

  const handleBeforeChange = useCallback(
    ({ from, to }: { from: string; to: string }) => keepPosition(from, to),
    [keepPosition],
  )
  function focusField(): void {
    const target = findReadyField() ?? scroller.current
    target?.focus({ preventScroll: true })
  }
  const followSent = useRef(noop)
  useEffect(() => {
    followSent.current = () => {
      showLastQuestion()
      // The pressed button is far above.
      focusField()
    }
  })
  const handleSent = useCallback(() => followSent.current(), [])
  const { actions, isLoadingVersion, badlyRatedReply, sendReason, skipReason } = useMessageActions(
    channelId,
    chatId,
    handleBeforeChange,
    handleSent,
  )
  const handleRetry = useCallback((key: string) => turns.retry(chatId, key), [turns, chatId])
  const handleDiscard = useCallback((key: string) => turns.discard(chatId, key), [turns, chatId])

  const branch = turn?.branch ?? null
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each branch
  useEffect(() => {
    if (branch === null) return
    if (branch.kind === 'edit') showLastQuestion()
    else goToEnd()
    // The pressed button was removed.
    if (document.activeElement === document.body) focusField()
  }, [branch])

  const askedAgain = useMemo(() => findAskedAgain(path), [path])
  const isAnswering = isBusy(activity)
  // Deferred, so that a sent message appears before the buttons of all other rows are disabled.
  const isLocked = useDeferredValue(isAnswering || isLoadingVersion)
  const isContinuing = branch?.kind === 'continue'
  const isPartial = view.start > 0 || older.hasMore || view.end < path.length

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <h2 className="sr-only">Messages</h2>
      <div
        ref={view.scroller}
        role="log"
        aria-label="Messages"
        // The Announcer reads a reply once it is complete: a live region would be read in pieces.
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the messages are scrolled with the keyboard
        tabIndex={0}
        onScroll={view.handleScroll}
        className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain -outline-offset-2 [container-type:inline-size] [scrollbar-gutter:stable]"
      >
        <div className="mx-auto max-w-3xl px-4 py-6 [--free:max(0px,(100cqw-48rem)/2)] md:px-6 print:[--free:0px]">
          {isPartial && (
            <p className="mb-6 hidden text-muted text-sm print:block">
              This printout shows only part of the chat. To print all of it, use “Print” in the chat menu.
            </p>
          )}
          {view.hasEarlier && (
            <div className="mb-6 flex justify-center print:hidden">
              <Button size="small" variant="ghost" busy={older.isLoading} onClick={view.showEarlier}>
                Show earlier messages
              </Button>
            </div>
          )}
          <ol ref={view.list} className="space-y-6">
            {path.slice(view.start, view.end).map((message) => (
              <li
                key={turns.activities.rowKeyOf(message._id)}
                data-id={message._id}
                data-question={message.role === 'user' || undefined}
              >
                <PartBoundary name="This message">
                  <MessageRow
                    message={message}
                    turn={turn}
                    unsentEdit={unsentEdit?.messageId === message._id ? unsentEdit.text : null}
                    isLocked={isLocked}
                    wasAskedAgain={askedAgain.has(message._id)}
                    actions={actions}
                    onOpenCitation={onOpenCitation}
                  />
                </PartBoundary>
              </li>
            ))}
            {question && (
              <li data-question>
                <UserRow>
                  <UserBubble {...question} delivery="sent" />
                </UserRow>
              </li>
            )}
            {unsent.map((message) => (
              <li key={message.key} data-question>
                <UnsentMessage
                  message={message}
                  isLocked={isAnswering}
                  onRetry={handleRetry}
                  onDiscard={handleDiscard}
                />
              </li>
            ))}
            {turn?.phase === 'sending' && !isContinuing && (
              <li>
                <AssistantRow>
                  <TypingIndicator turn={turn} />
                </AssistantRow>
              </li>
            )}
            {tail}
          </ol>
          <div ref={view.space} aria-hidden="true" className="print:hidden" />
        </div>
        {view.isScrolledUp && (
          // Inside the scroller, so that wheel and touch on the button scroll the messages.
          <div className="sticky bottom-3 flex h-0 items-end justify-center print:hidden">
            <Button
              size="small"
              className="rounded-full shadow-float"
              onClick={() => {
                goToEnd()
                // The button is removed; keep the focus in the messages.
                scroller.current?.focus({ preventScroll: true })
              }}
            >
              <ArrowDown aria-hidden="true" className="size-4" />
              Jump to latest
            </Button>
          </div>
        )}
      </div>
      <Announcer
        channelId={channelId}
        isBusy={isAnswering}
        reply={messages.find(({ _id }) => _id === turn?.replyId)}
        alreadySpokenLength={isContinuing ? (turn?.live.get().initialLength ?? 0) : 0}
      />
      <FeedbackDialog
        open={badlyRatedReply !== null}
        onLoadError={skipReason}
        props={{ open: badlyRatedReply !== null, onSend: sendReason, onSkip: skipReason }}
      />
    </div>
  )
}
