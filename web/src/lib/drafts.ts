import { draftPrefix, keysWith } from './forget-drafts.ts'

/** More than these push out the oldest; a text that nobody has gone on with for so long is given up. */
const mostKept = 50
const longestKeptMs = 30 * 24 * 60 * 60 * 1000

/** What is being written, by whom and in which chat: the next person in this browser sees nothing of it. */
export interface DraftPlace {
  userId: string
  chatId: string
}

interface Draft {
  text: string
  at: number
}

function keyOf({ userId, chatId }: DraftPlace): string {
  return `${draftPrefix}${userId}.${chatId}`
}

function parse(stored: string | null): Draft | null {
  if (stored === null) return null
  try {
    const value: unknown = JSON.parse(stored)
    if (typeof value !== 'object' || value === null || !('text' in value) || !('at' in value)) return null
    const { text, at } = value
    return typeof text === 'string' && typeof at === 'number' ? { text, at } : null
  } catch {
    return null
  }
}

function tidy(now: number): void {
  const kept = keysWith(draftPrefix).map((key) => ({ key, at: parse(localStorage.getItem(key))?.at ?? 0 }))
  kept.sort((one, other) => other.at - one.at)
  for (const [place, { key, at }] of kept.entries())
    if (place >= mostKept || now - at > longestKeptMs) localStorage.removeItem(key)
}

/** A browser that stores nothing forgets drafts, and does nothing worse. */
function attempt<T>(action: () => T, otherwise: T): T {
  try {
    return action()
  } catch {
    return otherwise
  }
}

export function readDraft(place: DraftPlace): string {
  return attempt(() => {
    const draft = parse(localStorage.getItem(keyOf(place)))
    return draft === null || Date.now() - draft.at > longestKeptMs ? '' : draft.text
  }, '')
}

/** Keeps what has been typed but not sent, also past the tab's end. */
export function keepDraft(place: DraftPlace, text: string): void {
  attempt(() => {
    const key = keyOf(place)
    if (text === '') return localStorage.removeItem(key)
    const isNew = localStorage.getItem(key) === null
    localStorage.setItem(key, JSON.stringify({ text, at: Date.now() } satisfies Draft))
    if (isNew) tidy(Date.now())
  }, undefined)
}

/** A chat that is no more has no drafts. */
export function forgetDraftsOf(chatId: string): void {
  attempt(() => {
    for (const key of keysWith(draftPrefix)) if (key.endsWith(`.${chatId}`)) localStorage.removeItem(key)
  }, undefined)
}

/** Tells what another tab has made of a draft. */
export function onDraftElsewhere(place: DraftPlace, listener: (text: string) => void): () => void {
  function handle({ key, newValue }: StorageEvent): void {
    if (key === keyOf(place)) listener(parse(newValue)?.text ?? '')
  }
  addEventListener('storage', handle)
  return () => removeEventListener('storage', handle)
}
