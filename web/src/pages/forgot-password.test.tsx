import { authApi } from '@lyceum/contract/auth'
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { ForgotPasswordPage } from './forgot-password.tsx'

function visit() {
  return renderPage(<ForgotPasswordPage />, { at: '/forgot-password' })
}
function email() {
  return screen.getByLabelText<HTMLInputElement>('Email')
}
function send() {
  return screen.getByRole('button', { name: 'Send reset link' })
}

function answering() {
  return fakeApi().on(authApi.forgotPassword, () => ({
    message: 'If that address has an account, look there.',
  }))
}

describe('/forgot-password', () => {
  it('checks the address', async () => {
    const api = answering()
    const { user } = visit()
    expect(document.activeElement).toBe(email())
    await user.type(email(), 'ada')
    await user.click(send())
    screen.getByText('Invalid email address')
    expect(api.calls(authApi.forgotPassword)).toHaveLength(0)
  })

  it('confirms without saying whether there is an account, in the server’s words', async () => {
    const api = answering()
    const { user } = visit()
    await user.type(email(), ' Ada@Example.com{Enter}')
    const words = await screen.findByText('If that address has an account, look there.')
    expect(words.parentElement).toBe(document.activeElement)
    expect(screen.getByRole('heading').textContent).toBe('Check your email')
    expect(api.calls(authApi.forgotPassword)[0]?.body).toEqual({ email: 'ada@example.com' })
  })

  it('has words of its own for a server without any', async () => {
    fakeApi().on(authApi.forgotPassword, () => ({ message: '' }))
    const { user } = visit()
    await user.type(email(), 'ada@example.com{Enter}')
    await screen.findByText('If there is an account for this address, a link is on its way.')
  })

  it('sends again to the same address, or lets another one be typed', async () => {
    const api = answering()
    const { user } = visit()
    await user.type(email(), 'ada@example.com{Enter}')
    await user.click(await screen.findByRole('button', { name: 'Send again' }))
    await screen.findByText('Asked for another link. Only the newest one works.')
    expect(api.calls(authApi.forgotPassword).map(({ body }) => body.email)).toEqual([
      'ada@example.com',
      'ada@example.com',
    ])
    await user.click(screen.getByRole('button', { name: 'Use another email' }))
    expect(document.activeElement).toBe(email())
  })

  it.each([
    ['rate.limited', 'Too many requests. Please wait a moment and try again.'],
    ['internal', 'An error occurred'],
  ] as const)('shows a refusal (%s) and stays', async (code, words) => {
    fakeApi().on(authApi.forgotPassword, () => refuse(code))
    const { user } = visit()
    await user.type(email(), 'ada@example.com{Enter}')
    await screen.findByText(words)
    expect(email().value).toBe('ada@example.com')
  })

  it('shows a refusal to send again', async () => {
    const api = answering()
    const { user } = visit()
    await user.type(email(), 'ada@example.com{Enter}')
    const again = await screen.findByRole('button', { name: 'Send again' })
    api.on(authApi.forgotPassword, () => refuse('rate.limited'))
    await user.click(again)
    await screen.findByText('Too many requests. Please wait a moment and try again.')
  })

  it('links back to the sign-in', () => {
    answering()
    visit()
    expect(screen.getByRole('link', { name: 'Back to sign in' }).getAttribute('href')).toBe('/login')
  })
})
