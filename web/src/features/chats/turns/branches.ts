import { type ChatMessage, chatsApi, type ReplyEvent } from '@lyceum/contract/chats'
import type { ApiError } from '#api/api-error.ts'
import { callEvents } from '#api/events.ts'
import { randomKey } from '#lib/random-key.ts'
import { texts } from '#texts/member.ts'
import { type Activities, type Branch, isBusy, newTurn } from './activity.ts'
import { createLiveText } from './live-text.ts'
import { runTurn, type TurnContext } from './run-turn.ts'

const { chat: words } = texts

interface Surroundings {
  channelId: string
  activities: Activities
  contextOf: (chatId: string) => TurnContext
  /** What could not be asked: what gave way is shown again, and the person hears why. */
  fail: (chatId: string, error: ApiError, fallback: string) => void
}

type Headers = Readonly<Record<string, string>>

interface BranchRequest {
  branch: Branch
  /** The same for every attempt at it. */
  name: string
  failed: string
  ask: (signal: AbortSignal, headers: Headers) => AsyncGenerator<ReplyEvent, void, undefined>
  /** What the reply goes on with. */
  written?: ChatMessage
}

/** What leaves the path that is shown: other words for a message, another reply, the rest of one that broke off. */
export function createBranches({ channelId, activities, contextOf, fail }: Surroundings) {
  /** Of actions that nobody heard the end of. Asked for once more with its key, each is done once. */
  const openKeys = new Map<string, string>()

  async function branchOff(
    chatId: string,
    { branch, name, failed, ask, written }: BranchRequest,
  ): Promise<boolean> {
    if (isBusy(activities.read(chatId))) return false
    const live = createLiveText({ text: written?.content ?? '', citations: written?.citations ?? [] })
    const turn = newTurn({ branch, live })
    const key = openKeys.get(name) ?? randomKey()
    openKeys.set(name, key)
    activities.change(chatId, { turn, unsentEdit: null })
    try {
      await runTurn(contextOf(chatId), {
        turn,
        after: 0,
        ask: (signal) => ask(signal, { 'Idempotency-Key': key }),
        onAccepted: () => openKeys.delete(name),
      })
      return true
    } catch (error) {
      fail(chatId, error as ApiError, failed)
      return false
    }
  }

  function at(chatId: string, messageId: string) {
    return { params: { channelId, chatId, messageId } }
  }

  return {
    regenerate: (chatId: string, reply: ChatMessage): Promise<boolean> =>
      branchOff(chatId, {
        branch: { kind: 'again', messageId: reply._id, question: null },
        name: `again ${reply._id}`,
        failed: words.askAgainFailed,
        ask: (signal, headers) => callEvents(chatsApi.regenerate, at(chatId, reply._id), signal, headers),
      }),

    /** Has a reply that broke off written on. */
    continueReply: (chatId: string, reply: ChatMessage): Promise<boolean> =>
      branchOff(chatId, {
        branch: { kind: 'continue', messageId: reply._id, question: null },
        name: `continue ${reply._id}`,
        failed: words.continueFailed,
        written: reply,
        ask: (signal, headers) => callEvents(chatsApi.continue, at(chatId, reply._id), signal, headers),
      }),

    /** Sends a message in other words. What could not be sent is kept, to be looked over and sent again. */
    edit: async (chatId: string, messageId: string, text: string): Promise<void> => {
      const isSent = await branchOff(chatId, {
        branch: { kind: 'edit', messageId, question: { text, timestamp: new Date().toISOString() } },
        name: `edit ${messageId} ${text}`,
        failed: words.editFailed,
        ask: (signal, headers) =>
          callEvents(chatsApi.edit, { ...at(chatId, messageId), body: { message: text } }, signal, headers),
      })
      if (!isSent) activities.change(chatId, { unsentEdit: { messageId, text } })
    },

    forgetEdit: (chatId: string): void => {
      if (activities.read(chatId).unsentEdit !== null) activities.change(chatId, { unsentEdit: null })
    },
  }
}
