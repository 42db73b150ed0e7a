import type { PartTestResult } from '@lyceum/contract/status'
import {
  deliveriesShown,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
  type WebhookInput,
  type Webhooks,
  webhookMaximum,
} from '@lyceum/contract/webhooks'
import { uuidv7 } from 'uuidv7'
import * as z from 'zod'
import type { Tx } from '#db/client.ts'
import { lockSettings } from '#db/settings.ts'
import type { Secrets } from '#keys/secrets.ts'
import { DeliveryFailed } from '#providers/outgoing/delivery-failure.ts'
import { post } from '#providers/outgoing/post.ts'
import type { Actor } from '../../actor.ts'
import { requireReachableHost } from '../../connections/reachable-host.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { audit, auditAlone } from '../audit/append.ts'
import { findChanges } from '../audit/changes.ts'
import { deliverWebhook } from './deliver.ts'
import {
  type DeliveryRow,
  deleteWebhook,
  findDelivery,
  findWebhookRow,
  insertWebhook,
  listDeliveries,
  listWebhookRows,
  reopenDelivery,
  updateWebhook,
  type WebhookRow,
} from './store.ts'
import {
  createHeaders,
  createSecret,
  sealConfig,
  unsealConfig,
  type WebhookConfig,
} from './webhook-config.ts'

function parseEvents(events: string): WebhookEvent[] {
  return JSON.parse(events) as WebhookEvent[]
}

function presentWebhook({ secrets }: Deps, row: WebhookRow): Webhook {
  const { id, name, sealed, events, is_enabled, failing_since } = row
  const config = unsealConfig(secrets, sealed)
  return {
    _id: id,
    state: config ? 'ok' : 'unreadable',
    name,
    url: config?.url ?? '',
    events: parseEvents(events),
    isEnabled: is_enabled === 1,
    failingSince: failing_since === null ? null : new Date(failing_since).toISOString(),
    // Switching it off by hand forgets its failures.
    isGivenUp: is_enabled === 0 && failing_since !== null,
  }
}

export async function presentWebhooks(deps: Deps): Promise<Webhooks> {
  return { webhooks: (await listWebhookRows(deps.db)).map((row) => presentWebhook(deps, row)) }
}

async function change(deps: Deps, run: (tx: Tx) => Promise<void>): Promise<Webhooks> {
  await deps.db.transaction().execute(async (tx) => {
    await lockSettings(tx)
    await run(tx)
  })
  return presentWebhooks(deps)
}

async function requireWebhook(db: Deps['db'] | Tx, id: string): Promise<WebhookRow> {
  const row = await findWebhookRow(db, id)
  if (!row) throw notFound()
  return row
}

async function requireReachable(url: string): Promise<void> {
  if (!URL.canParse(url)) {
    const message = 'This address is not valid.'
    throw new AppError('validation.failed', { message, fields: { url: message } })
  }
  await requireReachableHost(new URL(url).hostname, 'url')
}

/** The path of an address can contain a token, so only the server is recorded. */
function describe({ name, url, events, isEnabled }: WebhookInput): Record<string, unknown> {
  return { name, server: new URL(url).host, events: [...events].sort(), isEnabled }
}

export async function addWebhook(
  deps: Deps,
  actor: Actor,
  input: WebhookInput,
): Promise<Webhooks & { secret: string }> {
  await requireReachable(input.url)
  const secret = createSecret()
  const result = await change(deps, async (tx) => {
    if ((await listWebhookRows(tx)).length >= webhookMaximum) throw new AppError('webhook.limit')
    const id = uuidv7()
    await insertWebhook(tx, {
      id,
      name: input.name,
      sealed: sealConfig(deps.secrets, { url: input.url, secret }),
      events: JSON.stringify(input.events),
      is_enabled: input.isEnabled ? 1 : 0,
      created_at: deps.now(),
    })
    await audit(deps, tx, {
      actor,
      action: 'settings.webhook-added',
      after: { webhookId: id, ...describe(input) },
    })
  })
  return { ...result, secret }
}

/** The secret stays, also for another address: it only signs and opens nothing. */
export async function changeWebhook(
  deps: Deps,
  actor: Actor,
  id: string,
  input: WebhookInput,
): Promise<Webhooks> {
  await requireReachable(input.url)
  return change(deps, async (tx) => {
    const row = await requireWebhook(tx, id)
    const config = unsealConfig(deps.secrets, row.sealed)
    if (!config) throw new AppError('webhook.unreadable')
    await updateWebhook(tx, id, {
      name: input.name,
      sealed: sealConfig(deps.secrets, { ...config, url: input.url }),
      events: JSON.stringify(input.events),
      is_enabled: input.isEnabled ? 1 : 0,
      failing_since: null,
      paused_until: 0,
    })
    const before = { ...presentWebhook(deps, row), url: config.url }
    const changes = findChanges(describe(before), describe(input))
    const isAddressChanged = config.url !== input.url
    if (!changes && !isAddressChanged) return
    await audit(deps, tx, {
      actor,
      action: 'settings.webhook-changed',
      before: { webhookId: id, ...changes?.before },
      after: {
        webhookId: id,
        name: input.name,
        ...changes?.after,
        ...(isAddressChanged ? { isAddressChanged } : {}),
      },
    })
  })
}

/** The old secret is valid no longer, because someone else may have it. */
export async function replaceSecret(
  deps: Deps,
  actor: Actor,
  id: string,
): Promise<Webhooks & { secret: string }> {
  const secret = createSecret()
  const result = await change(deps, async (tx) => {
    const row = await requireWebhook(tx, id)
    const config = unsealConfig(deps.secrets, row.sealed)
    if (!config) throw new AppError('webhook.unreadable')
    await updateWebhook(tx, id, { sealed: sealConfig(deps.secrets, { ...config, secret }) })
    await audit(deps, tx, {
      actor,
      action: 'settings.webhook-changed',
      before: { webhookId: id, name: row.name },
      after: { webhookId: id, name: row.name, isSecretChanged: true },
    })
  })
  return { ...result, secret }
}

