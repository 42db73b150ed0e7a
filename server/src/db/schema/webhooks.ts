import type { Generated } from 'kysely'
import type { Flag } from './column.ts'

/** Servers that are told about events. */
export interface WebhooksTable {
  id: string
  name: string
  /** Encrypted JSON: the address and the secret. */
  sealed: string
  /** JSON: the events that it is told about. */
  events: string
  is_enabled: Flag
  /** Since when no delivery has been accepted; null if the last one was. */
  failing_since: number | null
  /** Nothing is sent before, because the last attempt failed. */
  paused_until: Generated<number>
  created_at: number
}

/** Events for a webhook, added in the transaction of what they tell. */
export interface WebhookDeliveriesTable {
  id: string
  webhook_id: string
  event: string
  /** JSON, as it is sent. */
  payload: string
  state: 'waiting' | 'delivered' | 'failed'
  attempts: Generated<number>
  /** Why the last attempt failed, as a sentence. */
  last_error: string | null
  created_at: number
}
