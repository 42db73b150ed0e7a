import { authApi } from '@lyceum/contract/auth'
import { act, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { Route, Switch } from 'wouter'
import { NoNetwork, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aToken, aUser } from '#testing/users.ts'
import { AdminLoginPage } from './admin/login.tsx'
import { ForgotPasswordPage } from './forgot-password.tsx'
import { LoginPage } from './login.tsx'

async function fill(page: ReturnType<typeof renderPage>, email: string, password: string): Promise<void> {
  if (email !== '') await page.user.type(screen.getByLabelText('Email'), email)
  if (password !== '') await page.user.type(screen.getByLabelText('Password'), password)
  await page.user.click(screen.getByRole('button', { name: 'Sign in' }))
}

function readDescription(label: string): string {
  const control = screen.getByLabelText(label)
  const ids = control.getAttribute('aria-describedby')?.split(' ') ?? []
  return ids.map((id) => document.getElementById(id)?.textContent).join(' ')
}

describe('/login', () => {
  it('focuses the email field', () => {
    renderPage(<LoginPage />, { at: '/login' })
    expect(document.activeElement).toBe(screen.getByLabelText('Email'))
  })

  it('shows an error under each invalid field and focuses the first', async () => {
    const api = fakeApi().on(authApi.login, () => ({}))
    await fill(renderPage(<LoginPage />, { at: '/login' }), 'ada', 'short')
    expect(readDescription('Email')).toBe('Invalid email address')
    expect(readDescription('Password')).toBe('Password must be at least 8 characters')
    expect(document.activeElement).toBe(screen.getByLabelText('Email'))
    expect(api.calls(authApi.login)).toHaveLength(0)
  })

  it('validates on every change after the first submit', async () => {
    fakeApi()
    const page = renderPage(<LoginPage />, { at: '/login' })
    await fill(page, 'ada', 'long enough')
    await page.user.type(screen.getByLabelText('Email'), '@example.com')
    expect(readDescription('Email')).toBe('')
  })

  it('shows “Signing in...” while waiting, and sends only once', async () => {
    const api = fakeApi().on(authApi.login, () => new Promise<never>(() => undefined))
    const page = renderPage(<LoginPage />, { at: '/login' })
    await fill(page, 'ada@example.com', 'long enough')
    await page.user.click(await screen.findByRole('button', { name: 'Signing in...' }))
    expect(api.calls(authApi.login)).toHaveLength(1)
  })

  it('continues to the code page when two-factor authentication is required', async () => {
    fakeApi().on(authApi.login, () => ({ requires2FA: true }))
    const page = renderPage(<LoginPage />, { at: '/login' })
    await fill(page, 'ada@example.com', 'long enough')
    await expect.poll(page.address).toBe('/verify-2fa')
    expect(page.session.get().pending?.email).toBe('ada@example.com')
  })

  it('shows the server’s message', async () => {
    fakeApi().on(authApi.login, () => refuse('auth.invalid_credentials'))
    await fill(renderPage(<LoginPage />, { at: '/login' }), 'ada@example.com', 'long enough')
    expect((await screen.findByText('Invalid email or password')).closest('[role=alert]')).not.toBeNull()
  })

  it('shows a fallback message when the server sends none', async () => {
    fakeApi().on(authApi.login, () => {
      throw new NoNetwork()
    })
    await fill(renderPage(<LoginPage />, { at: '/login' }), 'ada@example.com', 'long enough')
    await screen.findByText('An error occurred')
  })

  it('links to the forgotten-password page only if it exists', () => {
    fakeApi()
    const first = renderPage(<LoginPage />, { at: '/login' })
    expect(screen.getByRole('link', { name: 'Sign in here' }).getAttribute('href')).toBe('/admin/login')
    expect(screen.queryByRole('link', { name: /Forgot/ })).toBeNull()
    first.unmount()
    renderPage(<LoginPage />, { at: '/login', knownPaths: ['/forgot-password'] })
    expect(screen.getByRole('link', { name: /Forgot/ }).getAttribute('href')).toBe('/forgot-password')
  })
})

describe('an installation without users', () => {
  it.each([
    ['/login', <LoginPage key="login" />],
    ['/admin/login', <AdminLoginPage key="admin" />],
  ])('tells on %s where the setup link is, instead of asking for a password', async (at, page) => {
    const api = fakeApi().on(authApi.setupState, () => ({ isSetUp: false }))
    renderPage(page, { at })
    await screen.findByRole('heading', { name: 'Lyceum is not set up yet' })
    expect(document.title).toBe('Not set up yet · Lyceum')
    screen.getByText('npx lyceum admin setup-link')
    expect(screen.queryByText(/Welcome back/)).toBeNull()
    expect(screen.queryByLabelText('Password')).toBeNull()
    expect(api.calls(authApi.setupState)).toHaveLength(1)
  })

  it('welcomes nobody back before it knows that there are users', async () => {
    const reply = Promise.withResolvers<{ isSetUp: boolean }>()
    fakeApi().on(authApi.setupState, () => reply.promise)
    renderPage(<LoginPage />, { at: '/login' })
    expect(screen.getByLabelText('Password')).not.toBeNull()
    expect(screen.queryByText(/Welcome back/)).toBeNull()
    reply.resolve({ isSetUp: true })
    await screen.findByText('Welcome back to Lyceum.')
  })

  it('shows the sign-in form when the server cannot tell', async () => {
    fakeApi().on(authApi.setupState, () => refuse('internal'))
    renderPage(<LoginPage />, { at: '/login' })
    await screen.findByText('Welcome back to Lyceum.')
  })

  it('shows the sign-in form once the first user has registered', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    document.title = 'Sign in · Lyceum'
    const api = fakeApi().on(authApi.setupState, () => ({ isSetUp: false }))
    renderPage(<LoginPage />, { at: '/login' })
    await screen.findByRole('heading', { name: 'Lyceum is not set up yet' })
    api.on(authApi.setupState, () => ({ isSetUp: true }))
    await act(() => vi.advanceTimersByTimeAsync(5_000))
    await screen.findByLabelText('Password')
    expect(document.title).toBe('Sign in · Lyceum')
  })
})

