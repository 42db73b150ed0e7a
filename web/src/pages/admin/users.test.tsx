import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { type Invitation, invitationsApi } from '@lyceum/contract/invitations'
import { overviewApi } from '@lyceum/contract/overview'
import { settingsApi } from '@lyceum/contract/settings'
import { type ListedUser, usersApi } from '@lyceum/contract/users'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { type RenderedPage, renderPage } from '#testing/render-page.tsx'
import { aChannel, aListedUser, anInvitation, aPage } from '#testing/samples.ts'
import { anAdmin, signInAdminWithout } from '#testing/users.ts'
import { UsersPage } from './users.tsx'

let api: FakeApi

function listUsers(...users: ListedUser[]): void {
  api.on(usersApi.list, () => aPage(users))
}
function listInvitations(...invitations: Invitation[]): void {
  api.on(invitationsApi.list, () => aPage(invitations))
}

function visit(query = ''): RenderedPage {
  return renderPage(<UsersPage />, { at: `/admin/users${query}`, path: '/admin/users' })
}

async function findRow(name: RegExp): Promise<HTMLElement> {
  return (await screen.findByRole('rowheader', { name })).closest('tr') as HTMLElement
}

function readCells(row: HTMLElement): (string | null)[] {
  return within(row)
    .getAllByRole('cell')
    .map(({ lastElementChild }) => lastElementChild?.textContent ?? null)
}

function readHeaders(table: string): (string | null)[] {
  return within(screen.getByRole('table', { name: table }))
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent)
}

async function press(page: RenderedPage, button: string): Promise<void> {
  await page.user.click(await screen.findByRole('button', { name: button }))
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
    .on(overviewApi.get, () => ({ attention: [], week: null, parts: [] }))
    .on(channelsApi.list, () => [aChannel(), aChannel({ _id: 'channel-2', name: 'Law', memberCount: 1 })])
  signInAdminWithout(api)
  listUsers()
  listInvitations()
})

