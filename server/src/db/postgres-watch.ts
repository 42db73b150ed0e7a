import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { connect, type PostgresConnection } from './postgres-connection.ts'

interface Options {
  url: string
  /** How long PostgreSQL may work on one statement, in milliseconds; null for no limit. */
  statementTimeout: number | null
}

const tickMs = 200
/** A statement that runs longer than this is looked up in PostgreSQL. */
const slowMs = 400
/** PostgreSQL counts as silent if it does not answer the lookup in this time. */
const lookupMs = 900
const lookupPauseMs = 500
/** How long after the time limit of a statement PostgreSQL may take to report that it was reached. */
const timeoutGraceMs = 5000
/** A tick that is later than this shows that our own thread was blocked, so a late answer means nothing. */
const maxTickDelayMs = 300

/**
 * Lists the sessions that are working on a statement, or were until a moment ago, so that the answer may still be on
 * its way. All others have sent their answer or never received the statement.
 */
const listWorking = `select pid from pg_stat_activity where pid = any($1)
  and (state = 'active' or state_change > clock_timestamp() - interval '300 ms')`

async function queryWorking(url: string, sessionIds: readonly number[]): Promise<Set<number> | null> {
  const connection = await connect(url, {
    application_name: 'lyceum watch',
    connectionTimeoutMillis: lookupMs,
    query_timeout: lookupMs,
  })
  try {
    const ownId = connection.sessionId
    const { rows } = await connection.query(listWorking, [[ownId, ...sessionIds]])
    const working = new Set((rows as { pid: number }[]).map(({ pid }) => pid))
    // If our own id is missing, it comes from a connection pooler, and so do the others.
    return working.has(ownId) ? working : null
  } finally {
    void connection.end()
  }
}

/** The sessions that are working; null if PostgreSQL answers, but not this question; `silent` if nothing answers. */
async function lookUp(url: string, sessionIds: readonly number[]): Promise<Set<number> | null | 'silent'> {
  const over = sleep(lookupMs, 'silent' as const, { ref: false })
  try {
    return await Promise.race([queryWorking(url, sessionIds), over])
  } catch (error) {
    const isSentByPostgres = [error, (error as Error).cause].some((sent) => sent instanceof pg.DatabaseError)
    // A refused connection may mean that PostgreSQL is restarting: wait whether anything else answers.
    return isSentByPostgres ? null : over
  }
}

/**
 * Breaks connections on which an answer can no longer arrive, so that their statements fail soon. A statement may take
 * long, and only PostgreSQL knows whether it is working on it or whether the answer was lost. Returns a function that
 * ends the watch.
 */
export function watchConnections(
  connections: ReadonlySet<PostgresConnection>,
  { url, statementTimeout }: Options,
): () => void {
  let tickedAt = performance.now()
  let blockedAt = 0
  let lookedUpAt = 0
  let isLookingUp = false

  function listSlow(limit: number): PostgresConnection[] {
    const before = performance.now() - limit
    return [...connections].filter(({ busySince }) => busySince !== null && busySince < before)
  }

  async function breakDead(slow: readonly PostgresConnection[]): Promise<void> {
    const begun = performance.now()
    const statements = slow.map((connection) => ({ connection, since: connection.busySince }))
    const working = await lookUp(
      url,
      slow.map(({ sessionId }) => sessionId),
    )
    // Read the answers that have arrived in the meantime.
    await setImmediate()
    if (working === null || blockedAt >= begun) return
    if (working === 'silent') {
      if ([...connections].some(({ answeredAt }) => answeredAt >= begun)) return
      for (const connection of connections) connection.abort('PostgreSQL does not answer')
      return
    }
    for (const { connection, since } of statements)
      if (connection.busySince === since && !working.has(connection.sessionId))
        connection.abort('The answer of PostgreSQL was lost')
  }

  function tick(): void {
    const now = performance.now()
    if (now - tickedAt > tickMs + maxTickDelayMs) blockedAt = now
    tickedAt = now
    if (statementTimeout !== null)
      for (const connection of listSlow(statementTimeout + timeoutGraceMs))
        connection.abort('PostgreSQL exceeded the time limit of a statement')
    const slow = listSlow(slowMs)
    if (slow.length === 0 || isLookingUp || now - lookedUpAt < lookupPauseMs) return
    isLookingUp = true
    void breakDead(slow).finally(() => {
      isLookingUp = false
      lookedUpAt = performance.now()
    })
  }

  const timer = setInterval(tick, tickMs)
  timer.unref()
  return () => clearInterval(timer)
}
