import { apiKeysApi } from '@lyceum/contract/api-keys'
import { authApi, type SessionInfo, type TrustedBrowser } from '@lyceum/contract/auth'
import { connectedProgramsApi } from '@lyceum/contract/connected-programs'
import { usersApi } from '@lyceum/contract/users'
import { act, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { readStoredUser } from '#api/token.ts'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aUser, signIn } from '#testing/users.ts'
import { ProfilePage } from './profile.tsx'

const at = '2026-11-20T09:00:00.000Z'

function aSession(change: Partial<SessionInfo> = {}): SessionInfo {
  return {
    _id: 'session-1',
    browser: 'Firefox on Windows',
    ip: '192.0.2.1',
    current: false,
    createdAt: at,
    lastSeenAt: at,
    ...change,
  }
}

function aBrowser(change: Partial<TrustedBrowser> = {}): TrustedBrowser {
  return {
    _id: 'browser-1',
    browser: 'Safari on iPhone',
    ip: '192.0.2.2',
    current: false,
    createdAt: at,
    lastUsedAt: at,
    expiresAt: at,
    ...change,
  }
}

const currentSession = aSession({ _id: 'here', browser: 'Chrome on Linux', current: true })

let api: FakeApi
let sessions: SessionInfo[]
let browsers: TrustedBrowser[]

beforeEach(() => {
  sessions = [aSession(), currentSession]
  browsers = [aBrowser()]
  signIn(aUser())
  api = fakeApi()
    .on(authApi.me, () => aUser())
    .on(authApi.logout, () => undefined)
    .on(authApi.sessions, () => sessions)
    .on(authApi.trustedBrowsers, () => browsers)
    .on(connectedProgramsApi.list, () => [])
    .on(apiKeysApi.list, () => [])
})

function visit() {
  return renderPage(<ProfilePage />, { at: '/profile' })
}
function getInput(label: string) {
  return screen.getByLabelText<HTMLInputElement>(label)
}
async function findRow(list: string, name: string): Promise<HTMLElement> {
  const rows = within(await screen.findByRole('list', { name: list })).getAllByRole('listitem')
  const found = rows.find((candidate) => candidate.textContent?.includes(name))
  if (found === undefined) throw new Error(`No row with ${name}`)
  return found
}
function readDescription(label: string): string {
  const ids = getInput(label).getAttribute('aria-describedby')?.split(' ') ?? []
  return ids.map((id) => document.getElementById(id)?.textContent).join(' ')
}

describe('/profile', () => {
  it('links back to the dashboard', () => {
    visit()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Profile Settings')
    expect(screen.getByRole('link', { name: 'Back to Dashboard' }).getAttribute('href')).toBe('/dashboard')
  })
})

describe('unsaved changes', () => {
  it.each([
    ['Name', ' II'],
    ['New password', 'the new one'],
  ])('are not lost without a question (%s)', async (label, text) => {
    const { user, address } = visit()
    await user.type(getInput(label), text)
    const entry = getInput(label).value
    await user.click(screen.getByRole('link', { name: 'Back to Dashboard' }))
    const question = within(await screen.findByRole('alertdialog', { name: 'Discard your changes?' }))
    question.getByText('Your profile changes have not been saved.')
    await user.click(question.getByRole('button', { name: 'Keep editing' }))
    expect([address(), getInput(label).value]).toEqual(['/profile', entry])
    await user.clear(getInput(label))
    if (label === 'Name') await user.type(getInput(label), aUser().name)
    await user.click(screen.getByRole('link', { name: 'Back to Dashboard' }))
    expect(address()).toBe('/dashboard')
  })
})

describe('name form', () => {
  async function rename({ user }: ReturnType<typeof visit>, name: string): Promise<void> {
    await user.clear(getInput('Name'))
    if (name !== '') await user.type(getInput('Name'), name)
    await user.click(screen.getByRole('button', { name: 'Update name' }))
  }

  it('changes the name on screen and in the stored session', async () => {
    api.on(usersApi.update, ({ body }) => aUser({ name: body.name ?? '' }))
    const page = visit()
    expect(getInput('Name').value).toBe('Ada Example')
    await rename(page, '  Ada Renamed ')
    const message = await screen.findByText('Name updated successfully')
    expect(message.closest('[aria-live=polite]')).not.toBeNull()
    expect(api.calls(usersApi.update)[0]).toMatchObject({
      params: { id: 'user-1' },
      body: { name: 'Ada Renamed' },
    })
    expect(getInput('Name').value).toBe('Ada Renamed')
    expect(page.session.get().user).toMatchObject({ name: 'Ada Renamed', permissions: {} })
    expect(readStoredUser()).toContain('Ada Renamed')
  })

  it.each(['', '   '])('requires a name (%j)', async (name) => {
    api.on(usersApi.update, () => aUser())
    await rename(visit(), name)
    expect(api.calls(usersApi.update)).toHaveLength(0)
    expect(readDescription('Name')).toBe('Name is required')
  })

  it('shows the server’s validation error under the field', async () => {
    api.on(usersApi.update, () => refuse('validation.failed', { name: 'At most 120 characters' }))
    await rename(visit(), 'Ada')
    await screen.findByText('At most 120 characters')
    expect(readDescription('Name')).toBe('At most 120 characters')
  })

  it('shows a failure message that disappears after 3 s', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-20T12:00:00Z') })
    api.on(usersApi.update, () => refuse('internal'))
    await rename(visit(), 'Ada')
    await screen.findByText('Failed to update name')
    await act(() => vi.advanceTimersByTimeAsync(2500))
    screen.getByText('Failed to update name')
    await act(() => vi.advanceTimersByTimeAsync(600))
    expect(screen.queryByText('Failed to update name')).toBeNull()
  })
})

