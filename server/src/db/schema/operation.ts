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
  /** 'failed' rows stay until someone looks; finished ones are deleted, of repeating ones when their slot is over. */
  state: 'waiting' | 'running' | 'failed' | 'done'
  attempts: number
  run_at: number
  lease_until: number | null
  /** The node that works on it or did. */
  owner: string | null
  /** Changes with every claim: a runner whose lease was lost can no longer finish the job. */
  fence: string | null
  last_error: string | null
  created_at: number
}

/** Files nothing refers to any more; they leave the disk after a day, so that a running backup stays whole. */
export interface RemovedFilesTable {
  file_key: string
  removed_at: number
}

/** Append-only: features/audit/append.ts is the only writer. Names are those of the moment, and nothing refers to other rows. */
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
  /** Follows from the action; kept for finding it. */
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
