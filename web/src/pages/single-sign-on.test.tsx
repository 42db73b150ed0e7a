import { singleSignOnApi } from '@lyceum/contract/single-sign-on'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { anAdmin, aToken, aUser } from '#testing/users.ts'
import { AdminLoginPage } from './admin/login.tsx'
import { LoginPage } from './login.tsx'
import { SignInPage } from './sign-in.tsx'

const issuers = [
  { _id: 'acme', name: 'Acme' },
  { _id: 'globex', name: 'Globex' },
]

describe('the sign-in pages', () => {
  it.each([
    ['/login', 'user', <LoginPage key="login" />],
    ['/admin/login', 'admin', <AdminLoginPage key="admin" />],
  ] as const)('show on %s a button for each issuer below the form', async (at, door, page) => {
    const api = fakeApi()
      .on(singleSignOnApi.listPublic, () => ({ issuers, isPasswordOn: true }))
      .on(singleSignOnApi.start, () => new Promise<never>(() => undefined))
    const { user } = renderPage(page, { at })
    await user.click(await screen.findByRole('button', { name: 'Continue with Globex' }))
    const [call] = api.calls(singleSignOnApi.start)
    expect([call?.params, call?.body]).toEqual([{ issuerId: 'globex' }, { door }])
    screen.getByRole('button', { name: 'Continue with Acme' })
    screen.getByLabelText('Password')
  })

  it('say when an issuer does not answer', async () => {
    fakeApi()
      .on(singleSignOnApi.listPublic, () => ({ issuers, isPasswordOn: true }))
      .on(singleSignOnApi.start, () => refuse('sso.unreachable'))
    const { user } = renderPage(<LoginPage />, { at: '/login' })
    await user.click(await screen.findByRole('button', { name: 'Continue with Acme' }))
    await screen.findByText('The sign-in service does not respond. Please try again in a moment.')
  })

  it('show the form only on request when passwords are switched off', async () => {
    fakeApi().on(singleSignOnApi.listPublic, () => ({ issuers, isPasswordOn: false }))
    const { user } = renderPage(<LoginPage />, { at: '/login' })
    await user.click(await screen.findByRole('button', { name: 'Use a password' }))
    screen.getByLabelText('Password')
  })

  it('show only the form when the issuers cannot be loaded', async () => {
    const api = fakeApi().on(singleSignOnApi.listPublic, () => refuse('internal'))
    renderPage(<LoginPage />, { at: '/login' })
    await waitFor(() => expect(api.calls(singleSignOnApi.listPublic)).toHaveLength(1))
    screen.getByLabelText('Password')
    expect(screen.queryByRole('button', { name: /Continue with/ })).toBeNull()
  })
})

describe('/sign-in/:issuerId', () => {
  const at = '/sign-in/acme?code=one&state=two&iss=https%3A%2F%2Fissuer.example'
  function visit() {
    return renderPage(<SignInPage />, { at, path: '/sign-in/:issuerId' })
  }

  it('shows why the sign-in is refused, without the code in the address', async () => {
    fakeApi().on(singleSignOnApi.finish, () => refuse('sso.unverified'))
    const page = visit()
    await screen.findByText(/has not confirmed your email address/)
    expect(page.address()).toBe('/sign-in/acme')
    const link = screen.getByRole('link', { name: 'Back to sign in' })
    expect(link.getAttribute('href')).toBe('/login')
    expect(document.activeElement).toBe(link)
  })

  it('refuses ordinary users who come from the page for administrators', async () => {
    fakeApi().on(singleSignOnApi.finish, () => refuse('auth.admin_only'))
    const page = visit()
    await screen.findByText('Access denied. Admin privileges required.')
    expect(page.session.get().user).toBeNull()
  })

  it.each([
    ['user', aUser(), '/dashboard'],
    ['admin', anAdmin(), '/admin'],
  ] as const)('opens the session of a sign-in from the page of the %s', async (door, user, redirectTo) => {
    const api = fakeApi().on(singleSignOnApi.finish, () => ({ token: aToken(), user, door }))
    const page = visit()
    await waitFor(() => expect(page.session.get()).toMatchObject({ user: { _id: user._id }, redirectTo }))
    const [call] = api.calls(singleSignOnApi.finish)
    expect([call?.params, call?.body]).toEqual([
      { issuerId: 'acme' },
      { query: 'code=one&state=two&iss=https%3A%2F%2Fissuer.example' },
    ])
  })

  it('continues to the code page when a code is required', async () => {
    fakeApi().on(singleSignOnApi.finish, () => ({
      requires2FA: true,
      email: 'ada@example.org',
      door: 'user' as const,
    }))
    const page = visit()
    await expect.poll(page.address).toBe('/verify-2fa')
    expect(page.session.get().pending?.email).toBe('ada@example.org')
  })
})