export function removeWebhook(deps: Deps, actor: Actor, id: string): Promise<Webhooks> {
  return change(deps, async (tx) => {
    const { name } = await requireWebhook(tx, id)
    await deleteWebhook(tx, id)
    await audit(deps, tx, {
      actor,
      action: 'settings.webhook-removed',
      before: { webhookId: id, name },
    })
  })
}

/** Sends an event that is not stored. */
async function tryConfig(
  { now: readClock }: Pick<Deps, 'now'>,
  config: WebhookConfig,
): Promise<Omit<PartTestResult, 'milliseconds'>> {
  const now = readClock()
  const body = JSON.stringify({ type: 'webhook.test', timestamp: new Date(now).toISOString(), data: {} })
  const headers = createHeaders(config, { id: uuidv7(), body, now })
  try {
    await post({ url: config.url, headers, body, signal: AbortSignal.timeout(30_000) })
    return { ok: true, words: [`${new URL(config.url).host} accepted a test event.`] }
  } catch (error) {
    if (!(error instanceof DeliveryFailed)) throw error
    return { ok: false, words: [error.message] }
  }
}

/** Sends a test event to each webhook that is switched on. */
export async function tryWebhooks(deps: Deps): Promise<Omit<PartTestResult, 'milliseconds'>[]> {
  const rows = await listWebhookRows(deps.db)
  return Promise.all(
    rows.flatMap(({ is_enabled, sealed }) => {
      const config = unsealConfig(deps.secrets, sealed)
      return is_enabled === 1 && config ? [tryConfig(deps, config)] : []
    }),
  )
}

/** Audited with the server, so that nobody can scan a network unseen. */
export async function testWebhook(deps: Deps, actor: Actor, id: string): Promise<PartTestResult> {
  const { name, sealed } = await requireWebhook(deps.db, id)
  const config = unsealConfig(deps.secrets, sealed)
  if (!config) throw new AppError('webhook.unreadable')
  const startedAt = performance.now()
  const outcome = await tryConfig(deps, config)
  await auditAlone(deps, {
    actor,
    action: 'settings.tested',
    result: outcome.ok ? 'ok' : 'failed',
    after: { part: 'webhooks', name, server: new URL(config.url).host },
  })
  return { ...outcome, milliseconds: Math.round(performance.now() - startedAt) }
}

const named = z.object({ id: z.string().nullable().catch(null), name: z.string().nullable() })
/** What a stored event names. Events of earlier versions may name less. */
const eventData = z.object({
  document: named
    .extend({ version: z.number().nullable().catch(null) })
    .nullable()
    .catch(null),
  channel: named.nullable().catch(null),
  chat: z.object({ id: z.string() }).nullable().catch(null),
})

type Subject = Pick<
  WebhookDelivery,
  'documentName' | 'documentVersion' | 'channelName' | 'channelId' | 'chatId'
>

function readSubject(payload: string): Subject {
  const { document, channel, chat } = z.object({ data: eventData }).parse(JSON.parse(payload)).data
  return {
    documentName: document?.name ?? null,
    documentVersion: document?.version ?? null,
    channelName: channel?.name ?? null,
    channelId: channel?.id ?? null,
    chatId: chat?.id ?? null,
  }
}

export async function presentDeliveries(deps: Deps, id: string): Promise<{ deliveries: WebhookDelivery[] }> {
  await requireWebhook(deps.db, id)
  const rows = await listDeliveries(deps.db, id, deliveriesShown)
  const waiting = rows.filter(({ state }) => state === 'waiting')
  const runTimes = await deps.jobs.findRunTimes(
    deliverWebhook,
    waiting.map((row) => ({ deliveryId: row.id })),
  )
  const now = deps.now()
  function findNextAttempt(row: DeliveryRow): string | null {
    const runAt = runTimes[waiting.indexOf(row)] ?? 0
    return runAt > now ? new Date(runAt).toISOString() : null
  }
  return {
    deliveries: rows.map((row) => ({
      nextAttemptAt: findNextAttempt(row),
      ...readSubject(row.payload),
      _id: row.id,
      event: row.event as WebhookEvent,
      state: row.state,
      attempts: row.attempts,
      error: row.last_error,
      createdAt: new Date(row.created_at).toISOString(),
    })),
  }
}

/** Starts over a delivery that has ended, and tries a waiting one now. Does nothing while it is being sent. */
export async function resendDelivery(
  deps: Deps,
  webhookId: string,
  deliveryId: string,
): Promise<{ deliveries: WebhookDelivery[] }> {
  await deps.db.transaction().execute(async (tx) => {
    const delivery = await findDelivery(tx, deliveryId)
    if (delivery?.webhook_id !== webhookId) return
    await updateWebhook(tx, webhookId, { paused_until: 0 })
    if (await reopenDelivery(tx, webhookId, deliveryId))
      await deps.jobs.add(tx, deliverWebhook, { deliveryId })
    else await deps.jobs.hurry(tx, deliverWebhook, { deliveryId })
  })
  return presentDeliveries(deps, webhookId)
}

/** Re-encrypts the webhooks with the current key. Returns how many it changed. */
export async function resealWebhooks(tx: Tx, secrets: Secrets): Promise<number> {
  let changed = 0
  for (const { id, sealed } of await listWebhookRows(tx)) {
    const config = unsealConfig(secrets, sealed)
    if (!config) continue
    await updateWebhook(tx, id, { sealed: sealConfig(secrets, config) })
    changed += 1
  }
  return changed
}
