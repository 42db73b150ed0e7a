import { type Directories, type Directory, directoriesApi } from '@lyceum/contract/directories'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { anAdmin, signIn } from '#testing/users.ts'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { DirectoriesSection } from './DirectoriesSection.tsx'

const scimUrl = 'https://lyceum.example.org/scim/v2'
const entra: Directory = {
  ...{ _id: 'directory-1', name: 'Entra ID', createdAt: '2026-11-20T10:00:00.000Z' },
  key: { prefix: 'lyceum_scim_abc123', createdAt: '2026-11-20T10:00:00.000Z', lastUsedAt: null },
  ...{ userCount: 3, groupCount: 1 },
}
function settings(...directories: Directory[]): Directories {
  return { directories, scimUrl }
}
const created = { name: 'Entra ID', scimUrl, key: 'lyceum_scim_abc123-secret' }

let api: FakeApi
beforeEach(() => {
  signIn(anAdmin({ isSystemAdmin: true }))
  api = fakeApi().on(directoriesApi.list, () => settings(entra))
})

function visit() {
  return renderPage(
    <>
      <ResultBanner />
      <DirectoriesSection />
    </>,
  )
}

describe('the directories in the settings', () => {
  it('can be loaded again after a failure', async () => {
    api.on(directoriesApi.list, () => refuse('internal'))
    const { user } = visit()
    await screen.findByText('The directories could not be loaded.')
    api.on(directoriesApi.list, () => settings())
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText(/No SCIM directories yet/)
    screen.getByText(scimUrl)
  })

  it('keeps the form and says why a directory cannot be connected', async () => {
    api.on(directoriesApi.create, () => refuse('directory.limit'))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Connect SCIM directory' }))
    const dialog = await screen.findByRole('dialog')
    await user.click(within(dialog).getByRole('button', { name: 'Create key' }))
    within(dialog).getByText('Enter a name.')
    await user.type(within(dialog).getByRole('textbox', { name: /Name/ }), 'Okta')
    await user.click(within(dialog).getByRole('button', { name: 'Create key' }))
    await within(dialog).findByText('There can be up to 5 directories')
  })

  it('shows a new key once, and asks before it closes without a copy', async () => {
    api.on(directoriesApi.create, () => created)
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Connect SCIM directory' }))
    const form = await screen.findByRole('dialog')
    await user.type(within(form).getByRole('textbox', { name: /Name/ }), 'Entra ID{Enter}')
    const key = await screen.findByDisplayValue(created.key)
    await user.click(screen.getByRole('button', { name: 'Done' }))
    const question = await screen.findByRole('alertdialog')
    await user.click(within(question).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(key.isConnected).toBe(false))
  })

  it('replaces and revokes a key after a question', async () => {
    api
      .on(directoriesApi.replaceKey, () => created)
      .on(directoriesApi.revokeKey, () => settings({ ...entra, key: null }))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Replace key: Entra ID' }))
    await user.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Create key' }),
    )
    await screen.findByDisplayValue(created.key)
    await user.click(screen.getByRole('button', { name: 'Copy the key' }))
    await user.click(screen.getByRole('button', { name: 'Done' }))
    await user.click(await screen.findByRole('button', { name: 'Revoke key: Entra ID' }))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Revoke' }))
    await screen.findByText('No key')
    screen.getByRole('button', { name: 'Create key: Entra ID' })
  })

  it('disconnects a directory after a question', async () => {
    api.on(directoriesApi.remove, () => settings())
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Disconnect: Entra ID' }))
    const question = await screen.findByRole('alertdialog', { name: 'Disconnect this directory?' })
    await user.click(within(question).getByRole('button', { name: 'Disconnect' }))
    await screen.findByText(/No SCIM directories yet/)
  })
})
