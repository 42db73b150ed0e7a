import type { ReplyEvent } from '@lyceum/contract/chats'
import { createStore } from '#lib/store.ts'
import { createLiveText, type LiveText } from './live-text.ts'

export function newTurn(given: Partial<Turn>): Turn {
  return {
    phase: 'sending',
    replyId: null,
    branch: null,
    status: null,
    isStopping: false,
    isReconnecting: false,
    live: createLiveText({ text: '', citations: [] }),
    ...given,
  }
}

export type ReplyStatus = Extract<ReplyEvent, { type: 'status' }>['status']

/** A message the server does not have yet, or could not be given. */
export interface UnsentMessage {
  /** Makes sure that sending it twice stores it once. */
  readonly key: string
  readonly text: string
  readonly timestamp: string
  readonly hasFailed: boolean
}

/**
 * Where a turn leaves the path that is shown: what it asks for stands in the place of a message, and what follows
 * that one stays with it. 'again' and 'edit' give way at once; 'continue' goes on with the text that is there.
 */
export interface Branch {
  readonly kind: 'again' | 'edit' | 'continue'
  readonly messageId: string
  /** The new words of an edited message. */
  readonly question: Pick<UnsentMessage, 'text' | 'timestamp'> | null
}

/** A question on its way, or the reply to it that is being written. */
export interface Turn {
  /** 'lost': it may go on at the server, but cannot be read here. */
  readonly phase: 'sending' | 'replying' | 'over' | 'lost'
  readonly replyId: string | null
  /** Null of one that goes on at the end. */
  readonly branch: Branch | null
  readonly status: ReplyStatus | null
  readonly isStopping: boolean
  readonly isReconnecting: boolean
  readonly live: LiveText
}

/** What goes on in a chat in this tab, beside what is stored of it. */
export interface ChatActivity {
  readonly turn: Turn | null
  readonly unsent: readonly UnsentMessage[]
  /** An edited message that could not be sent: its words are not lost. */
  readonly unsentEdit: { readonly messageId: string; readonly text: string } | null
}

const quiet: ChatActivity = { turn: null, unsent: [], unsentEdit: null }

export function isRunning({ phase }: Turn): boolean {
  return phase === 'sending' || phase === 'replying'
}

export function isBusy({ turn }: ChatActivity): boolean {
  return turn !== null && isRunning(turn)
}

export function createActivities() {
  const store = createStore<ReadonlyMap<string, ChatActivity>>(new Map())
  const places = new Map<string, string>()

  function read(chatId: string): ChatActivity {
    return store.get().get(chatId) ?? quiet
  }

  function change(chatId: string, what: Partial<ChatActivity>): void {
    store.set(new Map(store.get()).set(chatId, { ...read(chatId), ...what }))
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
    /** What stays the same of a message while another version of it is shown in its place. */
    placeOf: (messageId: string): string => places.get(messageId) ?? messageId,
    takePlace: (messageId: string, ofId: string): void => {
      places.set(messageId, places.get(ofId) ?? ofId)
    },
    clear: (): void => store.set(new Map()),
    get: store.get,
    subscribe: store.subscribe,
  }
}

export type Activities = ReturnType<typeof createActivities>
