import * as z from 'zod/mini'
import { postAddress } from './audit-stream.ts'
import { endpoint } from './endpoint.ts'
import { partTestResult } from './status.ts'
import { id, isoTimestamp, singleLine } from './wire.ts'

export const webhookMaximum = 10
/** How many deliveries the screen shows for each webhook. */
export const deliveriesShown = 20

/** What webhooks can tell: docs/operations.md, "Webhooks". Never rename one: receivers compare them. */
export const webhookEvents = [
  'document.pending',
  'document.approved',
  'document.index-failed',
  'reply.flagged',
  'question.unanswered',
] as const
export const webhookEvent = z.enum(webhookEvents)
export type WebhookEvent = z.output<typeof webhookEvent>

export const webhookInput = z.object({
  name: singleLine(60, 'Enter a name.'),
  url: postAddress,
  events: z.array(webhookEvent).check(z.minLength(1, 'Choose at least one event.')),
  isEnabled: z.boolean(),
})
export type WebhookInput = z.output<typeof webhookInput>
export type WebhookEntries = z.input<typeof webhookInput>

export const webhook = z.object({
  _id: id,
  /** `unreadable`: the keys of this installation cannot decrypt the address and the secret. */
  state: z.enum(['ok', 'unreadable']),
  name: z.string(),
  url: z.string(),
  events: z.array(webhookEvent),
  isEnabled: z.boolean(),
  /** Since when no delivery has been accepted; null if the last one was. */
  failingSince: z.nullable(isoTimestamp),
  /** Whether it was switched off because it failed for days. */
  isGivenUp: z.boolean(),
})
export type Webhook = z.output<typeof webhook>

export const webhooks = z.object({ webhooks: z.array(webhook) })
export type Webhooks = z.output<typeof webhooks>

/** `waiting`: not accepted yet, and will be tried again. `failed`: given up. */
export const webhookDelivery = z.object({
  _id: id,
  event: webhookEvent,
  state: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.number(),
  /** Why the last attempt failed; null if it did not. */
  error: z.nullable(z.string()),
  /** When it is tried again; null if it has ended or is due now. */
  nextAttemptAt: z.nullable(isoTimestamp),
  /** What the event names; null if it names none. */
  documentName: z.nullable(z.string()),
  documentVersion: z.nullable(z.number()),
  channelName: z.nullable(z.string()),
  channelId: z.nullable(id),
  chatId: z.nullable(id),
  createdAt: isoTimestamp,
})
export type WebhookDelivery = z.output<typeof webhookDelivery>

const deliveries = z.object({ deliveries: z.array(webhookDelivery) })
const params = z.object({ webhookId: id })

export const webhooksApi = {
  get: endpoint({
    method: 'GET',
    path: '/settings/webhooks',
    access: 'system-admin',
    summary: 'List the webhooks, without their secrets',
    reply: webhooks,
  }),
  add: endpoint({
    method: 'POST',
    path: '/settings/webhooks',
    access: 'system-admin',
    summary: 'Add a webhook; returns its secret, which is not shown again',
    body: webhookInput,
    reply: z.extend(webhooks, { secret: z.string() }),
  }),
  change: endpoint({
    method: 'PUT',
    path: '/settings/webhooks/:webhookId',
    access: 'system-admin',
    summary: 'Change a webhook, or switch it on or off',
    params,
    body: webhookInput,
    reply: webhooks,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/settings/webhooks/:webhookId',
    access: 'system-admin',
    summary: 'Remove a webhook and its deliveries',
    params,
    reply: webhooks,
  }),
  replaceSecret: endpoint({
    method: 'POST',
    path: '/settings/webhooks/:webhookId/secret',
    access: 'system-admin',
    summary: 'Replace the secret of a webhook; returns the new one, which is not shown again',
    params,
    reply: z.extend(webhooks, { secret: z.string() }),
  }),
  test: endpoint({
    method: 'POST',
    path: '/settings/webhooks/:webhookId/test',
    access: 'system-admin',
    limit: 'message',
    summary: 'Send a signed test event to a webhook',
    params,
    reply: partTestResult,
  }),
  deliveries: endpoint({
    method: 'GET',
    path: '/settings/webhooks/:webhookId/deliveries',
    access: 'system-admin',
    summary: 'List the last deliveries of a webhook, newest first',
    params,
    reply: deliveries,
  }),
  resend: endpoint({
    method: 'POST',
    path: '/settings/webhooks/:webhookId/deliveries/:deliveryId/resend',
    access: 'system-admin',
    summary: 'Send a delivery again, or a waiting one now, with the same id',
    params: z.object({ webhookId: id, deliveryId: id }),
    reply: deliveries,
  }),
} as const
