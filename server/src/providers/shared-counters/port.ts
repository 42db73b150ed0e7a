/** The requests of one caller in the current window of a limit. */
export interface CallerCount {
  /** Names the limit and the caller. */
  key: string
  count: number
  /** Milliseconds until the window ends. */
  remaining: number
}

/** Counts requests for all servers of a cluster. */
export interface SharedCounters {
  /** Whether requests may wait for the counts of the other servers. Otherwise they are exchanged once a second. */
  isQuick: boolean
  /**
   * Adds the counts of this server, each with a different key, and returns those of all servers. A window begins with the
   * first count that arrives after the previous one. The servers exchange how long it lasts rather than when it ends,
   * because their clocks may differ. Throws when nothing was added. Returns nothing when that is not known.
   */
  add(counts: readonly CallerCount[]): Promise<CallerCount[]>
  removeEnded(): Promise<void>
}
