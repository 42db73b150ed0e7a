type ToastTone = 'success' | 'error' | 'info'

export interface ToastEntry {
  readonly id: number
  readonly tone: ToastTone
  readonly text: string
}

/** More at once than these push out the oldest. */
const mostShown = 4

let entries: readonly ToastEntry[] = []
let lastId = 0
const listeners = new Set<() => void>()

function set(next: readonly ToastEntry[]): void {
  entries = next
  for (const listener of listeners) listener()
}

function add(tone: ToastTone, text: string): void {
  lastId += 1
  // The same words again start anew instead of standing there twice.
  const others = entries.filter((entry) => entry.text !== text || entry.tone !== tone)
  set([...others, { id: lastId, tone, text }].slice(-mostShown))
}

/** Short news at the foot of the screen. Never the only place where something is said that is still needed. */
export const toast = {
  success: (text: string): void => add('success', text),
  error: (text: string): void => add('error', text),
  info: (text: string): void => add('info', text),
}

export const toasts = {
  read: (): readonly ToastEntry[] => entries,
  remove: (id: number): void => set(entries.filter((entry) => entry.id !== id)),
  clear: (): void => set([]),
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
