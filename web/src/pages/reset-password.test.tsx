import { authApi } from '@lyceum/contract/auth'
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { readToken } from '#api/token.ts'
import { refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aToken, aUser } from '#testing/users.ts'
import { ResetPasswordPage } from './reset-password.tsx'

function visit(at = '/reset-password?token=secret') {
  return renderPage(<ResetPasswordPage />, { at })
}

async function fill({ user }: ReturnType<typeof visit>, password: string, confirm = password) {
  await user.type(screen.getByLabelText('New password'), password)
  await user.type(screen.getByLabelText('Confirm new password'), confirm)
  await user.click(screen.getByRole('button', { name: 'Set new password' }))
}

function readDescription(label: string): string {
  const ids = screen.getByLabelText(label).getAttribute('aria-describedby')?.split(' ') ?? []
  return ids.map((id) => document.getElementById(id)?.textContent).join(' ')
}

function findNewLink() {
  return screen.findByRole('link', { name: 'Request a new link' })
}

describe('/reset-password', () => {
  it('removes the token from the URL and sends it with the password', async () => {
    const token = aToken()
    const api = fakeApi().on(authApi.resetPassword, () => ({ token, user: aUser() }))
    const page = visit()
    expect(page.address()).toBe('/reset-password')
    expect(document.activeElement).toBe(screen.getByLabelText('New password'))
    await fill(page, 'a long password')
    await expect.poll(readToken).toBe(token)
    expect(page.session.get()).toMatchObject({ user: { _id: 'user-1' }, redirectTo: '/dashboard' })
    expect(api.calls(authApi.resetPassword)[0]?.body).toEqual({
      token: 'secret',
      newPassword: 'a long password',
    })
  })

  it('opens the sign-in page when the server starts no session', async () => {
    fakeApi().on(authApi.resetPassword, () => ({}))
    const page = visit()
    await fill(page, 'a long password')
    await expect.poll(page.address).toBe('/login')
    screen.getByText('Your password has been changed. Please sign in.')
    expect(page.session.get()).toMatchObject({ user: null, pending: null })
  })

  it('validates both passwords', async () => {
    const api = fakeApi().on(authApi.resetPassword, () => ({}))
    await fill(visit(), 'short', 'shirt')
    expect(readDescription('New password')).toContain('Password must be at least 8 characters')
    expect(readDescription('Confirm new password')).toContain('Password must be at least 8 characters')
    expect(api.calls(authApi.resetPassword)).toHaveLength(0)
  })

  it('requires matching passwords', async () => {
    fakeApi()
    await fill(visit(), 'a long password', 'another password')
    expect(readDescription('Confirm new password')).toBe("Passwords don't match")
  })

  it('shows an error without a token, and offers to request a new link', async () => {
    fakeApi()
    visit('/reset-password')
    expect(screen.getByText('Invalid reset token').closest('[role=alert]')).not.toBeNull()
    expect((await findNewLink()).getAttribute('href')).toBe('/forgot-password')
    expect(screen.queryByLabelText('New password')).toBeNull()
  })

  it.each([
    ['auth.reset_invalid', 'Invalid reset token'],
    ['auth.reset_used', 'This link has already been used. Please request a new one.'],
    ['auth.reset_expired', 'This link has expired. Please request a new one.'],
  ] as const)('shows the refusal %s of the link', async (code, message) => {
    fakeApi().on(authApi.resetPassword, () => refuse(code))
    await fill(visit(), 'a long password')
    await screen.findByText(message)
    expect(document.activeElement).toBe(await findNewLink())
  })

  it('treats an invalid token format as an invalid link', async () => {
    fakeApi().on(authApi.resetPassword, () => refuse('validation.failed', { token: 'Invalid input' }))
    await fill(visit(), 'a long password')
    await screen.findByText('Invalid reset token')
  })

  it('shows the server’s password error under the field', async () => {
    fakeApi().on(authApi.resetPassword, () => refuse('auth.password_common', { newPassword: 'Not this one' }))
    await fill(visit(), 'password')
    await screen.findByText('Not this one')
    expect(readDescription('New password')).toContain('Not this one')
    expect(document.activeElement).toBe(screen.getByLabelText('New password'))
  })

  it('shows a fallback message when the server sends none', async () => {
    fakeApi().on(authApi.resetPassword, () => refuse('internal'))
    await fill(visit(), 'a long password')
    await screen.findByText('An error occurred')
    expect(readToken()).toBeNull()
  })
})
