import { AppError } from '../errors.ts'

/** What a request occupies while it is under way. Each occupies one slot, of the kind that fits its main cost. */
export type SlotKind = 'request' | 'file' | 'stream' | 'upload' | 'export'

interface Limit {
  /** For the whole process. */
  all: number
  /** For one user, or for one network when nobody is signed in. */
  each: number
  /** Seconds. */
  retryAfter: number
}

/** docs/security.md, "Limits". Several tabs on several devices stay far below the limits of one user. */
const limits: Record<SlotKind, Limit> = {
  request: { all: 200, each: 40, retryAfter: 1 },
  // Apart from other requests, because a slow client may take long to read a file.
  file: { all: 500, each: 40, retryAfter: 1 },
  stream: { all: 500, each: 20, retryAfter: 5 },
  upload: { all: 50, each: 2, retryAfter: 5 },
  export: { all: 20, each: 2, retryAfter: 5 },
}

export interface Slots {
  /**
   * Returns a function that frees the slot, however often it is called. Throws `rate.limited` for the caller's limit,
   * `server.busy` for that of the process.
   */
  take(kind: SlotKind, caller: string): () => void
}

export function createSlots(): Slots {
  const taken = new Map<string, number>()

  function count(key: string): number {
    return taken.get(key) ?? 0
  }

  function add(key: string, change: 1 | -1): void {
    const next = count(key) + change
    if (next === 0) taken.delete(key)
    else taken.set(key, next)
  }

  return {
    take(kind, caller) {
      const { all, each, retryAfter } = limits[kind]
      const own = `${kind}|${caller}`
      if (count(own) >= each) throw new AppError('rate.limited', { retryAfter })
      if (count(kind) >= all) throw new AppError('server.busy', { retryAfter })
      add(kind, 1)
      add(own, 1)
      let isTaken = true
      return () => {
        if (!isTaken) return
        isTaken = false
        add(kind, -1)
        add(own, -1)
      }
    },
  }
}