describe('forgotten password', () => {
  it('keeps the typed email address between /login and /forgot-password', async () => {
    fakeApi()
    const screens = (
      <Switch>
        <Route path="/login">
          <LoginPage />
        </Route>
        <Route path="/forgot-password">
          <ForgotPasswordPage />
        </Route>
      </Switch>
    )
    const { user } = renderPage(screens, { at: '/login', path: '*', knownPaths: ['/forgot-password'] })
    function readEmail() {
      return screen.getByLabelText<HTMLInputElement>('Email').value
    }
    await user.type(screen.getByLabelText('Email'), 'ada@example.com')
    await user.click(screen.getByRole('link', { name: /Forgot/ }))
    await screen.findByRole('button', { name: 'Send reset link' })
    expect(readEmail()).toBe('ada@example.com')
    await user.click(screen.getByRole('link', { name: 'Back to sign in' }))
    await screen.findByRole('button', { name: 'Sign in' })
    expect(readEmail()).toBe('ada@example.com')
    // The first empty field has the focus.
    expect(document.activeElement).toBe(screen.getByLabelText('Password'))
  })
})

describe('/admin/login', () => {
  it('tells ordinary users that access is denied', async () => {
    fakeApi().on(authApi.login, () => refuse('auth.admin_only'))
    await fill(renderPage(<AdminLoginPage />, { at: '/admin/login' }), 'ada@example.com', 'long enough')
    await screen.findByText('Access denied. Admin privileges required.')
  })

  it('signs ordinary users out when the server did not refuse them', async () => {
    const api = fakeApi()
      .on(authApi.login, () => ({ token: aToken(), user: aUser() }))
      .on(authApi.logout, () => undefined)
    const page = renderPage(<AdminLoginPage />, { at: '/admin/login' })
    await fill(page, 'ada@example.com', 'long enough')
    await screen.findByText('Access denied. Admin privileges required.')
    expect(page.session.get().user).toBeNull()
    expect(api.calls(authApi.logout)).toHaveLength(1)
  })

  it('shows a fallback message when the server sends none', async () => {
    fakeApi().on(authApi.login, () => refuse('internal'))
    await fill(renderPage(<AdminLoginPage />, { at: '/admin/login' }), 'ada@example.com', 'long enough')
    await screen.findByText('Invalid administrator credentials')
  })
})
