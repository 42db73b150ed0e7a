import { getPermissions, type Permission } from '@lyceum/contract/permissions'

interface PermissionGroup {
  title: string
  permissions: readonly (readonly [Permission, string])[]
}

export const permissionGroups: readonly PermissionGroup[] = [
  {
    title: 'Channels',
    permissions: [
      ['canManageChannels', 'Manage channels'],
      ['canCreateChannels', 'Create channels'],
      ['canEditChannels', 'Edit channels'],
      ['canDeleteChannels', 'Delete channels'],
    ],
  },
  {
    title: 'Documents',
    permissions: [
      ['canManageDocuments', 'Manage documents'],
      ['canUploadDocuments', 'Upload documents'],
      ['canApproveDocuments', 'Approve documents'],
      ['canRejectDocuments', 'Reject documents'],
      ['canReindexDocuments', 'Reindex documents'],
      ['canDeleteDocuments', 'Delete documents'],
      ['canDownloadDocuments', 'Download documents'],
      ['canPreviewDocuments', 'Preview documents'],
    ],
  },
  {
    title: 'Users',
    permissions: [
      ['canManageUsers', 'Manage users'],
      ['canCreateUsers', 'Invite users'],
      ['canEditUsers', 'Edit users'],
      ['canDeleteUsers', 'Delete users'],
      ['canForce2FAReVerification', 'Force 2FA re-verification'],
    ],
  },
  {
    title: 'Chat history',
    permissions: [
      ['canViewChatHistory', 'View chat histories'],
      ['canSearchChatHistory', 'Search the chat histories they can view'],
      ['canExportChatHistory', 'Export the chat histories they can view'],
    ],
  },
  {
    title: 'Administration',
    permissions: [
      ['canAccessAdminPanel', 'Access the admin area (needed for all others)'],
      ['canManageSettings', 'Manage settings'],
      ['canViewAnalytics', 'View analytics'],
      ['canViewAuditLog', 'View the audit log'],
    ],
  },
]

export const permissionLabels = new Map(permissionGroups.flatMap(({ permissions }) => permissions))

const defaults = getPermissions({ role: 'admin', isSystemAdmin: false })

/** Whether administrators have the permission only once a system administrator grants it. */
export function isOffByDefault(permission: Permission): boolean {
  return !defaults[permission]
}
