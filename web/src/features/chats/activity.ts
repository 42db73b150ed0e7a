import type { ReplyEvent } from '@lyceum/contract/chats'
import type { LiveText } from './live-text.ts'

export type ReplyStatus = Extract<ReplyEvent, { type: 'status' }>['status']

/** A message the server does not have yet, or could not be given. */
export interface UnsentMessage {
  /** Makes sure that sending it twice stores it once. */
  readonly key: string
  readonly text: string
  readonly timestamp: string
  readonly hasFailed: boolean
}

/** A question on its way, or the reply to it that is being written. */
export interface Turn {
  /** 'lost': it may go on at the server, but cannot be read here. */
  readonly phase: 'sending' | 'replying' | 'over' | 'lost'
  readonly replyId: string | null
  /** The reply that is being asked for again; it gives way to the new one. */
  readonly replaces: string | null
  readonly status: ReplyStatus | null
  readonly isStopping: boolean
  readonly isReconnecting: boolean
  readonly live: LiveText
}

/** What goes on in a chat in this tab, beside what is stored of it. */
export interface ChatActivity {
  readonly turn: Turn | null
  readonly unsent: readonly UnsentMessage[]
}

const quiet: ChatActivity = { turn: null, unsent: [] }

export const isBusy = ({ turn }: ChatActivity): boolean =>
  turn !== null && (turn.phase === 'sending' || turn.phase === 'replying')

export const createActivities = () => {
  const chats = new Map<string, ChatActivity>()
  const listeners = new Set<() => void>()

  const read = (chatId: string): ChatActivity => chats.get(chatId) ?? quiet

  const change = (chatId: string, what: Partial<ChatActivity>): void => {
    chats.set(chatId, { ...read(chatId), ...what })
    for (const listener of listeners) listener()
  }

  return {
    read,
    change,
    /** Changes a turn unless another one has taken its place. */
    changeTurn: (chatId: string, live: LiveText, what: Partial<Turn>): void => {
      const { turn } = read(chatId)
      if (turn?.live !== live) return
      // Every piece of a reply comes by here: what it does not change must not draw the chat again.
      const next = { ...turn, ...what }
      const names = Object.keys(what) as (keyof Turn)[]
      if (names.some((name) => next[name] !== turn[name])) change(chatId, { turn: next })
    },
    clear: (): void => chats.clear(),
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export type Activities = ReturnType<typeof createActivities>
