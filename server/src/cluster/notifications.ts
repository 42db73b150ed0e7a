import { setTimeout as sleep } from 'node:timers/promises'
import { connectionsChannel, jobsChannel, type NotificationListener } from '#db/database-lock.ts'
import type { JobRunner } from '#jobs/runner.ts'
import type { Deps } from '../deps.ts'

/** Time between two attempts to read the connections, in milliseconds. */
const retryMs = 1000

interface Options {
  worker: Pick<JobRunner, 'poll'>
  stopping: AbortSignal
}

/** Passes on what other processes tell this one through PostgreSQL. */
export function createNotificationListener(deps: Deps, { worker, stopping }: Options): NotificationListener {
  /** Tries again until it succeeds, because nothing else would find out about the change. */
  async function reloadConnections(): Promise<void> {
    while (!stopping.aborted)
      try {
        return await deps.connections.reload()
      } catch (error) {
        deps.log.warn({ err: error }, 'could not read the connections that another server has changed')
        await sleep(retryMs, undefined, { signal: stopping }).catch(() => undefined)
      }
  }

  let reloading = Promise.resolve()
  return {
    notified(text, channel) {
      if (channel === connectionsChannel) reloading = reloadConnections()
      // A job that was added together with a change of the connections must use the new ones.
      else if (channel === jobsChannel) void reloading.then(() => deps.jobs.receive(text))
      else deps.clusterLinks?.receive(text)
    },
    missed() {
      worker.poll()
      deps.clusterLinks?.missed()
      if (deps.clusterLinks) reloading = reloadConnections()
    },
  }
}
