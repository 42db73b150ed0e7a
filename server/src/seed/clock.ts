const minute = 60_000
const day = 24 * 60 * minute
const begunDaysAgo = 40

/** The time of what is filled in: it begins some weeks ago and is moved on, so that records have a past. */
export interface SeedClock {
  now: () => number
  pass: (time: { days?: number; minutes?: number }) => void
  /** From here on it is now. */
  catchUp: () => void
}

export function createSeedClock(): SeedClock {
  const end = Date.now()
  let at = end - begunDaysAgo * day
  return {
    now: () => at,
    pass({ days = 0, minutes = 0 }) {
      at = Math.min(end, at + days * day + minutes * minute)
    },
    catchUp() {
      at = end
    },
  }
}
