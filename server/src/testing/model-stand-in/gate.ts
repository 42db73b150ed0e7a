/** Lets a test pause answers at a known point and resume them, without timers. */
export function createGate() {
  let resumed: PromiseWithResolvers<void> | null = null
  let stopAt = 0
  let paused = 0
  let watchers: { count: number; resolve: () => void }[] = []

  return {
    /** Pauses answers before this piece; 0 is the first. */
    pause(piece: number) {
      resumed ??= Promise.withResolvers<void>()
      stopAt = piece
    },
    resume() {
      resumed?.resolve()
      resumed = null
    },
    /** Resolves when at least `count` answers are paused. */
    whenPaused(count: number): Promise<void> {
      if (paused >= count) return Promise.resolve()
      return new Promise((resolve) => watchers.push({ count, resolve }))
    },
    async pass(piece: number, closed: Promise<void>): Promise<void> {
      if (!resumed || piece !== stopAt) return
      paused += 1
      const due = watchers.filter(({ count }) => paused >= count)
      watchers = watchers.filter((watcher) => !due.includes(watcher))
      for (const { resolve } of due) resolve()
      await Promise.race([resumed.promise, closed])
      paused -= 1
    },
  }
}

export type Gate = ReturnType<typeof createGate>
