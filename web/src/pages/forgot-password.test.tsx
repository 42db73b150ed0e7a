import { authApi } from '@lyceum/contract/auth'
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { buttonStyle } from '#ui/button-style.ts'
import { ForgotPasswordPage } from './forgot-password.tsx'

async function visit() {
  const page = renderPage(<ForgotPasswordPage />, { at: '/forgot-password' })
  await screen.findByLabelText('Email')
  return page
}
function getEmailField() {
  return screen.getByLabelText<HTMLInputElement>('Email')
}
function getSendButton() {
  return screen.getByRole('button', { name: 'Send reset link' })
}

function fakeMail() {
  return fakeApi().on(authApi.delivery, () => ({ delivery: 'mail' as const }))
}
function fakeServer() {
  return fakeMail().on(authApi.forgotPassword, () => ({
    message: 'If that address has an account, we sent a link to it.',
  }))
}

describe('/forgot-password', () => {
  it('tells where the setup link is while there are no accounts', async () => {
    const isSetUp = Promise.withResolvers<{ isSetUp: boolean }>()
    fakeServer().on(authApi.setupState, () => isSetUp.promise)
    await visit()
    isSetUp.resolve({ isSetUp: false })
    const heading = await screen.findByRole('heading', { name: 'Lyceum is not set up yet' })
    expect(document.activeElement).toBe(heading)
    expect(screen.queryByLabelText('Email')).toBeNull()
  })

  it('rejects an invalid email address', async () => {
    const api = fakeServer()
    const { user } = await visit()
    expect(document.activeElement).toBe(getEmailField())
    await user.type(getEmailField(), 'ada')
    await user.click(getSendButton())
    screen.getByText('Invalid email address')
    expect(api.calls(authApi.forgotPassword)).toHaveLength(0)
  })

  it('confirms with the server’s message, which does not reveal whether an account exists', async () => {
    const api = fakeServer()
    const { user } = await visit()
    await user.type(getEmailField(), ' Ada@Example.com{Enter}')
    const message = await screen.findByText('If that address has an account, we sent a link to it.')
    expect(message.parentElement).toBe(document.activeElement)
    expect(screen.getByRole('heading').textContent).toBe('Check your email')
    expect(api.calls(authApi.forgotPassword)[0]?.body).toEqual({ email: 'ada@example.com' })
  })

  it('shows its own confirmation when the server sends none', async () => {
    fakeMail().on(authApi.forgotPassword, () => ({ message: '' }))
    const { user } = await visit()
    await user.type(getEmailField(), 'ada@example.com{Enter}')
    await screen.findByText('If there is an account for this address, a link is on its way.')
  })

  it('sends another link to the same email address, or asks for a different one', async () => {
    const api = fakeServer()
    const { user } = await visit()
    await user.type(getEmailField(), 'ada@example.com{Enter}')
    await user.click(await screen.findByRole('button', { name: 'Send again' }))
    await screen.findByText('New link sent. Earlier links no longer work.')
    expect(api.calls(authApi.forgotPassword).map(({ body }) => body.email)).toEqual([
      'ada@example.com',
      'ada@example.com',
    ])
    await user.click(screen.getByRole('button', { name: 'Use another email' }))
    expect(document.activeElement).toBe(getEmailField())
  })

  it('shows the form only once it is known whether the server can send email', async () => {
    fakeServer()
    renderPage(<ForgotPasswordPage />, { at: '/forgot-password' })
    expect(screen.getByRole('heading').textContent).toBe('Forgot your password?')
    expect(screen.queryByLabelText('Email')).toBeNull()
    await screen.findByText(/we’ll send you a link/)
    expect(document.activeElement).toBe(getEmailField())
  })

  it('offers the form when it cannot be known whether the server can send email', async () => {
    fakeServer().on(authApi.delivery, () => refuse('internal'))
    await visit()
    screen.getByText(/we’ll send you a link/)
  })

  it('warns before anything is sent when the server cannot send email', async () => {
    fakeServer().on(authApi.delivery, () => ({ delivery: 'outbox' as const }))
    const { user } = await visit()
    await screen.findByText(
      'This server cannot send email. Ask an administrator for a link to set a new password.',
    )
    expect(screen.queryByText(/we’ll send you a link/)).toBeNull()
    expect(document.activeElement).toBe(document.body)
    await user.type(getEmailField(), 'ada@example.com{Enter}')
    await screen.findByRole('heading', { name: 'Ask an administrator' })
    expect(screen.queryByText(/spam folder/)).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Use another email' }))
    expect(document.activeElement).toBe(getEmailField())
  })

  it('has the notice, the field, the button and the way back in this order without a mail server', async () => {
    fakeServer().on(authApi.delivery, () => ({ delivery: 'outbox' as const }))
    await visit()
    const parts = [
      screen.getByText(/^This server cannot send email/),
      getEmailField(),
      getSendButton(),
      screen.getByRole('link', { name: 'Back to sign in' }),
    ]
    const inDocument = parts.toSorted((a, b) =>
      a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
    )
    expect(inDocument).toEqual(parts)
    expect(getSendButton().className).toBe(buttonStyle('secondary', 'regular', 'w-full'))
  })

  it('says before and after the request who gets the link when the server cannot send email', async () => {
    fakeServer().on(authApi.delivery, () => ({ delivery: 'outbox' as const }))
    const { user } = await visit()
    const hint = screen.getByText(
      'The link is saved on the server, where an administrator can read it and give it to you.',
    )
    expect(getEmailField().getAttribute('aria-describedby')).toBe(hint.id)
    await user.type(getEmailField(), 'ada@example.com{Enter}')
    await screen.findByText(
      /a link is saved on the server\. An administrator can read it there and give it to you\./,
    )
    await user.click(screen.getByRole('button', { name: 'Save a new link' }))
    await screen.findByText(
      'If there is an account for this address, a new link is saved on the server. Earlier links no longer work.',
    )
  })

  it.each([
    ['rate.limited', 'Too many requests. Please wait a moment and try again.'],
    ['internal', 'An error occurred'],
  ] as const)('shows the refusal %s and stays on the form', async (code, message) => {
    fakeMail().on(authApi.forgotPassword, () => refuse(code))
    const { user } = await visit()
    await user.type(getEmailField(), 'ada@example.com{Enter}')
    await screen.findByText(message)
    expect(getEmailField().value).toBe('ada@example.com')
  })

  it('shows a refusal when sending again', async () => {
    const api = fakeServer()
    const { user } = await visit()
    await user.type(getEmailField(), 'ada@example.com{Enter}')
    const again = await screen.findByRole('button', { name: 'Send again' })
    api.on(authApi.forgotPassword, () => refuse('rate.limited'))
    await user.click(again)
    await screen.findByText('Too many requests. Please wait a moment and try again.')
  })

  it('links back to the sign-in page', async () => {
    fakeServer()
    await visit()
    expect(screen.getByRole('link', { name: 'Back to sign in' }).getAttribute('href')).toBe('/login')
  })
})
