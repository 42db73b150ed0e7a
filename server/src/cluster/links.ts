import type { Logger } from 'pino'
import { type Db, openDatabase } from '#db/client.ts'
import { repliesChannel } from '#db/database-lock.ts'
import type { SharedEventLog } from '#providers/shared-event-log/port.ts'
import { createPostgresLog } from '#providers/shared-event-log/postgres-log.ts'
import { createWakeChannel, type WakeChannel } from './wake.ts'

/** What connects the running replies of the servers of a cluster. */
export interface ClusterLinks {
  eventLog: SharedEventLog
  wake: WakeChannel
  /** Takes a notification from PostgreSQL on the channel of replies. */
  receive(notification: string): void
  /** Notifications may have been lost. */
  missed(): void
  close(): Promise<void>
}

interface Options {
  node: string
  db: Db
  /** The database for a connection of its own, over which the text of replies is shared. */
  url: string
  log: Logger
}

export function openClusterLinks({ node, db, url, log }: Options): ClusterLinks {
  const writer = openDatabase({ postgres: url, poolSize: 1 })
  const eventLog = createPostgresLog({ node, writer, reader: db, channel: repliesChannel, log })
  const wake = createWakeChannel({ db, channel: repliesChannel, log })
  return {
    eventLog,
    wake,
    receive(notification) {
      const [kind, receiver = '', subject = ''] = notification.split(' ')
      if (kind === 'log') eventLog.added(receiver, Number(subject))
      else if (receiver === node && (kind === 'stop' || kind === 'save')) wake.receive(kind, subject)
    },
    missed: eventLog.poll,
    async close() {
      await eventLog.close()
      await writer.destroy()
    },
  }
}
