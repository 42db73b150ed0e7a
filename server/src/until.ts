/** Waits that an end from outside cuts short. */
export interface Until<R> {
  /** What the work comes to, or the end if that comes first; the work goes on by itself then. */
  wait<T>(work: Promise<T>): Promise<T | R>
  end(result: R): void
  fail(reason: unknown): void
}

/** One wait at a time. A race against a promise that lives long would keep something of every wait until its end. */
export function createUntil<R>(): Until<R> {
  let ended: Promise<R> | null = null
  let cut: ((by: Promise<R>) => void) | null = null
  function finish(by: Promise<R>): void {
    by.catch(() => undefined)
    if (ended) return
    ended = by
    cut?.(by)
    cut = null
  }
  return {
    wait<T>(work: Promise<T>): Promise<T | R> {
      if (ended) {
        work.catch(() => undefined)
        return ended
      }
      return new Promise<T | R>((resolve, reject) => {
        cut = resolve
        work.then(resolve, reject)
      })
    },
    end: (result) => finish(Promise.resolve(result)),
    fail: (reason) => finish(Promise.reject(reason)),
  }
}
