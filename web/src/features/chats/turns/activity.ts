import type { Attachment } from '@lyceum/contract/attachments'
import type { ReplyEvent } from '@lyceum/contract/chats'
import { createStore } from '#lib/store.ts'
import { createLiveText, type LiveText } from './live-text.ts'

export function createTurn(changes: Partial<Turn>): Turn {
  return {
    phase: 'sending',
    replyId: null,
    branch: null,
    status: null,
    isStopping: false,
    isReconnecting: false,
    live: createLiveText({ text: '', citations: [] }),
    ...changes,
  }
}

export type ReplyStatus = Extract<ReplyEvent, { type: 'status' }>['status']

/** A message that is being sent or that could not be sent. */
export interface UnsentMessage {
  /** Idempotency key: sending the message twice stores it once. */
  readonly key: string
  readonly text: string
  readonly files?: readonly Attachment[] | undefined
  readonly timestamp: string
  readonly hasFailed: boolean
}

/**
 * A turn that replaces a message instead of following the last one. With 'regenerate' and 'edit', the message and those
 * after it are hidden at once; 'continue' extends the existing text.
 */
export interface Branch {
  readonly kind: 'regenerate' | 'edit' | 'continue'
  readonly messageId: string
  /** The new text of an edited message. */
  readonly question: Pick<UnsentMessage, 'text' | 'files' | 'timestamp'> | null
}

/** A question being sent, or the running reply to it. */
export interface Turn {
  /** 'lost': the reply may still be running on the server, but its stream cannot be opened. */
  readonly phase: 'sending' | 'replying' | 'over' | 'lost'
  readonly replyId: string | null
  /** Null when the turn follows the last message. */
  readonly branch: Branch | null
  readonly status: ReplyStatus | null
  readonly isStopping: boolean
  readonly isReconnecting: boolean
  readonly live: LiveText
}

/** What is happening in a chat in this tab, besides its stored messages. */
export interface ChatActivity {
  readonly turn: Turn | null
  readonly unsent: readonly UnsentMessage[]
  /** The text of an edit that could not be sent. */
  readonly unsentEdit: { readonly messageId: string; readonly text: string } | null
}

const idle: ChatActivity = { turn: null, unsent: [], unsentEdit: null }

export function isRunning({ phase }: Turn): boolean {
  return phase === 'sending' || phase === 'replying'
}

export function isBusy({ turn }: ChatActivity): boolean {
  return turn !== null && isRunning(turn)
}

export function createActivities() {
  const store = createStore<ReadonlyMap<string, ChatActivity>>(new Map())
  const rowKeys = new Map<string, string>()

  function read(chatId: string): ChatActivity {
    return store.get().get(chatId) ?? idle
  }

  function change(chatId: string, changes: Partial<ChatActivity>): void {
    store.set(new Map(store.get()).set(chatId, { ...read(chatId), ...changes }))
  }

  return {
    read,
    change,
    /** Changes the turn that `live` belongs to, unless another turn has replaced it. */
    changeTurn: (chatId: string, live: LiveText, changes: Partial<Turn>): void => {
      const { turn } = read(chatId)
      if (turn?.live !== live) return
      // Called for every event of a reply: without a change, the chat must not render again.
      const next = { ...turn, ...changes }
      const names = Object.keys(changes) as (keyof Turn)[]
      if (names.some((name) => next[name] !== turn[name])) change(chatId, { turn: next })
    },
    /** Returns a React key that stays the same when another version replaces a message. */
    rowKeyOf: (messageId: string): string => rowKeys.get(messageId) ?? messageId,
    replaceRow: (messageId: string, replacedId: string): void => {
      rowKeys.set(messageId, rowKeys.get(replacedId) ?? replacedId)
    },
    clear: (): void => store.set(new Map()),
    get: store.get,
    subscribe: store.subscribe,
  }
}

export type Activities = ReturnType<typeof createActivities>
