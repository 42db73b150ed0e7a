import type { Db } from '#db/client.ts'
import { isDatabaseUnavailable } from '#db/database-unavailable.ts'
import { isSchemaComplete } from '#db/migrate.ts'
import { type ClusterState, hasWorker, isClockWrong } from './cluster-state.ts'

/**
 * How long the database may be away before load balancers should choose other servers, in milliseconds. When it restarts,
 * all servers lose it at once.
 */
const outageTolerance = 3000

type Check = () => Promise<void>

/** What a server of a cluster needs in order to receive requests. The checks throw. */
export function createNodeChecks(
  db: Db,
  state: ClusterState,
  queryDatabase: Check,
  now = () => performance.now(),
): Record<'database' | 'schema' | 'clock', Check> {
  let failingSince: number | null = null
  return {
    async database() {
      try {
        await queryDatabase()
        failingSince = null
      } catch (error) {
        failingSince ??= now()
        if (now() - failingSince >= outageTolerance) throw error
      }
    },
    async schema() {
      // Without the database, the schema is not known, which the other check reports.
      const isComplete = await isSchemaComplete(db).catch(isDatabaseUnavailable)
      if (!isComplete) throw new Error('the database must be upgraded')
    },
    async clock() {
      if (isClockWrong(state)) throw new Error('the clock differs from that of the database')
    },
  }
}

/** What an administrator should know, although this server can receive requests. The checks throw. */
export function createNodeWarnings(state: ClusterState): Record<'workers', Check> {
  return {
    async workers() {
      if (!hasWorker(state)) throw new Error('no server runs jobs')
    },
  }
}
