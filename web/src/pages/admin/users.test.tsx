import { authApi, type User } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { type Invitation, invitationsApi } from '@lyceum/contract/invitations'
import { permissionNames, permissionsOf } from '@lyceum/contract/permissions'
import { settingsApi } from '@lyceum/contract/settings'
import { usersApi } from '@lyceum/contract/users'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { type RenderedPage, renderPage } from '#testing/render-page.tsx'
import { aChannel, aListedUser, anInvitation, aPage } from '#testing/samples.ts'
import { anAdmin, signIn, signInAdminWithout } from '#testing/users.ts'
import { UsersPage } from './users.tsx'

let api: FakeApi

function signInAs(change: Parameters<typeof anAdmin>[0]): void {
  const admin = anAdmin(change)
  api.on(authApi.me, () => admin)
  signIn(admin)
}

function signInAsSystemAdmin(): void {
  signInAs({ isSystemAdmin: true, permissions: permissionsOf({ role: 'admin', isSystemAdmin: true }) })
}

function listing(...users: User[]): void {
  api.on(usersApi.list, () => aPage(users))
}
function inviting(...invitations: Invitation[]): void {
  api.on(invitationsApi.list, () => aPage(invitations))
}

function visit(query = ''): RenderedPage {
  return renderPage(<UsersPage />, { at: `/admin/users${query}`, path: '/admin/users' })
}

async function rowOf(name: RegExp): Promise<HTMLElement> {
  return (await screen.findByRole('rowheader', { name })).closest('tr') as HTMLElement
}

function cellsOf(row: HTMLElement): (string | null)[] {
  return within(row)
    .getAllByRole('cell')
    .map(({ lastElementChild }) => lastElementChild?.textContent ?? null)
}

function headersOf(table: string): (string | null)[] {
  return within(screen.getByRole('table', { name: table }))
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent)
}

/** Presses a button in a person's row; what opens is found by its role. */
async function press(page: RenderedPage, button: string): Promise<void> {
  await page.user.click(await screen.findByRole('button', { name: button }))
}

beforeEach(() => {
  api = fakeApi()
    .on(settingsApi.get, () => ({
      settings: { twoFactorExpiryDays: 30, twoFactorExpiryEnabled: true, dashboardBackgroundImage: null },
    }))
    .on(channelsApi.list, () => [aChannel(), aChannel({ _id: 'channel-2', name: 'Law', memberCount: 1 })])
  signInAdminWithout(api)
  listing()
  inviting()
})

