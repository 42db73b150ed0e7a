import * as z from 'zod/mini'
import { usageTotals } from './analytics.ts'
import { endpoint } from './endpoint.ts'
import { statusPart } from './status.ts'
import { isoTimestamp } from './wire.ts'

/** Counts stop here, so that their cost does not grow. Screens show `99+`. */
export const attentionMaximum = 100

/** What waits for an administrator, in the order in which it is shown. */
export const attentionKinds = [
  'channels-without-model',
  'channels-without-assistant',
  'channels-without-documents',
  'pending-documents',
  'failed-documents',
  'documents-without-vectors',
  'expired-invitations',
  'unanswered-questions',
] as const

export const overview = z.object({
  /**
   * Only what the user has the permissions for, and only counts above zero. At most `attentionMaximum`. `channelId` is
   * the channel without an assistant or without documents if there is only one.
   */
  attention: z.array(
    z.object({ kind: z.enum(attentionKinds), count: z.number(), channelId: z.optional(z.string()) }),
  ),
  /** Parts of the system with a problem, for users who manage settings. */
  parts: z.array(z.object({ part: statusPart, words: z.string(), failedAt: z.optional(isoTimestamp) })),
  /** The last seven days and the seven days before them; null without the permission for analytics. */
  week: z.nullable(z.object({ totals: usageTotals, before: usageTotals })),
})
export type Overview = z.output<typeof overview>

export const overviewApi = {
  get: endpoint({
    method: 'GET',
    path: '/admin/overview',
    access: 'canAccessAdminPanel',
    summary: 'List what needs attention, and the figures of the last seven days',
    reply: overview,
  }),
} as const
