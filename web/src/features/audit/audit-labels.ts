import type { AuditAction, AuditArea } from '@lyceum/contract/audit'

export const areaWords: Record<AuditArea, string> = {
  'signing-in': 'Signing in and passwords',
  people: 'People and invitations',
  access: 'Access and refusals',
  channels: 'Channels',
  documents: 'Documents',
  assistants: 'Ready-made assistants',
  settings: 'Settings and limits',
  reading: 'Reading and exporting',
  operation: 'Operation',
}

/** What was done, after the name of who did it. */
export const actionWords: Record<AuditAction, string> = {
  'sign-in.ok': 'Signed in',
  'sign-in.failed': 'Sign-in failed',
  'sign-in.throttled': 'Sign-in held back after too many tries',
  'sign-in.refused': 'Sign-in refused after the password',
  'code.sent': 'One-time code sent',
  'code.failed': 'One-time code refused',
  'sign-out': 'Signed out',
  'session.ended': 'Ended own sessions',
  'browser.forgotten': 'Forgot a trusted browser',
  'password.reset-asked': 'Link for a new password made',
  'password.reset': 'New password set by link',
  'password.changed': 'Password changed',
  'invitation.created': 'Invited',
  'invitation.resent': 'Invitation sent again',
  'invitation.cancelled': 'Invitation cancelled',
  'invitation.accepted': 'Invitation accepted',
  'user.created': 'User created',
  'user.renamed': 'User renamed',
  'user.role-changed': 'Role changed',
  'user.rights-changed': 'Rights changed',
  'user.system-admin-changed': 'System administrator changed',
  'user.sessions-ended': 'User signed out everywhere',
  'user.deleted': 'User deleted',
  'access.granted': 'Access to a channel given',
  'access.revoked': 'Access to a channel taken',
  'access.admin-changed': 'Channel administrator changed',
  'access.denied': 'Refused',
  'two-factor.changed': '2FA settings changed',
  'two-factor.reset': '2FA settings reset',
  'two-factor.forced': '2FA re-verification forced',
  'channel.created': 'Channel created',
  'channel.changed': 'Channel changed',
  'channel.deleted': 'Channel deleted',
  'channel.wallpaper-set': 'Channel wallpaper set',
  'channel.wallpaper-removed': 'Channel wallpaper removed',
  'document.uploaded': 'Document uploaded',
  'document.approved': 'Document approved',
  'document.rejected': 'Document rejected',
  'document.reindexed': 'Document reindexed',
  'document.downloaded': 'Document downloaded',
  'document.deleted': 'Document deleted',
  'document.orphans-removed': 'Orphaned documents cleaned up',
  'test-questions.changed': 'Test questions changed',
  'assistant.created': 'Assistant created',
  'assistant.changed': 'Assistant changed',
  'assistant.deleted': 'Assistant deleted',
  'settings.changed': 'Settings changed',
  'settings.background-set': 'Dashboard background set',
  'settings.background-removed': 'Dashboard background removed',
  'settings.tested': 'Settings tested',
  'quota.changed': 'Limits on use changed',
  'retention.applied': 'Old chats deleted',
  'history.listed': 'Chat histories listed',
  'history.searched': 'Chat histories searched',
  'history.read': 'Chat history read',
  'history.exported': 'Chat histories exported',
  'analytics.read': 'Analytics read',
  'analytics.exported': 'Analytics exported',
  'question.resolved': 'Unanswered question marked as dealt with',
  'question.reopened': 'Unanswered question opened again',
  'audit.read': 'Audit log read',
  'audit.exported': 'Audit log exported',
  'audit.purged': 'Old entries of the audit log deleted',
  'keys.rotated': 'Keys rotated',
  'job.retried': 'Failed job tried again',
  'backup.made': 'Backup made',
  'backup.failed': 'Backup failed',
  'backup.restored': 'Backup restored',
  'database.moved': 'Records moved to another database',
}

/** 'twoFactorExpiryDays' as words: 'Two factor expiry days'. */
export function fieldWords(field: string): string {
  const spaced = field.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase()
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

/** A value as a person reads it; lists and records as they are. */
export function valueWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(valueWords).join(', ')
  return JSON.stringify(value)
}
