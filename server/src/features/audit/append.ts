import { createHash } from 'node:crypto'
import { type AuditAction, type AuditResult, areaOf } from '@lyceum/contract/audit'
import { uuidv7 } from 'uuidv7'
import type { Tx } from '#db/client.ts'
import type { Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { type AuditRow, insertEntry, lastHash, lockAuditLog } from './store.ts'

/** Who did it. Signing in and by a link one acts without a session. */
export interface Doer {
  userId: string
  name: string
  email: string
  sessionId: string | null
  client: Client
}

export interface AuditEvent {
  /** Null for the server itself and for whoever is not signed in. */
  actor: Doer | null
  /** Where it came from, when there is no actor to say so. */
  client?: Client
  action: AuditAction
  object?: {
    type: 'user' | 'invitation' | 'channel' | 'document' | 'chat' | 'question' | 'assistant' | 'call'
    id: string
    name?: string
  }
  /** Only what changed, and never the content of a chat or a document, a password, code or link. */
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  result?: AuditResult
}

type Unchained = Omit<AuditRow, 'seq' | 'previous_hash' | 'hash'>

/** Where what is done at a terminal comes from. */
export const commandLine: Client = { ip: '', userAgent: 'command line' }

/** A person who acts by what they know or hold, before they have a session. */
export function doerOf(
  { id, name, email }: { id: string; name: string; email: string },
  client: Client,
  sessionId: string | null = null,
): Doer {
  return { userId: id, name, email, sessionId, client }
}

type AuditObject = NonNullable<AuditEvent['object']>

export function userObject({ id, name }: { id: string; name: string }): AuditObject {
  return {
    type: 'user',
    id,
    name,
  }
}

/** Every column but the area, which the action says: an entry that is changed, removed or moved breaks the chain. */
export function hashOf(entry: Omit<Unchained, 'area'>, previousHash: string): string {
  const { id, at, actor_id, actor_name, actor_email, session_id, ip, user_agent, action } = entry
  const { object_type, object_id, object_name, result, before, after } = entry
  const who = [actor_id, actor_name, actor_email, session_id, ip, user_agent]
  const what = [action, object_type, object_id, object_name, result, before, after]
  return createHash('sha256')
    .update(JSON.stringify([previousHash, id, at, ...who, ...what]))
    .digest('hex')
}

function json(value: Record<string, unknown> | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

/**
 * Enters what is being done, in the transaction that does it: either both are there or neither. It holds the end of
 * the chain until that transaction ends, so it comes last in it.
 */
export async function audit(deps: Pick<Deps, 'now'>, tx: Tx, event: AuditEvent): Promise<void> {
  const { actor, object } = event
  const client = actor?.client ?? event.client
  await lockAuditLog(tx)
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
    area: areaOf(event.action),
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

/** Enters what changed nothing: a refusal, or something that was read. */
export function auditAlone(deps: Pick<Deps, 'db' | 'now'>, event: AuditEvent): Promise<void> {
  return deps.db.transaction().execute((tx) => audit(deps, tx, event))
}
