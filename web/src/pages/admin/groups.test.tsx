import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { type Group, type GroupDetail, type GroupMember, groupsApi } from '@lyceum/contract/groups'
import { type Invitation, invitationsApi } from '@lyceum/contract/invitations'
import { settingsApi } from '@lyceum/contract/settings'
import { type ListedUser, usersApi } from '@lyceum/contract/users'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { LogoutButton } from '#app/layouts/LogoutButton.tsx'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel, aListedUser, aPage } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { GroupPage } from './group.tsx'
import { GroupsPage } from './groups.tsx'
import { UsersPage } from './users.tsx'

function aGroup(change: Partial<Group> = {}): Group {
  return {
    _id: 'group-1',
    name: 'Sales',
    description: 'Who sells',
    memberCount: 2,
    channelCount: 1,
    permissions: [],
    createdAt: '2026-11-20T10:00:00.000Z',
    ...change,
  }
}
function aGroupDetail(change: Partial<GroupDetail> = {}): GroupDetail {
  return { ...aGroup(), channels: [{ _id: 'c', name: 'Handbook' }], canChangeMembers: true, ...change }
}
const ada: GroupMember = {
  ...{ _id: 'user-1', name: 'Ada Example', email: 'ada@example.com', role: 'user' },
  ...{ isByHand: true, issuers: [] },
}
const emmy: GroupMember = {
  ...{ _id: 'user-2', name: 'Emmy Example', email: 'emmy@example.com', role: 'user' },
  ...{ isByHand: false, issuers: [{ _id: 'acme', name: 'Acme' }] },
}

let api: FakeApi
beforeEach(() => {
  signIn(anAdmin())
  api = fakeApi()
    .on(groupsApi.list, () => aPage([aGroup()]))
    .on(groupsApi.get, () => aGroupDetail())
    .on(groupsApi.members, () => aPage([ada, emmy]))
    .on(groupsApi.losses, () => ({
      userCount: 2,
      channels: [{ _id: 'c', name: 'Handbook', userCount: 2 }],
      administratorCount: 1,
    }))
    .on(usersApi.list, () => aPage([aListedUser({ _id: 'user-3', name: 'Bo Example' })]))
    .on(channelsApi.list, () => [aChannel({ _id: 'c2', name: 'Rules' })])
})

describe('/admin/groups', () => {
  function visit(query = '') {
    return renderPage(<GroupsPage />, { at: `/admin/groups${query}`, path: '/admin/groups' })
  }

  it('can be loaded again after a failure', async () => {
    api.on(groupsApi.list, () => refuse('internal'))
    const { user } = visit()
    await screen.findByText('The groups could not be loaded.')
    api.on(groupsApi.list, () => aPage([aGroup()]))
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByRole('link', { name: 'Sales' })
  })

  it('says what groups are for when there are none, and when none match', async () => {
    api.on(groupsApi.list, () => aPage<Group>([]))
    const { user } = visit()
    await screen.findByText('There are no groups yet.')
    await user.type(screen.getByRole('searchbox', { name: 'Search groups' }), 'zzz')
    await screen.findByText('No group matches “zzz”.')
    const found = await screen.findByText('All groups: none')
    expect(found.getAttribute('role')).toBe('status')
  })

  it('passes its search to the page of a group', async () => {
    const { user } = visit('?search=sal')
    await user.click(await screen.findByRole('link', { name: 'Sales' }))
    expect(history.state).toEqual({ list: '?search=sal' })
  })

  it('shows a refused name in the form, and opens a new group', async () => {
    api.on(groupsApi.create, () =>
      refuse('group.exists', { name: 'There is already a group with this name' }),
    )
    const { user, address } = visit()
    await screen.findByRole('link', { name: 'Sales' })
    await user.click(screen.getByRole('button', { name: 'New group' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'New group' }))
    await user.click(dialog.getByRole('button', { name: 'Create group' }))
    dialog.getByText('Name is required')
    await user.type(dialog.getByLabelText('Name'), 'Sales')
    await user.click(dialog.getByRole('button', { name: 'Create group' }))
    await dialog.findByText('There is already a group with this name')
    expect(document.activeElement).toBe(dialog.getByLabelText('Name'))
    api.on(groupsApi.create, () => aGroupDetail({ _id: 'group-2' }))
    await user.click(dialog.getByRole('button', { name: 'Create group' }))
    await waitFor(() => expect(address()).toBe('/admin/groups/group-2'))
  })
})

