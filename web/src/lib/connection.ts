let isServerReachable = true
const listeners = new Set<() => void>()

/** Whether the server answered the last request. `navigator.onLine` alone says nothing about the server. */
export const connection = {
  isReachable: (): boolean => isServerReachable,
  report: (isReachable: boolean): void => {
    if (isServerReachable === isReachable) return
    isServerReachable = isReachable
    for (const listener of listeners) listener()
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
