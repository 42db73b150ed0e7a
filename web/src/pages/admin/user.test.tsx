import { apiKeysApi } from '@lyceum/contract/api-keys'
import { channelsApi } from '@lyceum/contract/channels'
import { chatHistoryApi } from '@lyceum/contract/chat-history'
import { connectedProgramsApi } from '@lyceum/contract/connected-programs'
import { groupsApi } from '@lyceum/contract/groups'
import { getPermissions } from '@lyceum/contract/permissions'
import { quotasApi } from '@lyceum/contract/quotas'
import { singleSignOnApi } from '@lyceum/contract/single-sign-on'
import { twoFactorApi } from '@lyceum/contract/two-factor'
import { usersApi } from '@lyceum/contract/users'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel, aListedUser, aUserDetail } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { UserPage } from './user.tsx'

let api: FakeApi

function visit() {
  return renderPage(<UserPage />, { at: '/admin/users/user-1', path: '/admin/users/:id' })
}

function readFact(label: string): string | null | undefined {
  return screen.getByText(label).nextElementSibling?.textContent
}

beforeEach(() => {
  signIn(anAdmin())
  api = fakeApi()
    .on(channelsApi.list, () => [aChannel()])
    .on(usersApi.get, () => aUserDetail())
    .on(connectedProgramsApi.listOfUser, () => [])
    .on(apiKeysApi.listOfUser, () => [])
    .on(groupsApi.accessOfUser, () => ({
      groups: [
        {
          ...{ _id: 'group-1', name: 'Sales', permissions: [], isByHand: true, issuers: [] },
          canChangeMembers: true,
        },
      ],
      channels: [
        {
          ...{ _id: aChannel()._id, name: aChannel().name, isByHand: false },
          ...{ issuers: [{ _id: 'acme', name: 'Acme' }], groups: [{ _id: 'group-1', name: 'Sales' }] },
        },
      ],
    }))
    .on(singleSignOnApi.methodsOfUser, () => ({ hasPassword: true, isBreakGlass: false, identities: [] }))
    .on(twoFactorApi.get, () => ({
      twoFactorExpiryDays: 30,
      twoFactorExpiryEnabled: true,
      isOverride: false,
    }))
    .on(quotasApi.getForUser, () => ({
      own: null,
      everybody: { messagesPerDay: 50, tokensPerMonth: null },
      used: { messagesToday: 12, tokensThisMonth: 3400 },
    }))
})