describe('input in a dialog', () => {
  async function findQuestion() {
    return within(await screen.findByRole('alertdialog', { name: 'Discard your changes?' }))
  }

  it('is not lost without a question on Back, on Logout or when the window is closed', async () => {
    api.on(authApi.logout, () => undefined)
    history.replaceState(null, '', '/admin/users')
    history.pushState(null, '', '/admin/groups')
    const page = (
      <>
        <LogoutButton />
        <GroupsPage />
      </>
    )
    const { user, address } = renderPage(page, { at: '/admin/groups' })
    const logout = await screen.findByRole('button', { name: 'Logout' })
    await user.click(await screen.findByRole('button', { name: 'New group' }))
    await user.type(await screen.findByLabelText('Name'), 'Lab')
    expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false)
    for (const leave of [() => logout.click(), () => history.back()]) {
      act(leave)
      await user.click((await findQuestion()).getByRole('button', { name: 'Keep editing' }))
      // Otherwise this question, which is still closing, would be taken for the next one.
      await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
      expect(address()).toBe('/admin/groups')
      expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Lab')
    }
    expect(api.calls(authApi.logout)).toEqual([])
    history.back()
    await user.click((await findQuestion()).getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(address()).toBe('/admin/users'))
  })

  it('includes the users who were chosen for a group', async () => {
    const { user } = renderPage(<GroupPage />, { at: '/admin/groups/group-1', path: '/admin/groups/:id' })
    await user.click(await screen.findByRole('button', { name: 'Add members' }))
    const choice = await screen.findByRole('checkbox', { name: /Bo Example/ })
    await user.click(choice)
    await user.keyboard('{Escape}')
    await user.click((await findQuestion()).getByRole('button', { name: 'Keep editing' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(choice).toHaveProperty('checked', true)
    await user.click(choice)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('/admin/groups/:id', () => {
  function visit() {
    return renderPage(<GroupPage />, { at: '/admin/groups/group-1', path: '/admin/groups/:id' })
  }

  it('says that the group does not exist', async () => {
    api.on(groupsApi.get, () => refuse('not_found'))
    visit()
    await screen.findByText('Group not found.')
  })

  it('offers nothing that the viewer may not do', async () => {
    api.on(groupsApi.get, () =>
      aGroupDetail({ canChangeMembers: false, channels: [], permissions: ['canViewAuditLog'] }),
    )
    visit()
    await screen.findByText('Ada Example')
    screen.getByText(/Only system administrators can add or remove members/)
    screen.getByText('And 1 channel that you cannot see.')
    screen.getByText(/View the audit log/)
    for (const name of ['Add members', 'Delete group', 'Edit permissions'])
      expect(screen.queryByRole('button', { name })).toBeNull()
    expect(screen.queryAllByRole('checkbox')).toEqual([])
  })

  it('adds several users', async () => {
    api.on(groupsApi.addMembers, () => ({ message: '1 user is now in “Sales”' }))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Add members' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add members' }))
    await user.click(await dialog.findByRole('checkbox', { name: /Bo Example/ }))
    expect(api.calls(usersApi.list).at(-1)?.query).toMatchObject({ exceptGroupId: 'group-1' })
    await user.click(dialog.getByRole('button', { name: 'Add 1 user' }))
    await screen.findByText('1 user is now in “Sales”')
    expect(api.calls(groupsApi.addMembers).map(({ body }) => body)).toEqual([{ userIds: ['user-3'] }])
  })

  it('names the chosen users whom a search hides', async () => {
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Add members' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add members' }))
    dialog.getByText('gives 1 channel.')
    await user.click(await dialog.findByRole('checkbox', { name: /Bo Example/ }))
    api.on(usersApi.list, () => aPage<ListedUser>([]))
    await user.type(dialog.getByRole('searchbox'), 'zzz')
    await dialog.findByText(/^Also selected:/)
    dialog.getByText('Bo Example')
    expect(dialog.getByText('Users: none').getAttribute('role')).toBe('status')
    dialog.getByRole('button', { name: 'Add 1 user' })
  })

  it('removes one member from their row, and says what they lose', async () => {
    const handbook = { _id: 'c', name: 'Handbook', isByHand: false, issuers: [] }
    api
      .on(groupsApi.accessOfUser, () => ({
        groups: [],
        channels: [{ ...handbook, groups: [{ _id: 'group-1', name: 'Sales' }] }],
      }))
      .on(groupsApi.removeMembers, () => ({ message: 'Removed' }))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Remove Ada Example from the group' }))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Remove this member?' }))
    await dialog.findByText(/will lose access to 1 channel/)
    dialog.getByText('Handbook')
    await user.click(dialog.getByRole('button', { name: 'Remove' }))
    await screen.findByText('Removed')
    expect(api.calls(groupsApi.removeMembers).map(({ body }) => body)).toEqual([{ userIds: ['user-1'] }])
  })

  it('keeps the focus in the list when the selection is cleared', async () => {
    const { user } = visit()
    const checkbox = await screen.findByRole('checkbox', { name: /Emmy Example/ })
    await user.click(checkbox)
    screen.getByText('1 member selected')
    await user.click(screen.getByRole('button', { name: 'Clear selection' }))
    expect(document.activeElement).toBe(checkbox)
    expect(checkbox).toHaveProperty('checked', false)
  })

  it('says that nobody loses anything with a group that gives nothing', async () => {
    api.on(groupsApi.get, () => aGroupDetail({ channels: [], channelCount: 0 }))
    const { user } = visit()
    await user.click(await screen.findByRole('checkbox', { name: /Ada Example/ }))
    await user.click(screen.getByRole('button', { name: 'Remove 1 member' }))
    await screen.findByText('Nobody loses access, because this group gives no channels or permissions.')
  })

  it('warns before it removes members whom an issuer adds again', async () => {
    api
      .on(groupsApi.members, () => aPage([emmy, ada]))
      .on(groupsApi.removeMembers, () => ({ message: 'Removed' }))
    const { user } = visit()
    await screen.findByText(/From Acme/)
    await user.click(screen.getByRole('checkbox', { name: /Emmy Example/ }))
    await user.click(screen.getByRole('button', { name: 'Remove 1 member' }))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Remove this member?' }))
    dialog.getByText(/will return at their next sign-in/)
    api.on(groupsApi.members, () => aPage([ada]))
    await user.click(dialog.getByRole('button', { name: 'Remove' }))
    await screen.findByText('Removed')
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: /Ada Example/ })),
    )
    expect(api.calls(groupsApi.removeMembers).map(({ body }) => body)).toEqual([{ userIds: ['user-2'] }])
  })

  it('adds and removes channels, and says how many users lose one', async () => {
    api
      .on(groupsApi.addChannels, () => aGroupDetail())
      .on(groupsApi.removeChannel, () => aGroupDetail({ channels: [], channelCount: 0 }))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Add channels' }))
    const adding = within(await screen.findByRole('dialog', { name: 'Add channels' }))
    await user.click(await adding.findByRole('checkbox', { name: 'Rules' }))
    await user.click(adding.getByRole('button', { name: 'Add 1 channel' }))
    await screen.findByText('“Rules” added to “Sales”')
    expect(api.calls(groupsApi.addChannels)[0]?.body).toEqual({ channelIds: ['c2'] })
    await user.click(screen.getByRole('button', { name: 'Remove Handbook from the group' }))
    const removing = within(await screen.findByRole('alertdialog'))
    await removing.findByText(/2 users will lose access/)
    await user.click(removing.getByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(api.calls(groupsApi.removeChannel)[0]?.params.channelId).toBe('c'))
    await screen.findByText('“Handbook” removed from “Sales”')
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add channels' })),
    )
  })

  it('says that nobody loses a channel', async () => {
    const losses = {
      userCount: 0,
      channels: [{ _id: 'c', name: 'Handbook', userCount: 0 }],
      administratorCount: 0,
    }
    api.on(groupsApi.losses, () => losses)
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Remove Handbook from the group' }))
    await screen.findByText('Nobody loses access. Everyone has it from elsewhere, too.')
  })

  it('lets system administrators choose permissions', async () => {
    signIn(anAdmin({ isSystemAdmin: true }))
    api.on(groupsApi.setPermissions, () => aGroupDetail({ permissions: ['canViewAuditLog'] }))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Edit permissions' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Permissions of the group' }))
    const save = dialog.getByRole('button', { name: 'Save permissions' })
    expect(save.getAttribute('aria-disabled')).toBe('true')
    await user.click(dialog.getByRole('checkbox', { name: /View the audit log/ }))
    // Administrators can open the admin area without this group.
    expect(dialog.queryByText(/^Also needs/)).toBeNull()
    const search = dialog.getByRole('checkbox', { name: /Search the chat histories/ })
    await user.click(search)
    dialog.getByText('Also needs the permission to view chat histories.')
    await user.click(search)
    await user.click(save)
    await screen.findByText('Permissions saved')
    expect(api.calls(groupsApi.setPermissions)[0]?.body).toEqual({ permissions: ['canViewAuditLog'] })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Edit permissions' }))
    await user.click(await screen.findByRole('checkbox', { name: 'Delete users' }))
    await user.keyboard('{Escape}')
    await screen.findByText('The permissions have not been saved.')
  })

  it('says who loses what before it is deleted', async () => {
    api.on(groupsApi.remove, () => ({ message: 'The group “Sales” was deleted' }))
    const { user, address } = visit()
    const button = await screen.findByRole('button', { name: 'Delete group' })
    // As quiet as on the page of a user.
    expect(button.classList).toContain('text-danger!')
    await user.click(button)
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete this group?' }))
    await dialog.findByText('2 users will lose access to 1 channel:')
    dialog.getByText('1 administrator will lose permissions.')
    await user.click(dialog.getByRole('button', { name: 'Delete group' }))
    await waitFor(() => expect(address()).toBe('/admin/groups'))
  })
})

describe('the members of a group in /admin/users', () => {
  it('are listed until all users are shown again', async () => {
    api
      .on(settingsApi.get, () => ({
        settings: { twoFactorExpiryDays: 30, twoFactorExpiryEnabled: true, dashboardBackgroundImage: null },
      }))
      .on(invitationsApi.list, () => aPage<Invitation>([]))
    const { user, address } = renderPage(<UsersPage />, {
      at: '/admin/users?group=group-1',
      path: '/admin/users',
    })
    await screen.findByText('Bo Example')
    expect(api.calls(usersApi.list).at(-1)?.query.groupId).toBe('group-1')
    await screen.findByText('Sales')
    await user.click(screen.getByRole('button', { name: 'Show all users' }))
    await waitFor(() => expect(api.calls(usersApi.list).at(-1)?.query.groupId).toBeUndefined())
    expect(address()).toBe('/admin/users')
  })
})
