import { assistantsApi } from '@lyceum/contract/assistants'
import { auditStreamApi } from '@lyceum/contract/audit-stream'
import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { connectionsApi } from '@lyceum/contract/connections'
import { conversationsApi } from '@lyceum/contract/conversation-settings'
import { directoriesApi } from '@lyceum/contract/directories'
import { ldapApi } from '@lyceum/contract/ldap'
import { getPermissions } from '@lyceum/contract/permissions'
import { quotasApi } from '@lyceum/contract/quotas'
import { settingsApi } from '@lyceum/contract/settings'
import { singleSignOnApi } from '@lyceum/contract/single-sign-on'
import { statusApi } from '@lyceum/contract/status'
import { usersApi } from '@lyceum/contract/users'
import { webhooksApi } from '@lyceum/contract/webhooks'
import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { LogoutButton } from '#app/layouts/LogoutButton.tsx'
import { anAssistantStatus } from '#testing/assistant-samples.ts'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel, aListedUser, aPage } from '#testing/samples.ts'
import { aStatus, createConnections, createConversationSettings } from '#testing/settings-samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { Link } from '#ui/Link.tsx'
import { SettingsPage } from './settings.tsx'

let api: FakeApi

function modelCard() {
  return screen.findByRole('region', { name: 'Model' }).then(within)
}

function setGlobalSettings(twoFactorExpiryEnabled = true, twoFactorExpiryDays = 30): void {
  api.on(settingsApi.get, () => ({
    settings: { twoFactorExpiryDays, twoFactorExpiryEnabled, dashboardBackgroundImage: null },
  }))
}

function visit(section = ''): UserEvent {
  return renderPage(<SettingsPage />, { at: `/admin/settings${section && `?section=${section}`}` }).user
}

function getDaysField(): HTMLElement {
  return screen.getByLabelText('2FA expiry (days)')
}
async function enter(user: UserEvent, text: string): Promise<void> {
  await user.clear(await screen.findByLabelText('2FA expiry (days)'))
  if (text !== '') await user.type(getDaysField(), text)
}
function save(user: UserEvent): Promise<void> {
  return user.click(screen.getByRole('button', { name: 'Save settings' }))
}

function acceptUpdates(): void {
  api.on(settingsApi.update, ({ body }) => ({ settings: { ...body, dashboardBackgroundImage: null } }))
}

beforeEach(() => {
  api = fakeApi()
    .on(authApi.me, () => anAdmin())
    .on(authApi.delivery, () => ({ delivery: 'mail' as const }))
    .on(assistantsApi.presets, () => [])
    .on(quotasApi.get, () => ({ messagesPerDay: null, tokensPerMonth: null }))
    .on(settingsApi.background, () => new Blob([]))
    .on(assistantsApi.status, () => anAssistantStatus())
    .on(usersApi.list, () => aPage([aListedUser()]))
    .on(channelsApi.list, () => [])
    .on(conversationsApi.get, () => createConversationSettings())
    .on(statusApi.get, () => aStatus())
  signIn(anAdmin())
  setGlobalSettings()
})

