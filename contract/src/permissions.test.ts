import { describe, expect, it } from 'vitest'
import { permissionFlags, permissionsOf, refusalWords, shownPermission } from './permissions.ts'

const held = (flags: Record<string, boolean>): string[] => permissionFlags.filter((flag) => flags[flag])

describe('permissionsOf', () => {
  it('gives an ordinary user nothing, whatever overrides say', () => {
    expect(
      held(permissionsOf({ role: 'user', isSystemAdmin: true, overrides: { canManageUsers: true } })),
    ).toEqual([])
  })

  it('gives an administrator everything but chat histories and the audit log', () => {
    const rights = permissionsOf({ role: 'admin', isSystemAdmin: false })
    expect(permissionFlags.filter((flag) => !rights[flag])).toEqual([
      'canViewChatHistory',
      'canExportChatHistory',
      'canSearchChatHistory',
      'canViewAuditLog',
    ])
  })

  it('lets the system administrator’s changes win, in both directions', () => {
    const rights = permissionsOf({
      role: 'admin',
      isSystemAdmin: false,
      overrides: { canViewChatHistory: true, canDeleteUsers: false },
    })
    expect(rights.canViewChatHistory).toBe(true)
    expect(rights.canDeleteUsers).toBe(false)
  })

  it('gives the system administrator everything', () => {
    expect(
      held(permissionsOf({ role: 'admin', isSystemAdmin: true, overrides: { canManageUsers: false } })),
    ).toEqual([...permissionFlags])
  })
})

describe('shownPermission', () => {
  it('goes by the user object and falls back to the defaults where it is silent', () => {
    expect(shownPermission({ canManageUsers: false }, 'canManageUsers')).toBe(false)
    expect(shownPermission({}, 'canViewAnalytics')).toBe(true)
    expect(shownPermission(undefined, 'canViewChatHistory')).toBe(false)
  })
})

it('words each refusal', () => {
  expect(refusalWords('canForce2FAReVerification')).toBe(
    'You do not have permission to force 2FA re-verification',
  )
  expect(refusalWords('canEditChannels')).toBe('You do not have permission to edit channels')
})
