/** Null where the browser stores nothing: it is told not to, or has no room. */
function attempt<T>(deed: () => T): T | null {
  try {
    return deed()
  } catch {
    return null
  }
}

function keptIn(storage: () => Storage) {
  const forThisPage = new Map<string, string>()
  return {
    read: (key: string): string | null => forThisPage.get(key) ?? attempt(() => storage().getItem(key)),
    write: (key: string, value: string): void => {
      forThisPage.delete(key)
      const isStored = attempt(() => {
        storage().setItem(key, value)
        return true
      })
      if (isStored === null) forThisPage.set(key, value)
    },
    remove: (key: string): void => {
      forThisPage.delete(key)
      attempt(() => storage().removeItem(key))
    },
  }
}

/** The browser's storage. What it would not store lasts as long as the page, and nothing worse happens. */
export const kept = keptIn(() => localStorage)
/** The same for one tab. */
export const keptForTab = keptIn(() => sessionStorage)
