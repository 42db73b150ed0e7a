import { authApi } from '@lyceum/contract/auth'
import { type Connections, connectionsApi } from '@lyceum/contract/connections'
import { getPermissions } from '@lyceum/contract/permissions'
import { statusApi } from '@lyceum/contract/status'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { createConnections } from '#testing/settings-samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { ConnectionsSection } from './ConnectionsSection.tsx'

let api: FakeApi
beforeEach(() => {
  const admin = anAdmin({ isSystemAdmin: true })
  api = fakeApi()
    .on(authApi.me, () => admin)
    .on(connectionsApi.get, () => createConnections())
    .on(connectionsApi.check, () => ({ ok: true, words: ['It answered.'], milliseconds: 1 }))
  signIn(admin)
})

function visit(connections?: Connections, hash = '') {
  if (connections) api.on(connectionsApi.get, () => connections)
  return renderPage(
    <>
      <ResultBanner />
      <ConnectionsSection />
    </>,
    { at: `/admin/settings?section=connections${hash}` },
  ).user
}
function card(name: 'Model' | 'Mail') {
  return screen.findByRole('region', { name }).then(within)
}

const storedModel = { source: 'stored', baseUrl: 'http://localhost:11434/v1', hasApiKey: true } as const
const storedMail = {
  source: 'stored',
  host: 'smtp.example.org',
  username: 'mailer',
  hasPassword: true,
} as const

describe('the connections', () => {
  it('are not requested for administrators who are no system administrators', async () => {
    const admin = anAdmin()
    api.on(authApi.me, () => admin)
    signIn(admin)
    visit()
    await screen.findByText(/Only a system administrator can see and change the connections/)
    expect(screen.getByRole('link', { name: 'Status' }).getAttribute('href')).toBe(
      '/admin/settings?section=state',
    )
    expect(api.calls(connectionsApi.get)).toEqual([])
  })

  it('do not refer to Status without canManageSettings', async () => {
    const overrides = { canManageSettings: false }
    const admin = anAdmin({ permissions: getPermissions({ role: 'admin', isSystemAdmin: false, overrides }) })
    api.on(authApi.me, () => admin)
    signIn(admin)
    visit()
    await screen.findByText(/Only a system administrator can see and change the connections/)
    expect(screen.queryByText(/Status/)).toBeNull()
  })

  it('say what happens without them', async () => {
    visit()
    const model = await card('Model')
    model.getByText('Not set up')
    model.getByText(/Without one, replies only quote passages/)
    const mail = await card('Mail')
    mail.getByText(/Without one, emails are saved as files/)
    expect(mail.queryByRole('button', { name: 'Remove' })).toBeNull()
  })

  it('show an error when they cannot be loaded, and retry', async () => {
    api.on(connectionsApi.get, () => refuse('internal'))
    const user = visit()
    await screen.findByText('Failed to load settings')
    api.on(connectionsApi.get, () => createConnections())
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await card('Mail')
  })

  it('are read-only and name the variables if the environment sets them', async () => {
    api.on(statusApi.test, () => ({
      ok: true,
      words: ['mail.example.org accepted an email.'],
      milliseconds: 1,
    }))
    const user = visit(
      createConnections({
        mail: { ...storedMail, source: 'environment', variables: { host: 'SMTP_URL', from: 'SMTP_FROM' } },
      }),
    )
    const mail = await card('Mail')
    mail.getByText('Set by SMTP_URL on the server, so it cannot be changed here.')
    expect(mail.getByLabelText('Host')).toMatchObject({ disabled: true, value: 'smtp.example.org' })
    mail.getByText('Set by SMTP_FROM on the server')
    expect(mail.queryByRole('button', { name: 'Save mail server' })).toBeNull()
    await user.click(mail.getByRole('button', { name: 'Send test email' }))
    await mail.findByText('mail.example.org accepted an email.')
    expect(api.calls(statusApi.test)[0]?.params).toEqual({ part: 'mail' })
  })

  it('say when stored values cannot be read', async () => {
    visit(createConnections({ model: { source: 'unreadable' } }))
    ;(await card('Model')).getByText(/cannot be decrypted/)
  })

  it('scrolls to the card that a link names', async () => {
    const scrolled = vi.fn()
    Element.prototype.scrollIntoView = scrolled
    visit(undefined, '#mail')
    const mail = await card('Mail')
    expect(document.activeElement).toBe(mail.getByRole('heading', { name: 'Mail' }))
    expect(scrolled).toHaveBeenCalledOnce()
  })
})

