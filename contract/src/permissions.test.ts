import { describe, expect, it } from 'vitest'
import { isPermissionShown, permissionNames, permissionsOf, refusalText } from './permissions.ts'

function grantedPermissions(permissions: Record<string, boolean>): string[] {
  return permissionNames.filter((permission) => permissions[permission])
}

describe('permissionsOf', () => {
  it('denies every permission to an ordinary user, whatever the overrides', () => {
    expect(
      grantedPermissions(
        permissionsOf({ role: 'user', isSystemAdmin: true, overrides: { canManageUsers: true } }),
      ),
    ).toEqual([])
  })

  it('grants an administrator everything except chat histories and the audit log', () => {
    const permissions = permissionsOf({ role: 'admin', isSystemAdmin: false })
    expect(permissionNames.filter((permission) => !permissions[permission])).toEqual([
      'canViewChatHistory',
      'canExportChatHistory',
      'canSearchChatHistory',
      'canViewAuditLog',
    ])
  })

  it('applies overrides that grant and overrides that deny', () => {
    const permissions = permissionsOf({
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
        permissionsOf({ role: 'admin', isSystemAdmin: true, overrides: { canManageUsers: false } }),
      ),
    ).toEqual([...permissionNames])
  })
})

describe('shownPermission', () => {
  it('uses the user object and falls back to the defaults', () => {
    expect(isPermissionShown({ canManageUsers: false }, 'canManageUsers')).toBe(false)
    expect(isPermissionShown({}, 'canViewAnalytics')).toBe(true)
    expect(isPermissionShown(undefined, 'canViewChatHistory')).toBe(false)
  })
})

it('describes each refusal', () => {
  expect(refusalText('canForce2FAReVerification')).toBe(
    'You do not have permission to force 2FA re-verification',
  )
  expect(refusalText('canEditChannels')).toBe('You do not have permission to edit channels')
})
