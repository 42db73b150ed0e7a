import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { embeddingApi } from '@lyceum/contract/embedding'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { storePendingConsent } from '#features/auth/pending-consent.ts'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel } from '#testing/samples.ts'
import { aToken, aUser, signIn } from '#testing/users.ts'
import { EmbeddedSignInPage } from './embedded-sign-in.tsx'
import { LoginPage } from './login.tsx'

const site = 'https://www.example.com'
const address = `/embed/channel-1/sign-in?site=${encodeURIComponent(site)}`
const result = {
  token: 'lyceum_embed_secret',
  expiresAt: '2100-01-01T00:00:00.000Z',
  user: { _id: 'user-1', name: 'Ada Example', email: 'ada@example.com' },
}

let api: FakeApi
let close: () => void
beforeEach(() => {
  close = vi.fn<() => void>()
  vi.stubGlobal('close', close)
  api = fakeApi()
    .on(authApi.me, () => aUser())
    .on(channelsApi.get, () => aChannel())
    .on(embeddingApi.describe, () => ({
      _id: 'channel-1',
      name: null,
      description: null,
      allowsVisitors: false,
    }))
    .on(embeddingApi.signIn, () => result)
})

function visit(at = address) {
  return renderPage(<EmbeddedSignInPage />, { at, path: '/embed/:channelId/sign-in' })
}

/** The frame that opened the popup. */
function stubOpener() {
  const postMessage = vi.fn()
  vi.stubGlobal('opener', { closed: false, postMessage })
  return postMessage
}

