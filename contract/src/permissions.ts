import * as z from 'zod/mini'

export const roles = ['admin', 'user'] as const
export const role = z.enum(roles)
export type Role = z.output<typeof role>

/** See docs/product.md, "Roles and permissions". All but the last come from the specification. */
export const permissionNames = [
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

export type Permission = (typeof permissionNames)[number]
export type Permissions = Record<Permission, boolean>

export const permission = z.enum(permissionNames, 'Unknown permission')
export const permissions = z.record(permission, z.boolean())

/** Administrators have these permissions only if a system administrator grants them. */
const offByDefault: ReadonlySet<Permission> = new Set([
  'canViewChatHistory',
  'canExportChatHistory',
  'canSearchChatHistory',
  'canViewAuditLog',
])

function mapPermissions(decide: (permission: Permission) => boolean): Permissions {
  return Object.fromEntries(
    permissionNames.map((permission) => [permission, decide(permission)]),
  ) as Permissions
}

export interface PermissionSource {
  role: Role
  isSystemAdmin: boolean
  /** Permissions that a system administrator changed for this administrator. */
  overrides?: Partial<Permissions> | null
}

/** The effective permissions: none for an ordinary user, all for a system administrator. */
export function getPermissions({ role, isSystemAdmin, overrides }: PermissionSource): Permissions {
  if (role !== 'admin') return mapPermissions(() => false)
  if (isSystemAdmin) return mapPermissions(() => true)
  return mapPermissions((permission) => overrides?.[permission] ?? !offByDefault.has(permission))
}

/** Other permissions that this one needs. It has no effect without them. */
function listPrerequisites(permission: Permission): Permission[] {
  if (permission === 'canAccessAdminPanel') return []
  const ofHistory = permission === 'canSearchChatHistory' || permission === 'canExportChatHistory'
  return ofHistory ? ['canViewChatHistory', 'canAccessAdminPanel'] : ['canAccessAdminPanel']
}

/** Returns the permission that a user with these permissions lacks in order to use one; null if none. */
export function findMissingPermission(granted: Permissions, permission: Permission): Permission | null {
  const needed = [permission, ...listPrerequisites(permission)]
  // A permission that the server does not know is denied.
  return needed.find((name) => granted[name] !== true) ?? null
}

/**
 * For display in the client only; the server enforces permissions. A permission missing from the user object falls
 * back to the specification's default.
 */
export function isPermissionShown(
  granted: Partial<Permissions> | undefined,
  permission: Permission,
): boolean {
  const assumed = mapPermissions((name) => granted?.[name] ?? !offByDefault.has(name))
  return findMissingPermission(assumed, permission) === null
}

/** Completes 'You do not have permission to …'. */
const refusedActions: Record<Permission, string> = {
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
  canAccessAdminPanel: 'open the admin area',
  canViewAnalytics: 'view analytics',
  canViewAuditLog: 'view the audit log',
}

export function getRefusalText(permission: Permission): string {
  return `You do not have permission to ${refusedActions[permission]}`
}
