import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { count, id, instant } from './wire.ts'

export const auditEntry = z.object({
  _id: id,
  at: instant,
  actor: z.nullable(z.object({ _id: z.string(), name: z.string(), email: z.string() })),
  action: z.string(),
  object: z.nullable(z.string()),
  result: z.enum(['ok', 'denied', 'failed']),
  ip: z.string(),
  userAgent: z.string(),
  detail: z.nullable(z.string()),
})

export const auditApi = {
  list: endpoint({
    method: 'GET',
    path: '/admin/audit-log',
    access: 'canViewAuditLog',
    limit: 'history',
    summary: 'What was done, by whom and when',
    query: z.object({
      actorId: z.optional(id),
      action: z.optional(z.string().check(z.maxLength(100))),
      startDate: z.optional(instant),
      endDate: z.optional(instant),
      limit: z._default(count(1, 200), 50),
      skip: z._default(count(0, 10_000_000), 0),
    }),
    reply: z.object({ items: z.array(auditEntry), total: z.number(), totalPages: z.number() }),
  }),
} as const
