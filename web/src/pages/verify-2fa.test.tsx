import { authApi } from '@lyceum/contract/auth'
import { act, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type PendingCode, readPendingCode, storePendingCode } from '#features/auth/pending-code.ts'
import { refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { anAdmin, aToken, aUser } from '#testing/users.ts'
import { VerifyPage } from './verify-2fa.tsx'

const minute = 60_000

function setPendingCode(change: Partial<PendingCode> = {}): void {
  storePendingCode({ email: 'ada@example.com', door: 'user', delivery: 'mail', resendAt: 0, ...change })
}

function visit() {
  return renderPage(<VerifyPage />, { at: '/verify-2fa' })
}
function getCodeField() {
  return screen.getByLabelText<HTMLInputElement>('Verification code')
}
function getResendButton() {
  return screen.getByRole('button', { name: /Resend code/ })
}
function isEnabled(button: HTMLElement): boolean {
  return button.getAttribute('aria-disabled') !== 'true'
}

function refuseForSeconds(seconds: number): Response {
  const response = refuse('auth.code_cool_down')
  response.headers.set('retry-after', String(seconds))
  return response
}

beforeEach(() => setPendingCode())

describe('/verify-2fa', () => {
  it('shows where the code was sent and focuses the field', () => {
    fakeApi()
    visit()
    screen.getByText('ada@example.com')
    screen.getByText(/We sent a code to/)
    expect(screen.queryByText(/not set up/)).toBeNull()
    expect(document.activeElement).toBe(getCodeField())
    expect(getCodeField().autocomplete).toBe('one-time-code')
    expect(getCodeField().inputMode).toBe('numeric')
  })

  it('tells the user to ask an administrator when there is no mail server', () => {
    fakeApi()
    setPendingCode({ delivery: 'outbox' })
    visit()
    screen.getByText(/Ask your administrator for the code/)
    expect(screen.queryByText(/We sent/)).toBeNull()
  })

  it('requires a code but accepts any text', async () => {
    const api = fakeApi().on(authApi.verify, () => refuse('auth.code_invalid'))
    const { user } = visit()
    await user.click(screen.getByRole('button', { name: 'Verify' }))
    screen.getByText('Verification code is required')
    expect(api.calls(authApi.verify)).toHaveLength(0)
    await user.type(getCodeField(), 'any text{Enter}')
    await expect.poll(() => api.calls(authApi.verify).length).toBe(1)
  })

  it('accepts a code pasted in groups', async () => {
    const api = fakeApi().on(authApi.verify, () => ({ token: aToken(), user: aUser() }))
    const { user } = visit()
    await user.click(getCodeField())
    await user.paste(' 123 456\n')
    await user.keyboard('{Enter}')
    await expect.poll(() => api.calls(authApi.verify)[0]?.body.token).toBe('123456')
  })

  it('shows “Verifying...” while waiting, and sends only once', async () => {
    const api = fakeApi().on(authApi.verify, () => new Promise<never>(() => undefined))
    const { user } = visit()
    await user.type(getCodeField(), '123456{Enter}')
    await user.click(await screen.findByRole('button', { name: 'Verifying...' }))
    expect(api.calls(authApi.verify)).toHaveLength(1)
  })

  it('signs in with the correct code', async () => {
    fakeApi().on(authApi.verify, () => ({ token: aToken(), user: anAdmin() }))
    const { user, session } = visit()
    await user.type(getCodeField(), '123456{Enter}')
    await expect.poll(() => session.get().user?._id).toBe('admin-1')
    expect(readPendingCode()).toBeNull()
  })

  it.each([
    ['auth.code_invalid', 'Invalid verification token', 'true'],
    ['rate.limited', 'Too many requests. Please wait a moment and try again.', null],
    ['internal', 'Invalid verification token', null],
  ] as const)('shows the refusal %s and selects the code', async (refusal, message, invalid) => {
    fakeApi().on(authApi.verify, () => refuse(refusal))
    const { user } = visit()
    await user.type(getCodeField(), '123456')
    await user.click(screen.getByRole('button', { name: 'Verify' }))
    const text = await screen.findByText(message)
    expect(text.closest('[role=alert]')).not.toBeNull()
    expect(getCodeField().getAttribute('aria-invalid')).toBe(invalid)
    const describedBy = getCodeField().getAttribute('aria-describedby') ?? ''
    expect(describedBy.split(' ').includes(text.id)).toBe(invalid !== null)
    expect(document.activeElement).toBe(getCodeField())
    expect([getCodeField().selectionStart, getCodeField().selectionEnd]).toEqual([0, 6])
  })

  it('shows an error when the pending sign-in is gone', async () => {
    const api = fakeApi().on(authApi.verify, () => ({ token: aToken(), user: aUser() }))
    const { user, session } = visit()
    await user.type(getCodeField(), '123456')
    sessionStorage.clear()
    await user.click(screen.getByRole('button', { name: 'Verify' }))
    await screen.findByText('No email found. Please login again.')
    expect(session.get().pending).toBeNull()
    expect(api.calls(authApi.verify)).toHaveLength(0)
  })

  it('goes back and discards the pending sign-in', async () => {
    fakeApi()
    const { user, session } = visit()
    await user.click(screen.getByRole('button', { name: 'Back to sign in' }))
    expect(session.get().pending).toBeNull()
    expect(readPendingCode()).toBeNull()
  })
})

describe('requesting another code', () => {
  // Fake only the countdown's clock. It advances only when a test moves it.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] }))

  it('counts down the cool-down, announces its end and then sends the request', async () => {
    setPendingCode({ resendAt: Date.now() + minute })
    const api = fakeApi().on(authApi.resendCode, () => ({
      message: 'Sent',
      delivery: 'mail' as const,
      resendAfter: 60,
    }))
    const { user } = visit()
    await user.click(getResendButton())
    expect(api.calls(authApi.resendCode)).toHaveLength(0)
    expect(isEnabled(getResendButton())).toBe(false)
    await act(() => vi.advanceTimersByTimeAsync(20_000))
    expect(getResendButton().textContent).toContain('0:40')
    const announced = screen.queryByText('You can request another code now.')
    expect(announced).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(40_000))
    expect(screen.getByText('You can request another code now.').closest('[aria-live=polite]')).not.toBeNull()

    await user.click(getResendButton())
    await screen.findByText('Another code is on its way.')
    expect(document.activeElement).toBe(getCodeField())
    expect(api.calls(authApi.resendCode)[0]?.body).toEqual({ email: 'ada@example.com' })
    expect(isEnabled(getResendButton())).toBe(false)
    expect(readPendingCode()?.resendAt).toBe(Date.now() + minute)
  })

  it('refers to the administrator when there is no mail server', async () => {
    setPendingCode({ delivery: 'outbox' })
    fakeApi()
      .on(authApi.resendCode, () => ({ message: 'Sent', delivery: 'outbox' as const, resendAfter: 60 }))
      .on(authApi.verify, () => refuse('auth.code_invalid'))
    const { user } = visit()
    await user.type(getCodeField(), '123456{Enter}')
    await screen.findByText('Invalid verification token')
    await user.click(getResendButton())
    await screen.findByText('A new code was created. Ask your administrator for it.')
    expect(screen.queryByText('Invalid verification token')).toBeNull()
    expect(getCodeField().value).toBe('')
    expect(document.activeElement).toBe(getCodeField())
    expect(screen.queryByText(/on its way/)).toBeNull()
  })

  it('waits for the time in Retry-After', async () => {
    fakeApi().on(authApi.resendCode, () => refuseForSeconds(90))
    const { user } = visit()
    await user.click(getResendButton())
    await screen.findByText('Please wait a moment before you request another code.')
    expect(getResendButton().textContent).toContain('1:30')
    await act(() => vi.advanceTimersByTimeAsync(91_000))
    expect(isEnabled(getResendButton())).toBe(true)
  })

  it('shows long waits in hours', async () => {
    setPendingCode({ resendAt: Date.now() + 150 * minute })
    fakeApi()
    visit()
    expect(getResendButton().textContent).toContain('2 h 30 min')
  })

  it.each([
    ['auth.code_not_sent', 'The verification code could not be sent. Please try again later.'],
    ['auth.code_invalid', 'This sign-in has expired. Please go back and sign in again.'],
    ['internal', 'The code could not be sent. Please try again.'],
  ] as const)('shows the refusal %s', async (refusal, message) => {
    fakeApi().on(authApi.resendCode, () => refuse(refusal))
    const { user } = visit()
    await user.click(getResendButton())
    await screen.findByText(message)
    expect(isEnabled(getResendButton())).toBe(true)
  })
})
