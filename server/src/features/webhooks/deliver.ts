import * as z from 'zod'
import { defineJob } from '#jobs/define-job.ts'
import { queueEmail } from '#mail/send-mail.ts'
import { DeliveryFailed } from '#providers/outgoing/delivery-failure.ts'
import { post } from '#providers/outgoing/post.ts'
import type { Deps } from '../../deps.ts'
import { audit } from '../audit/append.ts'
import {
  type DeliveryRow,
  findDelivery,
  findWebhookRow,
  listSystemAdministrators,
  switchOff,
  updateDelivery,
  updateWebhook,
  type WebhookRow,
} from './store.ts'
import { createSwitchedOffEmail } from './switched-off-email.ts'
import { createHeaders, unsealConfig } from './webhook-config.ts'

const minute = 60_000
const hour = 60 * minute
/** A webhook is switched off when it has accepted nothing for this long. */
const giveUpAfter = 3 * 24 * hour
/** After a failure, other deliveries to the webhook wait too, so that each does not wait for its time limit. */
const pauseMs = minute
/**
 * Retries for a little more than a day; after that, the delivery is given up and shown. Each is longer than the pause, which
 * would use up the attempt.
 */
const retryDelays = [2 * minute, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour]

async function giveUpWebhook(deps: Deps, webhook: WebhookRow, reason: string): Promise<void> {
  const { id, name } = webhook
  await deps.db.transaction().execute(async (tx) => {
    if (!(await switchOff(tx, id))) return
    await audit(deps, tx, {
      actor: null,
      action: 'settings.webhook-changed',
      before: { webhookId: id, isEnabled: true },
      after: { webhookId: id, name, isEnabled: false, reason },
    })
    const content = createSwitchedOffEmail(deps.env.PUBLIC_URL, { name, reason })
    for (const { name: recipient, email: address } of await listSystemAdministrators(tx))
      await queueEmail(deps, tx, { to: { name: recipient, address }, content, expiresAt: null })
  })
}

/** Records a failed attempt. Returns whether the delivery is given up. */
async function recordFailure(
  deps: Deps,
  { webhook, delivery }: { webhook: WebhookRow; delivery: DeliveryRow },
  error: DeliveryFailed,
  isLastAttempt: boolean,
): Promise<boolean> {
  const now = deps.now()
  const failingSince = webhook.failing_since ?? now
  await updateWebhook(deps.db, webhook.id, {
    failing_since: failingSince,
    paused_until: now + Math.max(pauseMs, error.retryAfter ?? 0),
  })
  // 410: the receiver says that it wants no more.
  const isGone = error.status === 410
  if (isGone || now - failingSince >= giveUpAfter) await giveUpWebhook(deps, webhook, error.message)
  const isOver = isGone || isLastAttempt
  await updateDelivery(deps.db, delivery.id, {
    state: isOver ? 'failed' : 'waiting',
    attempts: delivery.attempts + 1,
    last_error: error.message.slice(0, 500),
  })
  return isOver
}

async function deliver(deps: Deps, id: string, isLastAttempt: boolean, signal: AbortSignal): Promise<void> {
  const delivery = await findDelivery(deps.db, id)
  const webhook = delivery && (await findWebhookRow(deps.db, delivery.webhook_id))
  if (!webhook || delivery.state !== 'waiting') return
  const config = unsealConfig(deps.secrets, webhook.sealed)
  if (!config || webhook.is_enabled === 0) {
    const last_error = config ? 'The webhook is switched off.' : 'The webhook cannot be decrypted.'
    await updateDelivery(deps.db, id, { state: 'failed', last_error })
    return
  }
  if (webhook.paused_until > deps.now() && !isLastAttempt) throw new Error('the webhook failed a moment ago')
  const body = delivery.payload
  try {
    const headers = createHeaders(config, { id, body, now: deps.now() })
    await post({ url: config.url, headers, body, signal })
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof DeliveryFailed)) throw error
    if (await recordFailure(deps, { webhook, delivery }, error, isLastAttempt)) return
    throw error
  }
  await updateDelivery(deps.db, id, {
    state: 'delivered',
    attempts: delivery.attempts + 1,
    last_error: null,
  })
  await updateWebhook(deps.db, webhook.id, { failing_since: null, paused_until: 0 })
}

export const deliverWebhook = defineJob({
  name: 'webhooks.deliver',
  payload: z.object({ deliveryId: z.string() }),
  retryDelays,
  lane: 'webhooks',
  handler: (deps: Deps, { deliveryId }, { isLastAttempt, signal }) =>
    deliver(deps, deliveryId, isLastAttempt, signal),
})