describe('/admin/settings', () => {
  it('shows the global settings', async () => {
    setGlobalSettings(true, 45)
    visit()
    screen.getByRole('heading', { name: 'Global Configuration' })
    screen.getByText('Loading the settings…')
    expect(await screen.findByRole('checkbox', { name: /2FA enabled/ })).toHaveProperty('checked', true)
    expect(getDaysField()).toHaveProperty('value', '45')
    expect(screen.queryByText(/Two-factor authentication is off/)).toBeNull()
  })

  it('shows no section while the answer that decides its height is missing', async () => {
    const { promise, resolve } = Promise.withResolvers<{ delivery: 'outbox' }>()
    api.on(authApi.delivery, () => promise)
    visit()
    await screen.findByText('These settings apply to 1 user and 0 channels.')
    expect(screen.queryByRole('heading', { name: 'Dashboard background' })).toBeNull()
    resolve({ delivery: 'outbox' })
    await screen.findByText(/cannot send email/)
    screen.getByRole('heading', { name: 'Dashboard background' })
  })

  it.each([
    ['', ['Two-factor authentication', 'Dashboard background']],
    ['nonsense', ['Two-factor authentication', 'Dashboard background']],
    ['connections', ['Connections']],
    ['sign-in', ['Two-factor authentication', 'Dashboard background']],
    ['events', ['Two-factor authentication', 'Dashboard background']],
    ['conversations', ['Review notice', 'Chat retention']],
    ['assistants', ['Ready-made assistants', 'Language models']],
    ['limits', ['Limits']],
    ['state', ['Status']],
    ['status', ['Status']],
  ])('shows the headings of the section “%s”', async (section, titles) => {
    visit(section)
    await waitFor(() => {
      const shown = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
      expect(shown).toEqual(titles)
    })
  })

  it.each([
    ['sign-in', ['Single sign-on', 'LDAP directory', 'User provisioning (SCIM)']],
    ['events', ['Audit log receivers', 'Webhooks']],
  ])('shows the section “%s” to system administrators', async (section, titles) => {
    const system = anAdmin({ isSystemAdmin: true })
    api
      .on(authApi.me, () => system)
      .on(singleSignOnApi.get, () => refuse('internal'))
      .on(ldapApi.get, () => ({ directory: null }))
      .on(directoriesApi.list, () => refuse('internal'))
      .on(auditStreamApi.get, () => ({ receivers: [] }))
      .on(webhooksApi.get, () => refuse('internal'))
    signIn(system)
    visit(section)
    await waitFor(() => {
      const shown = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
      expect(shown).toEqual(titles)
    })
  })

  it('keeps the open section in the URL', async () => {
    const { user, address } = renderPage(<SettingsPage />, { at: '/admin/settings' })
    await user.click(screen.getByRole('tab', { name: 'Status' }))
    expect(address()).toBe('/admin/settings?section=state')
    await user.click(screen.getByRole('tab', { name: 'General' }))
    expect(address()).toBe('/admin/settings')
  })

  it('has no Status without canManageSettings', async () => {
    const overrides = { canManageSettings: false }
    const admin = anAdmin({ permissions: getPermissions({ role: 'admin', isSystemAdmin: false, overrides }) })
    api.on(authApi.me, () => admin)
    signIn(admin)
    visit('state')
    await screen.findByRole('heading', { name: 'Two-factor authentication' })
    expect(screen.queryByRole('tab', { name: 'Status' })).toBeNull()
    expect(api.calls(statusApi.get)).toEqual([])
  })

  it('keeps the entries of a connection while another section is open', async () => {
    const admin = anAdmin({ isSystemAdmin: true })
    api.on(authApi.me, () => admin).on(connectionsApi.get, () => createConnections())
    signIn(admin)
    const user = visit('connections')
    await user.type(await (await modelCard()).findByLabelText('Address'), 'http://localhost:11434/v1')
    await user.type((await modelCard()).getByLabelText('API key'), 'sesame')
    await user.click(screen.getByRole('tab', { name: 'General' }))
    await waitFor(() => expect(screen.queryAllByLabelText('Address')).toEqual([]))
    await user.click(screen.getByRole('tab', { name: 'Connections Unsaved' }))
    expect(await (await modelCard()).findByLabelText('Address')).toHaveProperty(
      'value',
      'http://localhost:11434/v1',
    )
    expect((await modelCard()).getByLabelText('API key')).toHaveProperty('value', 'sesame')
  })

  describe('with unsaved connections', () => {
    async function visitUnsaved() {
      const admin = anAdmin({ isSystemAdmin: true })
      api.on(authApi.me, () => admin).on(connectionsApi.get, () => createConnections())
      signIn(admin)
      history.replaceState(null, '', '/admin/users')
      history.pushState(null, '', '/admin/settings?section=connections')
      const page = renderPage(
        <>
          <Link to="/admin/users">Manage Users</Link>
          <LogoutButton />
          <SettingsPage />
        </>,
        { at: '/admin/settings?section=connections' },
      )
      await page.user.type(await (await modelCard()).findByLabelText('Address'), 'http://localhost:11434/v1')
      return page
    }
    function findQuestion() {
      return screen.findByRole('alertdialog', { name: 'Discard your changes?' }).then(within)
    }
    /** Returns whether the browser would ask before it closes the page. */
    function isCloseGuarded(): boolean {
      return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    }

    it('marks the tab until they are saved or undone', async () => {
      const { user } = await visitUnsaved()
      screen.getByRole('tab', { name: 'Connections Unsaved' })
      expect(isCloseGuarded()).toBe(true)
      await user.click(screen.getByRole('tab', { name: 'General' }))
      screen.getByRole('tab', { name: 'Connections Unsaved' })
      await user.click(screen.getByRole('tab', { name: 'Connections Unsaved' }))
      await user.clear(await (await modelCard()).findByLabelText('Address'))
      screen.getByRole('tab', { name: 'Connections' })
      expect(isCloseGuarded()).toBe(false)
    })

    it('asks before a link leads to another page', async () => {
      const { user, address } = await visitUnsaved()
      await user.click(screen.getByRole('link', { name: 'Manage Users' }))
      let question = await findQuestion()
      question.getByText('Your changes under Connections have not been saved.')
      await user.click(question.getByRole('button', { name: 'Keep editing' }))
      expect(address()).toBe('/admin/settings?section=connections')
      expect((await modelCard()).getByLabelText('Address')).toHaveProperty(
        'value',
        'http://localhost:11434/v1',
      )
      await user.click(screen.getByRole('link', { name: 'Manage Users' }))
      question = await findQuestion()
      await user.click(question.getByRole('button', { name: 'Discard' }))
      await waitFor(() => expect(address()).toBe('/admin/users'))
      expect(isCloseGuarded()).toBe(false)
    })

    it('asks before Logout', async () => {
      api.on(authApi.logout, () => undefined)
      const { user, session } = await visitUnsaved()
      await user.click(screen.getByRole('button', { name: 'Logout' }))
      await user.click((await findQuestion()).getByRole('button', { name: 'Keep editing' }))
      await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
      expect(session.get().user).not.toBeNull()
      await user.click(screen.getByRole('button', { name: 'Logout' }))
      await user.click((await findQuestion()).getByRole('button', { name: 'Discard' }))
      await waitFor(() => expect(session.get().user).toBeNull())
    })

    it('asks before Back leads to another page', async () => {
      const { user, address } = await visitUnsaved()
      history.back()
      const question = await findQuestion()
      expect(address()).toBe('/admin/settings?section=connections')
      await user.click(question.getByRole('button', { name: 'Discard' }))
      await waitFor(() => expect(address()).toBe('/admin/users'))
    })
  })

  it.each([
    ['General', '', '2FA expiry (days)', '5'],
    ['Conversations', 'conversations', 'Notice', ' today'],
    ['Conversations', 'conversations', 'Keep chats for (days)', '90'],
    ['Assistants', 'assistants', 'Model for o1', 'qwen3'],
    ['Limits', 'limits', 'Messages a day', '50'],
  ])('keeps and guards the entries of %s (%s, %s)', async (tab, section, label, text) => {
    const { user, address } = renderPage(
      <>
        <Link to="/admin/users">Manage Users</Link>
        <SettingsPage />
      </>,
      { at: `/admin/settings${section && `?section=${section}`}` },
    )
    await user.type(await screen.findByLabelText(label), text)
    const entry = screen.getByLabelText<HTMLInputElement>(label).value
    screen.getByText('Unsaved changes')
    await user.click(screen.getByRole('tab', { name: 'Status' }))
    await user.click(screen.getByRole('tab', { name: `${tab} Unsaved` }))
    expect(await screen.findByLabelText(label)).toHaveProperty('value', entry)
    await user.click(screen.getByRole('link', { name: 'Manage Users' }))
    const question = within(await screen.findByRole('alertdialog', { name: 'Discard your changes?' }))
    question.getByText(`Your changes under ${tab} have not been saved.`)
    await user.click(question.getByRole('button', { name: 'Keep editing' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    await screen.findByRole('tab', { name: tab })
    await user.click(screen.getByRole('link', { name: 'Manage Users' }))
    expect(address()).toBe('/admin/users')
  })

  it('keeps the offered models and the chosen background while another section is open', async () => {
    URL.createObjectURL = () => 'blob:background'
    URL.revokeObjectURL = () => undefined
    const user = visit('assistants')
    const [offer] = await screen.findAllByRole<HTMLInputElement>('checkbox')
    await user.click(offer as HTMLInputElement)
    await user.click(screen.getByRole('tab', { name: 'General' }))
    await screen.findByLabelText('2FA expiry (days)')
    const image = new File(['x'], 'sea.png', { type: 'image/png' })
    await user.upload(document.querySelector('input[type=file]') as HTMLInputElement, image)
    screen.getByRole('tab', { name: 'General Unsaved' })
    await user.click(screen.getByRole('tab', { name: 'Assistants Unsaved' }))
    expect((await screen.findAllByRole('checkbox'))[0]).toHaveProperty('checked', false)
    await user.click(screen.getByRole('tab', { name: 'General Unsaved' }))
    await screen.findByText('sea.png')
  })

  it('has no unsaved changes after saving', async () => {
    acceptUpdates()
    const user = visit()
    await enter(user, '60')
    screen.getByRole('tab', { name: 'General Unsaved' })
    await save(user)
    await screen.findByRole('tab', { name: 'General' })
    expect(screen.queryByText('Unsaved changes')).toBeNull()
  })

  it('saves nothing while nothing is changed', async () => {
    const user = visit()
    await screen.findByLabelText('2FA expiry (days)')
    const button = screen.getByRole('button', { name: 'Save settings' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    await save(user)
    await user.type(getDaysField(), '{Enter}')
    await user.type(getDaysField(), '0')
    expect(button.getAttribute('aria-disabled')).toBe('false')
    await user.type(getDaysField(), '{Backspace}')
    expect(button.getAttribute('aria-disabled')).toBe('true')
    await save(user)
    expect(api.calls(settingsApi.update)).toEqual([])
  })

  it('shows how many users and channels the settings apply to', async () => {
    api.on(channelsApi.list, () => [aChannel(), aChannel({ _id: 'channel-2' })])
    visit()
    await screen.findByText('These settings apply to 1 user and 2 channels.')
  })

  it('is shown even if users and channels cannot be loaded', async () => {
    const logged = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    api.on(usersApi.list, () => refuse('internal')).on(channelsApi.list, () => refuse('internal'))
    visit()
    await screen.findByLabelText('2FA expiry (days)')
    screen.getByText('These settings apply to everyone.')
    expect(screen.queryByText(/could not|Failed/)).toBeNull()
    logged.mockRestore()
  })

  it('warns while two-factor authentication is off', async () => {
    setGlobalSettings(false)
    visit()
    await screen.findByText(/Two-factor authentication is off/)
  })

  it('saves the settings and updates the warning', async () => {
    acceptUpdates()
    const user = visit()
    await enter(user, '90')
    await user.click(screen.getByRole('checkbox', { name: /2FA enabled/ }))
    screen.getByText('Users can sign in with just a password.')
    expect(screen.queryByText(/Two-factor authentication is off/)).toBeNull()
    await save(user)
    await screen.findByText('Settings updated successfully')
    screen.getByText(/Two-factor authentication is off/)
    expect(api.calls(settingsApi.update)[0]?.body).toEqual({
      twoFactorExpiryDays: 90,
      twoFactorExpiryEnabled: false,
    })
  })

  it.each(['', 'many'])('saves %j as 30 days', async (entry) => {
    acceptUpdates()
    const user = visit()
    await enter(user, entry)
    await save(user)
    await screen.findByText('Settings updated successfully')
    expect(api.calls(settingsApi.update)[0]?.body.twoFactorExpiryDays).toBe(30)
    expect(getDaysField()).toHaveProperty('value', '30')
  })

  it.each(['0', '366'])('rejects %s days', async (entry) => {
    const user = visit()
    await enter(user, entry)
    await save(user)
    await screen.findByText('From 1 to 365 days')
    expect(api.unhandledCalls).toEqual([])
  })

  it('shows when saving failed and keeps the input', async () => {
    api.on(settingsApi.update, () => refuse('internal'))
    const user = visit()
    await enter(user, '90')
    await save(user)
    await screen.findByText('Failed to update settings')
    expect(getDaysField()).toHaveProperty('value', '90')
  })

  it('shows an error when the settings cannot be loaded, and retries', async () => {
    api.on(settingsApi.get, () => refuse('internal'))
    const user = visit()
    await screen.findByText('Failed to load settings')
    setGlobalSettings()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByLabelText('2FA expiry (days)')
  })

  it('leaves it to Connections to say who can change them', async () => {
    const overrides = { canManageSettings: false }
    const admin = anAdmin({ permissions: getPermissions({ role: 'admin', isSystemAdmin: false, overrides }) })
    api.on(authApi.me, () => admin)
    signIn(admin)
    visit('connections')
    await screen.findByText(/Only a system administrator can see and change the connections/)
    expect(screen.queryByText(/You can view these settings but not change them/)).toBeNull()
  })

  it('is read-only without canManageSettings', async () => {
    const overrides = { canManageSettings: false }
    const admin = anAdmin({ permissions: getPermissions({ role: 'admin', isSystemAdmin: false, overrides }) })
    api.on(authApi.me, () => admin)
    signIn(admin)
    const user = visit()
    expect(await screen.findByLabelText('2FA expiry (days)')).toHaveProperty('disabled', true)
    expect(screen.getByRole('button', { name: 'Save settings' }).getAttribute('aria-disabled')).toBe('true')
    expect(screen.getAllByText(/You can view these settings but not change them/)).toHaveLength(1)
    expect(screen.queryByRole('tab', { name: 'Limits' })).toBeNull()
    await save(user)
    await screen.findByText('You do not have permission to manage settings')
    expect(api.unhandledCalls).toEqual([])
  })
})
