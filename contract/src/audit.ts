import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id, intParam, isoTimestamp, page } from './wire.ts'

/** All audited actions. Never rename one: entries are never rewritten. */
export const auditActions = [
  'sign-in.ok',
  'sign-in.failed',
  'sign-in.throttled',
  'sign-in.refused',
  'code.sent',
  'code.failed',
  'sign-out',
  'session.ended',
  'browser.forgotten',
  'password.reset-asked',
  'password.reset',
  'password.changed',
  'api-key.created',
  'api-key.revoked',
  'program.connected',
  'program.revoked',
  'embedding.signed-in',
  'identity.connected',
  'identity.disconnected',
  'invitation.created',
  'invitation.resent',
  'invitation.cancelled',
  'invitation.accepted',
  'user.created',
  'user.renamed',
  'user.role-changed',
  'user.rights-changed',
  'user.system-admin-changed',
  'user.sessions-ended',
  'user.email-changed',
  'user.deactivated',
  'user.activated',
  'user.deleted',
  'access.granted',
  'access.revoked',
  'access.admin-changed',
  'access.denied',
  'group.created',
  'group.changed',
  'group.deleted',
  'group.member-added',
  'group.member-removed',
  'group.channel-added',
  'group.channel-removed',
  'group.permissions-changed',
  'two-factor.changed',
  'two-factor.reset',
  'two-factor.forced',
  'channel.created',
  'channel.changed',
  'channel.archived',
  'channel.restored',
  'channel.deleted',
  'channel.embedding-changed',
  'channel.wallpaper-set',
  'channel.wallpaper-removed',
  'chat.shared',
  'chat.share-revoked',
  'document.uploaded',
  'document.approved',
  'document.rejected',
  'document.rejection-undone',
  'document.reindexed',
  'document.downloaded',
  'document.deleted',
  'document.orphans-removed',
  'test-questions.changed',
  'assistant.created',
  'assistant.changed',
  'assistant.deleted',
  'settings.changed',
  'settings.issuer-added',
  'settings.issuer-changed',
  'settings.issuer-removed',
  'settings.directory-added',
  'settings.directory-key-replaced',
  'settings.directory-key-revoked',
  'settings.directory-removed',
  'settings.receiver-added',
  'settings.receiver-changed',
  'settings.receiver-removed',
  'settings.webhook-added',
  'settings.webhook-changed',
  'settings.webhook-removed',
  'settings.background-set',
  'settings.background-removed',
  'settings.tested',
  'quota.changed',
  'retention.applied',
  'retention.visitors-deleted',
  'history.listed',
  'history.searched',
  'history.read',
  'history.exported',
  'analytics.read',
  'analytics.exported',
  'question.resolved',
  'question.reopened',
  'audit.read',
  'audit.exported',
  'audit.purged',
  'keys.rotated',
  'job.retried',
  'backup.made',
  'backup.failed',
  'backup.restored',
  'database.moved',
] as const
export const auditAction = z.enum(auditActions)
export type AuditAction = z.output<typeof auditAction>

/** Maps the prefix of an action to its area. Each entry is stored with its area, which the log can be filtered by. */
const areaByPrefix = {
  'sign-in': 'signing-in',
  code: 'signing-in',
  'sign-out': 'signing-in',
  session: 'signing-in',
  browser: 'signing-in',
  password: 'signing-in',
  'api-key': 'signing-in',
  program: 'signing-in',
  embedding: 'signing-in',
  identity: 'signing-in',
  invitation: 'people',
  user: 'people',
  access: 'access',
  group: 'access',
  'two-factor': 'people',
  channel: 'channels',
  chat: 'access',
  document: 'documents',
  'test-questions': 'documents',
  assistant: 'assistants',
  settings: 'settings',
  quota: 'settings',
  retention: 'settings',
  history: 'reading',
  analytics: 'reading',
  question: 'documents',
  audit: 'reading',
  keys: 'operation',
  job: 'operation',
  backup: 'operation',
  database: 'operation',
} as const
export const auditAreas = [
  'signing-in',
  'people',
  'access',
  'channels',
  'documents',
  'assistants',
  'settings',
  'reading',
  'operation',
] as const
export type AuditArea = (typeof auditAreas)[number]

type Prefix<A extends string> = A extends `${infer P}.${string}` ? P : A

export function getAuditArea(action: AuditAction): AuditArea {
  return areaByPrefix[action.split('.', 1)[0] as Prefix<AuditAction>]
}

export const auditResults = ['ok', 'denied', 'failed'] as const
export type AuditResult = (typeof auditResults)[number]

export const auditEntry = z.object({
  _id: id,
  at: isoTimestamp,
  /** Null for the server and for visitors. Name and email are those at the time of the entry. */
  actor: z.nullable(z.object({ _id: z.string(), name: z.string(), email: z.string() })),
  action: auditAction,
  object: z.nullable(z.object({ type: z.string(), _id: z.string(), name: z.nullable(z.string()) })),
  result: z.enum(auditResults),
  ip: z.string(),
  userAgent: z.string(),
  /** The changed fields. Never contains chat or document content. */
  before: z.nullable(z.record(z.string(), z.unknown())),
  after: z.nullable(z.record(z.string(), z.unknown())),
})
export type AuditEntry = z.output<typeof auditEntry>

export const auditFilters = z.object({
  actorId: z.optional(id),
  area: z.optional(z.enum(auditAreas)),
  action: z.optional(auditAction),
  objectId: z.optional(id),
  result: z.optional(z.enum(auditResults)),
  startDate: z.optional(isoTimestamp),
  endDate: z.optional(isoTimestamp),
})
export type AuditFilters = z.output<typeof auditFilters>

/** Maximum `skip` of the list. Older entries can be reached with filters or in the export. */
export const auditListMaximum = 10_000

export const auditApi = {
  list: endpoint({
    method: 'GET',
    path: '/admin/audit-log',
    access: 'canViewAuditLog',
    limit: 'history',
    summary: 'List audit entries, newest first',
    query: z.extend(auditFilters, {
      limit: z._default(intParam(1, 200), 50),
      skip: z._default(intParam(0, auditListMaximum), 0),
      /**
       * Sequence number of the newest entry to list, as returned with page 1. Reading the log adds an entry to it,
       * which would otherwise shift the later pages.
       */
      asOf: z.optional(intParam(0, Number.MAX_SAFE_INTEGER)),
      /** Leaves out what the caller only viewed, such as this log. */
      ownReading: z.optional(z.literal('hide')),
    }),
    reply: z.extend(page(auditEntry), { asOf: z.number(), hasMore: z.boolean() }),
  }),
  export: endpoint({
    method: 'GET',
    path: '/admin/audit-log/export',
    access: 'canViewAuditLog',
    limit: 'export',
    summary: 'Export the audit log, oldest first',
    query: z.extend(auditFilters, { format: z._default(z.enum(['csv', 'jsonl']), 'csv') }),
    reply: 'file',
    contentTypes: ['text/csv', 'application/x-ndjson'],
  }),
} as const
