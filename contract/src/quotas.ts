import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id, idParams, isoTimestamp } from './wire.ts'

const quotaMaximum = 1_000_000_000_000

/** Null: no limit. 0: blocks everything. Days and months are in UTC. */
const limit = z.nullable(z.number().check(z.int(), z.gte(0), z.lte(quotaMaximum)))

export const quota = z.object({
  /** Counts new messages, edited messages and regenerated replies. */
  messagesPerDay: limit,
  /** Input and output tokens as reported by the models. */
  tokensPerMonth: limit,
})
export type Quota = z.output<typeof quota>

const numberText = z.string().check(
  z.trim(),
  z.refine(
    (text) => text === '' || (/^\d+$/.test(text) && Number(text) <= quotaMaximum),
    'Enter a whole number of 0 or more, or leave it empty',
  ),
)
const quotaEntry = z.pipe(
  numberText,
  z.transform((text: string) => (text === '' ? null : Number(text))),
)

/** Validates the form, in which an empty field means no limit. */
export const quotaForm = z.object({ messagesPerDay: quotaEntry, tokensPerMonth: quotaEntry })
export interface QuotaEntries extends Record<string, unknown> {
  messagesPerDay: string
  tokensPerMonth: string
}

export const quotaUse = z.object({ messagesToday: z.number(), tokensThisMonth: z.number() })
export type QuotaUse = z.output<typeof quotaUse>

/** `own` is null while the default limits apply to the user. */
export const userQuota = z.object({ own: z.nullable(quota), everybody: quota, used: quotaUse })
export type UserQuota = z.output<typeof userQuota>

/** The limits that all members of a channel share. */
export const channelQuota = z.object({ quota, used: quotaUse })
export type ChannelQuota = z.output<typeof channelQuota>

/** Users see how much of a limit is left once this share or less remains, or one message. */
export const lowQuotaShare = 0.1

/** The limit that will be reached first. */
export const quotaLeft = z.object({
  kind: z.enum(['messages', 'tokens']),
  whose: z.enum(['own', 'channel']),
  left: z.number(),
  limit: z.number(),
  resetsAt: isoTimestamp,
})
export type QuotaLeft = z.output<typeof quotaLeft>

export const quotasApi = {
  get: endpoint({
    method: 'GET',
    path: '/quotas',
    access: 'canManageSettings',
    summary: 'Get the default limits',
    reply: quota,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/quotas',
    access: 'canManageSettings',
    summary: 'Change the default limits',
    body: quota,
    reply: quota,
  }),
  getForUser: endpoint({
    method: 'GET',
    path: '/users/:id/quota',
    access: 'canManageUsers',
    summary: 'Get a user’s limits and usage',
    params: idParams,
    reply: userQuota,
  }),
  setForUser: endpoint({
    method: 'PUT',
    path: '/users/:id/quota',
    access: 'canManageUsers',
    summary: 'Override the limits for a user',
    params: idParams,
    body: quota,
    reply: userQuota,
  }),
  resetForUser: endpoint({
    method: 'DELETE',
    path: '/users/:id/quota',
    access: 'canManageUsers',
    summary: 'Reset a user to the default limits',
    params: idParams,
    reply: userQuota,
  }),
  getForChannel: endpoint({
    method: 'GET',
    path: '/channels/:id/quota',
    access: 'canEditChannels',
    summary: 'Get a channel’s limits and usage',
    params: idParams,
    reply: channelQuota,
  }),
  setForChannel: endpoint({
    method: 'PUT',
    path: '/channels/:id/quota',
    access: 'canEditChannels',
    summary: 'Change the limits that the members of a channel share',
    params: idParams,
    body: quota,
    reply: channelQuota,
  }),
  getRemaining: endpoint({
    method: 'GET',
    path: '/chat/:channelId/quota',
    access: 'signed-in',
    embeddedParam: 'channelId',
    summary: 'Get your remaining limit in a channel, when it is low',
    params: z.object({ channelId: id }),
    reply: z.object({ left: z.nullable(quotaLeft) }),
  }),
} as const
