import { createStore } from '#lib/store.ts'

type ToastTone = 'success' | 'error' | 'info' | 'spoken'

export interface ToastEntry {
  readonly id: number
  readonly tone: ToastTone
  readonly text: string
  readonly about: string | undefined
  readonly addedAt: number
}

/** Beyond this number, a new toast removes the oldest one. */
const maxToasts = 4

/** What was reported in this time before its page was left or covered has not been seen. */
export const unseenMs = 500

const store = createStore<readonly ToastEntry[]>([])
let lastId = 0

function add(tone: ToastTone, text: string, about?: string): void {
  lastId += 1
  // A repeated toast replaces the earlier one and restarts its timer.
  function isReplaced(entry: ToastEntry): boolean {
    return (about !== undefined && entry.about === about) || (entry.text === text && entry.tone === tone)
  }
  const others = store.get().filter((entry) => !isReplaced(entry))
  store.set([...others, { id: lastId, tone, text, about, addedAt: Date.now() }].slice(-maxToasts))
}

/**
 * A short message at the edge of the screen. It disappears, so what users need later must also be shown elsewhere. One with
 * `about` replaces the earlier one about the same, such as a failure when another attempt has succeeded.
 */
export const toast = {
  success: (text: string, about?: string): void => add('success', text, about),
  error: (text: string, about?: string): void => add('error', text, about),
  info: (text: string): void => add('info', text),
  /** For screen readers only, where everybody else sees what happened. */
  speak: (text: string): void => add('spoken', text),
  /** Removes a toast that no longer applies, by its text or by what it is about. */
  dismiss: (subject: string): void => {
    const others = store.get().filter(({ text, about }) => text !== subject && about !== subject)
    if (others.length < store.get().length) store.set(others)
  },
}

export const toasts = {
  ...store,
  remove: (id: number): void => store.set(store.get().filter((entry) => entry.id !== id)),
  clear: (): void => store.set([]),
  /** Removes successes that have been seen, because a dialog opens. */
  endSuccesses: (): void => {
    const seen = store
      .get()
      .filter(({ tone, addedAt }) => tone === 'success' && Date.now() - addedAt > unseenMs)
    if (seen.length > 0) store.set(store.get().filter((entry) => !seen.includes(entry)))
  },
}
