import { describe, expect, it } from 'vitest'
import {
  findMissingPermission,
  getPermissions,
  getRefusalText,
  isPermissionShown,
  type Permission,
  permissionNames,
} from './permissions.ts'

function grantedPermissions(permissions: Record<string, boolean>): string[] {
  return permissionNames.filter((permission) => permissions[permission])
}

describe('getPermissions', () => {
  it('denies every permission to an ordinary user, whatever the overrides', () => {
    expect(
      grantedPermissions(
        getPermissions({ role: 'user', isSystemAdmin: true, overrides: { canManageUsers: true } }),
      ),
    ).toEqual([])
  })

  it('grants an administrator everything except chat histories and the audit log', () => {
    const permissions = getPermissions({ role: 'admin', isSystemAdmin: false })
    expect(permissionNames.filter((permission) => !permissions[permission])).toEqual([
      'canViewChatHistory',
      'canExportChatHistory',
      'canSearchChatHistory',
      'canViewAuditLog',
    ])
  })

  it('applies overrides that grant and overrides that deny', () => {
    const permissions = getPermissions({
      role: 'admin',
      isSystemAdmin: false,
      overrides: { canViewChatHistory: true, canDeleteUsers: false },
    })
    expect(permissions.canViewChatHistory).toBe(true)
    expect(permissions.canDeleteUsers).toBe(false)
  })

  it('grants a system administrator everything', () => {
    expect(
      grantedPermissions(
        getPermissions({ role: 'admin', isSystemAdmin: true, overrides: { canManageUsers: false } }),
      ),
    ).toEqual([...permissionNames])
  })
})

describe('findMissingPermission', () => {
  function findMissing(permission: Permission, ...denied: Permission[]) {
    const overrides = Object.fromEntries(permissionNames.map((name) => [name, !denied.includes(name)]))
    return findMissingPermission(
      getPermissions({ role: 'admin', isSystemAdmin: false, overrides }),
      permission,
    )
  }

  it.each(permissionNames)('finds that %s is missing before what it needs', (permission) => {
    expect(findMissing(permission)).toBeNull()
    expect(findMissing(permission, ...permissionNames)).toBe(permission)
  })

  it.each(permissionNames)('requires canAccessAdminPanel for %s', (permission) => {
    expect(findMissing(permission, 'canAccessAdminPanel')).toBe('canAccessAdminPanel')
  })

  it.each(['canSearchChatHistory', 'canExportChatHistory'] as const)(
    'requires canViewChatHistory for %s',
    (permission) => {
      expect(findMissing(permission, 'canViewChatHistory')).toBe('canViewChatHistory')
    },
  )
})

describe('isPermissionShown', () => {
  it('uses the user object and falls back to the defaults', () => {
    expect(isPermissionShown({ canManageUsers: false }, 'canManageUsers')).toBe(false)
    expect(isPermissionShown({}, 'canViewAnalytics')).toBe(true)
    expect(isPermissionShown(undefined, 'canViewChatHistory')).toBe(false)
  })

  it('hides a permission whose prerequisite is denied or off by default', () => {
    expect(isPermissionShown({ canManageUsers: true, canAccessAdminPanel: false }, 'canManageUsers')).toBe(
      false,
    )
    expect(isPermissionShown({ canSearchChatHistory: true }, 'canSearchChatHistory')).toBe(false)
  })
})

it('names the action that was refused', () => {
  expect(getRefusalText('canForce2FAReVerification')).toBe(
    'You do not have permission to force 2FA re-verification',
  )
  expect(getRefusalText('canEditChannels')).toBe('You do not have permission to edit channels')
})
