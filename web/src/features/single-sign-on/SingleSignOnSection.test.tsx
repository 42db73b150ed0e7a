import { channelsApi } from '@lyceum/contract/channels'
import { type Group, groupsApi } from '@lyceum/contract/groups'
import { ldapApi } from '@lyceum/contract/ldap'
import { type Issuer, type SingleSignOn, singleSignOnApi } from '@lyceum/contract/single-sign-on'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel, aPage } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { SingleSignOnSection } from './SingleSignOnSection.tsx'

const acme: Issuer = {
  _id: 'acme',
  state: 'ok',
  name: 'Acme',
  issuer: 'https://sso.example.org',
  clientId: 'lyceum',
  createsUsers: false,
  verifiedClaim: 'email_verified',
  acrValues: ['gold', 'silver'],
  rules: [],
  userCount: 3,
}
function settings(change: Partial<SingleSignOn> = {}): SingleSignOn {
  return {
    issuers: [acme],
    publicUrl: 'https://lyceum.example.org',
    passwordSignIn: { isOn: true, breakGlassCount: 1 },
    ...change,
  }
}

let api: FakeApi
const sales: Group = {
  ...{ _id: 'group-1', name: 'Sales', description: '', memberCount: 0, channelCount: 0 },
  ...{ permissions: [], createdAt: '2026-11-20T10:00:00.000Z' },
}

beforeEach(() => {
  signIn(anAdmin({ isSystemAdmin: true }))
  api = fakeApi()
    .on(singleSignOnApi.get, () => settings())
    .on(channelsApi.list, () => [aChannel()])
    .on(ldapApi.get, () => ({ directory: null }))
})

function visit() {
  return renderPage(
    <>
      <ResultBanner />
      <SingleSignOnSection />
    </>,
  )
}

describe('the issuers in the settings', () => {
  it('can be loaded again after a failure', async () => {
    api.on(singleSignOnApi.get, () => refuse('internal'))
    const { user } = visit()
    await screen.findByText('The issuers could not be loaded.')
    api.on(singleSignOnApi.get, () => settings())
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    const list = within(await screen.findByRole('list', { name: 'Issuers' }))
    list.getByText('https://sso.example.org')
    list.getByText('3 users')
  })

  it('say which of them cannot be decrypted', async () => {
    api.on(singleSignOnApi.get, () => settings({ issuers: [{ ...acme, state: 'unreadable' }] }))
    visit()
    await screen.findByText('Cannot be read')
    expect(screen.queryByRole('button', { name: 'Edit Acme' })).toBeNull()
  })

  it('are added with the addresses that the issuer needs', async () => {
    api
      .on(singleSignOnApi.get, () => settings({ issuers: [] }))
      .on(singleSignOnApi.test, () => ({ ok: true, words: ['It works.'], milliseconds: 1 }))
      .on(singleSignOnApi.add, () => settings())
      .on(groupsApi.list, () => aPage([sales]))
      .on(groupsApi.get, () => ({ ...sales, channels: [], canChangeMembers: true }))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Add issuer' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add issuer' }))
    await user.click(dialog.getByRole('button', { name: 'Add issuer' }))
    dialog.getByText('Enter a name.')
    dialog.getByText('Enter the client ID.')
    await user.type(dialog.getByLabelText('Name'), 'Acme')
    await user.type(dialog.getByLabelText('Short name'), 'acme')
    dialog.getByText('https://lyceum.example.org/sign-in/acme')
    dialog.getByText('https://lyceum.example.org/api/sign-in/issuers/acme/backchannel-logout')
    await user.click(dialog.getByRole('button', { name: 'Test connection' }))
    expect(api.calls(singleSignOnApi.test)).toHaveLength(0)
    await user.type(dialog.getByLabelText('Issuer'), 'https://sso.example.org')
    await user.click(dialog.getByRole('button', { name: 'Test connection' }))
    await dialog.findByText('It works.')
    await user.type(dialog.getByLabelText('Client ID'), 'lyceum')
    await user.type(dialog.getByLabelText('Client secret'), 'secret')
    await user.click(dialog.getByRole('button', { name: 'Add rule' }))
    const value = dialog.getByLabelText('contains')
    await user.click(dialog.getByRole('button', { name: 'Add issuer' }))
    await waitFor(() => expect(value.getAttribute('aria-invalid')).toBe('true'))
    dialog.getByText('Enter a value.')
    await user.type(value, 'staff')
    await user.click(dialog.getByRole('button', { name: 'Add issuer' }))
    await dialog.findByText('Choose what the rule gives.')
    await user.click(dialog.getByRole('combobox', { name: 'Add a group' }))
    await user.click(await dialog.findByRole('option', { name: 'Sales' }))
    await dialog.findByText('Sales')
    dialog.getByRole('button', { name: 'Remove group' })
    await user.click(dialog.getByLabelText(/Make them an administrator/))
    await user.click(dialog.getByRole('button', { name: 'Add issuer' }))
    await screen.findByText('Issuer added')
    expect(api.calls(singleSignOnApi.add)[0]?.body).toEqual({
      _id: 'acme',
      name: 'Acme',
      issuer: 'https://sso.example.org',
      clientId: 'lyceum',
      clientSecret: 'secret',
      createsUsers: false,
      verifiedClaim: 'email_verified',
      acrValues: [],
      rules: [{ claim: 'groups', value: 'staff', channelIds: [], groupIds: ['group-1'], isAdmin: true }],
    })
  })

  it('are tested in their row', async () => {
    const words = ['https://sso.example.org did not answer.']
    api.on(singleSignOnApi.test, () => ({ ok: false, words, milliseconds: 1 }))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Test Acme' }))
    await screen.findByText(words[0] ?? '')
    screen.getByText('Test failed')
    expect(api.calls(singleSignOnApi.test)[0]?.body).toEqual({ issuer: 'https://sso.example.org' })
  })

  it('are saved after a failed test only if that is confirmed', async () => {
    api
      .on(singleSignOnApi.test, () => ({ ok: false, words: ['It did not answer.'], milliseconds: 1 }))
      .on(singleSignOnApi.change, () => settings())
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Edit Acme' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Acme' }))
    await user.click(dialog.getByLabelText(/Create users/))
    await user.click(dialog.getByRole('button', { name: 'Test connection' }))
    await dialog.findByText('It did not answer.')
    await user.click(dialog.getByRole('button', { name: 'Save issuer' }))
    const question = within(await screen.findByRole('alertdialog', { name: 'Save anyway?' }))
    expect(api.calls(singleSignOnApi.change)).toHaveLength(0)
    await user.click(question.getByRole('button', { name: 'Save anyway' }))
    await screen.findByText('Issuer updated')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('are changed without the secret, which stays', async () => {
    api.on(singleSignOnApi.change, () => refuse('sso.not_set_up'))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Edit Acme' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Acme' }))
    await user.click(dialog.getByLabelText(/Create users/))
    await user.click(dialog.getByRole('button', { name: 'Save issuer' }))
    await dialog.findByText(/does not work at the moment/)
    const body = api.calls(singleSignOnApi.change)[0]?.body
    expect(body).toMatchObject({ createsUsers: true, acrValues: ['gold', 'silver'] })
    expect(body).not.toHaveProperty('clientSecret')
  })

  it('are removed after a confirmation', async () => {
    api.on(singleSignOnApi.remove, () => settings({ issuers: [] }))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Remove Acme' }))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Remove this issuer?' }))
    expect(api.calls(singleSignOnApi.remove)).toHaveLength(0)
    await user.click(dialog.getByRole('button', { name: 'Remove' }))
    await screen.findByText('No issuers yet. Users sign in with a password.')
  })
})

