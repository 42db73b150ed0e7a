import { draftPrefix, listKeysWithPrefix } from './clear-drafts.ts'

/** Beyond this number, the oldest drafts are removed. Drafts that were not changed for `maxAgeMs` are removed too. */
const maxDrafts = 50
const maxAgeMs = 30 * 24 * 60 * 60 * 1000

/** Drafts are stored per user, so that the next user of this browser does not see them. */
export interface DraftKey {
  userId: string
  chatId: string
}

interface Draft {
  text: string
  at: number
}

function storageKey({ userId, chatId }: DraftKey): string {
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

function removeOldDrafts(now: number): void {
  const drafts = listKeysWithPrefix(draftPrefix).map((key) => ({
    key,
    at: parse(localStorage.getItem(key))?.at ?? 0,
  }))
  drafts.sort((one, other) => other.at - one.at)
  for (const [index, { key, at }] of drafts.entries())
    if (index >= maxDrafts || now - at > maxAgeMs) localStorage.removeItem(key)
}

/** If storage is disabled or full, drafts are not saved, but nothing else fails. */
function attempt<T>(action: () => T, fallback: T): T {
  try {
    return action()
  } catch {
    return fallback
  }
}

export function readDraft(draftKey: DraftKey): string {
  return attempt(() => {
    const draft = parse(localStorage.getItem(storageKey(draftKey)))
    return draft === null || Date.now() - draft.at > maxAgeMs ? '' : draft.text
  }, '')
}

/** Saves text that was typed but not sent, so that it survives closing the tab. Empty text removes the draft. */
export function saveDraft(draftKey: DraftKey, text: string): void {
  attempt(() => {
    const key = storageKey(draftKey)
    if (text === '') return localStorage.removeItem(key)
    const isNew = localStorage.getItem(key) === null
    localStorage.setItem(key, JSON.stringify({ text, at: Date.now() } satisfies Draft))
    if (isNew) removeOldDrafts(Date.now())
  }, undefined)
}

/** Deletes all drafts of a deleted chat. */
export function deleteDraftsOf(chatId: string): void {
  attempt(() => {
    for (const key of listKeysWithPrefix(draftPrefix))
      if (key.endsWith(`.${chatId}`)) localStorage.removeItem(key)
  }, undefined)
}

/** Calls the listener when another tab changes this draft. Returns a function that removes the listener. */
export function onDraftChangedElsewhere(draftKey: DraftKey, listener: (text: string) => void): () => void {
  function handle({ key, newValue }: StorageEvent): void {
    if (key === storageKey(draftKey)) listener(parse(newValue)?.text ?? '')
  }
  addEventListener('storage', handle)
  return () => removeEventListener('storage', handle)
}
