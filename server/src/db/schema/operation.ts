import type { Generated } from 'kysely'

export interface SettingsTable {
  key: string
  /** JSON. */
  value: string
  updated_at: number
}

export interface JobsTable {
  id: string
  name: string
  payload: string
  /**
   * Failed rows stay until an administrator handles them. Finished rows are deleted; those of repeating jobs stay as
   * 'done' until their time slot has passed.
   */
  state: 'waiting' | 'running' | 'failed' | 'done'
  attempts: number
  run_at: number
  lease_until: number | null
  /** The node that is running the job or ran it last. */
  owner: string | null
  /** New for every claim. A runner that lost its lease cannot finish the job. */
  fence: string | null
  last_error: string | null
  created_at: number
}

/**
 * Files that nothing refers to any more. They are deleted from disk after a day, so that a running backup stays
 * complete.
 */
export interface RemovedFilesTable {
  file_key: string
  removed_at: number
}

/**
 * Append-only: features/audit/append.ts is the only writer. Names are as they were at the time, and no column
 * references other rows.
 */
export interface AuditLogTable {
  seq: Generated<number>
  id: string
  at: number
  actor_id: string | null
  actor_name: string | null
  actor_email: string | null
  session_id: string | null
  ip: string
  user_agent: string
  action: string
  /** Derived from the action; stored so that entries can be filtered by it. */
  area: string
  object_type: string | null
  object_id: string | null
  object_name: string | null
  result: 'ok' | 'denied' | 'failed'
  /** JSON. */
  before: string | null
  after: string | null
  previous_hash: string
  hash: string
}

/** The servers that get a copy of the audit log. */
export interface AuditReceiversTable {
  id: string
  name: string
  /** Encrypted JSON: the address, certificates and secrets. */
  sealed: string
  /** The `seq` of the last entry that the receiver has accepted. */
  sent_seq: number
  sent_at: number | null
  /** Since when it has not accepted entries; null if it accepted the last ones. */
  failing_since: number | null
  /** Why, as a sentence. */
  last_error: string | null
  /** Attempts that have failed in a row. */
  failures: Generated<number>
  /** When the next attempt is made after a failure. */
  retry_at: Generated<number>
  created_at: number
}

/** Which server sends the audit log to a receiver. */
export interface AuditReceiverLeasesTable {
  receiver_id: string
  owner: string
  lease_until: number
}

/** The servers of a cluster, one row per process. All times are those of the database. */
export interface NodesTable {
  id: string
  /** For people: `NODE_NAME`. */
  name: string
  /** What the server does: `RUN`. */
  role: 'all' | 'web' | 'worker'
  version: string
  started_at: number
  /** The last sign of life. */
  seen_at: number
  /** When the other servers take over. A server whose lease has expired cannot renew it. */
  lease_until: number
  /** A draining server still answers, but is about to stop. */
  state: Generated<'running' | 'draining'>
  /** How far its clock is ahead of that of the database, in milliseconds. */
  clock_difference: Generated<number>
  /** The newest migration that it knows; null for a version from before the column. */
  newest_step: string | null
}

/** What the servers of a cluster counted together for rate limits, one row per limit and caller. */
export interface RateCountersTable {
  key: string
  /** Requests in the current window. */
  count: number
  /** When the window ends, by the clock of the database. */
  ends_at: number
}
