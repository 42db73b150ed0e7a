import { authApi } from '@lyceum/contract/auth'
import { getPermissions, type Permission } from '@lyceum/contract/permissions'
import { settingsApi } from '@lyceum/contract/settings'
import { twoFactorApi } from '@lyceum/contract/two-factor'
import { usersApi } from '@lyceum/contract/users'
import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aListedUser } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { UserTwoFactorDialog } from './UserTwoFactorDialog.tsx'

let api: FakeApi
const onClose = vi.fn<() => void>()
const globalSettings = { twoFactorExpiryDays: 30, twoFactorExpiryEnabled: true, isOverride: false }
const override = { twoFactorExpiryDays: 7, twoFactorExpiryEnabled: true, isOverride: true }

function signInWithout(...permissions: Permission[]): void {
  const overrides = Object.fromEntries(permissions.map((permission) => [permission, false]))
  const admin = anAdmin({ permissions: getPermissions({ role: 'admin', isSystemAdmin: false, overrides }) })
  api.on(authApi.me, () => admin)
  signIn(admin)
}

async function open(settings: typeof override = globalSettings, listed = aListedUser()): Promise<UserEvent> {
  api.on(twoFactorApi.get, () => settings)
  const { user } = renderPage(<UserTwoFactorDialog user={listed} onClose={onClose} />)
  await screen.findByRole('radio', { name: 'Custom settings' })
  return user
}
function radio(name: string): HTMLElement {
  return screen.getByRole('radio', { name })
}
async function press(user: UserEvent, name: string): Promise<void> {
  await user.click(screen.getByRole('button', { name }))
}

beforeEach(() => {
  onClose.mockReset()
  api = fakeApi()
    .on(authApi.delivery, () => ({ delivery: 'mail' as const }))
    .on(settingsApi.get, () => ({
      settings: { twoFactorExpiryDays: 30, twoFactorExpiryEnabled: true, dashboardBackgroundImage: null },
    }))
  signInWithout()
})