describe('the model', () => {
  it('is tested with values that are not saved', async () => {
    api.on(connectionsApi.testModel, () => ({
      ok: false,
      words: ['The endpoint refused it.'],
      details: ['the provider answered 401'],
      milliseconds: 1,
    }))
    const user = visit()
    const model = await card('Model')
    await user.type(model.getByLabelText('Address'), 'http://localhost:11434/v1')
    await user.type(model.getByLabelText('Model'), 'llama3.3')
    await user.click(model.getByRole('button', { name: 'Test model' }))
    await model.findByText('The endpoint refused it.')
    const details = model.getByText('the provider answered 401').closest('details')
    expect([details?.open, details?.querySelector('summary')?.textContent]).toEqual([
      false,
      'Technical details',
    ])
    expect(api.calls(connectionsApi.testModel)[0]?.body).toEqual({
      baseUrl: 'http://localhost:11434/v1',
      model: 'llama3.3',
      embeddingModel: 'text-embedding-3-small',
    })
    expect(api.calls(connectionsApi.setModel)).toEqual([])
  })

  it('shows no result for values that changed after the test', async () => {
    const running: (() => void)[] = []
    api.on(connectionsApi.check, async () => {
      await new Promise<void>((resolve) => running.push(resolve))
      return { ok: true, words: ['llama3.3 answered.'], milliseconds: 1 }
    })
    const user = visit(createConnections({ model: storedModel }))
    const model = await card('Model')
    const test = model.getByRole('button', { name: 'Test model' })
    await user.click(test)
    await waitFor(() => expect(api.calls(connectionsApi.check)).toHaveLength(1))
    running.pop()?.()
    await model.findByText('llama3.3 answered.')
    await user.type(model.getByLabelText('API key'), 'x')
    expect(model.queryByText('llama3.3 answered.')).toBeNull()
    await user.clear(model.getByLabelText('API key'))

    await user.click(test)
    await waitFor(() => expect(api.calls(connectionsApi.check)).toHaveLength(2))
    await user.click(model.getByRole('checkbox', { name: 'Use no key' }))
    running.pop()?.()
    await waitFor(() => expect(test.getAttribute('aria-busy')).toBeNull())
    expect(model.queryByText('llama3.3 answered.')).toBeNull()
  })

  it('keeps the stored key when its field is empty, and removes it on request', async () => {
    api.on(connectionsApi.setModel, () => createConnections({ model: storedModel }))
    const user = visit(createConnections({ model: storedModel }))
    const model = await card('Model')
    expect(model.getByLabelText('API key')).toHaveProperty('value', '')
    const save = model.getByRole('button', { name: 'Save model' })
    expect(save.getAttribute('aria-disabled')).toBe('true')
    await user.type(model.getByLabelText('Address'), '{Enter}/')
    expect(save.getAttribute('aria-disabled')).toBe('false')
    expect(api.calls(connectionsApi.setModel)).toEqual([])
    await user.click(save)
    await screen.findByText('Connection saved')
    expect(screen.queryByRole('button', { name: 'Open channel' })).toBeNull()
    expect(api.calls(connectionsApi.setModel)[0]?.body).not.toHaveProperty('apiKey')
    await user.click(model.getByRole('checkbox', { name: 'Use no key' }))
    await user.click(save)
    await waitFor(() => expect(api.calls(connectionsApi.setModel)[1]?.body).toHaveProperty('apiKey', ''))
  })

  it('is tried out once it is saved, and says what is wrong until a value changes', async () => {
    api
      .on(connectionsApi.setModel, () => createConnections({ model: storedModel }))
      .on(connectionsApi.check, () => ({ ok: false, words: ['No server answers there.'], milliseconds: 3 }))
    const user = visit(createConnections({ model: storedModel }))
    const model = await card('Model')
    expect(api.calls(connectionsApi.check)).toEqual([])
    await user.type(model.getByLabelText('Address'), '/')
    await user.click(model.getByRole('button', { name: 'Save model' }))
    await model.findByText('No server answers there.')
    const banner = within(screen.getByRole('region', { name: 'Result' }))
    await banner.findByText('Saved, but the connection failed.')
    expect(api.calls(connectionsApi.check).map(({ params }) => params)).toEqual([{ part: 'model' }])
    await user.type(model.getByLabelText('Address'), '/')
    expect(model.queryByText('No server answers there.')).toBeNull()
  })

  it.each([
    ['working', 'Working'],
    ['failing', 'Not answering'],
    ['untested', 'Not tested yet'],
  ] as const)('says that a stored server is %s', async (health, label) => {
    visit(createConnections({ model: storedModel, health: { model: health } }))
    ;(await card('Model')).getByText(label)
  })

  it('shows that it works again once the stored values pass the test', async () => {
    const user = visit(createConnections({ model: storedModel, health: { model: 'failing' } }))
    const model = await card('Model')
    api.on(connectionsApi.get, () => createConnections({ model: storedModel, health: { model: 'working' } }))
    await user.click(model.getByRole('button', { name: 'Test model' }))
    await model.findByText('It answered.')
    await model.findByText('Working')
  })

  it('offers the way back to the channel that needed it', async () => {
    api.on(connectionsApi.setModel, () => createConnections({ model: storedModel }))
    const page = renderPage(
      <>
        <ResultBanner />
        <ConnectionsSection />
      </>,
      { at: '/admin/settings?section=connections&channel=c9#model' },
    )
    const model = await card('Model')
    await page.user.type(model.getByLabelText('API key'), 'key')
    await page.user.click(model.getByRole('button', { name: 'Save model' }))
    await screen.findByText('Connection saved')
    await page.user.click(screen.getByRole('button', { name: 'Open channel' }))
    expect(page.address()).toBe('/channels/c9')
  })

  it('says that it has unsaved changes, and discards them', async () => {
    const user = visit(createConnections({ model: storedModel }))
    const model = await card('Model')
    expect(model.queryByText('Unsaved changes')).toBeNull()
    await user.type(model.getByLabelText('Address'), '/other')
    model.getByText('Unsaved changes')
    expect((await card('Mail')).queryByText('Unsaved changes')).toBeNull()
    await user.click(model.getByRole('button', { name: 'Discard' }))
    expect(model.getByLabelText('Address')).toHaveProperty('value', storedModel.baseUrl)
    expect(model.queryByText('Unsaved changes')).toBeNull()
    expect(document.activeElement).toBe(model.getByRole('button', { name: 'Save model' }))
  })

  it('rejects an address that is none', async () => {
    const user = visit()
    const model = await card('Model')
    await user.type(model.getByLabelText('Address'), 'localhost:11434')
    await user.click(model.getByRole('button', { name: 'Save model' }))
    await model.findByText('Enter an address such as https://api.openai.com/v1.')
    await user.clear(model.getByLabelText('Address'))
    await user.type(model.getByLabelText('Address'), 'https://user:pass@models.example.org/v1')
    await model.findByText('Enter the address without a user name or password.')
    expect(api.unhandledCalls).toEqual([])
  })
})

