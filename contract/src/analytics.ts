import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id, instant } from './wire.ts'

export const analytics = z.object({
  days: z.array(
    z.object({
      day: z.string(),
      messages: z.number(),
      users: z.number(),
      inputTokens: z.number(),
      outputTokens: z.number(),
      refusals: z.number(),
    }),
  ),
})

export const analyticsApi = {
  get: endpoint({
    method: 'GET',
    path: '/admin/analytics',
    access: 'canViewAnalytics',
    limit: 'history',
    summary: 'Messages, people, tokens and refusals per day',
    query: z.object({
      channelId: z.optional(id),
      startDate: z.optional(instant),
      endDate: z.optional(instant),
    }),
    reply: analytics,
  }),
} as const
