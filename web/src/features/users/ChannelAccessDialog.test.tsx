import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { groupsApi, type UserAccess } from '@lyceum/contract/groups'
import { usersApi } from '@lyceum/contract/users'
import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { changeMember } from '#features/channels/change-member.ts'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel, aListedUser } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { ChannelAccessDialog } from './ChannelAccessDialog.tsx'

let api: FakeApi
let access: UserAccess['channels'][number]
const onClose = vi.fn<() => void>()

function box(name: RegExp): HTMLElement {
  return screen.getByRole('checkbox', { name })
}
async function open(): Promise<UserEvent> {
  const { user } = renderPage(<ChannelAccessDialog user={aListedUser()} onClose={onClose} />)
  await screen.findByRole('checkbox', { name: /Physics/ })
  return user
}

/** A response that the test sends when it calls `respond`. */
function deferResponse() {
  const { promise: response, resolve: respond } = Promise.withResolvers<Response>()
  return { response, respond }
}

beforeEach(() => {
  onClose.mockReset()
  access = { _id: 'channel-1', name: 'Physics', isByHand: true, groups: [], issuers: [] }
  signIn(anAdmin())
  api = fakeApi()
    .on(authApi.me, () => anAdmin())
    .on(usersApi.get, () => ({
      ...aListedUser(),
      lastSignInAt: null,
      twoFactorEnabled: true,
      chatCount: 0,
      documentCount: 0,
      sessionCount: 0,
      chatsAreRetained: false,
    }))
    .on(groupsApi.accessOfUser, () => ({ groups: [], channels: [access] }))
    .on(channelsApi.list, () => [
      aChannel({ memberCount: 3 }),
      aChannel({ _id: 'channel-2', name: 'Law', memberCount: 0 }),
    ])
})

