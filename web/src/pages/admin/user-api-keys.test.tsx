import { apiKeysApi } from '@lyceum/contract/api-keys'
import { channelsApi } from '@lyceum/contract/channels'
import { connectedProgramsApi } from '@lyceum/contract/connected-programs'
import { groupsApi } from '@lyceum/contract/groups'
import { usersApi } from '@lyceum/contract/users'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel, anApiKey, aUserDetail } from '#testing/samples.ts'
import { anAdmin, signIn, signInAdminWithout } from '#testing/users.ts'
import { UserPage } from './user.tsx'

let api: FakeApi

beforeEach(() => {
  signIn(anAdmin())
  api = fakeApi()
    .on(groupsApi.accessOfUser, () => ({ groups: [], channels: [] }))
    .on(channelsApi.list, () => [
      aChannel({ isMember: false }),
      aChannel({ _id: 'channel-2', name: 'Not a channel of Ada' }),
    ])
    .on(usersApi.get, () => aUserDetail())
    .on(connectedProgramsApi.listOfUser, () => [])
    .on(apiKeysApi.listOfUser, () => [anApiKey()])
})

function visit() {
  return renderPage(<UserPage />, { at: '/admin/users/user-1', path: '/admin/users/:id' })
}

async function findSection() {
  return within(await screen.findByRole('region', { name: 'API keys' }))
}

describe('the API keys on the page of a user', () => {
  it('are not shown without the permission to manage users', async () => {
    api.on(apiKeysApi.listOfUser, () => refuse('permission.denied'))
    visit()
    const section = await findSection()
    await section.findByText('The API keys could not be loaded.')
    section.getByText('You do not have permission to do this')
  })

  it('cannot be revoked without the permission to edit users', async () => {
    signInAdminWithout(api, 'canEditUsers')
    const { user } = visit()
    const section = await findSection()
    const button = await section.findByRole('button', { name: 'Revoke Nightly report' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    await user.click(button)
    await screen.findByText('You do not have permission to edit users')
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('of a system administrator cannot be revoked by other administrators', async () => {
    api.on(usersApi.get, () => aUserDetail({ role: 'admin', isSystemAdmin: true }))
    const { user } = visit()
    await user.click(await (await findSection()).findByRole('button', { name: 'Revoke Nightly report' }))
    await screen.findByText('Only a system administrator can change another system administrator')
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('are created by system administrators only', async () => {
    visit()
    const section = await findSection()
    await section.findByText('Nightly report')
    expect(section.queryByRole('button', { name: 'Create API key' })).toBeNull()
  })

  it('are revoked by administrators who can edit users', async () => {
    let keys = [anApiKey()]
    api
      .on(apiKeysApi.listOfUser, () => keys)
      .on(apiKeysApi.revokeOfUser, () => {
        keys = []
        return undefined
      })
    const { user } = visit()
    const section = await findSection()
    await user.click(await section.findByRole('button', { name: 'Revoke Nightly report' }))
    const question = within(await screen.findByRole('alertdialog', { name: 'Revoke this API key?' }))
    await user.click(question.getByRole('button', { name: 'Revoke' }))
    await screen.findByText('API key revoked')
    await section.findByText('No API keys yet.')
    expect(api.calls(apiKeysApi.revokeOfUser)[0]?.params).toEqual({ userId: 'user-1', id: 'key-1' })
    const heading = section.getByRole('heading', { name: 'API keys' })
    await waitFor(() => expect(document.activeElement).toBe(heading))
  })

  it('are created for the user, with the channels of the user', async () => {
    signIn(anAdmin({ isSystemAdmin: true }))
    api.on(apiKeysApi.createForUser, ({ body: { name } }) => ({ ...anApiKey({ name }), key: 'lyceum_key' }))
    const { user } = visit()
    await user.click(await (await findSection()).findByRole('button', { name: 'Create API key' }))
    const form = within(await screen.findByRole('dialog', { name: 'Create API key' }))
    form.getByText('A program with this key acts as', { exact: false })
    form.getByText('Ada Example')
    await user.type(form.getByLabelText('Name'), 'Wiki bot')
    await user.click(form.getByRole('checkbox', { name: 'Ask questions in channels' }))
    await user.click(form.getByRole('radio', { name: 'Selected channels' }))
    await user.click(await form.findByRole('checkbox', { name: 'Physics' }))
    expect(form.queryByRole('checkbox', { name: 'Not a channel of Ada' })).toBeNull()
    await user.click(form.getByRole('button', { name: 'Create API key' }))
    await screen.findByRole('dialog', { name: 'API key created' })
    expect(api.calls(apiKeysApi.createForUser)[0]).toMatchObject({
      params: { userId: 'user-1' },
      body: { name: 'Wiki bot', scopes: ['chat'], channelIds: ['channel-1'], expiresInDays: 90 },
    })
    await waitFor(() => expect(api.calls(apiKeysApi.listOfUser).length).toBeGreaterThan(1))
  })
})
