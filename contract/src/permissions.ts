import * as z from 'zod/mini'

export const roles = ['admin', 'user'] as const
export const role = z.enum(roles)
export type Role = z.output<typeof role>

/** docs/product.md, "Roles and rights". The last one, for the audit log, is ours. */
export const permissionFlags = [
  'canManageChannels',
  'canCreateChannels',
  'canEditChannels',
  'canDeleteChannels',
  'canUploadDocuments',
  'canManageDocuments',
  'canApproveDocuments',
  'canRejectDocuments',
  'canDeleteDocuments',
  'canReindexDocuments',
  'canDownloadDocuments',
  'canPreviewDocuments',
  'canManageUsers',
  'canCreateUsers',
  'canEditUsers',
  'canDeleteUsers',
  'canViewChatHistory',
  'canExportChatHistory',
  'canSearchChatHistory',
  'canManageSettings',
  'canForce2FAReVerification',
  'canAccessAdminPanel',
  'canViewAnalytics',
  'canViewAuditLog',
] as const

export type Permission = (typeof permissionFlags)[number]
export type Permissions = Record<Permission, boolean>

export const permissions = z.record(z.enum(permissionFlags), z.boolean())

/** What an administrator may not do until the system administrator grants it. */
const offByDefault: ReadonlySet<Permission> = new Set([
  'canViewChatHistory',
  'canExportChatHistory',
  'canSearchChatHistory',
  'canViewAuditLog',
])

const every = (decide: (flag: Permission) => boolean): Permissions =>
  Object.fromEntries(permissionFlags.map((flag) => [flag, decide(flag)])) as Permissions

export interface Standing {
  role: Role
  isSystemAdmin: boolean
  /** The system administrator's changes to this administrator's flags. */
  overrides?: Partial<Permissions> | null
}

/** The effective flags: an ordinary user has none, the system administrator all. */
export const permissionsOf = ({ role, isSystemAdmin, overrides }: Standing): Permissions => {
  if (role !== 'admin') return every(() => false)
  if (isSystemAdmin) return every(() => true)
  return every((flag) => overrides?.[flag] ?? !offByDefault.has(flag))
}

/**
 * The client's look-up, for showing only: what the user object does not carry falls back as the product's
 * two default tables say, and a name in neither is refused.
 */
export const shownPermission = (held: Partial<Permissions> | undefined, flag: Permission): boolean =>
  held?.[flag] ?? !offByDefault.has(flag)

/** The words of a refusal, after 'You do not have permission to '. */
const deeds: Record<Permission, string> = {
  canManageChannels: 'manage channels',
  canCreateChannels: 'create channels',
  canEditChannels: 'edit channels',
  canDeleteChannels: 'delete channels',
  canUploadDocuments: 'upload documents',
  canManageDocuments: 'manage documents',
  canApproveDocuments: 'approve documents',
  canRejectDocuments: 'reject documents',
  canDeleteDocuments: 'delete documents',
  canReindexDocuments: 'reindex documents',
  canDownloadDocuments: 'download documents',
  canPreviewDocuments: 'preview documents',
  canManageUsers: 'manage users',
  canCreateUsers: 'invite users',
  canEditUsers: 'edit users',
  canDeleteUsers: 'delete users',
  canViewChatHistory: 'view chat histories',
  canExportChatHistory: 'export chat histories',
  canSearchChatHistory: 'search chat histories',
  canManageSettings: 'manage settings',
  canForce2FAReVerification: 'force 2FA re-verification',
  canAccessAdminPanel: 'open the administration area',
  canViewAnalytics: 'view analytics',
  canViewAuditLog: 'view the audit log',
}

export const refusalWords = (flag: Permission): string => `You do not have permission to ${deeds[flag]}`
