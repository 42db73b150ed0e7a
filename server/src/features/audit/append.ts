import { createHash } from 'node:crypto'
import { type AuditAction, type AuditResult, getAuditArea } from '@lyceum/contract/audit'
import { uuidv7 } from 'uuidv7'
import type { Tx } from '#db/client.ts'
import type { Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { type AuditRow, findLastHash, insertEntry, lockAuditLog, runEntryInTurn } from './store.ts'

/** The user who performs the action. The session is null while signing in and for actions through an emailed link. */
export interface AuditActor {
  userId: string
  name: string
  email: string
  sessionId: string | null
  client: Client
}

export interface AuditEvent {
  /** Null for actions of the server itself and for callers who are not signed in. */
  actor: AuditActor | null
  /** The IP address and browser of the request when there is no actor. */
  client?: Client
  action: AuditAction
  object?: {
    type:
      | 'user'
      | 'group'
      | 'invitation'
      | 'channel'
      | 'document'
      | 'chat'
      | 'question'
      | 'assistant'
      | 'call'
    id: string
    name?: string
  }
  /** Changed fields only. Never put chat or document content, passwords, codes or links here. */
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  result?: AuditResult
}

/** Commands pass no log: they print what they did. */
type AuditDeps = Pick<Deps, 'now'> & Partial<Pick<Deps, 'log'>>

type UnhashedEntry = Omit<AuditRow, 'seq' | 'previous_hash' | 'hash'>

/** The client recorded for actions performed with the command line tool. */
export const commandLineClient: Client = { ip: '', userAgent: 'command line' }

/** An actor identified by a password, code or link, usually before a session exists. */
export function toAuditActor(
  { id, name, email }: { id: string; name: string; email: string },
  client: Client,
  sessionId: string | null = null,
): AuditActor {
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

/**
 * Hashes every column except the area, which follows from the action. Changing, removing or moving an entry breaks
 * the chain.
 */
export function hashEntry(entry: Omit<UnhashedEntry, 'area'>, previousHash: string): string {
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
 * Also writes a committed entry to the log, without names, addresses and values. If the log is collected elsewhere, its
 * hashes show there whether the audit log was rewritten.
 */
function logEntry(log: Deps['log'], entry: UnhashedEntry, hash: string): void {
  const { id, at, actor_id, session_id, ip, action, object_type, object_id, result } = entry
  const who = { userId: actor_id, sessionId: session_id, ip }
  log.info(
    { auditId: id, at, ...who, action, objectType: object_type, objectId: object_id, result, hash },
    'audit',
  )
}

/**
 * Records an action in the transaction that performs it, so that both are committed or neither. Call it last in the
 * transaction: it locks the end of the chain until the transaction ends.
 */
export async function audit(deps: AuditDeps, tx: Tx, event: AuditEvent): Promise<void> {
  const { actor, object } = event
  const client = actor?.client ?? event.client
  await lockAuditLog(tx)
  const entry: UnhashedEntry = {
    id: uuidv7(),
    at: deps.now(),
    actor_id: actor?.userId ?? null,
    actor_name: actor?.name ?? null,
    // Visitors have none.
    actor_email: actor?.email || null,
    session_id: actor?.sessionId ?? null,
    ip: client?.ip ?? '',
    user_agent: client?.userAgent ?? '',
    action: event.action,
    area: getAuditArea(event.action),
    object_type: object?.type ?? null,
    object_id: object?.id ?? null,
    object_name: object?.name ?? null,
    result: event.result ?? 'ok',
    before: json(event.before),
    after: json(event.after),
  }
  const previousHash = await findLastHash(tx)
  const hash = hashEntry(entry, previousHash)
  const { log } = deps
  const stored = { ...entry, previous_hash: previousHash, hash }
  await insertEntry(tx, stored, log ? () => logEntry(log, entry, hash) : null)
}

/** Records an action that changes nothing, such as a refusal or a read, in a transaction of its own. */
export function auditAlone(deps: AuditDeps & Pick<Deps, 'db'>, event: AuditEvent): Promise<void> {
  return runEntryInTurn(() => deps.db.transaction().execute((tx) => audit(deps, tx, event)))
}
