import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id, idParams, instant } from './wire.ts'

const highest = 1_000_000_000_000

/** Null is no limit, 0 is none at all. Days and months are those of UTC. */
const limit = z.nullable(z.number().check(z.int(), z.gte(0), z.lte(highest)))

export const quota = z.object({
  /** Questions, edited ones and answers asked for again. */
  messagesPerDay: limit,
  /** What models read and write, as far as they say so. */
  tokensPerMonth: limit,
})
export type Quota = z.output<typeof quota>

const entry = z.string().check(
  z.trim(),
  z.refine(
    (text) => text === '' || (/^\d+$/.test(text) && Number(text) <= highest),
    'Enter a whole number, or nothing',
  ),
)
const typed = z.pipe(
  entry,
  z.transform((text: string) => (text === '' ? null : Number(text))),
)

/** The same as it is typed: an empty field is no limit. */
export const quotaForm = z.object({ messagesPerDay: typed, tokensPerMonth: typed })
export interface QuotaEntries extends Record<string, unknown> {
  messagesPerDay: string
  tokensPerMonth: string
}

export const quotaUse = z.object({ messagesToday: z.number(), tokensThisMonth: z.number() })
export type QuotaUse = z.output<typeof quotaUse>

/** Of a person: their own limits, or null as long as they follow those for everybody. */
export const userQuota = z.object({ own: z.nullable(quota), everybody: quota, used: quotaUse })
export type UserQuota = z.output<typeof userQuota>

/** Of a channel: what all its members may use together. */
export const channelQuota = z.object({ quota, used: quotaUse })
export type ChannelQuota = z.output<typeof channelQuota>

/** From this share of a limit on, the person is told what is left. */
export const nearShare = 0.1

/** The limit that ends first. */
export const quotaLeft = z.object({
  kind: z.enum(['messages', 'tokens']),
  whose: z.enum(['own', 'channel']),
  left: z.number(),
  limit: z.number(),
  /** When it is whole again. */
  resetsAt: instant,
})
export type QuotaLeft = z.output<typeof quotaLeft>

export const quotasApi = {
  get: endpoint({
    method: 'GET',
    path: '/quotas',
    access: 'canManageSettings',
    summary: 'The limits for everybody without limits of their own',
    reply: quota,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/quotas',
    access: 'canManageSettings',
    summary: 'Change the limits for everybody',
    body: quota,
    reply: quota,
  }),
  ofUser: endpoint({
    method: 'GET',
    path: '/users/:id/quota',
    access: 'canManageUsers',
    summary: 'A person’s limits and what they have used',
    params: idParams,
    reply: userQuota,
  }),
  setForUser: endpoint({
    method: 'PUT',
    path: '/users/:id/quota',
    access: 'canManageUsers',
    summary: 'Give a person limits of their own',
    params: idParams,
    body: quota,
    reply: userQuota,
  }),
  resetForUser: endpoint({
    method: 'DELETE',
    path: '/users/:id/quota',
    access: 'canManageUsers',
    summary: 'Have a person follow the limits for everybody again',
    params: idParams,
    reply: userQuota,
  }),
  ofChannel: endpoint({
    method: 'GET',
    path: '/channels/:id/quota',
    access: 'canEditChannels',
    summary: 'A channel’s limits and what its members have used',
    params: idParams,
    reply: channelQuota,
  }),
  setForChannel: endpoint({
    method: 'PUT',
    path: '/channels/:id/quota',
    access: 'canEditChannels',
    summary: 'Limit what the members of a channel use together',
    params: idParams,
    body: quota,
    reply: channelQuota,
  }),
  left: endpoint({
    method: 'GET',
    path: '/chat/:channelId/quota',
    access: 'signed-in',
    summary: 'What is left to oneself in a channel, when that is little',
    params: z.object({ channelId: id }),
    reply: z.object({ left: z.nullable(quotaLeft) }),
  }),
} as const
