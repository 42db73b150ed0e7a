import { channelsApi } from '@lyceum/contract/channels'
import { type Group, groupsApi, type UserAccess } from '@lyceum/contract/groups'
import { getPermissions } from '@lyceum/contract/permissions'
import { usersApi } from '@lyceum/contract/users'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aPage, aUserDetail } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { UserPage } from './user.tsx'

type GroupOfUser = UserAccess['groups'][number]
type ChannelOfUser = UserAccess['channels'][number]

function aGroup(_id: string, name: string): Group {
  const counts = { memberCount: 1, channelCount: 2 }
  return { _id, name, description: '', ...counts, permissions: [], createdAt: '2026-11-20T10:00:00.000Z' }
}
function aGroupOfUser(_id: string, name: string, change: Partial<GroupOfUser> = {}): GroupOfUser {
  return { _id, name, permissions: [], isByHand: true, issuers: [], canChangeMembers: true, ...change }
}
function aChannelOf(groups: string[], change: Partial<ChannelOfUser>): ChannelOfUser {
  const named = groups.map((_id) => ({ _id, name: _id }))
  return { _id: 'c', name: 'Handbook', isByHand: false, issuers: [], groups: named, ...change }
}

let api: FakeApi
let memberships: GroupOfUser[]
let channels: ChannelOfUser[]
beforeEach(() => {
  signIn(anAdmin())
  memberships = [aGroupOfUser('lab', 'Lab'), aGroupOfUser('press', 'Press'), aGroupOfUser('sales', 'Sales')]
  channels = []
  api = fakeApi()
    .on(channelsApi.list, () => [])
    .on(usersApi.get, () => aUserDetail())
    .on(groupsApi.accessOfUser, () => ({ groups: memberships, channels }))
    .on(groupsApi.list, () => aPage([aGroup('chess', 'Chess'), aGroup('choir', 'Choir')]))
    .on(groupsApi.addMembers, () => ({ message: '“Ada Example” is now in “Choir”' }))
    .on(groupsApi.removeMembers, ({ params }) => {
      const group = memberships.find(({ _id }) => _id === params.id)
      memberships = memberships.filter(({ _id }) => _id !== params.id)
      return { message: `“Ada Example” is no longer in “${group?.name}”` }
    })
})

function visit() {
  return renderPage(<UserPage />, { at: '/admin/users/user-1', path: '/admin/users/:id' })
}

describe('adding a user to groups', () => {
  async function open() {
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Add to groups' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add to groups' }))
    await dialog.findByRole('checkbox', { name: /Choir/ })
    return { user, dialog }
  }

  it('offers the groups that the viewer may change, with a search', async () => {
    const { user, dialog } = await open()
    expect(api.calls(groupsApi.list).at(-1)?.query).toMatchObject({ addableUserId: 'user-1' })
    expect(dialog.getByRole('checkbox', { name: /Chess/ }).closest('li')?.textContent).toBe(
      'Chess1 member · 2 channels',
    )
    dialog.getByText('Groups that give permissions or channels that are not yours to give are not listed.')
    api.on(groupsApi.list, () => aPage<Group>([]))
    await user.type(dialog.getByRole('searchbox', { name: 'Search groups' }), 'zzz')
    await dialog.findByText('No group matches “zzz”.')
    expect(api.calls(groupsApi.list).at(-1)?.query).toMatchObject({ search: 'zzz' })
  })

  it('does not mention groups that are not listed to system administrators, who see all', async () => {
    signIn(anAdmin({ isSystemAdmin: true }))
    const { dialog } = await open()
    expect(dialog.queryByText(/are not listed/)).toBeNull()
  })

  it('says that there is no other group', async () => {
    api.on(groupsApi.list, () => aPage<Group>([]))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Add to groups' }))
    await screen.findByText('There are no other groups to which you can add this user.')
  })

  it('can be loaded again after a failure', async () => {
    api.on(groupsApi.list, () => refuse('internal'))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Add to groups' }))
    await screen.findByText('The groups could not be loaded.')
    api.on(groupsApi.list, () => aPage([aGroup('chess', 'Chess')]))
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByRole('checkbox', { name: /Chess/ })
  })

  it('adds to one group, and returns to the button', async () => {
    const { user, dialog } = await open()
    await user.click(dialog.getByRole('checkbox', { name: /Choir/ }))
    await user.click(dialog.getByRole('button', { name: 'Add to 1 group' }))
    await screen.findByText('“Ada Example” is now in “Choir”')
    expect(api.calls(groupsApi.addMembers)).toMatchObject([
      { params: { id: 'choir' }, body: { userIds: ['user-1'] } },
    ])
    const button = screen.getByRole('button', { name: 'Add to groups' })
    await waitFor(() => expect(document.activeElement).toBe(button))
  })

  it('adds to several groups at once', async () => {
    const { user, dialog } = await open()
    await user.click(dialog.getByRole('checkbox', { name: /Chess/ }))
    await user.click(dialog.getByRole('checkbox', { name: /Choir/ }))
    await user.click(dialog.getByRole('button', { name: 'Add to 2 groups' }))
    await screen.findByText('“Ada Example” is now in 2 more groups')
    expect(api.calls(groupsApi.addMembers).map(({ params }) => params.id)).toEqual(['chess', 'choir'])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('says which group refused, and keeps it chosen', async () => {
    api.on(groupsApi.addMembers, ({ params }) =>
      params.id === 'chess' ? refuse('group.system_admin_only') : { message: 'ok' },
    )
    const { user, dialog } = await open()
    await user.click(dialog.getByRole('checkbox', { name: /Chess/ }))
    await user.click(dialog.getByRole('checkbox', { name: /Choir/ }))
    await user.click(dialog.getByRole('button', { name: 'Add to 2 groups' }))
    await screen.findByText(/^“Ada Example” could not be added to “Chess”\. .*system administrator/)
    await dialog.findByRole('button', { name: 'Add to 1 group' })
    expect(dialog.getByRole('checkbox', { name: /Chess/ })).toHaveProperty('checked', true)
    expect(dialog.getByRole('checkbox', { name: /Choir/ })).toHaveProperty('checked', false)
  })

  it('asks before a choice is lost', async () => {
    const { user, dialog } = await open()
    await user.click(dialog.getByRole('checkbox', { name: /Chess/ }))
    await user.keyboard('{Escape}')
    await screen.findByText('The user has not been added to the groups.')
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.calls(groupsApi.addMembers)).toEqual([])
  })
})

