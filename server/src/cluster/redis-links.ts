import type { Logger } from 'pino'
import type { Db } from '#db/client.ts'
import { askRedis, connectRedis } from '#providers/redis/client.ts'
import { createRedisCounters } from '#providers/shared-counters/redis-counters.ts'
import { forgetPostgresLog } from '#providers/shared-event-log/postgres-log.ts'
import { blockMs, createRedisLog } from '#providers/shared-event-log/redis-log.ts'
import type { WakeChannel, WakeKind, WakeReceiver } from './wake.ts'

/** Milliseconds until Redis deletes the key that `check` writes. */
const checkTtl = 60_000

interface Options {
  node: string
  url: string
  prefix: string
  db: Db
  /** Takes over while Redis, or the other server's connection to it, does not work. */
  postgresWake: WakeReceiver
  log: Logger
}

/** Connects the servers through Redis. Does not wait until Redis can be reached. */
export function openRedisLinks({ node, url, prefix, db, postgresWake, log }: Options) {
  const commands = connectRedis(url, { name: 'commands', log })
  const reader = connectRedis(url, { name: 'reader', blockMs, log })
  const subscriber = connectRedis(url, { name: 'subscriber', log })
  const clients = [commands, reader, subscriber]
  const eventLog = createRedisLog({
    node,
    prefix,
    commands,
    reader,
    forgetEarlier: (name) => forgetPostgresLog(db, name),
    log,
  })

  function channelOf(name: string): string {
    return `${prefix}:wake:${name}`
  }

  subscriber.on('ready', () => {
    askRedis(subscriber.subscribe(channelOf(node))).catch((error: unknown) =>
      log.warn({ err: error }, 'other servers cannot wake this one through Redis'),
    )
  })
  subscriber.on('message', (_channel, message) => {
    const [kind, messageId = ''] = message.split(' ')
    if (kind === 'stop' || kind === 'save') postgresWake.receive(kind, messageId)
  })

  /** Whether the other server has received it. */
  async function publish(name: string, kind: WakeKind, messageId: string): Promise<boolean> {
    try {
      return (await askRedis(commands.publish(channelOf(name), `${kind} ${messageId}`))) > 0
    } catch {
      return false
    }
  }

  const wake: WakeChannel = {
    async send(name, kind, messageId) {
      if (!(await publish(name, kind, messageId))) await postgresWake.send(name, kind, messageId)
    },
    onMessage: postgresWake.onMessage,
  }

  return {
    eventLog,
    wake,
    counters: createRedisCounters(commands, prefix),
    async check() {
      // A server that is full only refuses to write.
      await askRedis(commands.set(`${prefix}:check`, '', 'PX', checkTtl))
      if (eventLog.isFailing || clients.some(({ status }) => status !== 'ready'))
        throw new Error('Redis does not work')
    },
    async close() {
      await eventLog.close()
      for (const client of clients) client.disconnect()
    },
  }
}
