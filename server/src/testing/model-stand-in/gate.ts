/** Lets a test stop answers at a known place and let them go on, without waiting by the clock. */
export function createGate() {
  let opened: PromiseWithResolvers<void> | null = null
  let stopAt = 0
  let waiting = 0
  let watchers: { count: number; resolve: () => void }[] = []

  return {
    /** From now on answers stop before this piece (0: before the first). */
    hold(pieces: number) {
      opened ??= Promise.withResolvers<void>()
      stopAt = pieces
    },
    release() {
      opened?.resolve()
      opened = null
    },
    /** Settles when so many answers are stopped. */
    whenHeld(count: number): Promise<void> {
      if (waiting >= count) return Promise.resolve()
      return new Promise((resolve) => watchers.push({ count, resolve }))
    },
    async pass(piece: number, closed: Promise<void>): Promise<void> {
      if (!opened || piece !== stopAt) return
      waiting += 1
      const due = watchers.filter(({ count }) => waiting >= count)
      watchers = watchers.filter((watcher) => !due.includes(watcher))
      for (const { resolve } of due) resolve()
      await Promise.race([opened.promise, closed])
      waiting -= 1
    },
  }
}

export type Gate = ReturnType<typeof createGate>
