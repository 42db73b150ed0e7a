import type { Logger } from 'pino'
import { type Db, openDatabase } from '#db/client.ts'
import { repliesChannel } from '#db/database-lock.ts'
import type { SharedCounters } from '#providers/shared-counters/port.ts'
import { createPostgresCounters } from '#providers/shared-counters/postgres-counters.ts'
import type { SharedEventLog } from '#providers/shared-event-log/port.ts'
import { createPostgresLog } from '#providers/shared-event-log/postgres-log.ts'
import { createWakeChannel, type WakeChannel, type WakeReceiver } from './wake.ts'

/** What connects the servers of a cluster: their running replies, and their counts for rate limits. */
export interface ClusterLinks {
  eventLog: SharedEventLog
  wake: WakeChannel
  counters: SharedCounters
  /** Throws while running replies cannot be shared. */
  check(): Promise<void>
  /** Takes a notification from PostgreSQL on the channel of replies. */
  receive(notification: string): void
  /** Notifications may have been lost. */
  missed(): void
  close(): Promise<void>
}

interface Options {
  node: string
  db: Db
  /** The database for a connection of its own, over which the text of replies is shared without Redis. */
  url: string
  /** Carries everything instead of PostgreSQL. */
  redis: { url: string; prefix: string } | null
  now: () => number
  log: Logger
}

/** Passes on what other servers want from this one. */
function receiveWake(wake: WakeReceiver, node: string, [kind, receiver, messageId = '']: readonly string[]) {
  if (receiver === node && (kind === 'stop' || kind === 'save')) wake.receive(kind, messageId)
}

function openPostgresLinks({ node, db, url, now, log }: Options, wake: WakeReceiver): ClusterLinks {
  const writer = openDatabase({ postgres: url, poolSize: 1 })
  const eventLog = createPostgresLog({ node, writer, reader: db, channel: repliesChannel, log })
  return {
    eventLog,
    wake,
    counters: createPostgresCounters(db, now),
    async check() {
      if (eventLog.isFailing) throw new Error('the shared event log cannot be written')
    },
    receive(notification) {
      const parts = notification.split(' ')
      const [kind, writingNode = '', number] = parts
      if (kind === 'log') eventLog.added(writingNode, Number(number))
      else receiveWake(wake, node, parts)
    },
    missed: eventLog.poll,
    async close() {
      await eventLog.close()
      await writer.destroy()
    },
  }
}

export async function openClusterLinks(options: Options): Promise<ClusterLinks> {
  const { node, db, redis, log } = options
  const wake = createWakeChannel({ db, channel: repliesChannel, log })
  if (redis === null) return openPostgresLinks(options, wake)
  // Only loaded when it is configured.
  const { openRedisLinks } = await import('./redis-links.ts')
  return {
    ...openRedisLinks({ ...redis, node, db, postgresWake: wake, log }),
    receive: (notification) => receiveWake(wake, node, notification.split(' ')),
    missed: () => undefined,
  }
}
