import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Executor, Tx } from '#db/client.ts'
import type { Database } from '#db/schema.ts'

export type WebhookRow = Selectable<Database['webhooks']>
export type DeliveryRow = Selectable<Database['webhook_deliveries']>

export function listWebhookRows(db: Executor): Promise<WebhookRow[]> {
  return db.selectFrom('webhooks').selectAll().orderBy('name').orderBy('id').execute()
}

/** The enabled webhooks with their events. */
export function listEnabledWebhooks(db: Executor): Promise<Pick<WebhookRow, 'id' | 'events'>[]> {
  return db.selectFrom('webhooks').select(['id', 'events']).where('is_enabled', '=', 1).execute()
}

export function findWebhookRow(db: Executor, id: string): Promise<WebhookRow | undefined> {
  return db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function insertWebhook(tx: Tx, webhook: Insertable<Database['webhooks']>): Promise<void> {
  await tx.insertInto('webhooks').values(webhook).execute()
}

export async function updateWebhook(
  db: Executor,
  id: string,
  change: Updateable<Database['webhooks']>,
): Promise<void> {
  await db.updateTable('webhooks').set(change).where('id', '=', id).execute()
}

/** Switches the webhook off. False if it was off already. */
export async function switchOff(tx: Tx, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhooks')
    .set({ is_enabled: 0 })
    .where('id', '=', id)
    .where('is_enabled', '=', 1)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes the webhook and, by cascade, its deliveries. */
export async function deleteWebhook(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('webhooks').where('id', '=', id).execute()
}

export async function insertDelivery(
  tx: Tx,
  delivery: Insertable<Database['webhook_deliveries']>,
): Promise<void> {
  await tx.insertInto('webhook_deliveries').values(delivery).execute()
}

export function findDelivery(db: Executor, id: string): Promise<DeliveryRow | undefined> {
  return db.selectFrom('webhook_deliveries').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function updateDelivery(
  db: Executor,
  id: string,
  change: Updateable<Database['webhook_deliveries']>,
): Promise<void> {
  await db.updateTable('webhook_deliveries').set(change).where('id', '=', id).execute()
}

/** Makes a delivery wait again, and counts on. False unless it had ended. */
export async function reopenDelivery(tx: Tx, webhookId: string, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_deliveries')
    .set({ state: 'waiting', last_error: null })
    .where('id', '=', id)
    .where('webhook_id', '=', webhookId)
    .where('state', '!=', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Newest first. */
export function listDeliveries(db: Executor, webhookId: string, limit: number): Promise<DeliveryRow[]> {
  return db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function deleteEndedDeliveries(db: Executor, before: number): Promise<void> {
  await db
    .deleteFrom('webhook_deliveries')
    .where('created_at', '<', before)
    .where('state', '!=', 'waiting')
    .execute()
}

/** Who is told that a webhook was switched off. */
export function listSystemAdministrators(db: Executor): Promise<{ name: string; email: string }[]> {
  return db
    .selectFrom('users')
    .select(['name', 'email'])
    .where('role', '=', 'admin')
    .where('is_system_admin', '=', 1)
    .where('deactivated_at', 'is', null)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
}

export async function findChannelName(db: Executor, id: string): Promise<string | null> {
  const channel = await db.selectFrom('channels').select('name').where('id', '=', id).executeTakeFirst()
  return channel?.name ?? null
}
