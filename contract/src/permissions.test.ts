import { describe, expect, it } from 'vitest'
import { permissionNames, permissionsOf, refusalText, shownPermission } from './permissions.ts'

function held(flags: Record<string, boolean>): string[] {
  return permissionNames.filter((flag) => flags[flag])
}

describe('permissionsOf', () => {
  it('denies every permission to an ordinary user, whatever the overrides', () => {
    expect(
      held(permissionsOf({ role: 'user', isSystemAdmin: true, overrides: { canManageUsers: true } })),
    ).toEqual([])
  })

  it('grants an administrator everything except chat histories and the audit log', () => {
    const permissions = permissionsOf({ role: 'admin', isSystemAdmin: false })
    expect(permissionNames.filter((flag) => !permissions[flag])).toEqual([
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
      held(permissionsOf({ role: 'admin', isSystemAdmin: true, overrides: { canManageUsers: false } })),
    ).toEqual([...permissionNames])
  })
})

describe('shownPermission', () => {
  it('uses the user object and falls back to the defaults', () => {
    expect(shownPermission({ canManageUsers: false }, 'canManageUsers')).toBe(false)
    expect(shownPermission({}, 'canViewAnalytics')).toBe(true)
    expect(shownPermission(undefined, 'canViewChatHistory')).toBe(false)
  })
})

it('describes each refusal', () => {
  expect(refusalText('canForce2FAReVerification')).toBe(
    'You do not have permission to force 2FA re-verification',
  )
  expect(refusalText('canEditChannels')).toBe('You do not have permission to edit channels')
})
