const minute = 60_000
const day = 24 * 60 * minute
const startDaysAgo = 40

/** The clock used while seeding. It starts some weeks ago and moves forward, so that the data has a history. */
export interface SeedClock {
  now: () => number
  advance: (time: { days?: number; minutes?: number }) => void
  /** Moves the clock to the present. */
  catchUp: () => void
}

export function createSeedClock(): SeedClock {
  const end = Date.now()
  let at = end - startDaysAgo * day
  return {
    now: () => at,
    advance({ days = 0, minutes = 0 }) {
      at = Math.min(end, at + days * day + minutes * minute)
    },
    catchUp() {
      at = end
    },
  }
}
