import type { ApiKeyScope } from '@lyceum/contract/api-keys'
import type { AuditAction, AuditArea, AuditEntry } from '@lyceum/contract/audit'
import { type ErrorCode, errors } from '@lyceum/contract/errors'
import { formatScopes } from '#lib/api-key-labels.ts'
import { formatFileSize } from '#lib/file-size.ts'
import { partTitles } from '#lib/part-titles.ts'

export const areaLabels: Record<AuditArea, string> = {
  'signing-in': 'Signing in and passwords',
  people: 'Users and invitations',
  access: 'Access and denials',
  channels: 'Channels',
  documents: 'Documents',
  assistants: 'Ready-made assistants',
  settings: 'Settings and limits',
  reading: 'Viewing and exporting',
  operation: 'Operations',
}

export const actionLabels: Record<AuditAction, string> = {
  'sign-in.ok': 'Signed in',
  'sign-in.failed': 'Sign-in failed',
  'sign-in.throttled': 'Sign-in rate-limited',
  'sign-in.refused': 'Sign-in refused despite correct password',
  'code.sent': 'One-time code sent',
  'code.failed': 'One-time code refused',
  'sign-out': 'Signed out',
  'session.ended': 'Own sessions ended',
  'browser.forgotten': 'Trusted browser forgotten',
  'password.reset-asked': 'Password reset link requested',
  'password.reset': 'Password reset by link',
  'password.changed': 'Password changed',
  'api-key.created': 'API key created',
  'api-key.revoked': 'API key revoked',
  'program.connected': 'Program connected',
  'program.revoked': 'Program disconnected',
  'embedding.signed-in': 'Signed in on another site',
  'identity.connected': 'User connected to single sign-on',
  'identity.disconnected': 'User disconnected from single sign-on',
  'invitation.created': 'Invitation created',
  'invitation.resent': 'Invitation resent',
  'invitation.cancelled': 'Invitation cancelled',
  'invitation.accepted': 'Invitation accepted',
  'user.created': 'User created',
  'user.renamed': 'User renamed',
  'user.role-changed': 'Role changed',
  'user.rights-changed': 'Permissions changed',
  'user.system-admin-changed': 'System administrator changed',
  'user.sessions-ended': 'User signed out everywhere',
  'user.email-changed': 'Email address changed',
  'user.deactivated': 'User deactivated',
  'user.activated': 'User activated',
  'user.deleted': 'User deleted',
  'access.granted': 'Channel access granted',
  'access.revoked': 'Channel access revoked',
  'access.admin-changed': 'Channel administrator changed',
  'access.denied': 'Access denied',
  'group.created': 'Group created',
  'group.changed': 'Group changed',
  'group.deleted': 'Group deleted',
  'group.member-added': 'Added to a group',
  'group.member-removed': 'Removed from a group',
  'group.channel-added': 'Channel added to a group',
  'group.channel-removed': 'Channel removed from a group',
  'group.permissions-changed': 'Group permissions changed',
  'two-factor.changed': '2FA settings changed',
  'two-factor.reset': '2FA settings reset',
  'two-factor.forced': '2FA re-verification forced',
  'channel.created': 'Channel created',
  'channel.changed': 'Channel changed',
  'channel.archived': 'Channel archived',
  'channel.restored': 'Channel restored',
  'channel.deleted': 'Channel deleted',
  'channel.embedding-changed': 'Channel use on other sites changed',
  'channel.wallpaper-set': 'Channel wallpaper set',
  'channel.wallpaper-removed': 'Channel wallpaper removed',
  'chat.shared': 'Chat shared',
  'chat.share-revoked': 'Chat no longer shared',
  'document.uploaded': 'Document uploaded',
  'document.approved': 'Document approved',
  'document.rejected': 'Document rejected',
  'document.rejection-undone': 'Rejection undone',
  'document.reindexed': 'Document reindexed',
  'document.downloaded': 'Document downloaded',
  'document.deleted': 'Document deleted',
  'document.orphans-removed': 'Orphaned documents cleaned up',
  'test-questions.changed': 'Test questions changed',
  'assistant.created': 'Assistant created',
  'assistant.changed': 'Assistant changed',
  'assistant.deleted': 'Assistant deleted',
  'settings.webhook-added': 'Webhook added',
  'settings.webhook-changed': 'Webhook changed',
  'settings.webhook-removed': 'Webhook removed',
  'settings.receiver-added': 'Audit log receiver added',
  'settings.receiver-changed': 'Audit log receiver changed',
  'settings.receiver-removed': 'Audit log receiver removed',
  'settings.issuer-added': 'Single sign-on issuer added',
  'settings.issuer-changed': 'Single sign-on issuer changed',
  'settings.issuer-removed': 'Single sign-on issuer removed',
  'settings.directory-added': 'SCIM directory connected',
  'settings.directory-key-replaced': 'Key of a SCIM directory replaced',
  'settings.directory-key-revoked': 'Key of a SCIM directory revoked',
  'settings.directory-removed': 'SCIM directory disconnected',
  'settings.changed': 'Settings changed',
  'settings.background-set': 'Dashboard background set',
  'settings.background-removed': 'Dashboard background removed',
  'settings.tested': 'Settings tested',
  'quota.changed': 'Usage limits changed',
  'retention.applied': 'Old chats deleted',
  'retention.visitors-deleted': 'Old visitors deleted',
  'history.listed': 'Chat histories listed',
  'history.searched': 'Chat histories searched',
  'history.read': 'Chat history viewed',
  'history.exported': 'Chat histories exported',
  'analytics.read': 'Analytics viewed',
  'analytics.exported': 'Analytics exported',
  'question.resolved': 'Unanswered question resolved',
  'question.reopened': 'Unanswered question reopened',
  'audit.read': 'Audit log viewed',
  'audit.exported': 'Audit log exported',
  'audit.purged': 'Old audit log entries deleted',
  'keys.rotated': 'Keys rotated',
  'job.retried': 'Failed job retried',
  'backup.made': 'Backup created',
  'backup.failed': 'Backup failed',
  'backup.restored': 'Backup restored',
  'database.moved': 'Database migrated',
}

