import { chatsApi, type ReplyEvent } from '@lyceum/contract/chats'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError, isAborted } from '#api/api-error.ts'
import { callEvents } from '#api/events.ts'
import { notifyOtherTabs } from '../other-tabs.ts'
import { chatsKey, editThread, quotaLeftQuery, refreshChat } from '../queries.ts'
import { type Thread, truncateAt, withMessage, withQuestionRead } from '../thread.ts'
import type { Activities, Turn } from './activity.ts'
import { followEvents } from './follow-events.ts'

const minRetryMs = 500
const maxRetryMs = 10_000

/**
 * Waits with exponential backoff or as long as the server asked, but at most until the browser is online again. Throws
 * when `signal` is aborted.
 */
function pauseBeforeRetry(failures: number, { retryAfter }: ApiError, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    function cleanUpThen(act: () => void) {
      return () => {
        clearTimeout(timer)
        removeEventListener('online', proceed)
        signal.removeEventListener('abort', cancel)
        act()
      }
    }
    const proceed = cleanUpThen(resolve)
    const cancel = cleanUpThen(() => reject(new ApiError(0, 'aborted')))
    const backoffMs = minRetryMs * 2 ** failures
    const timer = setTimeout(proceed, Math.min(maxRetryMs, Math.max(backoffMs, (retryAfter ?? 0) * 1000)))
    addEventListener('online', proceed)
    signal.addEventListener('abort', cancel)
    if (signal.aborted) cancel()
  })
}

export interface TurnContext {
  queryClient: QueryClient
  activities: Activities
  channelId: string
  chatId: string
  /** Aborted when the user leaves the screen. The reply continues on the server. */
  leaveSignal: AbortSignal
  /** Called when the reply ended in an error that the user should see. */
  onFailure: (error: ApiError) => void
}

export interface TurnStart {
  turn: Turn
  /** The number of the last known event; 0 for a new reply. */
  after: number
  /** Requests the reply; null to follow one that is already running. */
  openStream: ((signal: AbortSignal) => AsyncGenerator<ReplyEvent, void, undefined>) | null
  onAccepted: () => void
}

function asApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(0, 'unknown')
}

/** Runs a turn from its question to the end of its reply and updates the shown chat. */
export async function runTurn(context: TurnContext, { turn, after, openStream, onAccepted }: TurnStart) {
  const { queryClient, activities, channelId, chatId, leaveSignal } = context
  const { live, branch } = turn
  const streamController = new AbortController()
  let { replyId, phase } = turn
  let hasBegun = openStream === null

  function update(changes: Partial<Turn>): void {
    activities.changeTurn(chatId, live, changes)
  }
  function edit(change: (thread: Thread) => Thread): Promise<void> {
    return editThread(queryClient, channelId, chatId, change)
  }
  function refresh(): void {
    notifyOtherTabs({ channelId, chatId })
    void refreshChat(queryClient, channelId, chatId)
  }

  async function apply(event: ReplyEvent): Promise<void> {
    switch (event.type) {
      case 'accepted': {
        const { message, reply } = event
        replyId = reply._id
        phase = 'replying'
        onAccepted()
        update({ phase, replyId, isReconnecting: false })
        // Not empty when a reply is continued, or when a retry found the reply of the first attempt.
        live.begin({ text: reply.content, citations: reply.citations ?? [] })
        if (branch?.kind === 'continue') activities.replaceRow(replyId, branch.messageId)
        await edit((thread) => {
          const truncated = branch === null ? thread : truncateAt(thread, branch.messageId)
          return withMessage(message === null ? truncated : withMessage(truncated, message), reply)
        })
        notifyOtherTabs({ channelId, chatId })
        void queryClient.invalidateQueries({ queryKey: chatsKey(channelId) })
        // The number on the screen must count this message, too. Without one, the end of the reply is soon enough.
        const { queryKey } = quotaLeftQuery(channelId)
        if (queryClient.getQueryData(queryKey)) void queryClient.invalidateQueries({ queryKey })
        return
      }
      case 'status':
        return update({ status: event.status, isReconnecting: false })
      case 'delta':
        live.append(event.text)
        update({ status: null, isReconnecting: false })
        if (hasBegun) return
        hasBegun = true
        return edit((thread) => withQuestionRead(thread, replyId ?? ''))
      case 'citation':
        return live.cite(event.citation)
      case 'done':
      case 'error':
        live.flush()
        await edit((thread) => {
          const ended = withMessage(thread, event.reply)
          return event.reply.content === '' ? ended : withQuestionRead(ended, event.reply._id)
        })
        update({ phase: 'over', status: null, isReconnecting: false })
        refresh()
        // The reply itself says why it failed.
        if (event.type === 'error' && event.reply.error !== event.message)
          context.onFailure(new ApiError(0, event.code, event.message))
    }
  }

  // Leaving must not abort a message being sent; a reply continues on the server.
  function leave(): void {
    if (phase !== 'sending') streamController.abort()
  }
  leaveSignal.addEventListener('abort', leave)
  try {
    const events = followEvents({
      request: openStream && (() => openStream(streamController.signal)),
      after,
      resume: (seq) => {
        const params = { channelId, chatId, messageId: replyId ?? '' }
        return callEvents(chatsApi.events, { params, query: { after: seq } }, streamController.signal)
      },
      pause: (failures, error) => {
        update({ isReconnecting: true })
        return pauseBeforeRetry(failures, error, streamController.signal)
      },
    })
    for await (const event of events) {
      await apply(event)
      if (leaveSignal.aborted) return
    }
  } catch (error) {
    if (isAborted(error) || leaveSignal.aborted) return
    live.flush()
    if (phase === 'sending') throw asApiError(error)
    update({ phase: 'lost', status: null, isReconnecting: false })
    refresh()
  } finally {
    leaveSignal.removeEventListener('abort', leave)
  }
}
