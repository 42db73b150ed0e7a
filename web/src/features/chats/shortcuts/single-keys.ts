const storedKey = 'lyceum.single-keys'

/** Whether single-key shortcuts are on. Users of dictation or screen readers may want to switch them off. */
export const singleKeys = {
  isOn: (): boolean => {
    try {
      return localStorage.getItem(storedKey) !== 'off'
    } catch {
      return true
    }
  },
  set: (isOn: boolean): void => {
    try {
      if (isOn) localStorage.removeItem(storedKey)
      else localStorage.setItem(storedKey, 'off')
    } catch {
      // Storage is disabled: the default applies.
    }
  },
}