describe('password form', () => {
  async function change({ user }: ReturnType<typeof visit>, next: string, confirm = next): Promise<void> {
    await user.type(getInput('Current password'), 'the old one')
    await user.type(getInput('New password'), next)
    await user.type(getInput('Confirm new password'), confirm)
    await user.click(screen.getByRole('button', { name: 'Update password' }))
  }

  it('changes the password, clears the fields, and hides the message after 3 s', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-20T12:00:00Z') })
    api.on(usersApi.changePassword, () => ({ message: 'Changed' }))
    const page = visit()
    await screen.findByText('Firefox on Windows')
    sessions = [currentSession]
    await change(page, 'the new one')
    await screen.findByText('Password updated successfully')
    expect(api.calls(usersApi.changePassword)[0]).toMatchObject({
      params: { id: 'user-1' },
      body: { currentPassword: 'the old one', newPassword: 'the new one' },
    })
    for (const label of ['Current password', 'New password', 'Confirm new password']) {
      expect(getInput(label).value).toBe('')
    }
    // The server ended the other session, so it is no longer listed.
    await expect.poll(() => screen.queryByText('Firefox on Windows')).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(3100))
    expect(screen.queryByText('Password updated successfully')).toBeNull()
  })

  it('validates the entries without sending a request', async () => {
    api.on(usersApi.changePassword, () => ({ message: 'Changed' }))
    const page = visit()
    await page.user.click(screen.getByRole('button', { name: 'Update password' }))
    expect(readDescription('Current password')).toBe('Current password is required')
    await change(page, 'short', 'shirt')
    expect(readDescription('New password')).toContain('Password must be at least 8 characters long')
    expect(readDescription('Confirm new password')).toBe('Passwords do not match')
    expect(api.calls(usersApi.changePassword)).toHaveLength(0)
  })

  it.each([
    ['auth.wrong_password', 'currentPassword', 'Current password', 'The current password is not correct'],
    ['auth.password_common', 'newPassword', 'New password', 'This password is too easy to guess'],
  ] as const)('shows the refusal %s under its field', async (code, field, label, message) => {
    api.on(usersApi.changePassword, () => refuse(code, { [field]: message }))
    await change(visit(), 'the new one')
    await expect.poll(() => readDescription(label)).toContain(message)
    expect(document.activeElement).toBe(getInput(label))
  })

  it('shows a failure message and keeps the entries', async () => {
    api.on(usersApi.changePassword, () => refuse('internal'))
    await change(visit(), 'the new one')
    await screen.findByText('Failed to update password')
    expect(getInput('New password').value).toBe('the new one')
  })

  it('labels each field for password managers', () => {
    visit()
    const kinds = ['Current password', 'New password', 'Confirm new password'].map(
      (label) => getInput(label).autocomplete,
    )
    expect(kinds).toEqual(['current-password', 'new-password', 'new-password'])
    expect(document.querySelector<HTMLInputElement>('[autocomplete=username]')?.value).toBe('ada@example.com')
  })
})

