import type { WebhookEvent } from '@lyceum/contract/webhooks'
import { uuidv7 } from 'uuidv7'
import type { Tx } from '#db/client.ts'
import type { Deps } from '../../deps.ts'
import { deliverWebhook } from './deliver.ts'
import { findChannelName, insertDelivery, listEnabledWebhooks } from './store.ts'

/** Ids, names and numbers only. Never the text of chats or documents: it would leave the rules of its channel. */
type EventData = Record<string, Record<string, string | number> | string | null>

interface EmittedEvent {
  type: WebhookEvent
  channelId: string
  /** The page of the product that shows it. */
  path: `/${string}`
  data: EventData
}

/** Tells webhooks of an event. Part of the transaction in which it happens, so that both are committed or neither. */
export async function emitEvent(
  deps: Pick<Deps, 'jobs' | 'now' | 'env'>,
  tx: Tx,
  { type, channelId, path, data }: EmittedEvent,
): Promise<void> {
  const enabled = await listEnabledWebhooks(tx)
  const told = enabled.filter(({ events }) => (JSON.parse(events) as string[]).includes(type))
  if (told.length === 0) return
  const now = deps.now()
  const channel = { id: channelId, name: await findChannelName(tx, channelId) }
  const payload = JSON.stringify({
    type,
    timestamp: new Date(now).toISOString(),
    data: { ...data, channel, url: `${deps.env.PUBLIC_URL}${path}` },
  })
  for (const { id: webhook_id } of told) {
    const id = uuidv7()
    await insertDelivery(tx, {
      ...{ id, webhook_id, event: type, payload, state: 'waiting', last_error: null, created_at: now },
    })
    await deps.jobs.add(tx, deliverWebhook, { deliveryId: id })
  }
}

/** Tells webhooks of an event of a document. */
export function emitDocumentEvent(
  deps: Pick<Deps, 'jobs' | 'now' | 'env'>,
  tx: Tx,
  type: 'document.pending' | 'document.approved' | 'document.index-failed',
  document: { id: string; title: string; channel_id: string; number: number },
): Promise<void> {
  const { id, title, channel_id: channelId, number } = document
  return emitEvent(deps, tx, {
    type,
    channelId,
    path: '/admin/documents',
    data: { document: { id, name: title, version: number } },
  })
}