describe('/admin/users/:id', () => {
  it('says that the user does not exist', async () => {
    api.on(usersApi.get, () => refuse('not_found'))
    visit()
    await screen.findByText('User not found.')
    expect(screen.getByRole('link', { name: 'Back to the list' }).getAttribute('href')).toBe('/admin/users')
  })

  it('can be loaded again after a failure', async () => {
    api.on(usersApi.get, () => refuse('internal'))
    const { user } = visit()
    await screen.findByText('The user could not be loaded.')
    api.on(usersApi.get, () => aUserDetail())
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByRole('heading', { name: 'Ada Example' })
  })

  it('shows the facts and the channels, without a link to chats that the viewer may not see', async () => {
    visit()
    await screen.findByRole('heading', { name: 'Ada Example', level: 1 })
    expect(readFact('Email')).toBe('ada@example.com')
    await waitFor(() => expect(readFact('Code at sign-in')).toBe('On, global setting'))
    expect(readFact('Browsers stay trusted for')).toBe('30 days')
    expect(readFact('Last sign-in')).toContain('Nov 20, 2026')
    expect(readFact('Chats')).toBe('3 chats')
    expect(screen.queryByRole('link', { name: '3 chats' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Show recent chats' })).toBeNull()
    const channel = await screen.findByRole('link', { name: aChannel().name })
    expect(channel.getAttribute('href')).toBe(`/admin/channels?search=${aChannel().name}`)
    const documents = screen.getByRole('link', { name: '2 documents' })
    expect(documents.getAttribute('href')).toBe('/admin/documents?status=approved&uploaderId=user-1')
  })

  it('shows the groups, and where the access to a channel comes from', async () => {
    visit()
    const groups = within(await screen.findByRole('region', { name: 'Groups' }))
    const group = await groups.findByRole('link', { name: 'Sales' })
    expect(group.getAttribute('href')).toBe('/admin/groups/group-1')
    expect(groups.queryByText(/Added manually/)).toBeNull()
    const channels = within(screen.getByRole('region', { name: 'Channels' }))
    await channels.findByRole('link', { name: 'Sales' })
    expect(channels.getByRole('listitem').textContent).toContain('Group Sales · From Acme')
  })

  it('sorts the channels by name, and lists those last that the viewer cannot see', async () => {
    const [law, physics] = [aChannel({ _id: 'law', name: 'Law' }), aChannel({ name: 'Physics' })]
    api
      .on(channelsApi.list, () => [physics, law])
      .on(usersApi.get, () => aUserDetail({ channels: ['hidden', physics._id, law._id] }))
      .on(groupsApi.accessOfUser, () => ({ groups: [], channels: [] }))
    visit()
    const channels = within(await screen.findByRole('region', { name: 'Channels' }))
    await channels.findByText('Law')
    const names = channels.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(names).toEqual(['Law', 'Physics', 'Another channel'])
  })

  it('explains groups and links to them if the user is in none', async () => {
    api.on(groupsApi.accessOfUser, () => ({ groups: [], channels: [] }))
    visit()
    const groups = within(await screen.findByRole('region', { name: 'Groups' }))
    await groups.findByText('This user is in no group.')
    groups.getByText(/access to several channels at once/)
    expect(groups.getByRole('link', { name: 'Manage groups' }).getAttribute('href')).toBe('/admin/groups')
  })

  it('has the actions in the head of the card with what they change', async () => {
    signIn(anAdmin({ isSystemAdmin: true }))
    visit()
    await screen.findByRole('heading', { name: 'Ada Example', level: 1 })
    function readCard(title: string) {
      const card = screen.getByRole('region', { name: title })
      const head = within(card).getByRole('heading', { name: title }).parentElement
      return {
        facts: within(card)
          .getAllByRole('term')
          .map(({ textContent }) => textContent),
        actions: within(head as HTMLElement)
          .getAllByRole('button')
          .map(({ textContent }) => textContent),
      }
    }
    await waitFor(() =>
      expect(readCard('Account')).toEqual({
        facts: ['Email', 'Joined'],
        actions: ['Edit name', 'Make administrator', 'Deactivate'],
      }),
    )
    await screen.findByText('Browsers stay trusted for')
    expect(readCard('Signing in')).toEqual({
      facts: ['Last sign-in', 'Open sessions', 'Code at sign-in', 'Browsers stay trusted for'],
      actions: ['Manage 2FA settings', 'Sign out everywhere'],
    })
    await screen.findByText('Limits in use')
    expect(readCard('Usage')).toEqual({
      facts: ['Messages', 'Tokens', 'Limits in use', 'Chats', 'Uploads'],
      actions: ['Change limits'],
    })
  })

  it('has one menu for several actions on phones, and deletes at the end of the page', async () => {
    vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }))
    signIn(
      anAdmin({
        isSystemAdmin: true,
        permissions: getPermissions({ role: 'admin', isSystemAdmin: true }),
      }),
    )
    const { user } = visit()
    const heading = await screen.findByRole('heading', { name: 'Ada Example', level: 1 })
    const menus = [
      ['Actions for the account', ['Edit name', 'Make administrator', 'Deactivate']],
      ['Actions for signing in', ['2FA settings', 'Sign out everywhere']],
    ] as const
    for (const [name, labels] of menus) {
      await user.click(screen.getByRole('button', { name }))
      const items = await screen.findAllByRole('menuitem')
      expect(items.map(({ textContent }) => textContent)).toEqual(labels)
      await user.keyboard('{Escape}')
    }
    const uploads = screen.getByRole('link', { name: '2 documents' })
    const chats = screen.getByRole('button', { name: 'Show recent chats' })
    expect(uploads.compareDocumentPosition(chats)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    const remove = screen.getByRole('button', { name: 'Delete user' })
    expect(heading.closest('header')?.contains(remove)).toBe(false)
    expect(screen.getAllByRole('button').at(-1)).toBe(remove)
  })

  it('shows no origin of channels that were added manually', async () => {
    const { _id, name } = aChannel()
    api.on(groupsApi.accessOfUser, () => ({
      groups: [],
      channels: [{ _id, name, isByHand: true, issuers: [], groups: [] }],
    }))
    visit()
    const channels = within(await screen.findByRole('region', { name: 'Channels' }))
    await screen.findByText('This user is in no group.')
    expect(channels.getByRole('listitem').textContent).toBe(name)
  })

  it('shows an origin only of channels that were not just added manually', async () => {
    const { _id, name } = aChannel()
    const law = aChannel({ _id: 'law', name: 'Law' })
    api
      .on(channelsApi.list, () => [aChannel(), law])
      .on(usersApi.get, () => aUserDetail({ channels: [_id, law._id] }))
      .on(groupsApi.accessOfUser, () => ({
        groups: [],
        channels: [
          { _id, name, isByHand: true, issuers: [], groups: [{ _id: 'group-1', name: 'Sales' }] },
          { _id: law._id, name: law.name, isByHand: true, issuers: [], groups: [] },
        ],
      }))
    visit()
    const channels = within(await screen.findByRole('region', { name: 'Channels' }))
    const group = await channels.findByRole('link', { name: 'Sales' })
    expect(group.title).toBe('Sales')
    const rows = channels.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(rows).toEqual(['Law', `${name}Added manually · Group Sales`])
  })

  it('names the directory that manages the user', async () => {
    api.on(usersApi.get, () => aUserDetail({ directoryName: 'Entra ID' }))
    visit()
    await screen.findByRole('heading', { name: 'Ada Example', level: 1 })
    expect(readFact('Managed by directory')).toBe('Entra ID')
  })

  it('links to the chat history of the user, and says when they never signed in', async () => {
    signIn(anAdmin({ permissions: getPermissions({ role: 'admin', isSystemAdmin: true }) }))
    api.on(usersApi.get, () => aUserDetail({ lastSignInAt: null, channels: [] }))
    visit()
    const link = await screen.findByRole('link', { name: '3 chats' })
    expect(screen.queryByText('Managed by directory')).toBeNull()
    expect(link.getAttribute('href')).toBe('/admin/chat-history?user=user-1')
    expect(readFact('Last sign-in')).toBe('Never')
    screen.getByText('This user has no channels yet.')
  })

  it('says that two-factor authentication is set for the user', async () => {
    api.on(twoFactorApi.get, () => ({
      twoFactorExpiryDays: 7,
      twoFactorExpiryEnabled: false,
      isOverride: true,
    }))
    visit()
    await waitFor(async () => {
      await screen.findByRole('heading', { name: 'Ada Example', level: 1 })
      expect(readFact('Code at sign-in')).toBe('Off, set for this user')
    })
  })

  it('says why an action is refused, and offers none that the viewer cannot take', async () => {
    signIn(anAdmin({ permissions: { ...anAdmin().permissions, canEditUsers: false } }))
    const { user } = visit()
    const button = await screen.findByRole('button', { name: 'Make administrator' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    await user.click(button)
    await screen.findByText('You do not have permission to edit users')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Edit permissions' })).toBeNull()
  })

  it('shows the usage with the limits in use, and the changed limits after saving', async () => {
    api.on(quotasApi.getForUser, () => refuse('server.busy'))
    const { user } = visit()
    await screen.findByText('The server is busy. Please try again in a moment.')
    const limits = {
      own: null,
      everybody: { messagesPerDay: 50, tokensPerMonth: null },
      used: { messagesToday: 12, tokensThisMonth: 3400 },
    }
    api
      .on(quotasApi.getForUser, () => limits)
      .on(quotasApi.setForUser, ({ body }) => ({ ...limits, own: body }))
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('12 of 50 today')
    expect(readFact('Tokens')).toBe('3,400 this month, no limit')
    expect(readFact('Limits in use')).toBe('Default')
    await user.click(screen.getByRole('button', { name: 'Change limits' }))
    await user.click(await screen.findByRole('radio', { name: 'Custom' }))
    await user.type(screen.getByLabelText('Tokens a month'), '9000')
    await user.click(screen.getByRole('button', { name: 'Save limits' }))
    await waitFor(() => expect(readFact('Tokens')).toBe('3,400 of 9,000 this month'))
  })

  it('lists recent chats only on request, because each list is recorded in the audit log', async () => {
    signIn(anAdmin({ permissions: getPermissions({ role: 'admin', isSystemAdmin: true }) }))
    api.on(chatHistoryApi.listForUser, () => refuse('audit.unavailable'))
    const { user } = visit()
    const button = await screen.findByRole('button', { name: 'Show recent chats', expanded: false })
    screen.getByText('Showing the chats is recorded in the audit log.')
    expect(api.calls(chatHistoryApi.listForUser)).toHaveLength(0)
    await user.click(button)
    await screen.findByText(/audit log could not be written/)
    api.on(chatHistoryApi.listForUser, () => ({
      chatHistories: [
        {
          _id: 'chat-1',
          user: { name: 'Ada Example', email: 'ada@example.com' },
          channel: { name: 'Physics' },
          title: 'How high is the bonus?',
          messageCount: 2,
          createdAt: '2026-11-19T09:00:00.000Z',
          updatedAt: '2026-11-20T09:00:00.000Z',
        },
      ],
      total: 1,
      totalPages: 1,
    }))
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    const link = await screen.findByRole('link', { name: 'How high is the bonus?' })
    expect(link.getAttribute('href')).toBe('/admin/chat-history/chat-1')
    screen.getByText('Not listed: 2 chats without messages.')
    expect(api.calls(chatHistoryApi.listForUser).at(-1)).toMatchObject({
      params: { id: 'user-1' },
      query: { limit: 5, empty: 'hide', sortBy: 'updatedAt', sortOrder: 'desc' },
    })
    await user.click(screen.getByRole('button', { name: 'Hide recent chats', expanded: true }))
    expect(screen.queryByRole('link', { name: 'How high is the bonus?' })).toBeNull()
  })

  it('does not request the permissions of an administrator for other administrators', async () => {
    api.on(usersApi.get, () => aUserDetail({ role: 'admin' }))
    visit()
    await screen.findByRole('heading', { name: 'Ada Example', level: 1 })
    expect(screen.queryByRole('heading', { name: 'Permissions' })).toBeNull()
    expect(api.calls(usersApi.permissions)).toHaveLength(0)
  })

  it('shows system administrators which permissions are missing, and opens them', async () => {
    signIn(anAdmin({ isSystemAdmin: true }))
    const overrides = { canManageUsers: false }
    api
      .on(usersApi.get, () => aUserDetail({ role: 'admin' }))
      .on(usersApi.permissions, () => getPermissions({ role: 'admin', isSystemAdmin: false, overrides }))
    const { user } = visit()
    await screen.findByText(/^Missing: Manage users · View chat histories/)
    screen.getByText('19 of 24 permissions')
    await user.click(screen.getByRole('button', { name: 'Edit permissions' }))
    await screen.findByRole('dialog', { name: 'Administrator Permissions' })
  })

  it('counts and names the permissions that groups give', async () => {
    signIn(anAdmin({ isSystemAdmin: true }))
    api
      .on(usersApi.get, () => aUserDetail({ role: 'admin' }))
      .on(usersApi.permissions, () => getPermissions({ role: 'admin', isSystemAdmin: false }))
      .on(groupsApi.accessOfUser, () => ({
        groups: [
          {
            ...{ _id: 'group-1', name: 'Safety officers', isByHand: true, issuers: [] },
            permissions: ['canViewAuditLog' as const, 'canManageUsers' as const],
            canChangeMembers: true,
          },
        ],
        channels: [],
      }))
    visit()
    const permissions = within(await screen.findByRole('region', { name: 'Permissions' }))
    await permissions.findByText('21 of 24 permissions')
    expect(permissions.getByText(/^Has: /).textContent).toMatch(
      /View the audit log \(from Safety officers\)$/,
    )
    expect(permissions.getByText(/^Missing: /).textContent).not.toContain('View the audit log')
    // The permission to manage users is set for the administrator, too.
    const link = permissions.getByRole('link', { name: 'Safety officers' })
    expect(link.getAttribute('href')).toBe('/admin/groups/group-1')
  })

  it('has the same order of cards for all administrators', async () => {
    function listCards(): (string | null)[] {
      return screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
    }
    api.on(usersApi.get, () => aUserDetail({ role: 'admin' }))
    const { unmount } = visit()
    await screen.findByRole('heading', { name: 'Ada Example', level: 1 })
    const others = ['Account', 'Signing in', 'Groups', 'Channels', 'Usage', 'API keys', 'Connected programs']
    expect(listCards()).toEqual(others)
    unmount()
    signIn(anAdmin({ isSystemAdmin: true }))
    api.on(usersApi.permissions, () => getPermissions({ role: 'admin', isSystemAdmin: false }))
    visit()
    await screen.findByRole('heading', { name: 'Permissions' })
    expect(listCards()).toEqual(others.toSpliced(4, 0, 'Permissions'))
  })

  it('says that a system administrator has all permissions', async () => {
    signIn(anAdmin({ isSystemAdmin: true }))
    api.on(usersApi.get, () => aUserDetail({ role: 'admin', isSystemAdmin: true }))
    visit()
    await screen.findByText('All 24 permissions, as a system administrator.')
    expect(api.calls(usersApi.permissions)).toHaveLength(0)
  })

  it('ends all sessions after confirmation', async () => {
    api.on(usersApi.endSessions, () => ({ message: 'ok' }))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Sign out everywhere' }))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Sign out everywhere?' }))
    await user.click(dialog.getByRole('button', { name: 'Sign out everywhere' }))
    await screen.findByText('User signed out everywhere')
    expect(api.calls(usersApi.endSessions)[0]?.params).toEqual({ id: 'user-1' })
  })

  it('shows a new name, and returns to the list after deleting', async () => {
    let name = 'Ada Example'
    api
      .on(usersApi.get, () => aUserDetail({ name }))
      .on(usersApi.update, ({ body }) => {
        name = body.name ?? ''
        return aListedUser({ name })
      })
      .on(usersApi.remove, () => ({ message: 'ok' }))
    const { user, address } = visit()
    await user.click(await screen.findByRole('button', { name: 'Edit name' }))
    await user.clear(await screen.findByLabelText('Name'))
    await user.type(screen.getByLabelText('Name'), 'Ada King')
    await user.keyboard('{Escape}')
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    await screen.findByRole('heading', { name: 'Ada King', level: 1 })
    await user.click(screen.getByRole('button', { name: 'Delete user' }))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete this user?' }))
    const remove = await dialog.findByRole('button', { name: 'Delete user' })
    await waitFor(() => expect(remove.getAttribute('aria-busy')).not.toBe('true'))
    await user.click(remove)
    await waitFor(() => expect(address()).toBe('/admin/users'))
  })
})
