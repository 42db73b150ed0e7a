import { type ChatMessage, chatsApi, type ReplyEvent } from '@lyceum/contract/chats'
import type { ApiError } from '#api/api-error.ts'
import { callEvents } from '#api/events.ts'
import { randomKey } from '#lib/random-key.ts'
import { texts } from '#texts/member.ts'
import { type Activities, type Branch, createTurn, isBusy } from './activity.ts'
import { createLiveText } from './live-text.ts'
import { runTurn, type TurnContext } from './run-turn.ts'

const { chat: chatTexts } = texts

interface BranchContext {
  channelId: string
  activities: Activities
  createContext: (chatId: string) => TurnContext
  /** Shows the hidden messages again and a toast with the error. */
  fail: (chatId: string, error: ApiError, fallback: string) => void
}

type Headers = Readonly<Record<string, string>>

interface BranchRequest {
  branch: Branch
  /** Identifies the request: all attempts use the same idempotency key. */
  keyName: string
  failureText: string
  openStream: (signal: AbortSignal, headers: Headers) => AsyncGenerator<ReplyEvent, void, undefined>
  /** The reply that is continued. */
  previousReply?: ChatMessage
}

/** Turns that replace a message: editing a message, regenerating a reply, continuing an interrupted one. */
export function createBranches({ channelId, activities, createContext, fail }: BranchContext) {
  /** Idempotency keys of requests without a result. The server performs retries with the same key only once. */
  const pendingKeys = new Map<string, string>()

  async function startBranch(
    chatId: string,
    { branch, keyName, failureText, openStream, previousReply }: BranchRequest,
  ): Promise<boolean> {
    if (isBusy(activities.read(chatId))) return false
    const live = createLiveText({
      text: previousReply?.content ?? '',
      citations: previousReply?.citations ?? [],
    })
    const turn = createTurn({ branch, live })
    const key = pendingKeys.get(keyName) ?? randomKey()
    pendingKeys.set(keyName, key)
    activities.change(chatId, { turn, unsentEdit: null })
    try {
      await runTurn(createContext(chatId), {
        turn,
        after: 0,
        openStream: (signal) => openStream(signal, { 'Idempotency-Key': key }),
        onAccepted: () => pendingKeys.delete(keyName),
      })
      return true
    } catch (error) {
      fail(chatId, error as ApiError, failureText)
      return false
    }
  }

  function messageParams(chatId: string, messageId: string) {
    return { params: { channelId, chatId, messageId } }
  }

  return {
    regenerate: (chatId: string, reply: ChatMessage): Promise<boolean> =>
      startBranch(chatId, {
        branch: { kind: 'regenerate', messageId: reply._id, question: null },
        keyName: `regenerate ${reply._id}`,
        failureText: chatTexts.regenerateFailed,
        openStream: (signal, headers) =>
          callEvents(chatsApi.regenerate, messageParams(chatId, reply._id), signal, headers),
      }),

    /** Continues an interrupted reply. */
    continueReply: (chatId: string, reply: ChatMessage): Promise<boolean> =>
      startBranch(chatId, {
        branch: { kind: 'continue', messageId: reply._id, question: null },
        keyName: `continue ${reply._id}`,
        failureText: chatTexts.continueFailed,
        previousReply: reply,
        openStream: (signal, headers) =>
          callEvents(chatsApi.continue, messageParams(chatId, reply._id), signal, headers),
      }),

    /** Sends an edited message. If that fails, the text is kept in the editor. */
    edit: async (chatId: string, messageId: string, text: string): Promise<void> => {
      const isSent = await startBranch(chatId, {
        branch: { kind: 'edit', messageId, question: { text, timestamp: new Date().toISOString() } },
        keyName: `edit ${messageId} ${text}`,
        failureText: chatTexts.editFailed,
        openStream: (signal, headers) =>
          callEvents(
            chatsApi.edit,
            { ...messageParams(chatId, messageId), body: { message: text } },
            signal,
            headers,
          ),
      })
      if (!isSent) activities.change(chatId, { unsentEdit: { messageId, text } })
    },

    discardUnsentEdit: (chatId: string): void => {
      if (activities.read(chatId).unsentEdit !== null) activities.change(chatId, { unsentEdit: null })
    },
  }
}
