import { channelsApi, type ListedMember } from '@lyceum/contract/channels'
import { groupsApi } from '@lyceum/contract/groups'
import { usersApi } from '@lyceum/contract/users'
import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel, aListedUser, aMember, aPage } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { MembersDialog } from './MembersDialog.tsx'

const ada = aMember()
const emmy = aMember({ _id: 'user-2', name: 'Emmy Example', email: 'emmy@example.com', isAdmin: true })
const max = aMember({ _id: 'user-3', name: 'Max Example', email: 'max@example.com' })
const sales = { _id: 'group-1', name: 'Sales' }
const office = { _id: 'group-2', name: 'Office' }
const acme = { _id: 'acme', name: 'Acme login' }

let api: FakeApi
let members: ListedMember[]

async function open(): Promise<UserEvent> {
  const { user } = renderPage(<MembersDialog channel={aChannel()} onClose={() => undefined} />)
  await screen.findByRole('dialog', { name: 'Members' })
  return user
}
async function openAdding(): Promise<UserEvent> {
  const user = await open()
  await user.click(screen.getByRole('tab', { name: 'Add members' }))
  await screen.findByRole('list', { name: 'Users' })
  return user
}
async function findRow(name: string): Promise<HTMLElement> {
  return (await screen.findByText(name)).closest('li') as HTMLElement
}

/** Opens the menu of a member. Both return its button. */
async function openMenu(user: UserEvent, name: string): Promise<HTMLElement> {
  const trigger = within(await findRow(name)).getByRole('button', { name: `Actions for ${name}` })
  await user.click(trigger)
  return trigger
}
async function choose(user: UserEvent, name: string, action: string): Promise<HTMLElement> {
  const trigger = await openMenu(user, name)
  await user.click(await screen.findByRole('menuitem', { name: action }))
  return trigger
}

function listUsers() {
  return [
    aListedUser(),
    aListedUser({ _id: 'user-3', name: 'Max Example', email: 'max@example.com', channels: [] }),
  ]
}

beforeEach(() => {
  members = [ada, emmy]
  signIn(anAdmin())
  api = fakeApi()
    .on(channelsApi.members, ({ query: { search } }) =>
      aPage(members.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))),
    )
    .on(usersApi.list, () => aPage(listUsers()))
    .on(groupsApi.groupsOfChannel, () => aPage([], 3))
})