describe('signing in with a password', () => {
  it('is switched off after a confirmation', async () => {
    const isOff = { isOn: false, breakGlassCount: 1 }
    api.on(singleSignOnApi.setPasswordSignIn, () => settings({ passwordSignIn: isOff }))
    const { user } = visit()
    await user.click(await screen.findByLabelText(/Users can sign in with a password/))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Switch off passwords?' }))
    await user.click(dialog.getByRole('button', { name: 'Switch off passwords' }))
    await waitFor(() =>
      expect(screen.getByLabelText<HTMLInputElement>(/Users can sign in/).checked).toBe(false),
    )
  })

  it.each([
    ['no emergency administrator', settings({ passwordSignIn: { isOn: true, breakGlassCount: 0 } })],
    ['no issuer', settings({ issuers: [] })],
  ])('cannot be switched off while there is %s, and says why', async (_, found) => {
    api.on(singleSignOnApi.get, () => found)
    visit()
    const checkbox = await screen.findByLabelText<HTMLInputElement>(/Users can sign in with a password/)
    await waitFor(() => expect(checkbox.disabled).toBe(true))
    const reason = document.getElementById(checkbox.getAttribute('aria-describedby') ?? '')
    expect(reason?.textContent).toMatch(/^To switch this off, first/)
    expect(screen.queryAllByRole('button', { name: 'Copy the command' })).toHaveLength(
      found.passwordSignIn.breakGlassCount === 0 ? 1 : 0,
    )
  })

  it('can be switched on again although the emergency administrator is gone', async () => {
    const isOff = { isOn: false, breakGlassCount: 0 }
    api
      .on(singleSignOnApi.get, () => settings({ passwordSignIn: isOff }))
      .on(singleSignOnApi.setPasswordSignIn, () => settings())
    const { user } = visit()
    await user.click(await screen.findByLabelText(/Users can sign in with a password/))
    await waitFor(() =>
      expect(screen.getByLabelText<HTMLInputElement>(/Users can sign in/).checked).toBe(true),
    )
  })

  it('keeps the focus while it is being switched on, and sends that once', async () => {
    api
      .on(singleSignOnApi.get, () => settings({ passwordSignIn: { isOn: false, breakGlassCount: 1 } }))
      .on(singleSignOnApi.setPasswordSignIn, () => new Promise<never>(() => undefined))
    const { user } = visit()
    const checkbox = await screen.findByLabelText<HTMLInputElement>(/Users can sign in with a password/)
    await user.click(checkbox)
    await waitFor(() => expect(checkbox.getAttribute('aria-disabled')).toBe('true'))
    // Browsers move the focus from a disabled checkbox to the page.
    expect(checkbox.disabled).toBe(false)
    await user.click(checkbox)
    expect(api.calls(singleSignOnApi.setPasswordSignIn)).toHaveLength(1)
  })

  it('stays on, with the reason, when the server refuses', async () => {
    api.on(singleSignOnApi.setPasswordSignIn, () => refuse('sso.no_break_glass'))
    const { user } = visit()
    await user.click(await screen.findByLabelText(/Users can sign in with a password/))
    await user.click(await screen.findByRole('button', { name: 'Switch off passwords' }))
    await screen.findByText(/Create an emergency administrator first/)
    expect(screen.getByLabelText<HTMLInputElement>(/Users can sign in/).checked).toBe(true)
  })
})
