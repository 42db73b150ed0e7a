let isReached = true
const listeners = new Set<() => void>()

/** Whether the server answered when it was last asked. What a browser says of the network is only half of it. */
export const line = {
  isReached: (): boolean => isReached,
  report: (isAnswered: boolean): void => {
    if (isReached === isAnswered) return
    isReached = isAnswered
    for (const listener of listeners) listener()
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
