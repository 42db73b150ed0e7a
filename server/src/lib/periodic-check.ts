const intervalMs = 5_000

/** Runs `check` at most every five seconds, and not in the first five. Other calls return at once. */
export function createPeriodicCheck(
  now: () => number,
  check: (now: number) => Promise<void>,
): () => Promise<void> {
  let checkedAt = now()
  return async () => {
    const time = now()
    // The clock may be set back.
    if (Math.abs(time - checkedAt) < intervalMs) return
    await check(time)
    checkedAt = time
  }
}
