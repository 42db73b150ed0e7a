/** Returns null when storage is disabled or full. */
function attempt<T>(action: () => T): T | null {
  try {
    return action()
  } catch {
    return null
  }
}

function createStorage(storage: () => Storage) {
  const inMemory = new Map<string, string>()
  return {
    read: (key: string): string | null => inMemory.get(key) ?? attempt(() => storage().getItem(key)),
    write: (key: string, value: string): void => {
      inMemory.delete(key)
      const isStored = attempt(() => {
        storage().setItem(key, value)
        return true
      })
      if (isStored === null) inMemory.set(key, value)
    },
    remove: (key: string): void => {
      inMemory.delete(key)
      attempt(() => storage().removeItem(key))
    },
  }
}

/** Local storage. Values that the browser refuses to store last until the page is closed. */
export const localStore = createStorage(() => localStorage)
/** Session storage, with the same fallback. */
export const tabStore = createStorage(() => sessionStorage)