describe('invitation and user lists', () => {
  it('show an empty state', async () => {
    visit()
    await screen.findByText('No pending invitations.')
    screen.getByText('No users found.')
    screen.getByRole('heading', { name: 'User Management' })
  })

  it('show invitations with their settings and actions', async () => {
    listInvitations(
      anInvitation(),
      anInvitation({
        _id: 'invitation-2',
        email: 'lise@example.com',
        fullName: 'Lise Example',
        status: 'expired',
        invitedBy: null,
        allowedChannels: [],
        twoFactorExpiryEnabled: false,
      }),
      anInvitation({ _id: 'invitation-3', email: 'max@example.com', status: 'accepted' }),
    )
    visit()
    const pending = await findRow(/niels@/)
    expect(readHeaders('Invitations')).toEqual([
      'Email',
      'Name',
      'Status',
      'Invited By',
      'Channels',
      '2FA Expiry',
      'Expires',
      'Actions',
    ])
    expect(readCells(pending).slice(0, 5)).toEqual([
      'Niels Example',
      'Pending',
      'Grace Example',
      '1',
      '30 days',
    ])
    expect(readCells(pending)[5]).toContain('2026')
    within(pending).getByRole('button', { name: 'Resend the invitation for Niels Example' })
    within(pending).getByRole('button', { name: 'Cancel the invitation for Niels Example' })
    const expired = await findRow(/lise@/)
    expect(readCells(expired).slice(1, 5)).toEqual(['Expired', '—', 'None', 'Off'])
    within(expired).getByRole('button', { name: 'Delete the expired invitation for Lise Example' })
    expect(within(expired).getAllByRole('button')).toHaveLength(1)
    const accepted = await findRow(/max@/)
    expect(readCells(accepted)[1]).toBe('Accepted')
    expect(within(accepted).queryByRole('button', { name: /invitation/ })).toBeNull()
  })

  it('scroll to the invitations that a link names, also from the same page', async () => {
    const scrolled = vi.fn()
    Element.prototype.scrollIntoView = scrolled
    const { user } = visit('#invitations')
    const section = await screen.findByRole('region', { name: 'Invitations' })
    await waitFor(() => expect(document.activeElement).toBe(section))
    await user.click(screen.getByRole('heading', { name: 'User Management' }))
    expect(document.activeElement).not.toBe(section)
    act(() => history.pushState(null, '', '#invitations'))
    expect([document.activeElement, scrolled.mock.calls.length]).toEqual([section, 2])
  })

  it('filter the users by whether they can sign in, and keep the filter in the address', async () => {
    listUsers(aListedUser({ deactivatedAt: '2026-11-20T08:00:00.000Z' }))
    const { user, address } = visit('?page=2')
    const filter = await screen.findByRole('combobox', { name: 'Filter by status' })
    await user.selectOptions(filter, 'Deactivated')
    await waitFor(() =>
      expect(api.calls(usersApi.list).at(-1)?.query).toMatchObject({ status: 'deactivated' }),
    )
    expect(api.calls(usersApi.list).at(-1)?.query).toMatchObject({ skip: 0 })
    expect(address()).toMatch(/\?status=deactivated$/)
    await user.selectOptions(filter, 'All statuses')
    await waitFor(() => expect(address()).not.toContain('status'))
  })

  it('expand the channels of an invitation', async () => {
    listInvitations(anInvitation({ allowedChannels: ['channel-2', 'gone'] }))
    const page = visit()
    await press(page, '2 channels for Niels Example')
    await screen.findByText('Law')
    screen.getByText('Deleted channel')
  })

  it('show users with their role and channel count', async () => {
    listUsers(
      aListedUser({ channels: ['channel-1', 'channel-2'] }),
      aListedUser({ _id: 'admin-2', name: 'Alan Example', email: 'alan@example.com', role: 'admin' }),
      aListedUser({
        _id: 'admin-3',
        name: 'Emmy Example',
        email: 'emmy@example.com',
        role: 'admin',
        isSystemAdmin: true,
      }),
    )
    visit()
    const ada = await findRow(/Ada Example/)
    expect(readHeaders('Users')).toEqual([
      'User',
      'Role',
      'Channels',
      '2FA',
      'Last sign-in',
      'Joined',
      'Actions',
    ])
    within(ada).getByText('ada@example.com')
    expect(readCells(ada).slice(0, 5)).toEqual(['User', '2', 'On', 'Nov 20, 2026', 'Jan 1, 2026'])
    expect(within(ada).getByRole('link', { name: 'Ada Example' }).getAttribute('href')).toBe(
      '/admin/users/user-1',
    )
    expect(readCells(await findRow(/Alan/))[0]).toBe('Admin')
    expect(readCells(await findRow(/Emmy/))[0]).toBe('System admin')
  })

  it('are searched and paged by the server, with the state in the URL', async () => {
    api.on(usersApi.list, ({ query }) => aPage(query.search ? [] : [aListedUser()], query.search ? 0 : 2000))
    api.on(invitationsApi.list, () => aPage([anInvitation()], 12, 10))
    const { user, address } = visit('?page=3&invitations=2')
    await findRow(/Ada/)
    screen.getByText('2,000')
    expect(api.calls(usersApi.list)[0]?.query).toMatchObject({ limit: 20, skip: 40 })
    expect(api.calls(invitationsApi.list)[0]?.query).toEqual({ limit: 10, skip: 10 })
    await user.type(screen.getByRole('searchbox', { name: 'Search users' }), 'zzz')
    await screen.findByText('No users found.')
    screen.getByText('Nothing matches “zzz”.')
    expect(address()).toBe('/admin/users?invitations=2&search=zzz')
    expect(api.calls(usersApi.list)).toHaveLength(2)
  })

  it('offer to clear the filters that no user matches', async () => {
    api.on(usersApi.list, ({ query }) => aPage(query.status ? [] : [aListedUser()], query.status ? 0 : 1))
    const { user, address } = visit('?status=deactivated&search=zzz')
    await screen.findByText('No users match all filters.')
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    await findRow(/Ada/)
    expect(address()).toBe('/admin/users')
  })

  it('show the last page when the page does not exist', async () => {
    api.on(usersApi.list, ({ query }) => aPage(query.skip === 20 ? [aListedUser()] : [], 21))
    const { address } = visit('?page=9')
    await findRow(/Ada/)
    expect(address()).toBe('/admin/users?page=2')
  })

  it('show an error when one of them cannot be loaded, and retry', async () => {
    listUsers(aListedUser())
    api.on(invitationsApi.list, () => refuse('server.busy'))
    const { user } = visit()
    await screen.findByText('The invitations could not be loaded.')
    screen.getByText('The server is busy. Please try again in a moment.')
    await findRow(/Ada/)
    listInvitations(anInvitation())
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await findRow(/niels@/)
  })

  it('show an error when the users cannot be loaded', async () => {
    api.on(usersApi.list, () => refuse('internal'))
    visit()
    await screen.findByText('The users could not be loaded.')
  })
})