describe('/embed/:channelId/sign-in', () => {
  it.each([
    ['is missing', '/embed/channel-1/sign-in'],
    ['is not an origin', '/embed/channel-1/sign-in?site=https%3A%2F%2Fwww.example.com%2Fpage'],
    ['has no host', '/embed/channel-1/sign-in?site=javascript%3Aalert(1)'],
  ])('offers nothing if the site %s', async (_, at) => {
    signIn(aUser())
    visit(at)
    await screen.findByText('This chat is not available on that site.')
    expect(screen.queryByRole('button', { name: 'Allow' })).toBeNull()
  })

  it('offers nothing for a channel that is not used on other sites', async () => {
    signIn(aUser())
    api.on(embeddingApi.describe, () => refuse('not_found'))
    visit()
    await screen.findByText('This chat is not available on that site.')
  })

  it.each([
    ['has no access', () => refuse('not_found')],
    ['only manages channels', () => aChannel({ isMember: false })],
  ])('says that a user who %s is no member', async (_, respond) => {
    signIn(aUser())
    api.on(channelsApi.get, respond)
    visit()
    await screen.findByText('You are not a member of this channel. Ask an administrator for access.')
    expect(screen.queryByRole('button', { name: 'Allow' })).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
  })

  it.each([
    [null, 'www.example.com'],
    ['Physics', 'Physics on www.example.com'],
  ])('names the channel %s to users without access only if everyone may know it', async (name, lead) => {
    signIn(aUser())
    api
      .on(channelsApi.get, () => refuse('not_found'))
      .on(embeddingApi.describe, () => ({
        _id: 'channel-1',
        name,
        description: null,
        allowsVisitors: name !== null,
      }))
    visit()
    const heading = await screen.findByRole('heading', { name: 'You have no access to this chat' })
    expect(heading.nextElementSibling?.textContent).toBe(lead)
  })

  it.each([
    ['allows', () => aChannel()],
    ['has no access', () => refuse('not_found')],
  ])('leads a user who %s to another account and back', async (_, respond) => {
    signIn(aUser())
    stubOpener()
    api
      .on(channelsApi.get, respond)
      .on(authApi.logout, () => undefined)
      .on(authApi.login, () => ({ success: true, token: aToken(), user: aUser() }))
    const { user, session, address: current } = visit()
    await user.click(await screen.findByRole('button', { name: 'Use another account' }))
    await waitFor(() => expect(current()).toBe('/login'))
    await session.login({ email: 'ada@example.com', password: 'a sound password' }, 'user')
    expect(session.get().redirectTo).toBe(address)
  })

  it('says why the server refuses the site, and hands over nothing', async () => {
    signIn(aUser())
    const postMessage = stubOpener()
    api.on(embeddingApi.signIn, () => refuse('permission.denied'))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Allow' }))
    await screen.findByText('You do not have permission to do this')
    expect(postMessage).not.toHaveBeenCalled()
    expect(close).not.toHaveBeenCalled()
  })

  it('sends users back to their page if the chat that opened it is gone', async () => {
    signIn(aUser())
    vi.stubGlobal('opener', null)
    visit()
    await screen.findByText('Go back to the page with the chat and choose “Sign in” again.')
    expect(screen.queryByRole('button', { name: 'Allow' })).toBeNull()
    expect(api.calls(embeddingApi.signIn)).toEqual([])
  })

  it('closes without a sign-in on Cancel, and tells only a window of its own origin', async () => {
    signIn(aUser())
    const postMessage = stubOpener()
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(close).toHaveBeenCalled()
    expect(api.calls(embeddingApi.signIn)).toEqual([])
    expect(postMessage.mock.calls).toEqual([[{ type: 'lyceum.embedded-sign-in-cancelled' }, location.origin]])
  })

  it('names the channel, the site and the user', async () => {
    signIn(aUser())
    stubOpener()
    visit()
    await screen.findByRole('heading', { name: 'Use Physics on www.example.com?' })
    screen.getByText(site)
    expect(screen.getByText(/You are signed in as/).textContent).toContain('Ada Example · ada@example.com')
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
  })

  it('hands the sign-in only to a window of its own origin', async () => {
    signIn(aUser())
    const postMessage = stubOpener()
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Allow' }))
    await waitFor(() => expect(close).toHaveBeenCalled())
    expect(api.calls(embeddingApi.signIn)[0]?.body).toEqual({ site })
    expect(postMessage.mock.calls).toEqual([
      [{ type: 'lyceum.embedded-sign-in', signIn: result }, location.origin],
    ])
  })

  it('comes back after a sign-in', async () => {
    api.on(authApi.login, () => ({ success: true, token: aToken(), user: aUser() }))
    const { session, address: current } = visit()
    await waitFor(() => expect(current()).toBe('/login'))
    await session.login({ email: 'ada@example.com', password: 'a sound password' }, 'user')
    expect(session.get().redirectTo).toBe(address)
  })
})

describe('/login in the pop-up', () => {
  function readPurpose(): string | null | undefined {
    return screen.getByText(/^Use your Lyceum account/).textContent
  }

  it('is as elsewhere without a pop-up of another site', async () => {
    storePendingConsent('/connect?client_id=one')
    renderPage(<LoginPage />, { at: '/login' })
    await screen.findByText('Welcome back to Lyceum.')
    screen.getByRole('link', { name: 'Sign in here' })
    expect(api.calls(embeddingApi.describe)).toEqual([])
  })

  it('names the site, and the channel only if everyone may know it', async () => {
    storePendingConsent(address)
    const { unmount } = renderPage(<LoginPage />, { at: '/login' })
    await waitFor(() => expect(api.calls(embeddingApi.describe)).toHaveLength(1))
    expect(readPurpose()).toBe('Use your Lyceum account to chat on www.example.com.')
    expect(screen.queryByRole('link', { name: 'Sign in here' })).toBeNull()
    unmount()

    api.on(embeddingApi.describe, () => ({
      _id: 'channel-1',
      name: 'Physics',
      description: 'Mechanics',
      allowsVisitors: true,
    }))
    renderPage(<LoginPage />, { at: '/login' })
    await screen.findByText('Physics')
    expect(readPurpose()).toBe('Use your Lyceum account to chat in Physics on www.example.com.')
  })
})