describe('the mail server', () => {
  it('is saved, and the password leaves the form', async () => {
    api.on(connectionsApi.setMail, () => {
      api.on(connectionsApi.get, () => createConnections({ mail: storedMail, health: { mail: 'working' } }))
      return createConnections({ mail: storedMail })
    })
    const user = visit()
    const mail = await card('Mail')
    await user.type(mail.getByLabelText('Host'), 'smtp.example.org')
    await user.selectOptions(mail.getByLabelText('Encryption'), 'tls')
    await user.clear(mail.getByLabelText('Port'))
    await user.type(mail.getByLabelText('Port'), '465')
    await user.type(mail.getByLabelText('User name'), 'mailer')
    await user.type(mail.getByLabelText('Password'), 'sesame')
    await user.keyboard('{Enter}')
    await screen.findByText('Connection saved')
    expect(api.calls(connectionsApi.setMail)[0]?.body).toEqual({
      host: 'smtp.example.org',
      port: 465,
      encryption: 'tls',
      username: 'mailer',
      password: 'sesame',
      from: 'lyceum@example.org',
    })
    expect(mail.getByLabelText('Password')).toHaveProperty('value', '')
    await mail.findByText('Working')
    mail.getByText('A password is stored. Leave this empty to keep it.')
  })

  it('shows what the server rejects under the field', async () => {
    const fields = { password: 'Enter the password again' }
    api
      .on(connectionsApi.setMail, () => refuse('validation.failed', fields))
      .on(connectionsApi.testMail, () => refuse('validation.failed', fields))
    const user = visit(createConnections({ mail: storedMail }))
    const mail = await card('Mail')
    await user.type(mail.getByLabelText('Host'), '.test')
    for (const name of ['Save mail server', 'Send test email']) {
      await user.click(mail.getByRole('button', { name }))
      await mail.findByText('Enter the password again')
      expect(document.activeElement).toBe(mail.getByLabelText('Password'))
      await user.type(mail.getByLabelText('Password'), 'x')
    }
  })

  it.each(['', '0', '70000', 'abc'])('rejects port “%s”', async (port) => {
    const user = visit(createConnections({ mail: storedMail }))
    const mail = await card('Mail')
    await user.clear(mail.getByLabelText('Port'))
    if (port) await user.type(mail.getByLabelText('Port'), port)
    await user.click(mail.getByRole('button', { name: 'Save mail server' }))
    await mail.findByText(/Enter the port|From 1 to 65535/)
    expect(api.unhandledCalls).toEqual([])
  })

  it('is removed after a confirmation', async () => {
    api.on(connectionsApi.remove, () => createConnections())
    const user = visit(createConnections({ mail: storedMail }))
    const mail = await card('Mail')
    await user.click(mail.getByRole('button', { name: 'Remove' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Remove the mail server?' })
    expect(api.calls(connectionsApi.remove)).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: 'Remove' }))
    await screen.findByText('Connection removed')
    expect(api.calls(connectionsApi.remove)[0]?.params).toEqual({ part: 'mail' })
    expect(mail.getByLabelText('Host')).toHaveProperty('value', '')
  })
})
