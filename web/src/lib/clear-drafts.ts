import { storagePrefix } from './storage-prefix.ts'

export const draftPrefix = `${storagePrefix}.draft.`
export const unsentPrefix = `${storagePrefix}.unsent.`

export function listKeysWithPrefix(prefix: string): string[] {
  return Object.keys(localStorage).filter((key) => key.startsWith(prefix))
}

/** Removes all drafts and unsent messages when the user signs out. They are kept when the session expires. */
export function clearDrafts(): void {
  try {
    for (const prefix of [draftPrefix, unsentPrefix])
      for (const key of listKeysWithPrefix(prefix)) localStorage.removeItem(key)
  } catch {
    // Storage is disabled: nothing was saved.
  }
}