describe('Manage 2FA Settings', () => {
  it('shows that a user follows the global settings and what they are', async () => {
    const user = await open()
    screen.getByRole('dialog', { name: 'Manage 2FA Settings' })
    expect(radio('Use global settings')).toHaveProperty('checked', true)
    await screen.findByText('A code is required; the browser is then trusted for 30 days.')
    expect(screen.queryByLabelText('2FA expiry (days)')).toBeNull()
    const [close] = screen.getAllByRole('button', { name: 'Close' })
    await user.click(close as HTMLElement)
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('starts with the focus on the chosen settings, which load first', async () => {
    await open(override)
    await waitFor(() => expect(document.activeElement).toBe(radio('Custom settings')))
  })

  it('shows when the global settings require no code', async () => {
    api.on(settingsApi.get, () => ({
      settings: { twoFactorExpiryDays: 30, twoFactorExpiryEnabled: false, dashboardBackgroundImage: null },
    }))
    await open()
    await screen.findByText('No code is required: users sign in with just a password.')
  })

  it('saves custom settings', async () => {
    api.on(twoFactorApi.override, ({ body }) => ({ ...body, isOverride: true }))
    const user = await open()
    await user.click(radio('Custom settings'))
    await user.clear(screen.getByLabelText('2FA expiry (days)'))
    await user.type(screen.getByLabelText('2FA expiry (days)'), '7')
    await user.click(screen.getByRole('checkbox', { name: /2FA enabled/ }))
    screen.getByText('This user can sign in with just a password.')
    await press(user, 'Save settings')
    await screen.findByText('User 2FA settings updated successfully')
    expect(api.calls(twoFactorApi.override)[0]).toMatchObject({
      params: { userId: 'user-1' },
      body: { twoFactorExpiryDays: 7, twoFactorExpiryEnabled: false },
    })
  })

  it('can be saved only while something is changed', async () => {
    api.on(twoFactorApi.reset, () => globalSettings)
    const user = await open(override)
    const button = screen.getByRole('button', { name: 'Save settings' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    await press(user, 'Save settings')
    await user.type(screen.getByLabelText('2FA expiry (days)'), '0')
    expect(button.getAttribute('aria-disabled')).toBe('false')
    await user.click(radio('Use global settings'))
    expect(button.getAttribute('aria-disabled')).toBe('false')
    await user.click(radio('Custom settings'))
    await user.type(screen.getByLabelText('2FA expiry (days)'), '{Backspace}')
    expect(button.getAttribute('aria-disabled')).toBe('true')
    await user.click(radio('Use global settings'))
    await press(user, 'Save settings')
    await screen.findByText('User 2FA settings reset to global defaults')
    expect(button.getAttribute('aria-disabled')).toBe('true')
    expect(api.calls(twoFactorApi.override)).toEqual([])
  })

  it('warns when 2FA is turned on and the server cannot send email', async () => {
    api.on(authApi.delivery, () => ({ delivery: 'outbox' as const }))
    const user = await open({ ...override, twoFactorExpiryEnabled: false })
    await waitFor(() => expect(api.calls(authApi.delivery)).not.toHaveLength(0))
    screen.getByText('This user can sign in with just a password.')
    expect(screen.queryByText(/^This server cannot send email/)).toBeNull()
    expect(screen.getByLabelText('2FA expiry (days)')).toHaveProperty('disabled', true)
    await user.click(screen.getByRole('checkbox', { name: /2FA enabled/ }))
    await screen.findByText(/^This server cannot send email/)
    expect(screen.queryByText('This user can sign in with just a password.')).toBeNull()
    expect(screen.getByLabelText('2FA expiry (days)')).toHaveProperty('disabled', false)
    await press(user, 'Force re-verification')
    const dialog = await screen.findByRole('alertdialog')
    within(dialog).getByText(/^This server cannot send email/)
  })

  it('falls back to 30 days for non-numeric input and rejects more than a year', async () => {
    api.on(twoFactorApi.override, ({ body }) => ({ ...body, isOverride: true }))
    const user = await open(override)
    const days = screen.getByLabelText('2FA expiry (days)')
    await user.clear(days)
    await user.type(days, '400{Enter}')
    await screen.findByText('From 1 to 365 days')
    await user.clear(days)
    await user.type(days, 'x{Enter}')
    await screen.findByText('User 2FA settings updated successfully')
    expect(api.calls(twoFactorApi.override).map(({ body }) => body.twoFactorExpiryDays)).toEqual([30])
  })

  it('returns a user to the global settings', async () => {
    api.on(twoFactorApi.reset, () => globalSettings)
    const user = await open(override)
    expect(radio('Custom settings')).toHaveProperty('checked', true)
    await user.click(radio('Use global settings'))
    await press(user, 'Save settings')
    await screen.findByText('User 2FA settings reset to global defaults')
    expect(radio('Use global settings')).toHaveProperty('checked', true)
    expect(api.calls(twoFactorApi.reset)[0]?.params).toEqual({ userId: 'user-1' })
  })

  it('shows why saving or resetting failed, with the server’s message if there is one', async () => {
    api
      .on(twoFactorApi.override, () => refuse('internal'))
      .on(twoFactorApi.reset, () => refuse('user.system_admin_only'))
    const user = await open(override)
    await user.type(screen.getByLabelText('2FA expiry (days)'), '0')
    await press(user, 'Save settings')
    await screen.findByText('Failed to update user 2FA settings')
    await user.click(radio('Use global settings'))
    await press(user, 'Save settings')
    await screen.findByText('Only a system administrator can change another system administrator')
    api.on(twoFactorApi.reset, () => refuse('internal'))
    await press(user, 'Save settings')
    await screen.findByText('Failed to reset user 2FA settings')
  })

  it('shows an error when the settings cannot be loaded, and retries', async () => {
    api.on(twoFactorApi.get, () => refuse('internal'))
    const { user } = renderPage(<UserTwoFactorDialog user={aListedUser()} onClose={onClose} />)
    await screen.findByText('The 2FA settings could not be loaded.')
    api.on(twoFactorApi.get, () => override)
    await press(user, 'Try again')
    await screen.findByRole('radio', { name: 'Custom settings' })
  })
})

describe('2FA actions', () => {
  async function confirm(user: UserEvent, title: string, button: string): Promise<void> {
    const dialog = await screen.findByRole('alertdialog', { name: title })
    expect(dialog.textContent).toContain('Ada Example')
    await user.click(within(dialog).getByRole('button', { name: button }))
  }

  it('forces re-verification after confirmation', async () => {
    api.on(twoFactorApi.forceReverification, () => ({ message: 'ok' }))
    const user = await open()
    await press(user, 'Force re-verification')
    expect(api.calls(twoFactorApi.forceReverification)).toHaveLength(0)
    await confirm(user, 'Force 2FA re-verification?', 'Force re-verification')
    await screen.findByText('2FA re-verification forced successfully for user')
    expect(api.calls(twoFactorApi.forceReverification)[0]?.params).toEqual({ userId: 'user-1' })
  })

  it('signs a user out everywhere after confirmation', async () => {
    api.on(usersApi.endSessions, () => ({ message: 'ok' }))
    const user = await open()
    await press(user, 'Sign out everywhere')
    await confirm(user, 'Sign out everywhere?', 'Sign out everywhere')
    await screen.findByText('User signed out everywhere')
    expect(api.calls(usersApi.endSessions)[0]?.params).toEqual({ id: 'user-1' })
  })

  it('shows an error when either action fails', async () => {
    api
      .on(twoFactorApi.forceReverification, () => refuse('internal'))
      .on(usersApi.endSessions, () => refuse('internal'))
    const user = await open()
    await press(user, 'Force re-verification')
    await confirm(user, 'Force 2FA re-verification?', 'Force re-verification')
    await screen.findByText('Failed to force 2FA re-verification')
    await press(user, 'Sign out everywhere')
    await confirm(user, 'Sign out everywhere?', 'Sign out everywhere')
    await screen.findByText('Failed to sign the user out')
  })

  it('asks before it loses a choice', async () => {
    const user = await open()
    await user.click(radio('Custom settings'))
    await user.keyboard('{Escape}')
    await screen.findByRole('alertdialog', { name: 'Discard your changes?' })
    expect(onClose).not.toHaveBeenCalled()
    await press(user, 'Discard')
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('disables the actions on a system administrator for other administrators', async () => {
    const user = await open(globalSettings, aListedUser({ role: 'admin', isSystemAdmin: true }))
    for (const name of ['Force re-verification', 'Sign out everywhere'])
      expect(screen.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true')
    await press(user, 'Force re-verification')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(
      screen.getAllByText('Only a system administrator can change another system administrator'),
    ).toHaveLength(3)
  })

  it.each([
    [
      'canForce2FAReVerification',
      'Force re-verification',
      'You do not have permission to force 2FA re-verification',
    ],
    ['canEditUsers', 'Sign out everywhere', 'You do not have permission to edit users'],
  ] as const)('requires %s for “%s”', async (permission, button, refusal) => {
    signInWithout(permission)
    const user = await open()
    expect(screen.getByRole('button', { name: button }).getAttribute('aria-disabled')).toBe('true')
    expect(screen.getAllByText(refusal)).toHaveLength(1)
    await press(user, button)
    await waitFor(() => expect(screen.getAllByText(refusal)).toHaveLength(2))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(api.unhandledCalls).toEqual([])
  })
})
