import { type ChatMessage, chatsApi } from '@lyceum/contract/chats'
import type { QueryClient } from '@tanstack/react-query'
import { type ApiError, isNotFound, messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { callEvents } from '#api/events.ts'
import { keepDraft, readDraft } from '#lib/drafts.ts'
import { randomKey } from '#lib/random-key.ts'
import { forgetUnsent, keepUnsent, readUnsent } from '#lib/unsent.ts'
import { texts } from '#texts/member.ts'
import { toast } from '#ui/toast.ts'
import { refreshChat } from '../queries.ts'
import { createActivities, isBusy, newTurn, type UnsentMessage } from './activity.ts'
import { createBranches } from './branches.ts'
import { createLiveText } from './live-text.ts'
import { runTurn, type TurnContext } from './run-turn.ts'

const { chat: words } = texts

function tell(error: ApiError, fallback: string = words.sendFailed): void {
  toast.error(messageOf(error, fallback))
}

/** The questions and replies of one person in one channel's chats while its screen is open. */
export function createTurns(queryClient: QueryClient, channelId: string, userId: string) {
  const activities = createActivities()
  let leaving = new AbortController()

  function contextOf(chatId: string): TurnContext {
    return {
      queryClient,
      activities,
      channelId,
      chatId,
      leaving: leaving.signal,
      // A chat that was deleted meanwhile: its screen says so, or it was deleted here.
      onFailure: (error) => error.code !== 'not_found' && tell(error),
    }
  }

  /** On its way a message was kept as a draft, which nobody takes back once its field has been left. */
  function dropDraft(chatId: string, text: string): void {
    const place = { userId, chatId }
    if (readDraft(place) === text) keepDraft(place, '')
  }

  function setUnsent(chatId: string, key: string, next: UnsentMessage | null): void {
    const place = { userId, chatId }
    if (next === null) forgetUnsent(place, key)
    else if (next.hasFailed) {
      keepUnsent(place, next)
      // It is not to stand in the field as well.
      dropDraft(chatId, next.text)
    }
    const others = activities.read(chatId).unsent.filter((message) => message.key !== key)
    activities.change(chatId, { unsent: next === null ? others : [...others, next] })
  }

  /** What could not be asked: the turn is none, and the person hears why. */
  function fail(chatId: string, error: ApiError, fallback: string): void {
    const { turn } = activities.read(chatId)
    activities.change(chatId, { turn: null })
    tell(error, fallback)
    // The chat is not as it was thought to be: another tab may have asked, or what was asked for here did arrive.
    if (error.status === 409 || error.status === 429 || isNotFound(error) || turn?.branch)
      void refreshChat(queryClient, channelId, chatId)
  }

  async function deliver(chatId: string, message: UnsentMessage): Promise<boolean> {
    if (isBusy(activities.read(chatId))) return false
    const turn = newTurn({})
    activities.change(chatId, { turn })
    setUnsent(chatId, message.key, { ...message, hasFailed: false })
    const input = { params: { channelId, chatId }, body: { message: message.text } }
    const headers = { 'Idempotency-Key': message.key }
    try {
      await runTurn(contextOf(chatId), {
        turn,
        after: 0,
        ask: (signal) => callEvents(chatsApi.send, input, signal, headers),
        onAccepted: () => {
          setUnsent(chatId, message.key, null)
          dropDraft(chatId, message.text)
        },
      })
      return true
    } catch (error) {
      setUnsent(chatId, message.key, { ...message, hasFailed: true })
      fail(chatId, error as ApiError, words.sendFailed)
      return false
    }
  }

  return {
    activities,

    /** Shows a message at once and sends it. False when it did not get through; it then waits for another try. */
    send: (chatId: string, text: string): Promise<boolean> =>
      deliver(chatId, { key: randomKey(), text, timestamp: new Date().toISOString(), hasFailed: false }),

    /** What did not get through on an earlier visit stands there again, and can be tried again. */
    restore: (chatId: string): void => {
      const { unsent } = activities.read(chatId)
      const known = new Set(unsent.map(({ key }) => key))
      const missed = readUnsent({ userId, chatId }).filter(({ key }) => !known.has(key))
      if (missed.length === 0) return
      const restored = missed.map((message) => ({ ...message, hasFailed: true }))
      activities.change(chatId, { unsent: [...restored, ...unsent] })
    },

    retry: (chatId: string, key: string): void => {
      const message = activities.read(chatId).unsent.find((unsent) => unsent.key === key)
      if (message !== undefined) void deliver(chatId, message)
    },

    discard: (chatId: string, key: string): void => setUnsent(chatId, key, null),

    ...createBranches({ channelId, activities, contextOf, fail }),

    /** Goes on reading a reply that is being written: after a reload, or one that another tab asked for. */
    follow: (chatId: string, reply: ChatMessage): void => {
      if (isBusy(activities.read(chatId))) return
      const after = reply.lastEvent ?? 0
      // What is written so far is what the events up to that number said.
      const live = createLiveText({ text: reply.content, citations: reply.citations ?? [] })
      const turn = newTurn({ phase: 'replying', replyId: reply._id, live })
      activities.change(chatId, { turn })
      void runTurn(contextOf(chatId), { turn, after, ask: null, onAccepted: () => undefined })
    },

    stop: async (chatId: string): Promise<void> => {
      const { turn } = activities.read(chatId)
      if (turn?.phase !== 'replying' || turn.replyId === null || turn.isStopping) return
      activities.changeTurn(chatId, turn.live, { isStopping: true })
      try {
        // The stream says how it ended.
        await call(chatsApi.stop, { params: { channelId, chatId, messageId: turn.replyId } })
      } catch (error) {
        activities.changeTurn(chatId, turn.live, { isStopping: false })
        toast.error(messageOf(error, 'The reply could not be stopped'))
      }
    },

    /** Nobody reads here any more. What runs goes on at the server and is taken up again on the next visit. */
    leave: (): void => {
      leaving.abort()
      leaving = new AbortController()
      activities.clear()
    },
  }
}

export type Turns = ReturnType<typeof createTurns>
