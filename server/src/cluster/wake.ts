import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '#db/client.ts'

/** What a server asks of another one about a reply that the other one writes: to stop it, or to save it now. */
export type WakeKind = 'stop' | 'save'

/**
 * Tells another server at once what it would find out by itself later. Messages may be lost, so nothing may depend on
 * them.
 */
export interface WakeChannel {
  /** Never throws. */
  send(node: string, kind: WakeKind, messageId: string): Promise<void>
  onMessage(listener: (kind: WakeKind, messageId: string) => void): void
}

/** The channel as seen by the code that takes its messages. */
export interface WakeReceiver extends WakeChannel {
  /** Takes a message that was sent to this server. */
  receive(kind: WakeKind, messageId: string): void
}

interface Options {
  db: Db
  channel: string
  log: Logger
}

/** Messages have the form `<kind> <node> <message id>`. */
export function createWakeChannel({ db, channel, log }: Options): WakeReceiver {
  let listener: (kind: WakeKind, messageId: string) => void = () => undefined
  return {
    async send(node, kind, messageId) {
      try {
        await sql`select pg_notify(${channel}, ${`${kind} ${node} ${messageId}`})`.execute(db)
      } catch (error) {
        log.warn({ err: error, kind }, 'could not wake another server')
      }
    },
    onMessage(added) {
      listener = added
    },
    receive: (kind, messageId) => listener(kind, messageId),
  }
}
