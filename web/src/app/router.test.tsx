import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { chatHistoryApi } from '@lyceum/contract/chat-history'
import { chatsApi } from '@lyceum/contract/chats'
import { connectionsApi } from '@lyceum/contract/connections'
import { getPermissions } from '@lyceum/contract/permissions'
import { settingsApi } from '@lyceum/contract/settings'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { queryClient } from '#api/query-client.ts'
import { SessionProvider } from '#features/auth/SessionProvider.tsx'
import { createSession } from '#features/auth/session.ts'
import { BrowserRouter } from '#lib/router.tsx'
import { takeConsoleOutput } from '#testing/console-output.ts'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { aHistory, aHistoryDetail, aHistoryPage } from '#testing/history-samples.ts'
import { aChannel } from '#testing/samples.ts'
import { createConnections } from '#testing/settings-samples.ts'
import { anAdmin, aToken, aUser, signIn } from '#testing/users.ts'
import { toasts } from '#ui/toast.ts'
import { CrashBoundary } from './crash-page.tsx'
import { Screens } from './router.tsx'

let api: FakeApi

function visit(path: string) {
  history.replaceState(null, '', path)
  render(
    <BrowserRouter>
      <SessionProvider session={createSession()}>
        <Screens />
      </SessionProvider>
    </BrowserRouter>,
  )
  return userEvent.setup()
}

beforeEach(() => {
  api = fakeApi()
    .on(channelsApi.list, () => [])
    .on(settingsApi.background, () => refuse('not_found'))
    .on(authApi.logout, () => undefined)
})

describe('Back', () => {
  const channels = ['c1', 'c2'].map((_id) => aChannel({ _id, name: `Channel ${_id}` }))
  beforeEach(() => {
    api
      .on(authApi.me, () => aUser())
      .on(channelsApi.list, () => channels)
      .on(channelsApi.get, ({ params }) => aChannel({ _id: params.id, name: `Channel ${params.id}` }))
      .on(chatsApi.list, () => ({ chats: [], total: 0, totalPages: 1 }))
    signIn(aUser())
  })
  function findChannelLink(name: string) {
    return screen.findByRole('link', { name: new RegExp(name) })
  }

  it('returns the focus to the link to the page that was left', async () => {
    const user = visit('/dashboard')
    await user.click(await findChannelLink('Channel c2'))
    await screen.findByRole('heading', { name: 'Channel c2' })
    history.back()
    const link = await findChannelLink('Channel c2')
    await waitFor(() => expect(document.activeElement).toBe(link))
  })

  it('returns the focus to the row of a chat of the chat history that was opened from its details', async () => {
    const admin = anAdmin({ permissions: getPermissions({ role: 'admin', isSystemAdmin: true }) })
    api
      .on(authApi.me, () => admin)
      .on(chatHistoryApi.list, () => aHistoryPage([aHistory()]))
      .on(chatHistoryApi.get, () => aHistoryDetail())
    signIn(admin)
    const user = visit('/admin/chat-history')
    await user.click(await screen.findByRole('button', { name: /^View the chat of/ }))
    await user.click(await screen.findByRole('link', { name: 'View Full Chat' }))
    await waitFor(() => expect(location.pathname).toMatch(/^\/admin\/chat-history\/./))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    history.back()
    const row = await screen.findByRole('row', { name: /Ada Example/ })
    const link = within(row).getByRole('link', { name: 'What falls' })
    await waitFor(() => expect(document.activeElement).toBe(link))
  })

  it('does not take the focus from what the user has chosen meanwhile', async () => {
    const user = visit('/dashboard')
    await user.click(await findChannelLink('Channel c2'))
    await screen.findByRole('heading', { name: 'Channel c2' })
    const { promise, resolve } = Promise.withResolvers<typeof channels>()
    queryClient.removeQueries({ queryKey: ['channels'] })
    api.on(channelsApi.list, () => promise)
    history.back()
    await screen.findByRole('heading', { name: 'Dashboard' })
    const other = screen.getByRole('link', { name: 'Profile' })
    other.focus()
    resolve(channels)
    await findChannelLink('Channel c2')
    expect(document.activeElement).toBe(other)
  })

  it('is not imitated by a link', async () => {
    const user = visit('/dashboard')
    await user.click(await findChannelLink('Channel c2'))
    await screen.findByRole('heading', { name: 'Channel c2' })
    await user.click(screen.getByRole('link', { name: 'Back to Dashboard' }))
    await findChannelLink('Channel c2')
    expect(document.activeElement?.id).toBe('main')
  })
})

