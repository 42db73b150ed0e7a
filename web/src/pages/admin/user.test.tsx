import { channelsApi } from '@lyceum/contract/channels'
import { getPermissions } from '@lyceum/contract/permissions'
import { twoFactorApi } from '@lyceum/contract/two-factor'
import { type UserDetail, usersApi } from '@lyceum/contract/users'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel, aListedUser } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { UserPage } from './user.tsx'

let api: FakeApi

function aDetail(change: Partial<UserDetail> = {}): UserDetail {
  return {
    ...aListedUser(),
    chatCount: 3,
    documentCount: 2,
    sessionCount: 1,
    chatsAreRetained: false,
    ...change,
  }
}

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
    .on(usersApi.get, () => aDetail())
    .on(twoFactorApi.get, () => ({
      twoFactorExpiryDays: 30,
      twoFactorExpiryEnabled: true,
      isOverride: false,
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
    api.on(usersApi.get, () => aDetail())
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByRole('heading', { name: 'Ada Example' })
  })

  it('shows the facts and the channels, without a link to chats that the viewer may not see', async () => {
    visit()
    await screen.findByRole('heading', { name: 'Ada Example', level: 1 })
    expect(readFact('Email')).toBe('ada@example.com')
    await waitFor(() => expect(readFact('Two-factor authentication')).toBe('On, global setting'))
    expect(readFact('Last sign-in')).toContain('Nov 20, 2026')
    expect(readFact('Chats')).toBe('3')
    expect(screen.queryByRole('link', { name: '3' })).toBeNull()
    await screen.findByText(aChannel().name)
  })

  it('links to the chat history of the user, and says when they never signed in', async () => {
    signIn(anAdmin({ permissions: getPermissions({ role: 'admin', isSystemAdmin: true }) }))
    api.on(usersApi.get, () => aDetail({ lastSignInAt: null, channels: [] }))
    visit()
    const link = await screen.findByRole('link', { name: '3' })
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
      expect(readFact('Two-factor authentication')).toBe('Off, set for this user')
    })
  })

  it('does not request the permissions of an administrator for other administrators', async () => {
    api.on(usersApi.get, () => aDetail({ role: 'admin' }))
    visit()
    await screen.findByRole('heading', { name: 'Ada Example', level: 1 })
    expect(screen.queryByRole('heading', { name: 'Permissions' })).toBeNull()
    expect(api.calls(usersApi.permissions)).toHaveLength(0)
  })

  it('shows system administrators which permissions are missing, and opens them', async () => {
    signIn(anAdmin({ isSystemAdmin: true }))
    const overrides = { canManageUsers: false }
    api
      .on(usersApi.get, () => aDetail({ role: 'admin' }))
      .on(usersApi.permissions, () => getPermissions({ role: 'admin', isSystemAdmin: false, overrides }))
    const { user } = visit()
    await screen.findByText(/^Missing: Manage users · View chat histories/)
    screen.getByText('19 of 24 permissions')
    await user.click(screen.getByRole('button', { name: 'Edit permissions' }))
    await screen.findByRole('dialog', { name: 'Administrator Permissions' })
  })

  it('says that a system administrator has all permissions', async () => {
    signIn(anAdmin({ isSystemAdmin: true }))
    api.on(usersApi.get, () => aDetail({ role: 'admin', isSystemAdmin: true }))
    visit()
    await screen.findByText('All 24 permissions, as a system administrator.')
    expect(api.calls(usersApi.permissions)).toHaveLength(0)
  })

  it('ends all sessions after confirmation', async () => {
    api.on(usersApi.endSessions, () => ({ message: 'ok' }))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Actions for Ada Example' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Sign out everywhere' }))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Sign out everywhere?' }))
    await user.click(dialog.getByRole('button', { name: 'Sign out everywhere' }))
    await screen.findByText('User signed out everywhere')
    expect(api.calls(usersApi.endSessions)[0]?.params).toEqual({ id: 'user-1' })
  })

  it('shows a new name, and returns to the list after deleting', async () => {
    let name = 'Ada Example'
    api
      .on(usersApi.get, () => aDetail({ name }))
      .on(usersApi.update, ({ body }) => {
        name = body.name ?? ''
        return aListedUser({ name })
      })
      .on(usersApi.remove, () => ({ message: 'ok' }))
    const { user, address } = visit()
    await user.click(await screen.findByRole('button', { name: 'Actions for Ada Example' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Edit name' }))
    await user.clear(await screen.findByLabelText('Name'))
    await user.type(screen.getByLabelText('Name'), 'Ada King')
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    await screen.findByRole('heading', { name: 'Ada King', level: 1 })
    await user.click(screen.getByRole('button', { name: 'Actions for Ada King' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete this user?' }))
    const remove = await dialog.findByRole('button', { name: 'Delete user' })
    await waitFor(() => expect(remove.getAttribute('aria-busy')).not.toBe('true'))
    await user.click(remove)
    await waitFor(() => expect(address()).toBe('/admin/users'))
  })
})