/** The ID of the LDAP directory, which is stored with the issuers. */
const ldapIssuerId = '@ldap'

export function isLdapEntry({ before, after }: Pick<AuditEntry, 'before' | 'after'>): boolean {
  return [before, after].some((fields) => fields?.['issuerId'] === ldapIssuerId)
}

const ldapActionLabels: Partial<Record<AuditAction, string>> = {
  'settings.issuer-added': 'LDAP directory added',
  'settings.issuer-changed': 'LDAP directory changed',
  'settings.issuer-removed': 'LDAP directory removed',
}

/** What happened. Names the kind of the object, which the action alone may not tell. */
export function describeAction(entry: Pick<AuditEntry, 'action' | 'before' | 'after'>): string {
  // Viewers without access get the same answer as for something that does not exist.
  if (entry.action === 'access.denied' && entry.after?.['status'] === 404) return 'Not found, or no access'
  const ldapLabel = isLdapEntry(entry) ? ldapActionLabels[entry.action] : undefined
  return ldapLabel ?? actionLabels[entry.action]
}

/** What was tested or connected. */
const partLabels: Readonly<Record<string, string>> = {
  ...partTitles,
  ldap: 'LDAP directory',
  'single-sign-on': 'Single sign-on issuer',
}

export function formatPart(part: string): string {
  return partLabels[part] ?? part
}

const fieldLabels: Readonly<Record<string, string>> = {
  bytes: 'Size',
  call: 'Request',
  chatsAreRetained: 'Chats retained',
  expiresInDays: 'Ends in (days)',
  destination: 'Sent to',
  hasLogin: 'Signs in to the server',
  isAdmin: 'Channel administrator',
  isProposal: 'Proposed by a member',
  isSetup: 'For the first password',
  isSystemAdmin: 'System administrator',
  part: 'Tested',
  passwordSignIn: 'Password sign-in',
  programId: 'Connection ID',
  prefix: 'Key begins with',
  scopes: 'What it can do',
  hasSecrets: 'Includes secrets file',
  wasExpired: 'Had expired',
}

/** Words that are not written in lower case. */
const acronyms: Readonly<Record<string, string>> = { dn: 'DN', id: 'ID', ids: 'IDs', url: 'URL' }

/** Fields of a backup that say something only if they are not zero or false. */
const exceptionFields: ReadonlySet<string> = new Set([
  'missingFiles',
  'changedFiles',
  'isEncrypted',
  'hasSecrets',
  'isScheduled',
])

/** Lists the changed fields, without those of a backup that only say that nothing unusual happened. */
export function listFields({
  action,
  before,
  after,
}: Pick<AuditEntry, 'action' | 'before' | 'after'>): string[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  if (action !== 'backup.made') return fields
  return fields.filter((field) => !exceptionFields.has(field) || Boolean(after?.[field]))
}

/** Turns 'twoFactorExpiryDays' into 'Two factor expiry days', and 'isEnabled' into 'Enabled'. */
export function formatField(field: string): string {
  const label = fieldLabels[field]
  if (label !== undefined) return label
  const words = field
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/^(is|are|has) /, '')
    .split(' ')
  const spaced = words.map((word) => acronyms[word] ?? word).join(' ')
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

/** Formats a value for display; objects become JSON, and numbers of bytes become sizes. */
export function formatValue(value: unknown, field = ''): string {
  if (field === 'scopes' && Array.isArray(value)) return formatScopes(value as ApiKeyScope[])
  if (field === 'bytes' && typeof value === 'number') return formatFileSize(value)
  if ((field === 'part' || field === 'connection') && typeof value === 'string') return formatPart(value)
  // Refusals are recorded by their code.
  if (field === 'reason' && typeof value === 'string') return errors[value as ErrorCode]?.message ?? value
  if (value === null || value === undefined || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  if (Array.isArray(value))
    return value.length === 0 ? 'none' : value.map((item) => formatValue(item)).join(', ')
  return JSON.stringify(value)
}
