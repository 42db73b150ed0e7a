import type { Attachment } from '@lyceum/contract/attachments'
import { chatsApi, messagePageSize } from '@lyceum/contract/chats'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { MessageSquareDashed, TriangleAlert } from 'lucide-react'
import { type ReactNode, useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { isNotFound, messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { connection } from '#lib/connection.ts'
import { texts } from '#texts/member.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { PartBoundary } from '#ui/PartBoundary.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { toast } from '#ui/toast.ts'
import { OwnChatContext } from './attachments/own-chat.ts'
import { ArchivedNote } from './composer/ArchivedNote.tsx'
import { ChatFooter } from './composer/ChatFooter.tsx'
import { Composer } from './composer/Composer.tsx'
import { LimitNote } from './composer/LimitNote.tsx'
import { findFocusTarget, type MessageInputHandle } from './composer/MessageInput.tsx'
import { lacksDocuments, SetupNote, setupNoteId, useSetupProblem } from './composer/SetupNote.tsx'
import { hasFirstQuestion, takeFirstQuestion } from './first-questions.ts'
import { type LogHandle, MessageLog } from './messages/MessageLog.tsx'
import { useMessageJump } from './messages/use-message-jump.ts'
import { editThread, quotaLeftQuery, threadQuery } from './queries.ts'
import { QuotaNote } from './quotas/QuotaNote.tsx'
import { ReadOnlyContext } from './read-only.ts'
import type { OpenCitation } from './reply/citation.ts'
import { StarterQuestions } from './starters/StarterQuestions.tsx'
import { withOlderPage } from './thread.ts'
import { useActivity, useTurns } from './turns/TurnsProvider.tsx'
import { useChannelWatch } from './use-channel-watch.ts'
import { useErrorToast } from './use-error-toast.ts'
import { useIsArchived } from './use-is-archived.ts'
import { useIsNewly } from './use-is-newly.ts'
import { useSourceWatch } from './use-source-watch.ts'

/** Loads the next page of older messages. */
function useOlderMessages(channelId: string, chatId: string, before: string | null) {
  const client = useQueryClient()
  const load = useMutation({
    mutationFn: (from: string) =>
      call(chatsApi.get, {
        params: { channelId, chatId },
        query: { limit: messagePageSize, before: from },
      }),
    onSuccess: (page) => editThread(client, channelId, chatId, (thread) => withOlderPage(thread, page)),
    onError: (error) => toast.error(messageOf(error, texts.chat.loadMessagesFailed)),
  })
  return {
    hasMore: before !== null,
    isLoading: load.isPending,
    load: (): void => {
      if (before !== null && !load.isPending) load.mutate(before)
    },
  }
}

function MessagesSkeleton() {
  return (
    <div
      aria-hidden="true"
      className="mx-auto w-full max-w-3xl flex-1 space-y-6 overflow-hidden px-4 py-6 md:px-6"
    >
      {[0, 1, 2].map((turn) => (
        <div key={turn} className="space-y-6">
          <Skeleton className="ml-auto h-12 w-2/3 rounded-dialog" />
          <Skeleton className="h-32 w-full" />
        </div>
      ))}
    </div>
  )
}

interface Props {
  userId: string
  channelId: string
  chatId: string
  /** The chat was just created in this tab. */
  isNew: boolean
  /** Called when the chat does not exist or has been deleted. */
  onMissing: (chatId: string, wasShown: boolean) => void
  onOpenCitation: OpenCitation
  /** Undefined unless the user administers the channel. */
  onAddStarters?: (() => void) | undefined
  /** Undefined unless the user may propose documents. */
  onPropose?: (() => void) | undefined
  /** A way to continue after a limit is used up. */
  limitAction?: ReactNode
  /** List items below the last message. */
  tail?: ReactNode
}

/** A chat's messages and the message field. Use the chat's id as key, so that switching chats resets the state. */
export function Conversation(props: Props) {
  const { userId, channelId, chatId, isNew, onMissing, onOpenCitation, onAddStarters, onPropose } = props
  const { limitAction, tail } = props
  const turns = useTurns()
  const archivedState = useIsArchived(channelId)
  const isArchived = archivedState === true
  const isNewlyArchived = useIsNewly(archivedState)
  const activity = useActivity(chatId)
  const log = useRef<LogHandle>(null)
  const input = useRef<MessageInputHandle>(null)
  const { data: thread, error, isPending, refetch } = useQuery(threadQuery(channelId, chatId))
  const { data: quotaLeft, isPending: isQuotaPending } = useQuery(quotaLeftQuery(channelId))
  const older = useOlderMessages(channelId, chatId, thread?.before ?? null)
  // The messages are rendered in short steps, because together they would block a slow phone for half a second.
  const isShown = useDeferredValue(thread !== undefined, false)
  const { isJumping } = useMessageJump({
    channelId,
    chatId,
    thread: isShown ? thread : undefined,
    log,
    onOpenCitation,
  })
  const loadError = thread === undefined ? error : null
  // Deleted in another tab, or opened from an old link. `onMissing` tells the user once the cause is known.
  const isMissing = isNotFound(error)
  useErrorToast(isMissing ? null : loadError, texts.chat.loadMessagesFailed)

  const reportMissing = useEffectEvent(() => onMissing(chatId, thread !== undefined))
  useEffect(() => {
    if (isMissing) reportMissing()
  }, [isMissing])

  // Follow a running reply that this tab did not request: after a reload, or when another tab requested it.
  const runningReply = thread?.messages.findLast(({ state }) => state === 'streaming')
  useEffect(() => {
    if (runningReply !== undefined && activity.turn?.replyId !== runningReply._id)
      turns.follow(chatId, runningReply)
  }, [runningReply, activity.turn, turns, chatId])

  useEffect(() => turns.restore(chatId), [turns, chatId])

  const loaded = thread?.messages
  const shown = useMemo(() => loaded?.filter(({ role }) => role !== 'system') ?? [], [loaded])
  const [hasFiles, setHasFiles] = useState(false)
  useChannelWatch(channelId)
  useSourceWatch(channelId, chatId, shown)
  const problem = useSetupProblem(channelId, shown.at(-1)?.setupProblem)
  // Files of this chat can be asked about without documents of the channel.
  const canAskFiles = hasFiles || shown.some(({ attachments = [] }) => attachments.length > 0)
  const setupProblem = canAskFiles && lacksDocuments(problem) ? undefined : problem
  const isEmpty = shown.length === 0 && activity.unsent.length === 0 && !older.hasMore

  function handleSend(text: string, files?: readonly Attachment[]): Promise<boolean> {
    const sending = turns.send(chatId, text, files)
    log.current?.showLastQuestion()
    return sending
  }

  function chooseStarter(question: string): void {
    if (connection.isReachable.get()) void handleSend(question)
    else input.current?.addLine(question)
    findFocusTarget()?.focus()
  }

  const isExhausted = quotaLeft?.left === 0
  // Once everything is known that could prevent sending. With a problem, the note above the field explains it.
  const isReady = isShown && archivedState === false && !isQuotaPending
  const sendFirstQuestion = useEffectEvent(() => {
    const drafted = takeFirstQuestion(chatId)
    const question = drafted ?? takeFirstQuestion(userId)
    if (question === null || !isEmpty) return
    // There is no field now. The server refuses the question, so that it is shown as a message that could not be sent.
    if (isExhausted) void handleSend(question)
    else if (setupProblem === undefined) input.current?.submit(question)
    else if (drafted === null) input.current?.addLine(question)
  })
  useEffect(() => {
    if (isReady) sendFirstQuestion()
  }, [isReady])

  const isNewlyExhausted = useIsNewly(quotaLeft === undefined ? undefined : isExhausted)
  /** What the note in place of the message field needs. */
  const noteProps = {
    draftKey: { userId, chatId },
    unsentTexts: activity.unsent.map(({ text }) => text),
    onStop: activity.turn?.phase === 'replying' ? () => void turns.stop(chatId) : undefined,
    isStopping: activity.turn?.isStopping ?? false,
  }
  const ownChat = useMemo(() => ({ channelId, chatId }), [channelId, chatId])
  return (
    <ReadOnlyContext value={isArchived || isExhausted}>
      <OwnChatContext value={ownChat}>
        <div className="flex min-h-0 flex-1 flex-col" aria-busy={isPending || isJumping}>
          {(isPending || (thread !== undefined && !isShown)) && <MessagesSkeleton />}
          {loadError !== null && (
            <div className="my-auto">
              <EmptyState
                icon={TriangleAlert}
                action={<Button onClick={() => void refetch()}>Try again</Button>}
              >
                {texts.chat.loadMessagesFailed}
              </EmptyState>
            </div>
          )}
          {isShown && isEmpty && (
            // The rows above and below have the same height, so that questions that load later move nothing.
            <div className="grid min-h-0 flex-1 grid-rows-[1fr_auto_1fr] overflow-y-auto">
              <div className="row-start-2">
                <EmptyState
                  icon={MessageSquareDashed}
                  hint={isArchived || setupProblem === undefined ? undefined : texts.chat.cannotAnswer}
                >
                  {isArchived || isExhausted
                    ? 'No messages in this chat.'
                    : 'No messages yet. Start the conversation!'}
                </EmptyState>
                <ol className="px-4">{tail}</ol>
              </div>
              <div className="row-start-3 -mt-6">
                {!isArchived && !isExhausted && !hasFiles && setupProblem === undefined && (
                  <StarterQuestions channelId={channelId} onChoose={chooseStarter} onAdd={onAddStarters} />
                )}
              </div>
            </div>
          )}
          {isShown && !isEmpty && (
            <PartBoundary name="This chat">
              <MessageLog
                ref={log}
                channelId={channelId}
                chatId={chatId}
                messages={shown}
                activity={activity}
                older={older}
                onOpenCitation={onOpenCitation}
                tail={tail}
              />
            </PartBoundary>
          )}
        </div>
        <PartBoundary name="The message field">
          <ChatFooter channelId={channelId}>
            {isArchived ? (
              <ArchivedNote {...noteProps} isNew={isNewlyArchived} />
            ) : quotaLeft && isExhausted ? (
              <LimitNote
                {...noteProps}
                // The question is shown as an unsent message once the chat has loaded.
                draftKey={hasFirstQuestion(chatId) ? undefined : noteProps.draftKey}
                isNew={isNewlyExhausted}
                left={quotaLeft}
                action={limitAction}
              />
            ) : (
              <>
                <SetupNote channelId={channelId} problem={setupProblem} onPropose={onPropose} />
                <Composer
                  descriptionId={setupProblem === undefined ? undefined : setupNoteId}
                  ref={input}
                  userId={userId}
                  channelId={channelId}
                  chatId={chatId}
                  activity={activity}
                  isNew={isNew}
                  onHasFiles={setHasFiles}
                  isLoading={thread === undefined}
                  onSend={handleSend}
                  onStop={() => void turns.stop(chatId)}
                />
                <QuotaNote channelId={channelId} />
              </>
            )}
          </ChatFooter>
        </PartBoundary>
      </OwnChatContext>
    </ReadOnlyContext>
  )
}