describe('sessions', () => {
  it('lists the current session first and marks it', async () => {
    visit()
    const first = (await screen.findByRole('list', { name: 'Sessions' })).firstElementChild
    expect(first?.textContent).toContain('Chrome on Linux')
    expect(first?.textContent).toContain('This browser')
    const other = await findRow('Sessions', 'Firefox')
    expect(other.textContent).toContain('192.0.2.1')
    expect(other.textContent).not.toContain('This browser')
    expect(other.querySelectorAll('time')).toHaveLength(2)
  })

  it('ends one session and moves the focus to the heading', async () => {
    api.on(authApi.endSession, ({ params }) => {
      sessions = sessions.filter(({ _id }) => _id !== params.id)
      return undefined
    })
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Sign out Firefox on Windows' }))
    await screen.findByText('Signed out')
    await expect.poll(() => screen.queryByText('Firefox on Windows')).toBeNull()
    expect(api.calls(authApi.endSession)[0]?.params).toEqual({ id: 'session-1' })
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Where you are signed in' }))
    expect(screen.queryByRole('button', { name: 'Sign out everywhere else' })).toBeNull()
  })

  it('tells sign-ins on other sites apart', async () => {
    sessions = [...sessions, aSession({ _id: 'session-2', site: 'https://www.example.com' })]
    api.on(authApi.endSession, () => undefined)
    const { user } = visit()
    expect((await findRow('Sessions', 'On www.example.com')).textContent).toContain('Firefox on Windows')
    await user.click(screen.getByRole('button', { name: 'Sign out Firefox on Windows on www.example.com' }))
    await expect.poll(() => api.calls(authApi.endSession)).toMatchObject([{ params: { id: 'session-2' } }])
  })

  it('signs out when the current session is ended', async () => {
    const { user, session } = visit()
    await user.click(await screen.findByRole('button', { name: 'Sign out Chrome on Linux, this browser' }))
    expect(session.get()).toMatchObject({ user: null, redirectTo: '/login' })
    await expect.poll(() => api.calls(authApi.logout).length).toBe(1)
  })

  it('ends all other sessions after confirmation', async () => {
    api.on(authApi.endOtherSessions, () => {
      sessions = [currentSession]
      return { message: 'Done' }
    })
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Sign out everywhere else' }))
    const dialog = await screen.findByRole('alertdialog')
    expect(api.calls(authApi.endOtherSessions)).toHaveLength(0)
    await user.click(within(dialog).getByRole('button', { name: 'Sign out everywhere else' }))
    await screen.findByText('Signed out everywhere else')
    await expect.poll(() => screen.queryByRole('alertdialog')).toBeNull()
    expect(screen.queryByText('Firefox on Windows')).toBeNull()
    const heading = screen.getByRole('heading', { name: 'Where you are signed in' })
    await expect.poll(() => document.activeElement).toBe(heading)
  })

  it('shows when a session could not be ended, and reloads the list', async () => {
    api.on(authApi.endSession, () => {
      sessions = [currentSession]
      return refuse('internal')
    })
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Sign out Firefox on Windows' }))
    await screen.findByText('Could not sign out')
    await expect.poll(() => screen.queryByText('Firefox on Windows')).toBeNull()
  })

  it('shows an error when the list cannot be loaded, and retries', async () => {
    api.on(authApi.sessions, () => refuse('server.busy'))
    const { user } = visit()
    await screen.findByText('Your sessions could not be loaded.')
    screen.getByText('The server is busy. Please try again in a moment.')
    api.on(authApi.sessions, () => sessions)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('Firefox on Windows')
  })

  it('shows a loading state', () => {
    api.on(authApi.sessions, () => new Promise<never>(() => undefined))
    visit()
    expect(screen.getByText('Loading sessions…').closest('[role=status]')).not.toBeNull()
  })
})

describe('trusted browsers', () => {
  beforeEach(() => {
    api.on(authApi.forgetBrowser, ({ params }) => {
      browsers = browsers.filter(({ _id }) => _id !== params.id)
      return undefined
    })
  })

  it('shows an empty state', async () => {
    browsers = []
    visit()
    await screen.findByText(/No trusted browsers yet/)
  })

  it('forgets a browser after confirmation', async () => {
    const { user, session } = visit()
    await user.click(await screen.findByRole('button', { name: 'Forget Safari on iPhone' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Forget this browser?' })
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    await expect.poll(() => screen.queryByRole('alertdialog')).toBeNull()
    expect(api.calls(authApi.forgetBrowser)).toHaveLength(0)

    await user.click(screen.getByRole('button', { name: 'Forget Safari on iPhone' }))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Forget' }))
    await screen.findByText('Browser forgotten')
    await screen.findByText(/No trusted browsers yet/)
    expect(api.calls(authApi.forgetBrowser)[0]?.params).toEqual({ id: 'browser-1' })
    expect(session.get().user).not.toBeNull()
    const heading = screen.getByRole('heading', { name: 'Trusted browsers' })
    await expect.poll(() => document.activeElement).toBe(heading)
  })

  it('warns and signs out when the current browser is forgotten', async () => {
    browsers = [aBrowser({ current: true })]
    const { user, session } = visit()
    await user.click(await screen.findByRole('button', { name: 'Forget Safari on iPhone, this browser' }))
    const dialog = await screen.findByRole('alertdialog')
    within(dialog).getByText(/You will be signed out here/)
    await user.click(within(dialog).getByRole('button', { name: 'Forget' }))
    await expect.poll(() => session.get().user).toBeNull()
    await screen.findByText('Browser forgotten')
  })

  it('shows an error when the list cannot be loaded', async () => {
    api.on(authApi.trustedBrowsers, () => refuse('internal'))
    visit()
    await screen.findByText('Your trusted browsers could not be loaded.')
  })
})
