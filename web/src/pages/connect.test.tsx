import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { type ConsentRequest, connectedProgramsApi } from '@lyceum/contract/connected-programs'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel } from '#testing/samples.ts'
import { anAdmin, aToken, aUser, signIn } from '#testing/users.ts'
import { ConnectPage } from './connect.tsx'

const query = 'client_id=one&redirect_uri=https%3A%2F%2Fagent.example%2Fcallback'
const request: ConsentRequest = {
  name: 'Research agent',
  destination: 'agent.example',
  isLocal: false,
  scopes: ['documents'],
  refusal: null,
}

let api: FakeApi
beforeEach(() => {
  api = fakeApi()
    .on(authApi.me, () => aUser())
    .on(channelsApi.list, () => [aChannel()])
    .on(connectedProgramsApi.describe, () => request)
    // The test environment cannot leave the page.
    .on(connectedProgramsApi.decide, () => new Promise<never>(() => undefined))
})

function visit() {
  return renderPage(<ConnectPage />, { at: `/connect?${query}` })
}

describe('/connect', () => {
  it('offers nothing for a program or an address that is not registered', async () => {
    signIn(aUser())
    api.on(connectedProgramsApi.describe, () => refuse('program.address'))
    visit()
    await screen.findByText(/an address that it has not registered/)
    expect(screen.queryByRole('button')).toBeNull()
    expect(screen.getByRole('link').getAttribute('href')).toBe('/dashboard')
  })

  it('offers only the way back for a request that cannot be allowed', async () => {
    signIn(aUser())
    const message = 'The program asks for something that it cannot be allowed.'
    api.on(connectedProgramsApi.describe, () => ({
      ...request,
      scopes: [],
      refusal: { message, url: 'https://agent.example/callback?error=invalid_scope' },
    }))
    visit()
    await screen.findByText(message)
    screen.getByRole('button', { name: 'Back to agent.example' })
    expect(screen.queryByRole('button', { name: 'Allow' })).toBeNull()
  })

  it('says why the program could not be connected', async () => {
    signIn(aUser())
    api.on(connectedProgramsApi.decide, () => refuse('program.limit'))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Allow' }))
    await screen.findByText(/You can connect up to 20 programs/)
  })

  it('names the program, where it sends the user, and what it may do', async () => {
    signIn(aUser())
    visit()
    await screen.findByRole('heading', { name: 'Connect Research agent?' })
    screen.getByText('agent.example')
    screen.getByText('Search and read documents')
    expect(screen.queryByText('Ask questions in channels')).toBeNull()
    expect(screen.getByText(/You are signed in as/).textContent).toContain('Ada Example · ada@example.com')
  })

  it('sends the chosen channels and how long it lasts', async () => {
    signIn(aUser())
    const { user } = visit()
    await user.click(await screen.findByRole('radio', { name: 'Selected channels' }))
    await user.click(screen.getByRole('button', { name: 'Allow' }))
    await screen.findByText('Choose a channel')
    expect(api.calls(connectedProgramsApi.decide)).toEqual([])
    await user.click(await screen.findByRole('checkbox', { name: aChannel().name }))
    await user.selectOptions(screen.getByLabelText('Expires after'), '7 days')
    await user.click(screen.getByRole('button', { name: 'Allow' }))
    await waitFor(() => expect(api.calls(connectedProgramsApi.decide)).toHaveLength(1))
    expect(api.calls(connectedProgramsApi.decide)[0]?.body).toEqual({
      query,
      allowed: { channelIds: [aChannel()._id], expiresInDays: 7 },
    })
  })

  it('denies', async () => {
    signIn(aUser())
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(api.calls(connectedProgramsApi.decide)[0]?.body).toEqual({ query, allowed: null })
  })

  it.each([
    ['with a password', aUser()],
    ['as an administrator', anAdmin()],
  ])('returns after a sign-in %s, once', async (_, account) => {
    api.on(authApi.login, () => ({ success: true, token: aToken(), user: account }))
    const { session, address } = visit()
    await waitFor(() => expect(address()).toBe('/login'))
    const credentials = { email: account.email, password: 'a sound password' }
    await session.login(credentials, 'user')
    expect(session.get().redirectTo).toBe(`/connect?${query}`)
    await session.login(credentials, 'user')
    expect(session.get().redirectTo).toBe('/dashboard')
  })
})