describe('refused actions', () => {
  async function expectRefused(page: RenderedPage, button: string, refusal: string): Promise<void> {
    const found = await screen.findByRole('button', { name: button })
    expect(found.getAttribute('aria-disabled')).toBe('true')
    expect(found.getAttribute('aria-description')).toBe(refusal)
    await page.user.click(found)
    await within(screen.getByRole('region', { name: 'Result' })).findByText(refusal)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.queryByRole('alertdialog')).toBeNull()
  }

  it.each([
    ['canCreateUsers', 'Invite User', 'You do not have permission to invite users'],
    [
      'canCreateUsers',
      'Resend the invitation for Niels Example',
      'You do not have permission to invite users',
    ],
    [
      'canCreateUsers',
      'Cancel the invitation for Niels Example',
      'You do not have permission to invite users',
    ],
  ] as const)('for users without %s include “%s” and say why', async (permission, button, refusal) => {
    signInAdminWithout(api, permission)
    listUsers(aListedUser())
    listInvitations(anInvitation())
    await expectRefused(visit(), button, refusal)
  })

  async function expectRefusedAction(page: RenderedPage, action: string, refusal: string): Promise<void> {
    await choose(page, 'Ada Example', action)
    await within(screen.getByRole('region', { name: 'Result' })).findByText(refusal)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.queryByRole('alertdialog')).toBeNull()
  }

  it.each([
    ['canEditUsers', 'Edit name', 'You do not have permission to edit users'],
    ['canEditUsers', 'Make administrator', 'You do not have permission to edit users'],
    ['canEditUsers', 'Sign out everywhere', 'You do not have permission to edit users'],
    ['canDeleteUsers', 'Delete', 'You do not have permission to delete users'],
  ] as const)(
    'for users without %s include “%s” in the menu and say why',
    async (permission, action, refusal) => {
      signInAdminWithout(api, permission)
      listUsers(aListedUser())
      await expectRefusedAction(visit(), action, refusal)
    },
  )

  it('include changing a system administrator, unless you are one', async () => {
    listUsers(aListedUser({ role: 'admin', isSystemAdmin: true }))
    const page = visit()
    const refusal = 'Only a system administrator can change another system administrator'
    await expectRefusedAction(page, 'Delete', refusal)
    await expectRefusedAction(page, 'Remove from administrators', refusal)
    const menu = await openActions(page, 'Ada Example')
    expect(within(menu).queryByRole('menuitem', { name: 'Permissions' })).toBeNull()
  })

  it('include deleting your own account', async () => {
    listUsers(aListedUser({ _id: 'admin-1', name: 'Grace Example', role: 'admin' }))
    const page = visit()
    within(await findRow(/Grace/)).getByText('You')
    const menu = within(await openActions(page, 'Grace Example'))
    menu.getByRole('menuitem', { name: 'Edit name' })
    expect(menu.queryByRole('menuitem', { name: 'Delete' })).toBeNull()
  })
})

