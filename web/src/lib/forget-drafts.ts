export const draftPrefix = 'lyceum.draft.'
export const unsentPrefix = 'lyceum.unsent.'

export function keysWith(prefix: string): string[] {
  return Object.keys(localStorage).filter((key) => key.startsWith(prefix))
}

/** Whoever signs out leaves nothing half-written or unsent behind. A session that is ended by others takes nothing. */
export function forgetDrafts(): void {
  try {
    for (const prefix of [draftPrefix, unsentPrefix])
      for (const key of keysWith(prefix)) localStorage.removeItem(key)
  } catch {
    // A browser that stores nothing has nothing to forget.
  }
}
