import { useSyncExternalStore } from 'react'

/** A value that changes outside React's tree and that components read with `useStore`. */
export interface ReadableStore<T> {
  get: () => T
  /** Returns a function that removes the listener. */
  subscribe: (listener: () => void) => () => void
}

export function createStore<T>(initial: T) {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: (): T => value,
    set: (next: T): void => {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    hasListeners: (): boolean => listeners.size > 0,
  }
}

export function useStore<T>(store: ReadableStore<T>): T {
  return useSyncExternalStore(store.subscribe, store.get)
}

/** Re-renders only when the selected part changes. `select` must return the same object for the same value. */
export function useStoreValue<T, S>(store: ReadableStore<T>, select: (value: T) => S): S {
  return useSyncExternalStore(store.subscribe, () => select(store.get()))
}