describe('editing a name', () => {
  async function open(): Promise<RenderedPage> {
    listUsers(aListedUser())
    const page = visit()
    await choose(page, 'Ada Example', 'Edit name')
    await screen.findByRole('dialog', { name: 'Edit User Settings' })
    await page.user.clear(screen.getByLabelText('Name'))
    return page
  }
  function save(page: RenderedPage): Promise<void> {
    return press(page, 'Save Changes')
  }

  it('saves the name and updates the row', async () => {
    api.on(usersApi.update, ({ body }) => aListedUser({ name: body.name ?? '' }))
    const page = await open()
    await page.user.type(screen.getByLabelText('Name'), '  Ada Lovelace ')
    await save(page)
    await screen.findByText('User name updated successfully')
    await findRow(/Ada Lovelace/)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.calls(usersApi.update)[0]).toMatchObject({
      params: { id: 'user-1' },
      body: { name: 'Ada Lovelace' },
    })
    expect(api.calls(usersApi.list)).toHaveLength(1)
  })

  it('can be saved only while the name is changed', async () => {
    const page = await open()
    const button = screen.getByRole('button', { name: 'Save Changes' })
    expect(button.getAttribute('aria-disabled')).toBe('false')
    await page.user.type(screen.getByLabelText('Name'), 'Ada Example')
    expect(button.getAttribute('aria-disabled')).toBe('true')
    const unchanged = screen.getByRole('button', { name: 'Save Changes' })
    expect(unchanged.getAttribute('aria-description')).toBe('Nothing to save')
    await save(page)
    screen.getByRole('dialog', { name: 'Edit User Settings' })
    expect(api.unhandledCalls).toEqual([])
  })

  it.each(['', '   '])(
    'refuses the blank name "%s" at the field and keeps the dialog open',
    async (blank) => {
      const page = await open()
      if (blank !== '') await page.user.type(screen.getByLabelText('Name'), blank)
      await save(page)
      const field = screen.getByRole('textbox', { name: 'Name', description: 'Name is required' })
      expect(field.getAttribute('aria-invalid')).toBe('true')
      screen.getByRole('dialog', { name: 'Edit User Settings' })
      expect(api.unhandledCalls).toEqual([])
    },
  )

  it('shows why it failed and keeps the input', async () => {
    api.on(usersApi.update, () => refuse('internal'))
    const page = await open()
    await page.user.type(screen.getByLabelText('Name'), 'Ada L.')
    await save(page)
    await screen.findByText('Failed to update user name')
    api.on(usersApi.update, () => refuse('validation.failed', { name: 'At most 120 characters' }))
    await save(page)
    await screen.findByText('At most 120 characters')
    expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Ada L.')
  })

  it('refreshes the session when users rename themselves', async () => {
    listUsers(aListedUser({ _id: 'admin-1', name: 'Grace Example', role: 'admin' }))
    api.on(usersApi.update, () => aListedUser({ _id: 'admin-1', name: 'Grace H.', role: 'admin' }))
    const page = visit()
    await choose(page, 'Grace Example', 'Edit name')
    await page.user.type(await screen.findByLabelText('Name'), 'H.')
    api.on(authApi.me, () => anAdmin({ name: 'Grace H.' }))
    await save(page)
    await waitFor(() => expect(page.session.get().user?.name).toBe('Grace H.'))
  })
})

