/** How long no server has to run jobs before that is reported, in milliseconds. */
const workerTimeout = 60_000

/** What this server last learned about the cluster. The state of a single server never changes. */
export interface ClusterState {
  /** When a server that runs jobs was last seen, on the monotonic clock. */
  workerSeenAt: number
}

export function createClusterState(): ClusterState {
  return { workerSeenAt: Number.POSITIVE_INFINITY }
}

/** False when no server that runs jobs has been seen for a minute. */
export function hasWorker({ workerSeenAt }: ClusterState, now = performance.now()): boolean {
  return now - workerSeenAt < workerTimeout
}

/** Throws when no server runs jobs. */
export async function requireWorker(state: ClusterState): Promise<void> {
  if (!hasWorker(state)) throw new Error('no server runs jobs')
}
