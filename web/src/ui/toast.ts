import { createStore } from '#lib/store.ts'

type ToastTone = 'success' | 'error' | 'info' | 'spoken'

export interface ToastEntry {
  readonly id: number
  readonly tone: ToastTone
  readonly text: string
}

/** Beyond this number, a new toast removes the oldest one. */
const maxToasts = 4

const store = createStore<readonly ToastEntry[]>([])
let lastId = 0

function add(tone: ToastTone, text: string): void {
  lastId += 1
  // A repeated toast replaces the earlier one and restarts its timer.
  const others = store.get().filter((entry) => entry.text !== text || entry.tone !== tone)
  store.set([...others, { id: lastId, tone, text }].slice(-maxToasts))
}

/** A short message at the edge of the screen. It disappears, so what users need later must also be shown elsewhere. */
export const toast = {
  success: (text: string): void => add('success', text),
  error: (text: string): void => add('error', text),
  info: (text: string): void => add('info', text),
  /** For screen readers only, where everybody else sees what happened. */
  speak: (text: string): void => add('spoken', text),
  /** Removes a toast that no longer applies. */
  dismiss: (text: string): void => {
    if (store.get().some((entry) => entry.text === text))
      store.set(store.get().filter((entry) => entry.text !== text))
  },
}

export const toasts = {
  ...store,
  remove: (id: number): void => store.set(store.get().filter((entry) => entry.id !== id)),
  clear: (): void => store.set([]),
}