describe('members of a channel', () => {
  it('are listed and counted, and channel administrators are marked', async () => {
    await open()
    const list = await screen.findByRole('list', { name: 'Members' })
    expect(within(list).getAllByRole('listitem')).toHaveLength(2)
    within(await findRow('Ada Example')).getByText('ada@example.com')
    expect(within(await findRow('Ada Example')).queryByText('Channel administrator')).toBeNull()
    within(await findRow('Emmy Example')).getByText('Channel administrator')
    screen.getByRole('tab', { name: 'Members (2)' })
    screen.getByText('Physics')
    expect(api.calls(channelsApi.members)[0]).toMatchObject({
      params: { id: 'channel-1' },
      query: { limit: 20, skip: 0, search: '' },
    })
  })

  it('are searched on the server, while the tab still shows the total', async () => {
    const user = await open()
    await screen.findByText('Ada Example')
    await user.type(screen.getByRole('searchbox', { name: 'Search members' }), 'emmy')
    await waitFor(() => expect(screen.queryByText('Ada Example')).toBeNull())
    await user.type(screen.getByRole('searchbox', { name: 'Search members' }), 'zzz')
    await screen.findByText('No user matches “emmyzzz”.')
    screen.getByRole('tab', { name: 'Members (2)' })
  })

  it('are paged, and the previous page is shown when the last page becomes empty', async () => {
    const many = Array.from({ length: 21 }, (_, at) => ({ ...ada, _id: `m${at}`, name: `Member ${at}` }))
    api.on(channelsApi.members, ({ query: { skip, limit } }) =>
      aPage(many.slice(skip, skip + limit), many.length),
    )
    api.on(channelsApi.revoke, () => {
      many.pop()
      return { message: 'gone' }
    })
    const user = await open()
    await user.click(await screen.findByRole('button', { name: 'Page 2' }))
    await choose(user, 'Member 20', 'Remove from channel')
    await user.click(await screen.findByRole('button', { name: 'Remove' }))
    await screen.findByText('Member 0')
    expect(screen.queryByRole('button', { name: 'Page 2' })).toBeNull()
  })

  it.each([
    ['Ada Example', 'Make channel administrator', 'Remove as channel administrator', true],
    ['Emmy Example', 'Remove as channel administrator', 'Make channel administrator', false],
  ])('changes the role of %s with “%s”', async (name, action, undo, isAdmin) => {
    api.on(channelsApi.setChannelAdmin, ({ params, body }) => {
      members = members.map((member) =>
        member._id === params.userId ? { ...member, isAdmin: body.isAdmin } : member,
      )
      return { message: 'done' }
    })
    const user = await open()
    const trigger = await choose(user, name, action)
    await screen.findByText('Channel permissions updated successfully')
    expect(document.activeElement).toBe(trigger)
    await openMenu(user, name)
    await screen.findByRole('menuitem', { name: undo })
    expect(api.calls(channelsApi.setChannelAdmin)[0]?.body).toEqual({ isAdmin })
  })

  it('are removed only after a confirmation that explains the consequences', async () => {
    api.on(channelsApi.revoke, ({ body }) => {
      members = members.filter(({ _id }) => _id !== body.userId)
      return { message: 'gone' }
    })
    const user = await open()
    const trigger = await choose(user, 'Ada Example', 'Remove from channel')
    const dialog = await screen.findByRole('alertdialog', { name: 'Remove from this channel?' })
    expect(dialog.textContent).toContain('Ada Example')
    expect(dialog.textContent).toContain('lose access to this channel and to their chats in it')
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(document.activeElement).toBe(trigger))
    expect(api.calls(channelsApi.revoke)).toHaveLength(0)
    await choose(user, 'Ada Example', 'Remove from channel')
    await user.click(await screen.findByRole('button', { name: 'Remove' }))
    await screen.findByText('Channel permissions updated successfully')
    await screen.findByRole('tab', { name: 'Members (1)' })
    expect(screen.queryByText('Ada Example')).toBeNull()
    await waitFor(() => expect(document.activeElement?.ariaLabel).toBe('Actions for Emmy Example'))
    expect(api.calls(channelsApi.revoke)[0]).toMatchObject({
      params: { id: 'channel-1' },
      body: { userId: 'user-1' },
    })
  })

  it('keep the focus in the list after a removal, until none is left', async () => {
    members = [ada, emmy, max]
    api.on(channelsApi.revoke, ({ body }) => {
      members = members.filter(({ _id }) => _id !== body.userId)
      return { message: 'gone' }
    })
    const user = await open()
    async function remove(name: string): Promise<void> {
      await choose(user, name, 'Remove from channel')
      await user.click(await screen.findByRole('button', { name: 'Remove' }))
      await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    }
    function expectFocusAt(name: string): Promise<void> {
      return waitFor(() => expect(document.activeElement?.ariaLabel).toBe(`Actions for ${name}`))
    }
    await remove('Emmy Example')
    await expectFocusAt('Max Example')
    await remove('Max Example')
    await expectFocusAt('Ada Example')
    api.on(channelsApi.revoke, () => refuse('internal'))
    await remove('Ada Example')
    await expectFocusAt('Ada Example')
    api.on(channelsApi.revoke, () => {
      members = []
      return { message: 'gone' }
    })
    await remove('Ada Example')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('searchbox')))
  })

  it('are refetched after an action on a member who no longer exists', async () => {
    api.on(channelsApi.setChannelAdmin, () => refuse('not_found'))
    const user = await open()
    await screen.findByText('Ada Example')
    members = [emmy]
    await choose(user, 'Ada Example', 'Make channel administrator')
    await screen.findByText('Invalid user or channel selected')
    await waitFor(() => expect(screen.queryByText('Ada Example')).toBeNull())
  })

  it('stay unchanged when a change fails, with the server’s message or a generic one', async () => {
    api.on(channelsApi.setChannelAdmin, () => refuse('internal'))
    const user = await open()
    await choose(user, 'Ada Example', 'Make channel administrator')
    await screen.findByText('Failed to update channel permissions')
    api.on(channelsApi.setChannelAdmin, () => refuse('user.invalid_access'))
    await choose(user, 'Ada Example', 'Make channel administrator')
    await screen.findByText('Invalid user or channel selected')
  })

  it('are listed with where their access comes from, unless they were only added manually', async () => {
    members = [
      ada,
      { ...emmy, isByHand: false, groups: [office, sales], issuers: [acme] },
      { ...max, groups: [sales] },
    ]
    await open()
    const row = await findRow('Emmy Example')
    within(row).getByText((_, element) => element?.textContent === 'From Office, Sales, Acme login')
    expect(within(row).getByRole('link', { name: 'Sales' }).getAttribute('href')).toBe(
      '/admin/groups/group-1',
    )
    expect((await findRow('Max Example')).textContent).toContain('Added manually · From Sales')
    expect((await findRow('Ada Example')).textContent).not.toMatch(/From|Added/)
  })

  it.each([
    [false, [sales], 'The group “Sales” gives this access. Remove the user from the group instead.'],
    [true, [sales], 'The group “Sales” gives this access, too. Remove the user from the group first.'],
    [
      false,
      [office, sales],
      'The groups “Office” and “Sales” give this access. Remove the user from these groups instead.',
    ],
  ])(
    'cannot be removed while groups give the access, and says why (%#)',
    async (isByHand, groups, reason) => {
      members = [{ ...ada, isByHand, groups }]
      const user = await open()
      await openMenu(user, 'Ada Example')
      const item = await screen.findByRole('menuitem', { name: 'Remove from channel', description: reason })
      expect(item.getAttribute('aria-disabled')).toBe('true')
      await user.click(item)
      expect(screen.queryByRole('alertdialog')).toBeNull()
      expect(api.calls(channelsApi.revoke)).toHaveLength(0)
    },
  )

  it('show that a group gives the access, once a removal was refused for this reason', async () => {
    api.on(channelsApi.revoke, () => {
      members = [{ ...ada, isByHand: false, groups: [sales] }, emmy]
      return refuse('group.gives_access')
    })
    const user = await open()
    await choose(user, 'Ada Example', 'Remove from channel')
    await user.click(await screen.findByRole('button', { name: 'Remove' }))
    await screen.findByText('A group gives this access. Remove the user from the group instead.')
    await within(await findRow('Ada Example')).findByRole('link', { name: 'Sales' })
  })

  it('return at the next sign-in if an issuer gives the access, as the confirmation says', async () => {
    members = [{ ...ada, isByHand: false, issuers: [acme] }]
    const user = await open()
    await choose(user, 'Ada Example', 'Remove from channel')
    const dialog = await screen.findByRole('alertdialog', { name: 'Remove from this channel?' })
    expect(dialog.textContent).toContain('comes from Acme login and will return at their next sign-in')
  })

  it('are replaced by an empty state if there are none', async () => {
    members = []
    await open()
    await screen.findByText('This channel has no members yet.')
  })

  it('can be reloaded after a failed load', async () => {
    api.on(channelsApi.members, () => refuse('internal'))
    const user = await open()
    await screen.findByText('The members could not be loaded.')
    api.on(channelsApi.members, () => aPage(members))
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('Ada Example')
  })
})

