import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { groupsApi } from '@lyceum/contract/groups'
import { invitationsApi } from '@lyceum/contract/invitations'
import { getPermissions, permissionNames } from '@lyceum/contract/permissions'
import { settingsApi } from '@lyceum/contract/settings'
import { type ListedUser, usersApi } from '@lyceum/contract/users'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { type RenderedPage, renderPage } from '#testing/render-page.tsx'
import { aListedUser, aPage } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { UsersPage } from './users.tsx'

let api: FakeApi

function signInAsSystemAdmin(): void {
  const permissions = getPermissions({ role: 'admin', isSystemAdmin: true })
  const admin = anAdmin({ isSystemAdmin: true, permissions })
  api.on(authApi.me, () => admin)
  signIn(admin)
}

function listUsers(...users: ListedUser[]): void {
  api.on(usersApi.list, () => aPage(users))
}

function visit(): RenderedPage {
  return renderPage(<UsersPage />, { at: '/admin/users', path: '/admin/users' })
}

async function press(page: RenderedPage, button: string): Promise<void> {
  await page.user.click(await screen.findByRole('button', { name: button }))
}

function getSaveButton(): HTMLElement {
  return screen.getByRole('button', { name: 'Save Permissions' })
}

async function openActions(page: RenderedPage, name: string): Promise<HTMLElement> {
  await press(page, `Actions for ${name}`)
  return screen.findByRole('menu', { name: `Actions for ${name}` })
}

async function choose(page: RenderedPage, name: string, action: string): Promise<void> {
  const menu = await openActions(page, name)
  await page.user.click(within(menu).getByRole('menuitem', { name: action }))
}

beforeEach(() => {
  api = fakeApi()
    .on(settingsApi.get, () => ({
      settings: { twoFactorExpiryDays: 30, twoFactorExpiryEnabled: true, dashboardBackgroundImage: null },
    }))
    .on(channelsApi.list, () => [])
    .on(groupsApi.accessOfUser, () => ({ groups: [], channels: [] }))
    .on(invitationsApi.list, () => aPage([]))
})

