import { authApi } from '@lyceum/contract/auth'
import { type InvitationVerification, invitationsApi } from '@lyceum/contract/invitations'
import { act, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aToken, aUser } from '#testing/users.ts'
import { InvitePage, RegisterPage } from './register.tsx'

const invitation: InvitationVerification = {
  email: 'ada@example.com',
  fullName: 'Ada Example',
  twoFactorExpiryEnabled: true,
  twoFactorExpiryDays: 14,
  isSetup: false,
}

function serveInvitation(change: Partial<InvitationVerification> = {}) {
  return fakeApi().on(invitationsApi.verify, () => ({ ...invitation, ...change }))
}

async function findInput(label: string): Promise<HTMLInputElement> {
  return screen.findByLabelText(label)
}

describe('/register and /invite', () => {
  it.each([
    ['the query', '/register?token=secret', '/register/:token?', '/register', <RegisterPage key="r" />],
    ['the path', '/register/secret', '/register/:token?', '/register', <RegisterPage key="r" />],
    ['the query', '/invite?token=secret', '/invite/:token?', '/invite', <InvitePage key="i" />],
    ['the path', '/invite/secret', '/invite/:token?', '/invite', <InvitePage key="i" />],
  ])('reads the token from %s and removes it from the URL', async (_, at, path, expectedAddress, page) => {
    const api = serveInvitation()
    const rendered = renderPage(page, { at, path })
    expect((await findInput('Email')).value).toBe('ada@example.com')
    expect(rendered.address()).toBe(expectedAddress)
    expect(api.calls(invitationsApi.verify).map(({ params }) => params.token)).toEqual(['secret'])
  })

  it('shows a read-only email address, a prefilled name and the 2FA settings', async () => {
    serveInvitation()
    renderPage(<RegisterPage />, { at: '/register?token=secret' })
    expect((await findInput('Email')).readOnly).toBe(true)
    expect((await findInput('Full name')).value).toBe('Ada Example')
    expect(document.activeElement).toBe(await findInput('Password'))
    expect(screen.getByRole('heading').textContent).toBe('Complete your registration')
    screen.getByText('Two-factor authentication is enabled')
    screen.getByText('Expires after 14 days')
  })

  it('shows no expiry when two-factor authentication is disabled', async () => {
    serveInvitation({ twoFactorExpiryEnabled: false })
    renderPage(<RegisterPage />, { at: '/register?token=secret' })
    await screen.findByText('Two-factor authentication is disabled')
    expect(screen.queryByText(/Expires after/)).toBeNull()
  })

  it('is headed “Set up Lyceum” for the first user', async () => {
    serveInvitation({ isSetup: true, email: '', fullName: '', twoFactorExpiryEnabled: false })
    renderPage(<RegisterPage />, { at: '/register?token=secret' })
    await screen.findByRole('heading', { name: 'Set up Lyceum' })
    await waitFor(() => expect(document.title).toBe('Set up Lyceum · Lyceum'))
    screen.getByText('Two-factor authentication is disabled')
    screen.getByText('It sends codes by email. You can turn it on once a mail server is configured.')
    expect(screen.queryByText(/Already registered/)).toBeNull()
    expect(document.querySelector('.lucide-shield-off')).toBeNull()
  })

  it('shows no title while it is unknown whether the link is a setup link', () => {
    fakeApi().on(invitationsApi.verify, () => new Promise<never>(() => undefined))
    renderPage(<RegisterPage />, { at: '/register?token=secret' })
    screen.getByText('Checking your invitation…')
    expect(screen.queryByRole('heading')).toBeNull()
  })

  it('lets the first user enter an email address when the setup link has none', async () => {
    serveInvitation({ isSetup: true, email: '', fullName: '' })
    renderPage(<RegisterPage />, { at: '/register?token=secret' })
    expect((await findInput('Email')).readOnly).toBe(false)
  })

  it.each([
    ['an invitation', { email: '' }],
    ['a setup link with an address', { isSetup: true }],
  ])('keeps the email address of %s read-only', async (_, change) => {
    serveInvitation(change)
    renderPage(<RegisterPage />, { at: '/register?token=secret' })
    expect((await findInput('Email')).readOnly).toBe(true)
  })

  it('validates the entries', async () => {
    const api = serveInvitation({ fullName: '' })
    const { user } = renderPage(<RegisterPage />, { at: '/register?token=secret' })
    await user.type(await findInput('Password'), 'short')
    await user.type(await findInput('Confirm password'), 'shirt')
    await user.click(screen.getByRole('button', { name: 'Complete registration' }))
    screen.getByText('Full name is required')
    screen.getByText('Password must be at least 8 characters')
    screen.getByText("Passwords don't match")
    expect(api.calls(authApi.register)).toHaveLength(0)
  })

  it('registers, signs in and opens the dashboard', async () => {
    const api = serveInvitation()
      .on(authApi.register, () => ({ message: 'Welcome' }))
      .on(authApi.login, () => ({ token: aToken(), user: aUser() }))
    const page = renderPage(<RegisterPage />, { at: '/register?token=secret' })
    await page.user.type(await findInput('Password'), 'long enough')
    await page.user.type(await findInput('Confirm password'), 'long enough')
    await page.user.click(screen.getByRole('button', { name: 'Complete registration' }))
    await expect.poll(page.address).toBe('/dashboard')
    expect(api.calls(authApi.register)[0]?.body).toEqual({
      email: 'ada@example.com',
      fullName: 'Ada Example',
      password: 'long enough',
      token: 'secret',
    })
    expect(page.session.get().user?._id).toBe('user-1')
  })

  it('continues to the code page when two-factor authentication is required', async () => {
    serveInvitation()
      .on(authApi.register, () => ({ message: 'Welcome' }))
      .on(authApi.login, () => ({ requires2FA: true }))
    const page = renderPage(<RegisterPage />, { at: '/register?token=secret' })
    await page.user.type(await findInput('Password'), 'long enough')
    await page.user.type(await findInput('Confirm password'), 'long enough{Enter}')
    await expect.poll(page.address).toBe('/verify-2fa')
  })

  it.each([
    ['internal', 'Registration failed'],
    ['auth.password_common', 'This password is too easy to guess. Please choose another one.'],
  ] as const)('shows the refusal %s and stays on the form', async (code, message) => {
    serveInvitation().on(authApi.register, () => refuse(code))
    const page = renderPage(<RegisterPage />, { at: '/register?token=secret' })
    await page.user.type(await findInput('Password'), 'long enough')
    await page.user.type(await findInput('Confirm password'), 'long enough{Enter}')
    await screen.findByText(message)
    expect(page.address()).toBe('/register')
  })

  it.each([
    [
      'the server refuses it',
      '/register?token=secret',
      'This invitation has expired. Please ask your administrator for a new one.',
    ],
    ['there is no token', '/register', 'Invalid or expired invitation'],
  ])('shows an error when %s, and returns to the sign-in page after 3 s', async (_, at, message) => {
    vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-20T12:00:00Z') })
    fakeApi().on(invitationsApi.verify, () => refuse('invitation.expired'))
    const page = renderPage(<RegisterPage />, { at })
    await screen.findByText(message)
    await act(() => vi.advanceTimersByTimeAsync(2500))
    expect(page.address()).toBe('/register')
    await act(() => vi.advanceTimersByTimeAsync(600))
    expect(page.address()).toBe('/login')
  })
})
