import { createHash } from 'node:crypto'
import type { AuditAction, AuditResult } from '@lyceum/contract/audit'
import { uuidv7 } from 'uuidv7'
import type { Tx } from '#db/client.ts'
import { lockName } from '#db/dialect.ts'
import type { Actor } from '../../actor.ts'
import type { Client } from '../../client.ts'
import type { Deps } from '../../deps.ts'
import { type AuditRow, insertEntry, lastHash } from './store.ts'

export interface AuditEvent {
  /** Null for the server itself and for whoever is not signed in. */
  actor: Pick<Actor, 'userId' | 'name' | 'email' | 'sessionId' | 'client'> | null
  /** Where it came from, when there is no actor to say so. */
  client?: Client
  action: AuditAction
  object?: {
    type: 'user' | 'invitation' | 'channel' | 'document' | 'chat' | 'assistant' | 'call'
    id: string
    name?: string
  }
  /** Only what changed, and never the content of a chat or a document, a password, code or link. */
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  result?: AuditResult
}

type Unchained = Omit<AuditRow, 'seq' | 'previous_hash' | 'hash'>

/** Every column in the order of the table: an entry that is changed, removed or moved breaks the chain. */
export const hashOf = (entry: Unchained, previousHash: string): string => {
  const { id, at, actor_id, actor_name, actor_email, session_id, ip, user_agent, action } = entry
  const { object_type, object_id, object_name, result, before, after } = entry
  const who = [actor_id, actor_name, actor_email, session_id, ip, user_agent]
  const what = [action, object_type, object_id, object_name, result, before, after]
  return createHash('sha256')
    .update(JSON.stringify([previousHash, id, at, ...who, ...what]))
    .digest('hex')
}

const json = (value: Record<string, unknown> | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value)

/**
 * Enters what is being done, in the transaction that does it: either both are there or neither. It holds the end of
 * the chain until that transaction ends, so it comes last in it.
 */
export const audit = async (deps: Pick<Deps, 'now'>, tx: Tx, event: AuditEvent): Promise<void> => {
  const { actor, object } = event
  const client = actor?.client ?? event.client
  await lockName(tx, 'audit')
  const entry: Unchained = {
    id: uuidv7(),
    at: deps.now(),
    actor_id: actor?.userId ?? null,
    actor_name: actor?.name ?? null,
    actor_email: actor?.email ?? null,
    session_id: actor?.sessionId ?? null,
    ip: client?.ip ?? '',
    user_agent: client?.userAgent ?? '',
    action: event.action,
    object_type: object?.type ?? null,
    object_id: object?.id ?? null,
    object_name: object?.name ?? null,
    result: event.result ?? 'ok',
    before: json(event.before),
    after: json(event.after),
  }
  const previousHash = await lastHash(tx)
  await insertEntry(tx, { ...entry, previous_hash: previousHash, hash: hashOf(entry, previousHash) })
}