describe('changing the role', () => {
  it('promotes a user after explaining what changes', async () => {
    listUsers(aListedUser())
    api.on(usersApi.update, () => aListedUser({ role: 'admin' }))
    const page = visit()
    await choose(page, 'Ada Example', 'Make administrator')
    const dialog = await screen.findByRole('alertdialog', { name: 'Make this user an administrator?' })
    expect(dialog.textContent).toContain('Ada Example')
    expect(dialog.textContent).toContain('They can use the admin area')
    expect(dialog.textContent).toContain('signed out')
    expect(api.unhandledCalls).toEqual([])
    await press(page, 'Make administrator')
    await screen.findByText('User promoted to admin role')
    expect(readCells(await findRow(/Ada/))[0]).toBe('Admin')
    expect(api.calls(usersApi.update)[0]?.body).toEqual({ role: 'admin' })
  })

  it('demotes an administrator after confirmation', async () => {
    listUsers(aListedUser({ role: 'admin' }))
    api.on(usersApi.update, () => aListedUser())
    const page = visit()
    await choose(page, 'Ada Example', 'Remove from administrators')
    expect((await screen.findByRole('alertdialog')).textContent).toContain(
      'They lose access to the admin area',
    )
    await press(page, 'Remove from administrators')
    await screen.findByText('User removed from admin role')
    expect(readCells(await findRow(/Ada/))[0]).toBe('User')
  })

  it('shows the server’s refusal, or a fallback when it sends none', async () => {
    listUsers(aListedUser({ role: 'admin' }))
    api.on(usersApi.update, () => refuse('user.last_admin'))
    const page = visit()
    await choose(page, 'Ada Example', 'Remove from administrators')
    await press(page, 'Remove from administrators')
    await screen.findByText('At least one administrator must remain')
    api.on(usersApi.update, () => refuse('internal'))
    await choose(page, 'Ada Example', 'Remove from administrators')
    await press(page, 'Remove from administrators')
    await screen.findByText('Failed to update user role')
  })
})

describe('deleting a user', () => {
  function aUserDetail(chatsAreRetained: boolean) {
    return {
      ...aListedUser(),
      lastSignInAt: null,
      twoFactorEnabled: true,
      chatCount: 12,
      documentCount: 1,
      sessionCount: 2,
      chatsAreRetained,
    }
  }
  async function openDialog(): Promise<{ page: RenderedPage; dialog: HTMLElement }> {
    listUsers(aListedUser())
    const page = visit()
    await choose(page, 'Ada Example', 'Delete')
    return { page, dialog: await screen.findByRole('alertdialog', { name: 'Delete this user?' }) }
  }
  function readPart(dialog: HTMLElement, from: string, to?: string): string {
    const text = dialog.textContent ?? ''
    return text.slice(text.indexOf(from), to === undefined ? undefined : text.indexOf(to))
  }

  it('lists what is deleted and what is kept, then removes the row', async () => {
    api.on(usersApi.get, () => aUserDetail(false)).on(usersApi.remove, () => ({ message: 'gone' }))
    const { page, dialog } = await openDialog()
    await within(dialog).findByText('12 chats')
    expect(readPart(dialog, 'This will permanently', 'This will be kept')).toContain('2 open sessions')
    expect(readPart(dialog, 'This will permanently', 'This will be kept')).toContain('1 channel')
    expect(readPart(dialog, 'This will permanently', 'This will be kept')).toContain('12 chats')
    expect(readPart(dialog, 'This will be kept')).toContain('1 uploaded document (shown as')
    listUsers()
    await press(page, 'Delete user')
    await screen.findByText('User deleted successfully')
    await screen.findByText('No users found.')
    expect(api.calls(usersApi.remove)[0]?.params).toEqual({ id: 'user-1' })
  })

  it('shows that chats are kept when the installation retains them', async () => {
    api.on(usersApi.get, () => aUserDetail(true))
    const { dialog } = await openDialog()
    await within(dialog).findByText('12 chats, in the chat history')
    expect(readPart(dialog, 'This will permanently', 'This will be kept')).not.toContain('12 chats')
  })

  it('disables the button until the consequences are known', async () => {
    api.on(usersApi.get, () => new Promise(() => undefined))
    const { dialog } = await openDialog()
    const button = within(dialog).getByRole('button', { name: 'Delete user' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
  })

  it('shows when deleting failed', async () => {
    api.on(usersApi.get, () => aUserDetail(false)).on(usersApi.remove, () => refuse('internal'))
    const { page, dialog } = await openDialog()
    await within(dialog).findByText('12 chats')
    await press(page, 'Delete user')
    await screen.findByText('Failed to delete user')
    await findRow(/Ada/)
  })
})