describe('the routes', () => {
  it('redirect signed-out users from / to the sign-in page', async () => {
    visit('/')
    await screen.findByRole('heading', { name: 'Sign in' })
    expect(location.pathname).toBe('/login')
    await waitFor(() => expect(document.title).toBe('Sign in · Lyceum'))
  })

  it('redirect from / to the dashboard', async () => {
    api.on(authApi.me, () => aUser())
    signIn(aUser())
    visit('/')
    await screen.findByRole('heading', { name: 'Your Channels' })
    expect(location.pathname).toBe('/dashboard')
  })

  it('show no link to a page that the administrator may not open', async () => {
    api.on(authApi.me, () => anAdmin())
    signIn(anAdmin())
    visit('/admin')
    await screen.findByRole('heading', { name: 'Administration' })
    expect(screen.queryByText('Chat History')).toBeNull()
  })

  it('redirect an administrator without the permission to /admin, and say why', async () => {
    api.on(authApi.me, () => anAdmin())
    signIn(anAdmin())
    visit('/admin/chat-history')
    await screen.findByRole('heading', { name: 'Administration' })
    expect(location.pathname).toBe('/admin')
    expect((await screen.findByRole('alert')).textContent).toBe(
      'You do not have permission to view chat histories. Ask a system administrator.',
    )
    expect(toasts.get()).toEqual([])
  })

  it('show the missing permission until it is dismissed', async () => {
    api.on(authApi.me, () => anAdmin())
    signIn(anAdmin())
    const user = visit('/admin/chat-history')
    await user.click(await screen.findByRole('button', { name: 'Dismiss' }))
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
    expect([location.pathname, history.state]).toEqual(['/admin', null])
  })

  it('ask a user who signs out with unsaved input, and ask nothing else afterwards', async () => {
    const admin = anAdmin({ isSystemAdmin: true })
    api.on(authApi.me, () => admin).on(connectionsApi.get, () => createConnections())
    signIn(admin)
    const user = visit('/admin/settings?section=connections')
    await user.type(await screen.findByLabelText('Host'), 'smtp.example.org')
    await user.click(screen.getByRole('button', { name: 'Logout' }))
    await user.click(await screen.findByRole('button', { name: 'Discard' }))
    await screen.findByRole('heading', { name: 'Sign in' })
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('show the links of the administration in a drawer', async () => {
    api.on(authApi.me, () => anAdmin())
    signIn(anAdmin())
    const user = visit('/admin')
    await user.click(await screen.findByRole('button', { name: 'Menu' }))
    const drawer = within(await screen.findByRole('dialog', { name: 'Administration' }))
    expect(drawer.queryByRole('link', { name: 'Chat History' })).toBeNull()
    drawer.getByRole('link', { name: 'Manage Users' })
    drawer.getByRole('link', { name: 'Your Channels' })
    await user.click(drawer.getByRole('button', { name: 'Logout' }))
    await screen.findByRole('heading', { name: 'Sign in' })
    expect(location.pathname).toBe('/login')
  })

  it('show the not-found page for an unknown URL', async () => {
    visit('/nowhere')
    await screen.findByText('This page could not be found.')
    expect(location.pathname).toBe('/nowhere')
  })

  it.each([
    ['/nowhere', 'Main'],
    ['/admin/nowhere', 'Administration'],
  ])('show the not-found page of %s with the navigation of that area', async (path, navigation) => {
    api.on(authApi.me, () => anAdmin())
    signIn(anAdmin())
    visit(path)
    await screen.findByText('This page could not be found.')
    expect(screen.getByRole('navigation', { name: navigation })).toBeDefined()
    expect(location.pathname).toBe(path)
  })

  it('redirect administrators who sign in at /login to the dashboard', async () => {
    api.on(authApi.login, () => ({ token: aToken(), user: anAdmin() }))
    const user = visit('/login')
    await user.type(await screen.findByLabelText('Email'), 'grace@example.com')
    await user.type(screen.getByLabelText('Password'), 'a long password')
    await user.click(screen.getByRole('button', { name: 'Sign in' }))
    await screen.findByRole('heading', { name: 'Your Channels' })
    expect(location.pathname).toBe('/dashboard')
  })

  it.each([
    ['/dashboard', 'Sign in'],
    ['/admin', 'Sign in'],
  ])('redirect from %s to /login after Logout', async (path) => {
    api.on(authApi.me, () => anAdmin())
    signIn(anAdmin())
    const user = visit(path)
    await user.click(await screen.findByRole('button', { name: 'Logout' }))
    await screen.findByRole('heading', { name: 'Sign in' })
    expect(location.pathname).toBe('/login')
  })

  it.each([
    [aUser(), '/dashboard', 'Your Channels'],
    [anAdmin(), '/admin', 'Administration'],
  ])('redirect to the home page of the role after a sign-in with a code', async (account, path, heading) => {
    api.on(authApi.login, () => ({ requires2FA: true, delivery: 'mail' as const, resendAfter: 60 }))
    api.on(authApi.verify, () => ({ token: aToken(), user: account }))
    const user = visit('/login')
    await user.type(await screen.findByLabelText('Email'), account.email)
    await user.type(screen.getByLabelText('Password'), 'a long password{Enter}')
    const code = await screen.findByLabelText('Verification code')
    expect(location.pathname).toBe('/verify-2fa')
    await expect.poll(() => document.activeElement).toBe(code)
    await user.type(code, '123456{Enter}')
    await screen.findByRole('heading', { name: heading })
    expect(location.pathname).toBe(path)
  })

  it('return from the code page to the sign-in page that was used', async () => {
    api.on(authApi.login, () => ({ requires2FA: true }))
    const user = visit('/admin/login')
    await user.type(await screen.findByLabelText('Email'), 'grace@example.com')
    await user.type(screen.getByLabelText('Password'), 'a long password{Enter}')
    await user.click(await screen.findByRole('button', { name: 'Back to sign in' }))
    await expect.poll(() => location.pathname).toBe('/admin/login')
  })

  it('redirect from /verify-2fa to the sign-in page when no code is pending', async () => {
    visit('/verify-2fa')
    await screen.findByRole('heading', { name: 'Sign in' })
    expect(location.pathname).toBe('/login')
  })

  it('redirect everyone to the dashboard after a password reset', async () => {
    api.on(authApi.resetPassword, () => ({ token: aToken(), user: anAdmin() }))
    const user = visit('/reset-password?token=secret')
    await user.type(await screen.findByLabelText('New password'), 'a long password')
    await user.type(screen.getByLabelText('Confirm new password'), 'a long password{Enter}')
    await screen.findByRole('heading', { name: 'Your Channels' })
    expect(location.pathname).toBe('/dashboard')
  })

  it.each(['/verify-2fa', '/forgot-password', '/reset-password?token=secret'])(
    'redirect signed-in users away from %s',
    async (path) => {
      api.on(authApi.me, () => aUser())
      signIn(aUser())
      visit(path)
      await screen.findByRole('heading', { name: 'Your Channels' })
      expect(location.pathname).toBe('/dashboard')
    },
  )

  it('open the profile from the top bar', async () => {
    api.on(authApi.me, () => aUser())
    api.on(authApi.sessions, () => [])
    api.on(authApi.trustedBrowsers, () => [])
    signIn(aUser())
    const user = visit('/dashboard')
    await user.click(await screen.findByRole('link', { name: 'Profile' }))
    await screen.findByRole('heading', { name: 'Profile Settings' })
    await waitFor(() => expect(document.title).toBe('Profile Settings · Lyceum'))
  })

  it('reload the permissions before redirecting from a forbidden page', async () => {
    api.on(authApi.me, () => aUser({ role: 'admin', permissions: anAdmin().permissions }))
    signIn(aUser())
    visit('/admin')
    await screen.findByRole('heading', { name: 'Administration' })
    expect(location.pathname).toBe('/admin')
  })

  it('redirect from a forbidden page even when reloading the permissions fails', async () => {
    api.on(authApi.me, () => refuse('internal'))
    signIn(aUser())
    visit('/admin')
    await screen.findByRole('heading', { name: 'Your Channels' })
  })

  it('redirect to the sign-in page when a call returns 401', async () => {
    api.on(authApi.me, () => aUser())
    api.on(channelsApi.list, () => refuse('auth.session_ended'))
    signIn(aUser())
    visit('/dashboard')
    await screen.findByRole('heading', { name: 'Sign in' })
    expect(location.pathname).toBe('/login')
  })
})

describe('the crash page', () => {
  it('replaces a page that fails', () => {
    function Broken(): never {
      throw new Error('broken')
    }
    render(
      <CrashBoundary>
        <Broken />
      </CrashBoundary>,
    )
    expect(screen.getByRole('heading').textContent).toBe('Unexpected Application Error!')
    expect(takeConsoleOutput('error').join()).toContain('broken')
  })
})
