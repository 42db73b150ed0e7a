const storedKey = 'lyceum.single-keys'

/** Whether keys without Ctrl do something: who dictates, or reads with a screen reader, may want none of it. */
export const singleKeys = {
  areOn: (): boolean => {
    try {
      return localStorage.getItem(storedKey) !== 'off'
    } catch {
      return true
    }
  },
  switchTo: (isOn: boolean): void => {
    try {
      if (isOn) localStorage.removeItem(storedKey)
      else localStorage.setItem(storedKey, 'off')
    } catch {
      // A browser that stores nothing keeps them as they come.
    }
  },
}
