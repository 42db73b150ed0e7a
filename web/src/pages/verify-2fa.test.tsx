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

function waiting(change: Partial<PendingCode> = {}): void {
  storePendingCode({ email: 'ada@example.com', door: 'user', delivery: 'mail', resendAt: 0, ...change })
}

function visit() {
  return renderPage(<VerifyPage />, { at: '/verify-2fa' })
}
function code() {
  return screen.getByLabelText<HTMLInputElement>('Verification code')
}
function resend() {
  return screen.getByRole('button', { name: /Resend code/ })
}
function isPressable(button: HTMLElement): boolean {
  return button.getAttribute('aria-disabled') !== 'true'
}

function refusedFor(seconds: number): Response {
  const answer = refuse('auth.code_cool_down')
  answer.headers.set('retry-after', String(seconds))
  return answer
}

beforeEach(() => waiting())

describe('/verify-2fa', () => {
  it('says where the code went, and waits in the field for it', () => {
    fakeApi()
    visit()
    screen.getByText('ada@example.com')
    screen.getByText(/We sent a code to/)
    expect(screen.queryByText(/no mail server/)).toBeNull()
    expect(document.activeElement).toBe(code())
    expect(code().autocomplete).toBe('one-time-code')
    expect(code().inputMode).toBe('numeric')
  })

  it('says who finds the code when there is no mail server', () => {
    fakeApi()
    waiting({ delivery: 'outbox' })
    visit()
    screen.getByText(/Its administrator finds the code in the server’s outbox folder/)
    expect(screen.queryByText(/We sent/)).toBeNull()
  })

  it('asks for a code, and for nothing else about it', async () => {
    const api = fakeApi().on(authApi.verify, () => refuse('auth.code_invalid'))
    const { user } = visit()
    await user.click(screen.getByRole('button', { name: 'Verify' }))
    screen.getByText('Verification code is required')
    expect(api.calls(authApi.verify)).toHaveLength(0)
    await user.type(code(), 'any text{Enter}')
    await expect.poll(() => api.calls(authApi.verify).length).toBe(1)
  })

  it('takes a code that was pasted in groups', async () => {
    const api = fakeApi().on(authApi.verify, () => ({ token: aToken(), user: aUser() }))
    const { user } = visit()
    await user.click(code())
    await user.paste(' 123 456\n')
    await user.keyboard('{Enter}')
    await expect.poll(() => api.calls(authApi.verify)[0]?.body.token).toBe('123456')
  })

  it('reads Verifying... while it waits, and sends once', async () => {
    const api = fakeApi().on(authApi.verify, () => new Promise<never>(() => undefined))
    const { user } = visit()
    await user.type(code(), '123456{Enter}')
    await user.click(await screen.findByRole('button', { name: 'Verifying...' }))
    expect(api.calls(authApi.verify)).toHaveLength(1)
  })

  it('signs in with the right code', async () => {
    fakeApi().on(authApi.verify, () => ({ token: aToken(), user: anAdmin() }))
    const { user, session } = visit()
    await user.type(code(), '123456{Enter}')
    await expect.poll(() => session.get().user?._id).toBe('admin-1')
    expect(readPendingCode()).toBeNull()
  })

  it.each([
    ['auth.code_invalid', 'Invalid verification token'],
    ['rate.limited', 'Too many requests. Please wait a moment and try again.'],
    ['internal', 'Invalid verification token'],
  ] as const)('says why a code is refused (%s), and selects it', async (refusal, words) => {
    fakeApi().on(authApi.verify, () => refuse(refusal))
    const { user } = visit()
    await user.type(code(), '123456')
    await user.click(screen.getByRole('button', { name: 'Verify' }))
    expect((await screen.findByText(words)).closest('[role=alert]')).not.toBeNull()
    expect(document.activeElement).toBe(code())
    expect([code().selectionStart, code().selectionEnd]).toEqual([0, 6])
  })

  it('says so when the pending address has vanished', async () => {
    const api = fakeApi().on(authApi.verify, () => ({ token: aToken(), user: aUser() }))
    const { user, session } = visit()
    await user.type(code(), '123456')
    sessionStorage.clear()
    await user.click(screen.getByRole('button', { name: 'Verify' }))
    await screen.findByText('No email found. Please login again.')
    expect(session.get().pending).toBeNull()
    expect(api.calls(authApi.verify)).toHaveLength(0)
  })

  it('leads back, and forgets the address', async () => {
    fakeApi()
    const { user, session } = visit()
    await user.click(screen.getByRole('button', { name: 'Back to sign in' }))
    expect(session.get().pending).toBeNull()
    expect(readPendingCode()).toBeNull()
  })
})

describe('another code', () => {
  // Only the countdown's clock: it stops unless a test moves it.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] }))

  it('can be asked for when the cool-down is over, which counts down and is announced', async () => {
    waiting({ resendAt: Date.now() + minute })
    const api = fakeApi().on(authApi.resendCode, () => ({
      message: 'Sent',
      delivery: 'mail' as const,
      resendAfter: 60,
    }))
    const { user } = visit()
    await user.click(resend())
    expect(api.calls(authApi.resendCode)).toHaveLength(0)
    expect(isPressable(resend())).toBe(false)
    await act(() => vi.advanceTimersByTimeAsync(20_000))
    expect(resend().textContent).toContain('0:40')
    const announced = screen.queryByText('You can ask for another code now.')
    expect(announced).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(40_000))
    expect(screen.getByText('You can ask for another code now.').closest('[aria-live=polite]')).not.toBeNull()

    await user.click(resend())
    await screen.findByText('Another code is on its way.')
    expect(api.calls(authApi.resendCode)[0]?.body).toEqual({ email: 'ada@example.com' })
    expect(isPressable(resend())).toBe(false)
    expect(readPendingCode()?.resendAt).toBe(Date.now() + minute)
  })

  it('waits as long as a refusal says', async () => {
    fakeApi().on(authApi.resendCode, () => refusedFor(90))
    const { user } = visit()
    await user.click(resend())
    await screen.findByText('Please wait a moment before you request another code.')
    expect(resend().textContent).toContain('1:30')
    await act(() => vi.advanceTimersByTimeAsync(91_000))
    expect(isPressable(resend())).toBe(true)
  })

  it('shows long waits in hours', async () => {
    waiting({ resendAt: Date.now() + 150 * minute })
    fakeApi()
    visit()
    expect(resend().textContent).toContain('2 h 30 min')
  })

  it.each([
    ['auth.code_not_sent', 'The verification code could not be sent. Please try again later.'],
    ['auth.code_invalid', 'This sign-in has expired. Please go back and sign in again.'],
    ['internal', 'The code could not be sent. Please try again.'],
  ] as const)('tells a refusal (%s)', async (refusal, words) => {
    fakeApi().on(authApi.resendCode, () => refuse(refusal))
    const { user } = visit()
    await user.click(resend())
    await screen.findByText(words)
    expect(isPressable(resend())).toBe(true)
  })
})