describe('the groups of a channel', () => {
  it('are counted and listed', async () => {
    const group = {
      ...sales,
      ...{ description: '', memberCount: 2, channelCount: 1, permissions: [], createdAt: '' },
    }
    api.on(groupsApi.groupsOfChannel, () => aPage([group]))
    const user = await open()
    await user.click(await screen.findByRole('tab', { name: 'Groups (1)' }))
    await screen.findByRole('link', { name: 'Sales' })
  })

  it('are not counted when they could not be loaded', async () => {
    api.on(groupsApi.groupsOfChannel, () => refuse('internal'))
    const user = await open()
    await user.click(screen.getByRole('tab', { name: 'Groups' }))
    await screen.findByText('The groups could not be loaded.')
  })
})

describe('adding members', () => {
  it('marks users who are members already', async () => {
    api.on(channelsApi.grant, () => ({ message: 'done' }))
    const user = await openAdding()
    const member = within(await findRow('Ada Example')).getByRole('button', { name: 'Member' })
    await user.click(member)
    expect(api.calls(channelsApi.grant)).toHaveLength(0)
    within(await findRow('Max Example')).getByRole('button', { name: 'Add' })
  })

  it('grants access immediately', async () => {
    let users = listUsers()
    api.on(usersApi.list, () => aPage(users))
    api.on(channelsApi.grant, () => {
      users = users.map((user) => ({ ...user, channels: ['channel-1'] }))
      members = [...members, max]
      return { message: 'done' }
    })
    const user = await openAdding()
    await user.click(within(await findRow('Max Example')).getByRole('button', { name: 'Add' }))
    await screen.findByText('Channel permissions updated successfully')
    const added = await within(await findRow('Max Example')).findByRole('button', { name: 'Member' })
    expect(document.activeElement).toBe(added)
    await screen.findByRole('tab', { name: 'Members (3)' })
    expect(api.calls(channelsApi.grant)[0]).toMatchObject({
      params: { id: 'channel-1' },
      body: { userId: 'user-3' },
    })
  })

  it('searches users by name or email', async () => {
    api.on(usersApi.list, ({ query }) =>
      aPage(listUsers().filter(({ email }) => email.includes(query.search ?? ''))),
    )
    const user = await openAdding()
    await user.type(screen.getByRole('searchbox', { name: 'Search by name or email' }), 'max@')
    await waitFor(() => expect(screen.queryByText('Ada Example')).toBeNull())
    await screen.findByText('Max Example')
  })

  it('reports that the user or the channel no longer exists', async () => {
    api.on(channelsApi.grant, () => refuse('user.invalid_access'))
    const user = await openAdding()
    await user.click(within(await findRow('Max Example')).getByRole('button', { name: 'Add' }))
    await screen.findByText('Invalid user or channel selected')
    within(await findRow('Max Example')).getByRole('button', { name: 'Add' })
  })

  it('reports a failed load', async () => {
    api.on(usersApi.list, () => refuse('internal'))
    const user = await open()
    await user.click(screen.getByRole('tab', { name: 'Add members' }))
    await screen.findByText('The users could not be loaded.')
  })
})
