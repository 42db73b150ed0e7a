import { apiKeysApi } from '@lyceum/contract/api-keys'
import { authApi } from '@lyceum/contract/auth'
import { type ConnectedProgram, connectedProgramsApi } from '@lyceum/contract/connected-programs'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aConnectedProgram } from '#testing/samples.ts'
import { aUser, signIn } from '#testing/users.ts'
import { ProfilePage } from './profile.tsx'

let api: FakeApi
let programs: ConnectedProgram[]
beforeEach(() => {
  programs = [
    aConnectedProgram({ lastUsedAt: '2026-11-21T09:00:00.000Z' }),
    aConnectedProgram({
      _id: 'program-2',
      name: 'Editor',
      destination: '127.0.0.1:4567',
      channels: [{ _id: 'channel-1', name: 'Astronomy' }],
    }),
  ]
  signIn(aUser())
  api = fakeApi()
    .on(authApi.me, () => aUser())
    .on(authApi.sessions, () => [])
    .on(authApi.trustedBrowsers, () => [])
    .on(apiKeysApi.list, () => [])
    .on(connectedProgramsApi.list, () => programs)
    .on(connectedProgramsApi.revoke, ({ params }) => {
      programs = programs.filter(({ _id }) => _id !== params.id)
      return undefined
    })
})

async function disconnect() {
  const { user } = renderPage(<ProfilePage />, { at: '/profile' })
  await user.click(await screen.findByRole('button', { name: 'Disconnect Editor' }))
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Disconnect this program?' }))
  dialog.getByText('Editor')
  await user.click(dialog.getByRole('button', { name: 'Disconnect' }))
}

describe('connected programs on the profile', () => {
  it('can be loaded again after a failure', async () => {
    api.on(connectedProgramsApi.list, () => refuse('internal'))
    const { user } = renderPage(<ProfilePage />, { at: '/profile' })
    await screen.findByText('The connected programs could not be loaded.')
    api.on(connectedProgramsApi.list, () => [])
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('No connected programs.')
  })

  it('say what they may do and when they were used', async () => {
    renderPage(<ProfilePage />, { at: '/profile' })
    const rows = within(await screen.findByRole('list', { name: 'Connected programs' })).getAllByRole(
      'listitem',
    )
    const [agent = '', editor = ''] = rows.map(({ textContent }) => textContent)
    expect(agent).toContain('agent.example')
    expect(agent).toContain('Ask questions in channels · Search and read documents')
    expect(agent).toMatch(/Last used.*All channels/)
    expect(editor).toMatch(/127\.0\.0\.1:4567.*Never used.*Channel: Astronomy/)
  })

  it('stay when disconnecting fails', async () => {
    api.on(connectedProgramsApi.revoke, () => refuse('internal'))
    await disconnect()
    await screen.findByText('Failed to disconnect the program')
    screen.getByRole('button', { name: 'Disconnect Editor' })
  })

  it('are disconnected after a confirmation', async () => {
    await disconnect()
    await screen.findByText('Program disconnected')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Disconnect Editor' })).toBeNull())
    const heading = screen.getByRole('heading', { name: 'Connected programs' })
    await waitFor(() => expect(document.activeElement).toBe(heading))
  })
})
