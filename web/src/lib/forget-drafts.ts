export const draftPrefix = 'lyceum.draft.'

export const draftKeys = (): string[] =>
  Object.keys(localStorage).filter((key) => key.startsWith(draftPrefix))

/** Whoever signs out leaves nothing half-written behind. */
export const forgetDrafts = (): void => {
  try {
    for (const key of draftKeys()) localStorage.removeItem(key)
  } catch {
    // A browser that stores nothing has nothing to forget.
  }
}
