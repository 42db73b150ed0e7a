import { describe, expect, it } from 'vitest'
import { getPermissions, getRefusalText, isPermissionShown, permissionNames } from './permissions.ts'

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

describe('isPermissionShown', () => {
  it('uses the user object and falls back to the defaults', () => {
    expect(isPermissionShown({ canManageUsers: false }, 'canManageUsers')).toBe(false)
    expect(isPermissionShown({}, 'canViewAnalytics')).toBe(true)
    expect(isPermissionShown(undefined, 'canViewChatHistory')).toBe(false)
  })
})

it('names the action that was refused', () => {
  expect(getRefusalText('canForce2FAReVerification')).toBe(
    'You do not have permission to force 2FA re-verification',
  )
  expect(getRefusalText('canEditChannels')).toBe('You do not have permission to edit channels')
})
