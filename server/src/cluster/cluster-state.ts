/** How long no server has to run jobs before that is reported, in milliseconds. */
const workerTimeout = 60_000

/** How far the clock of a server may differ from that of the database, in milliseconds. */
const clockTolerance = 30_000

/** What this server last learned about the cluster. The state of a single server never changes. */
export interface ClusterState {
  /** Whether this server still answers, but is about to stop. */
  isDraining: boolean
  /** How far the clock of this server is ahead of that of the database, in milliseconds. */
  clockDifference: number
  /** When a server that runs jobs was last seen, on the monotonic clock. */
  workerSeenAt: number
}

export function createClusterState(): ClusterState {
  return {
    isDraining: false,
    clockDifference: 0,
    workerSeenAt: Number.POSITIVE_INFINITY,
  }
}

/** False when no server that runs jobs has been seen for a minute. */
export function hasWorker({ workerSeenAt }: ClusterState, now = performance.now()): boolean {
  return now - workerSeenAt < workerTimeout
}

/** The time of the database, by which all servers agree on when a job is due. */
export function toDatabaseTime({ clockDifference }: ClusterState, now: number): number {
  return now - clockDifference
}

/** Whether the clock of this server differs too much to decide what is old enough to be deleted. */
export function isClockWrong({ clockDifference }: ClusterState): boolean {
  return Math.abs(clockDifference) > clockTolerance
}