describe('the lists', () => {
  it('say when there is nothing in them', async () => {
    visit()
    await screen.findByText('No pending invitations.')
    screen.getByText('No users found.')
    screen.getByRole('heading', { name: 'User Management' })
  })

  it('show the invitations with what was set for them', async () => {
    inviting(
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
    const pending = await rowOf(/niels@/)
    expect(headersOf('Invitations')).toEqual([
      'Email',
      'Name',
      'Status',
      'Invited By',
      'Channels',
      '2FA Expiry',
      'Expires',
      'Actions',
    ])
    expect(cellsOf(pending).slice(0, 5)).toEqual([
      'Niels Example',
      'Pending',
      'Grace Example',
      '1',
      '30 days',
    ])
    expect(cellsOf(pending)[5]).toContain('2026')
    within(pending).getByRole('button', { name: 'Resend the invitation of Niels Example' })
    within(pending).getByRole('button', { name: 'Cancel the invitation of Niels Example' })
    const expired = await rowOf(/lise@/)
    expect(cellsOf(expired).slice(1, 5)).toEqual(['Expired', '—', 'None', 'Off'])
    within(expired).getByRole('button', { name: 'Delete the expired invitation of Lise Example' })
    expect(within(expired).getAllByRole('button')).toHaveLength(1)
    const accepted = await rowOf(/max@/)
    expect(cellsOf(accepted)[1]).toBe('Accepted')
    expect(within(accepted).queryByRole('button', { name: /invitation/ })).toBeNull()
  })

  it('name the channels of an invitation on demand', async () => {
    inviting(anInvitation({ allowedChannels: ['channel-2', 'gone'] }))
    const page = visit()
    await press(page, '2 channels of Niels Example')
    await screen.findByText('Law')
    screen.getByText('A channel that is gone')
  })

  it('show the users with their role and how many channels they have', async () => {
    listing(
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
    const ada = await rowOf(/Ada Example/)
    expect(headersOf('Users')).toEqual(['User', 'Role', 'Channels', 'Actions'])
    within(ada).getByText('ada@example.com')
    expect(cellsOf(ada).slice(0, 2)).toEqual(['User', '2'])
    expect(cellsOf(await rowOf(/Alan/))[0]).toBe('Admin')
    expect(cellsOf(await rowOf(/Emmy/))[0]).toBe('System admin')
  })

  it('are searched and paged at the server, by the address', async () => {
    api.on(usersApi.list, ({ query }) => aPage(query.search ? [] : [aListedUser()], query.search ? 0 : 2000))
    api.on(invitationsApi.list, () => aPage([anInvitation()], 12, 10))
    const { user, address } = visit('?page=3&invitations=2')
    await rowOf(/Ada/)
    screen.getByText('2,000')
    expect(api.calls(usersApi.list)[0]?.query).toEqual({ limit: 20, skip: 40 })
    expect(api.calls(invitationsApi.list)[0]?.query).toEqual({ limit: 10, skip: 10 })
    await user.type(screen.getByRole('searchbox', { name: 'Search users' }), 'zzz')
    await screen.findByText('No users found.')
    screen.getByText('Nothing matches “zzz”.')
    expect(address()).toBe('/admin/users?invitations=2&search=zzz')
    expect(api.calls(usersApi.list)).toHaveLength(2)
  })

  it('go back to the last page when there is no such page', async () => {
    api.on(usersApi.list, ({ query }) => aPage(query.skip === 20 ? [aListedUser()] : [], 21))
    const { address } = visit('?page=9')
    await rowOf(/Ada/)
    expect(address()).toBe('/admin/users?page=2')
  })

  it('say when one of them cannot be loaded, and try again', async () => {
    listing(aListedUser())
    api.on(invitationsApi.list, () => refuse('server.busy'))
    const { user } = visit()
    await screen.findByText('The invitations could not be loaded.')
    screen.getByText('The server is busy. Please try again in a moment.')
    await rowOf(/Ada/)
    inviting(anInvitation())
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await rowOf(/niels@/)
  })

  it('say when the users cannot be loaded', async () => {
    api.on(usersApi.list, () => refuse('internal'))
    visit()
    await screen.findByText('The users could not be loaded.')
  })
})

describe('what is closed', () => {
  async function closed(page: RenderedPage, button: string, words: string): Promise<void> {
    const found = await screen.findByRole('button', { name: button })
    expect(found.getAttribute('aria-disabled')).toBe('true')
    expect(found.getAttribute('aria-description')).toBe(words)
    await page.user.click(found)
    await within(screen.getByRole('region', { name: 'Result' })).findByText(words)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.queryByRole('alertdialog')).toBeNull()
  }

  it.each([
    ['canCreateUsers', 'Invite User', 'You do not have permission to invite users'],
    [
      'canCreateUsers',
      'Resend the invitation of Niels Example',
      'You do not have permission to invite users',
    ],
    [
      'canCreateUsers',
      'Cancel the invitation of Niels Example',
      'You do not have permission to invite users',
    ],
    ['canEditUsers', 'Edit the name of Ada Example', 'You do not have permission to edit users'],
    ['canEditUsers', 'Make Ada Example an administrator', 'You do not have permission to edit users'],
    ['canDeleteUsers', 'Delete Ada Example', 'You do not have permission to delete users'],
  ] as const)('without %s: %s', async (flag, button, words) => {
    signInAdminWithout(api, flag)
    listing(aListedUser())
    inviting(anInvitation())
    await closed(visit(), button, words)
  })

  it('is a system administrator to who is none', async () => {
    listing(aListedUser({ role: 'admin', isSystemAdmin: true }))
    const page = visit()
    const words = 'Only a system administrator can change another system administrator'
    await closed(page, 'Delete Ada Example', words)
    await closed(page, 'Remove Ada Example from administrators', words)
    expect(screen.queryByRole('button', { name: 'Rights of Ada Example' })).toBeNull()
  })

  it('is to delete oneself', async () => {
    listing(aListedUser({ _id: 'admin-1', name: 'Grace Example', role: 'admin' }))
    visit()
    const row = await rowOf(/Grace/)
    within(row).getByText('You')
    within(row).getByRole('button', { name: 'Edit the name of Grace Example' })
    expect(within(row).queryByRole('button', { name: 'Delete Grace Example' })).toBeNull()
  })
})

describe('editing a name', () => {
  async function open(): Promise<RenderedPage> {
    listing(aListedUser())
    const page = visit()
    await press(page, 'Edit the name of Ada Example')
    await screen.findByRole('dialog', { name: 'Edit User Settings' })
    await page.user.clear(screen.getByLabelText('Name'))
    return page
  }
  function save(page: RenderedPage): Promise<void> {
    return press(page, 'Save Changes')
  }

  it('changes it, in the row too', async () => {
    api.on(usersApi.update, ({ body }) => aListedUser({ name: body.name ?? '' }))
    const page = await open()
    await page.user.type(screen.getByLabelText('Name'), '  Ada Lovelace ')
    await save(page)
    await screen.findByText('User name updated successfully')
    await rowOf(/Ada Lovelace/)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.calls(usersApi.update)[0]).toMatchObject({
      params: { id: 'user-1' },
      body: { name: 'Ada Lovelace' },
    })
    expect(api.calls(usersApi.list)).toHaveLength(1)
  })

  it('is skipped when the name is blank, and the window closes', async () => {
    const page = await open()
    await page.user.type(screen.getByLabelText('Name'), '   ')
    await save(page)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.unanswered).toEqual([])
    await rowOf(/Ada Example/)
  })

  it('says why it failed and keeps what was entered', async () => {
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

  it('of oneself reaches the session', async () => {
    listing(aListedUser({ _id: 'admin-1', name: 'Grace Example', role: 'admin' }))
    api.on(usersApi.update, () => aListedUser({ _id: 'admin-1', name: 'Grace H.', role: 'admin' }))
    const page = visit()
    await press(page, 'Edit the name of Grace Example')
    await page.user.type(await screen.findByLabelText('Name'), 'H.')
    api.on(authApi.me, () => anAdmin({ name: 'Grace H.' }))
    await save(page)
    await waitFor(() => expect(page.session.get().user?.name).toBe('Grace H.'))
  })
})

describe('the role', () => {
  it('is given after a question that says what changes', async () => {
    listing(aListedUser())
    api.on(usersApi.update, () => aListedUser({ role: 'admin' }))
    const page = visit()
    await press(page, 'Make Ada Example an administrator')
    const asked = await screen.findByRole('alertdialog', { name: 'Make this person an administrator?' })
    expect(asked.textContent).toContain('Ada Example')
    expect(asked.textContent).toContain('The administration opens')
    expect(asked.textContent).toContain('signed out')
    expect(api.unanswered).toEqual([])
    await press(page, 'Make administrator')
    await screen.findByText('User promoted to admin role')
    expect(cellsOf(await rowOf(/Ada/))[0]).toBe('Admin')
    expect(api.calls(usersApi.update)[0]?.body).toEqual({ role: 'admin' })
  })

  it('is taken away after a question', async () => {
    listing(aListedUser({ role: 'admin' }))
    api.on(usersApi.update, () => aListedUser())
    const page = visit()
    await press(page, 'Remove Ada Example from administrators')
    expect((await screen.findByRole('alertdialog')).textContent).toContain('The administration closes')
    await press(page, 'Remove from administrators')
    await screen.findByText('User removed from admin role')
    expect(cellsOf(await rowOf(/Ada/))[0]).toBe('User')
  })

  it('stays with the last one, in the server’s words, else the screen’s', async () => {
    listing(aListedUser({ role: 'admin' }))
    api.on(usersApi.update, () => refuse('user.last_admin'))
    const page = visit()
    await press(page, 'Remove Ada Example from administrators')
    await press(page, 'Remove from administrators')
    await screen.findByText('At least one administrator must remain')
    api.on(usersApi.update, () => refuse('internal'))
    await press(page, 'Remove Ada Example from administrators')
    await press(page, 'Remove from administrators')
    await screen.findByText('Failed to update user role')
  })
})

describe('deleting a user', () => {
  function detail(chatsAreRetained: boolean) {
    return {
      ...aListedUser(),
      lastSeenAt: null,
      chatCount: 12,
      documentCount: 1,
      sessionCount: 2,
      chatsAreRetained,
    }
  }
  async function ask(): Promise<{ page: RenderedPage; asked: HTMLElement }> {
    listing(aListedUser())
    const page = visit()
    await press(page, 'Delete Ada Example')
    return { page, asked: await screen.findByRole('alertdialog', { name: 'Delete this user?' }) }
  }
  function partOf(asked: HTMLElement, from: string, to?: string): string {
    const text = asked.textContent ?? ''
    return text.slice(text.indexOf(from), to === undefined ? undefined : text.indexOf(to))
  }

  it('says what goes and what stays, and takes the row away', async () => {
    api.on(usersApi.get, () => detail(false)).on(usersApi.remove, () => ({ message: 'gone' }))
    const { page, asked } = await ask()
    await within(asked).findByText('12 chats')
    expect(partOf(asked, 'These go', 'These stay')).toContain('2 open sessions')
    expect(partOf(asked, 'These go', 'These stay')).toContain('1 channel')
    expect(partOf(asked, 'These go', 'These stay')).toContain('12 chats')
    expect(partOf(asked, 'These stay')).toContain('1 uploaded document, as by ‘Deleted user’')
    listing()
    await press(page, 'Delete user')
    await screen.findByText('User deleted successfully')
    await screen.findByText('No users found.')
    expect(api.calls(usersApi.remove)[0]?.params).toEqual({ id: 'user-1' })
  })

  it('says that chats stay where they are retained', async () => {
    api.on(usersApi.get, () => detail(true))
    const { asked } = await ask()
    await within(asked).findByText('12 chats, in the chat history')
    expect(partOf(asked, 'These go', 'These stay')).not.toContain('12 chats')
  })

  it('waits for what it has to say', async () => {
    api.on(usersApi.get, () => new Promise(() => undefined))
    const { asked } = await ask()
    const button = within(asked).getByRole('button', { name: 'Delete user' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
  })

  it('says when it failed', async () => {
    api.on(usersApi.get, () => detail(false)).on(usersApi.remove, () => refuse('internal'))
    const { page, asked } = await ask()
    await within(asked).findByText('12 chats')
    await press(page, 'Delete user')
    await screen.findByText('Failed to delete user')
    await rowOf(/Ada/)
  })
})

describe('rights', () => {
  const stored = permissionsOf({ role: 'admin', isSystemAdmin: false })
  async function open(change: Partial<User> = {}): Promise<RenderedPage> {
    signInAsSystemAdmin()
    listing(aListedUser({ role: 'admin', ...change }))
    api.on(usersApi.permissions, () => (change.isSystemAdmin ? refuse('user.not_admin') : stored))
    const page = visit()
    await press(page, 'Rights of Ada Example')
    await screen.findByRole('checkbox', { name: 'Manage users' })
    return page
  }

  it('are every flag there is, and say what is off by default', async () => {
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

  it('are saved as a whole', async () => {
    api.on(usersApi.setPermissions, ({ body }) => body)
    const page = await open()
    await page.user.click(screen.getByRole('checkbox', { name: /View chat histories/ }))
    await page.user.click(screen.getByRole('checkbox', { name: 'Delete users' }))
    await press(page, 'Save Rights')
    await screen.findByText('Rights updated successfully')
    expect(api.calls(usersApi.setPermissions)[0]?.body).toEqual({
      ...stored,
      canViewChatHistory: true,
      canDeleteUsers: false,
    })
  })

  it('that could not be saved stay as they were ticked', async () => {
    api.on(usersApi.setPermissions, () => refuse('internal'))
    const page = await open()
    await page.user.click(screen.getByRole('checkbox', { name: 'Delete users' }))
    await press(page, 'Save Rights')
    await screen.findByText('Failed to update rights')
    expect(screen.getByRole('checkbox', { name: 'Delete users' })).toHaveProperty('checked', false)
  })

  it('of a system administrator are all, and are not for changing', async () => {
    await open({ isSystemAdmin: true })
    expect(screen.getByRole('checkbox', { name: 'Delete users' })).toMatchObject({
      checked: true,
      disabled: true,
    })
    expect(api.calls(usersApi.permissions)).toHaveLength(0)
    expect(screen.getByRole('button', { name: 'Save Rights' })).toHaveProperty('disabled', true)
  })

  it('of a system administrator are given after a question', async () => {
    const page = await open()
    api.on(usersApi.setSystemAdmin, ({ body }) => aListedUser({ role: 'admin', ...body }))
    await page.user.click(screen.getByRole('checkbox', { name: /System administrator/ }))
    await screen.findByRole('alertdialog', { name: 'Make a system administrator?' })
    await press(page, 'Make system administrator')
    await screen.findByText('User is now a system administrator')
    expect(screen.getByRole('checkbox', { name: /System administrator/ })).toHaveProperty('checked', true)
    expect(api.calls(usersApi.setSystemAdmin)[0]?.body).toEqual({ isSystemAdmin: true })
    expect(screen.getByRole('checkbox', { name: /View the audit log/ })).toHaveProperty('checked', true)
    expect(api.calls(usersApi.permissions)).toHaveLength(1)
  })

  it('of the last system administrator stay', async () => {
    const page = await open({ isSystemAdmin: true })
    api.on(usersApi.setSystemAdmin, () => refuse('user.last_system_admin'))
    await page.user.click(screen.getByRole('checkbox', { name: /System administrator/ }))
    await press(page, 'Make an ordinary administrator')
    await screen.findByText('At least one system administrator must remain')
    expect(screen.getByRole('checkbox', { name: /System administrator/ })).toHaveProperty('checked', true)
  })

  it('are only for system administrators, and only for administrators', async () => {
    signInAsSystemAdmin()
    listing(aListedUser(), aListedUser({ _id: 'admin-2', name: 'Alan Example', role: 'admin' }))
    visit()
    await screen.findByRole('button', { name: 'Rights of Alan Example' })
    expect(screen.queryByRole('button', { name: 'Rights of Ada Example' })).toBeNull()
  })
})
