import { chatsApi, type ReplyEvent } from '@lyceum/contract/chats'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError, isAborted } from '#api/api-error.ts'
import { callEvents } from '#api/events.ts'
import { tellOtherTabs } from '../chat-tabs.ts'
import { chatsKey, editThread, refreshChat } from '../queries.ts'
import { cutBefore, type Thread, withMessage, withQuestionRead } from '../thread.ts'
import type { Activities, Turn } from './activity.ts'
import { followEvents } from './follow-events.ts'

const shortestMs = 500
const longestMs = 10_000

/** Waits longer after each failure, but not past the moment the line comes back. Throws when nobody waits any more. */
function pauseBeforeRetry(failures: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    function settle(act: () => void) {
      return () => {
        clearTimeout(timer)
        removeEventListener('online', proceed)
        signal.removeEventListener('abort', giveUp)
        act()
      }
    }
    const proceed = settle(resolve)
    const giveUp = settle(() => reject(new ApiError(0, 'aborted')))
    const timer = setTimeout(proceed, Math.min(longestMs, shortestMs * 2 ** failures))
    addEventListener('online', proceed)
    signal.addEventListener('abort', giveUp)
    if (signal.aborted) giveUp()
  })
}

export interface TurnContext {
  queryClient: QueryClient
  activities: Activities
  channelId: string
  chatId: string
  /** The page is left: nobody reads any more. The reply goes on at the server. */
  leaving: AbortSignal
  /** A turn that ended in an error which the person should hear of. */
  onFailure: (error: ApiError) => void
}

export interface TurnStart {
  turn: Turn
  /** The last event that is known of the reply; 0 of one that is only being asked for. */
  after: number
  /** Asks for the reply; null to follow one that runs already. */
  ask: ((signal: AbortSignal) => AsyncGenerator<ReplyEvent, void, undefined>) | null
  onAccepted: () => void
}

function asApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(0, 'unknown')
}

/** Takes a turn from its question to the end of its reply, into what is shown of the chat. */
export async function runTurn(context: TurnContext, { turn, after, ask, onAccepted }: TurnStart) {
  const { queryClient, activities, channelId, chatId, leaving } = context
  const { live, branch } = turn
  const reading = new AbortController()
  let { replyId, phase } = turn
  let hasBegun = ask === null

  function update(what: Partial<Turn>): void {
    activities.changeTurn(chatId, live, what)
  }
  function edit(change: (thread: Thread) => Thread): Promise<void> {
    return editThread(queryClient, channelId, chatId, change)
  }
  function refresh(): void {
    tellOtherTabs({ channelId, chatId })
    void refreshChat(queryClient, channelId, chatId)
  }

  async function apply(event: ReplyEvent): Promise<void> {
    switch (event.type) {
      case 'accepted': {
        const { message, reply } = event
        replyId = reply._id
        phase = 'replying'
        onAccepted()
        update({ phase, replyId })
        // It goes on with what an earlier one said, or was asked for before under the same key.
        live.begin({ text: reply.content, citations: reply.citations ?? [] })
        if (branch?.kind === 'continue') activities.takePlace(replyId, branch.messageId)
        await edit((thread) => {
          const kept = branch === null ? thread : cutBefore(thread, branch.messageId)
          return withMessage(message === null ? kept : withMessage(kept, message), reply)
        })
        tellOtherTabs({ channelId, chatId })
        void queryClient.invalidateQueries({ queryKey: chatsKey(channelId) })
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
        if (event.type === 'error') context.onFailure(new ApiError(0, event.code, event.message))
    }
  }

  // A question that has not arrived yet is seen through; a reply needs no reader.
  function leave(): void {
    if (phase !== 'sending') reading.abort()
  }
  leaving.addEventListener('abort', leave)
  try {
    const events = followEvents({
      first: ask?.(reading.signal) ?? null,
      after,
      resume: (seq) => {
        const params = { channelId, chatId, messageId: replyId ?? '' }
        return callEvents(chatsApi.events, { params, query: { after: seq } }, reading.signal)
      },
      pause: (failures) => {
        update({ isReconnecting: true })
        return pauseBeforeRetry(failures, reading.signal)
      },
    })
    for await (const event of events) {
      await apply(event)
      if (leaving.aborted) return
    }
  } catch (error) {
    if (isAborted(error) || leaving.aborted) return
    live.flush()
    if (phase === 'sending') throw asApiError(error)
    update({ phase: 'lost', status: null, isReconnecting: false })
    refresh()
  } finally {
    leaving.removeEventListener('abort', leave)
  }
}