describe('removing a user from a group', () => {
  async function ask(user: ReturnType<typeof visit>['user'], name: string) {
    await user.click(await screen.findByRole('button', { name: `Remove from ${name}` }))
    return within(await screen.findByRole('alertdialog', { name: 'Remove from this group?' }))
  }
  async function remove(user: ReturnType<typeof visit>['user'], name: string): Promise<void> {
    const dialog = await ask(user, name)
    await user.click(dialog.getByRole('button', { name: 'Remove from group' }))
    await screen.findByText(`“Ada Example” is no longer in “${name}”`)
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  }
  async function expectFocus(name: string): Promise<void> {
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name })))
  }

  it('moves the focus to the next row, else to the previous one, else to the button', async () => {
    const { user } = visit()
    await remove(user, 'Press')
    await expectFocus('Remove from Sales')
    await remove(user, 'Sales')
    await expectFocus('Remove from Lab')
    await remove(user, 'Lab')
    await expectFocus('Add to groups')
    expect(api.calls(groupsApi.removeMembers)[0]).toMatchObject({
      params: { id: 'press' },
      body: { userIds: ['user-1'] },
    })
    screen.getByText('This user is in no group.')
  })

  it('keeps the focus when it is cancelled or refused', async () => {
    const { user } = visit()
    const first = await ask(user, 'Press')
    await user.click(first.getByRole('button', { name: 'Cancel' }))
    await expectFocus('Remove from Press')
    api.on(groupsApi.removeMembers, () => refuse('internal'))
    const second = await ask(user, 'Press')
    await user.click(second.getByRole('button', { name: 'Remove from group' }))
    await screen.findByText('“Ada Example” could not be removed from “Press”')
    await expectFocus('Remove from Press')
  })

  it('says which channels are lost, and which are not', async () => {
    channels = [
      aChannelOf(['press'], { name: 'Handbook' }),
      aChannelOf(['press'], { _id: 'c2', name: 'Rules', isByHand: true }),
      aChannelOf(['press'], { _id: 'c3', name: 'Archive', issuers: [{ _id: 'acme', name: 'Acme' }] }),
      aChannelOf(['press', 'lab'], { _id: 'c4', name: 'News' }),
      aChannelOf(['lab'], { _id: 'c5', name: 'Safety' }),
    ]
    const { user } = visit()
    const dialog = await ask(user, 'Press')
    dialog.getByText('Press')
    expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Handbook'])
    dialog.getByText(/return if access is restored/)
  })

  it('says that nothing is lost, and that a source adds the user again', async () => {
    memberships = [
      aGroupOfUser('press', 'Press', { isByHand: false, issuers: [{ _id: 'acme', name: 'Acme' }] }),
      aGroupOfUser('lab', 'Lab', { isByHand: false, directory: 'Entra ID' }),
    ]
    const { user } = visit()
    const issued = await ask(user, 'Press')
    issued.getByText(/loses no channels or permissions/)
    issued.getByText(/comes from Acme and will return at the next sign-in/)
    await user.click(issued.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    ;(await ask(user, 'Lab')).getByText('The membership comes from Entra ID, which may add it again.')
  })

  it('says which permissions an administrator loses', async () => {
    signIn(anAdmin({ isSystemAdmin: true }))
    memberships = [
      aGroupOfUser('press', 'Press', {
        permissions: ['canViewAuditLog', 'canViewChatHistory', 'canManageUsers'],
      }),
      aGroupOfUser('lab', 'Lab', { permissions: ['canViewChatHistory'] }),
    ]
    api
      .on(usersApi.get, () => aUserDetail({ role: 'admin' }))
      .on(usersApi.permissions, () => getPermissions({ role: 'admin', isSystemAdmin: false }))
    const { user } = visit()
    const dialog = await ask(user, 'Press')
    const items = await dialog.findAllByRole('listitem')
    expect(items.map(({ textContent }) => textContent)).toEqual(['View the audit log'])
  })

  it('says why the viewer cannot do it', async () => {
    memberships = [aGroupOfUser('press', 'Press', { canChangeMembers: false })]
    const { user } = visit()
    const button = await screen.findByRole('button', { name: 'Remove from Press' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    expect(button.getAttribute('aria-description')).toMatch(/^You can’t change the members of this group/)
    await user.click(button)
    await screen.findAllByText(/^You can’t change the members of this group/)
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })
})