describe('permissions', () => {
  const stored = getPermissions({ role: 'admin', isSystemAdmin: false })
  async function open(change: Partial<ListedUser> = {}): Promise<RenderedPage> {
    signInAsSystemAdmin()
    listUsers(aListedUser({ role: 'admin', ...change }))
    api.on(usersApi.permissions, () => (change.isSystemAdmin ? refuse('user.not_admin') : stored))
    const page = visit()
    await choose(page, 'Ada Example', 'Permissions')
    await screen.findByRole('checkbox', { name: 'Manage users' })
    return page
  }

  it('lists all permissions and marks those off by default', async () => {
    await open()
    const boxes = screen.getAllByRole('checkbox').map((box) => box.getAttribute('name'))
    expect(boxes.filter((name) => name !== null).toSorted()).toEqual([...permissionNames].toSorted())
    const marked = screen.getAllByRole('checkbox', { name: /Off by default/ })
    expect(marked.map((box) => box.getAttribute('name'))).toEqual([
      'canViewChatHistory',
      'canSearchChatHistory',
      'canExportChatHistory',
      'canViewAuditLog',
    ])
  })

  it('says which groups give a permission anyway, and counts it for others that need it', async () => {
    const origin = { isByHand: true, issuers: [], canChangeMembers: true }
    const given = { permissions: ['canViewAuditLog' as const, 'canDeleteUsers' as const], ...origin }
    const others = { permissions: ['canSearchChatHistory' as const, 'canDeleteUsers' as const], ...origin }
    api.on(groupsApi.accessOfUser, () => ({
      groups: [
        { _id: 'group-1', name: 'Safety officers', ...given },
        { _id: 'group-2', name: 'Auditors', ...others },
      ],
      channels: [],
    }))
    const { user } = await open()
    function readHint(name: RegExp): string | null | undefined {
      const id = screen.getByRole('checkbox', { name }).getAttribute('aria-describedby')
      return id === null ? null : document.getElementById(id)?.textContent?.trim()
    }
    await waitFor(() => expect(readHint(/View the audit log/)).toBe('Given by Safety officers.'))
    expect(readHint(/Delete users/)).toBe('Also given by Safety officers, Auditors.')
    expect(readHint(/Edit users/)).toBeNull()
    expect(readHint(/Search the chat histories/)).toBe(
      'Given by Auditors. Also needs the permission to view chat histories.',
    )
    await user.click(screen.getByRole('checkbox', { name: /View chat histories/ }))
    expect(readHint(/Search the chat histories/)).toBe('Given by Auditors.')
  })

  it('saves all permissions at once', async () => {
    api.on(usersApi.setPermissions, ({ body }) => body)
    const page = await open()
    await page.user.click(screen.getByRole('checkbox', { name: /View chat histories/ }))
    await page.user.click(screen.getByRole('checkbox', { name: 'Delete users' }))
    await press(page, 'Save Permissions')
    await screen.findByText('Permissions updated successfully')
    expect(api.calls(usersApi.setPermissions)[0]?.body).toEqual({
      ...stored,
      canViewChatHistory: true,
      canDeleteUsers: false,
    })
  })

  it('can be saved only while a permission is changed', async () => {
    api.on(usersApi.setPermissions, ({ body }) => body)
    const page = await open()
    expect(getSaveButton().getAttribute('aria-disabled')).toBe('true')
    await page.user.click(getSaveButton())
    await page.user.click(screen.getByRole('checkbox', { name: 'Delete users' }))
    expect(getSaveButton().getAttribute('aria-disabled')).toBe('false')
    await page.user.click(screen.getByRole('checkbox', { name: 'Delete users' }))
    expect(getSaveButton().getAttribute('aria-disabled')).toBe('true')
    expect(api.calls(usersApi.setPermissions)).toEqual([])
    await page.user.click(screen.getByRole('checkbox', { name: 'Delete users' }))
    await page.user.click(getSaveButton())
    await screen.findByText('Permissions updated successfully')
    expect(getSaveButton().getAttribute('aria-disabled')).toBe('true')
    expect(document.activeElement).toBe(getSaveButton())
  })

  it('asks before changes are lost', async () => {
    const page = await open()
    await page.user.click(screen.getByRole('checkbox', { name: 'Delete users' }))
    await page.user.keyboard('{Escape}')
    const question = within(await screen.findByRole('alertdialog', { name: 'Discard your changes?' }))
    question.getByText('The permissions have not been saved.')
    await page.user.click(question.getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('keeps unsaved changes when saving failed', async () => {
    api.on(usersApi.setPermissions, () => refuse('internal'))
    const page = await open()
    await page.user.click(screen.getByRole('checkbox', { name: 'Delete users' }))
    await press(page, 'Save Permissions')
    await screen.findByText('Failed to update permissions')
    expect(screen.getByRole('checkbox', { name: 'Delete users' })).toHaveProperty('checked', false)
  })

  it('shows all permissions of a system administrator read-only', async () => {
    await open({ isSystemAdmin: true })
    expect(screen.getByRole('checkbox', { name: 'Delete users' })).toMatchObject({
      checked: true,
      disabled: true,
    })
    expect(api.calls(usersApi.permissions)).toHaveLength(0)
    expect(getSaveButton().getAttribute('aria-disabled')).toBe('true')
  })

  it('makes a system administrator after confirmation', async () => {
    const page = await open()
    api.on(usersApi.setSystemAdmin, ({ body }) => aListedUser({ role: 'admin', ...body }))
    await page.user.click(screen.getByRole('checkbox', { name: /System administrator/ }))
    await screen.findByRole('alertdialog', { name: 'Make this user a system administrator?' })
    await press(page, 'Make system administrator')
    await screen.findByText('User is now a system administrator')
    expect(screen.getByRole('checkbox', { name: /System administrator/ })).toHaveProperty('checked', true)
    expect(api.calls(usersApi.setSystemAdmin)[0]?.body).toEqual({ isSystemAdmin: true })
    expect(screen.getByRole('checkbox', { name: /View the audit log/ })).toHaveProperty('checked', true)
    expect(api.calls(usersApi.permissions)).toHaveLength(1)
  })

  it('shows the refusal to demote the last system administrator', async () => {
    const page = await open({ isSystemAdmin: true })
    api.on(usersApi.setSystemAdmin, () => refuse('user.last_system_admin'))
    await page.user.click(screen.getByRole('checkbox', { name: /System administrator/ }))
    await press(page, 'Remove as system administrator')
    await screen.findByText('At least one system administrator must remain')
    expect(screen.getByRole('checkbox', { name: /System administrator/ })).toHaveProperty('checked', true)
  })

  it('can be edited only by system administrators and only for administrators', async () => {
    signInAsSystemAdmin()
    listUsers(aListedUser(), aListedUser({ _id: 'admin-2', name: 'Alan Example', role: 'admin' }))
    const page = visit()
    const forUser = within(await openActions(page, 'Ada Example'))
    expect(forUser.queryByRole('menuitem', { name: 'Permissions' })).toBeNull()
    await page.user.keyboard('{Escape}')
    within(await openActions(page, 'Alan Example')).getByRole('menuitem', { name: 'Permissions' })
  })
})