describe('Channel Permissions', () => {
  it('shows a checkbox and the member count for each channel, and closes with Done', async () => {
    const user = await open()
    screen.getByRole('dialog', { name: 'Channel Permissions' })
    expect(box(/Physics/)).toHaveProperty('checked', true)
    expect(box(/Law/)).toHaveProperty('checked', false)
    screen.getByText('3 members')
    screen.getByText('0 members')
    await user.click(screen.getByRole('button', { name: 'Done' }))
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('starts with the focus on the first channel, which loads first', async () => {
    await open()
    await waitFor(() => expect(document.activeElement).toBe(box(/Law/)))
  })

  it('checks the box immediately and reports success once saved', async () => {
    const { response, respond } = deferResponse()
    api.on(channelsApi.grant, () => response)
    const user = await open()
    await user.click(box(/Law/))
    expect(box(/Law/)).toHaveProperty('checked', true)
    screen.getByText('1 member')
    expect(screen.queryByText('Channel permissions updated successfully')).toBeNull()
    respond(Response.json({ message: 'ok' }))
    await screen.findByText('Channel permissions updated successfully')
    expect(box(/Law/)).toHaveProperty('checked', true)
    screen.getByText('1 member')
    expect(api.calls(channelsApi.grant)[0]).toMatchObject({
      params: { id: 'channel-2' },
      body: { userId: 'user-1' },
    })
  })

  it('revokes access', async () => {
    api.on(channelsApi.revoke, () => ({ message: 'ok' }))
    const user = await open()
    await user.click(box(/Physics/))
    await screen.findByText('Channel permissions updated successfully')
    expect(box(/Physics/)).toHaveProperty('checked', false)
    screen.getByText('2 members')
    expect(api.calls(channelsApi.revoke)[0]).toMatchObject({
      params: { id: 'channel-1' },
      body: { userId: 'user-1' },
    })
  })

  it.each([
    [
      false,
      '3 members · From Office, Sales',
      / give this access\. Remove the user from these groups instead/,
    ],
    [true, '3 members · Added manually · From Office, Sales', / give this access, too\. /],
  ])('keeps a channel checked that groups give, and says why (%s)', async (isByHand, hint, reason) => {
    const groups = ['Office', 'Sales'].map((name) => ({ _id: name, name }))
    access = { ...access, isByHand, groups }
    const user = await open()
    screen.getByText((_, element) => element?.textContent === hint)
    const physics = screen.getByRole('checkbox', { name: /Physics/, description: reason })
    expect(physics.getAttribute('aria-disabled')).toBe('true')
    expect(box(/Law/).getAttribute('aria-disabled')).toBeNull()
    await user.click(physics)
    await screen.findByText(reason, { ignore: '[hidden]' })
    expect(physics).toHaveProperty('checked', true)
    expect(api.calls(channelsApi.revoke)).toHaveLength(0)
  })

  it('revokes access that an issuer gives, and no longer names the issuer', async () => {
    access = { ...access, isByHand: false, issuers: [{ _id: 'acme', name: 'Acme login' }] }
    api.on(channelsApi.revoke, () => ({ message: 'ok' }))
    const user = await open()
    screen.getByText('Acme login')
    screen.getByText(/until the next sign-in/)
    await user.click(box(/Physics/))
    await screen.findByText('Channel permissions updated successfully')
    expect(screen.queryByText('Acme login')).toBeNull()
  })

  it('shows that a group gives access, once taking it away was refused for this reason', async () => {
    api.on(channelsApi.revoke, () => {
      access = { ...access, isByHand: false, groups: [{ _id: 'group-1', name: 'Sales' }] }
      return refuse('group.gives_access')
    })
    const user = await open()
    await user.click(box(/Physics/))
    await screen.findByText('A group gives this access. Remove the user from the group instead.')
    await screen.findByText('Sales')
    expect(box(/Physics/).getAttribute('aria-disabled')).toBe('true')
  })

  it('lists the channels even if nobody can tell where access comes from', async () => {
    api.on(groupsApi.accessOfUser, () => refuse('internal'))
    await open()
    expect(box(/Physics/)).toHaveProperty('checked', true)
  })

  it('unchecks the box again when the server refuses', async () => {
    const { response, respond } = deferResponse()
    api.on(channelsApi.grant, () => response)
    const user = await open()
    await user.click(box(/Law/))
    respond(refuse('internal'))
    await screen.findByText('Failed to update channel permissions')
    await waitFor(() => expect(box(/Law/)).toHaveProperty('checked', false))
    screen.getByText('0 members')
  })

  it('ignores further changes to a channel while one is pending', async () => {
    const { response, respond } = deferResponse()
    api.on(channelsApi.grant, () => response).on(channelsApi.revoke, () => ({ message: 'ok' }))
    const user = await open()
    await user.click(box(/Law/))
    await user.click(box(/Law/))
    expect(box(/Law/)).toHaveProperty('checked', true)
    respond(Response.json({ message: 'ok' }))
    await screen.findByText('Channel permissions updated successfully')
    expect(api.calls(channelsApi.grant)).toHaveLength(1)
    expect(api.calls(channelsApi.revoke)).toHaveLength(0)
  })

  it('shows an error when the user or the channel no longer exists', async () => {
    api.on(channelsApi.grant, () => refuse('not_found'))
    const user = await open()
    await user.click(box(/Law/))
    await screen.findByText('Invalid user or channel selected')
  })

  it('shows an error when the channels cannot be loaded, and retries', async () => {
    api.on(channelsApi.list, () => refuse('internal'))
    const { user } = renderPage(<ChannelAccessDialog user={aListedUser()} onClose={onClose} />)
    await screen.findByText('The channels could not be loaded.')
    api.on(channelsApi.list, () => [aChannel()])
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByRole('checkbox', { name: /Physics/ })
  })
})

describe('changeMember', () => {
  it.each([
    [undefined, 'channel-1'],
    ['user-1', undefined],
    ['', 'channel-1'],
  ])('rejects a change without a user or a channel (%s, %s)', async (userId, channelId) => {
    await expect(changeMember({ userId, channelId, action: 'grant' })).rejects.toThrow(
      'Invalid user or channel selected',
    )
    expect(api.unhandledCalls).toEqual([])
  })
})
