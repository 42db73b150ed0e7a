import { channelsApi } from '@lyceum/contract/channels'
import { groupsApi } from '@lyceum/contract/groups'
import { type Directory, ldapApi } from '@lyceum/contract/ldap'
import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel, aPage } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { LdapSection } from './LdapSection.tsx'

const directory: Directory = {
  state: 'ok',
  url: 'ldaps://ldap.example.org',
  certificate: '',
  bindDn: 'cn=reader,dc=example,dc=org',
  baseDn: 'dc=example,dc=org',
  userFilter: '(objectClass=*)',
  emailAttribute: 'mail',
  createsUsers: true,
  rules: [],
  userCount: 3,
}

let api: FakeApi
beforeEach(() => {
  signIn(anAdmin({ isSystemAdmin: true }))
  api = fakeApi()
    .on(ldapApi.get, () => ({ directory }))
    .on(channelsApi.list, () => [aChannel()])
    .on(groupsApi.list, () => aPage([]))
})

function visit() {
  return renderPage(
    <>
      <ResultBanner />
      <LdapSection />
    </>,
  )
}

/** Opens and closes the section, as a tab does. */
function Tab() {
  const [isOpen, setIsOpen] = useState(true)
  return (
    <>
      <ResultBanner />
      <button type="button" onClick={() => setIsOpen(!isOpen)}>
        Tab
      </button>
      {isOpen && <LdapSection />}
    </>
  )
}

describe('the directory in the settings', () => {
  it('can be loaded again after a failure', async () => {
    api.on(ldapApi.get, () => refuse('internal'))
    const { user } = visit()
    const again = await screen.findByRole('button', { name: 'Try again' })
    api.on(ldapApi.get, () => ({ directory: null }))
    await user.click(again)
    await screen.findByRole('button', { name: 'Add LDAP directory' })
    screen.getByText('No LDAP directory yet.')
  })

  it('says when it cannot be decrypted, and can then only be removed', async () => {
    api.on(ldapApi.get, () => ({ directory: { ...directory, state: 'unreadable' as const } }))
    visit()
    await screen.findByText(/cannot be decrypted/)
    screen.getByRole('button', { name: 'Remove the LDAP directory' })
    expect(screen.queryByRole('button', { name: 'Edit the LDAP directory' })).toBeNull()
  })

  it('validates a new one, shows refusals at their fields, and adds it', async () => {
    api.on(ldapApi.get, () => ({ directory: null }))
    api.on(ldapApi.save, () =>
      refuse('validation.failed', { bindPassword: 'Enter the password of the bind account.' }),
    )
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Add LDAP directory' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add LDAP directory' }))
    const submit = dialog.getByRole('button', { name: 'Add LDAP directory' })
    await user.type(dialog.getByLabelText('Address'), 'https://ldap.example.org')
    await user.click(submit)
    dialog.getByText(/Enter an address such as/)
    expect(api.calls(ldapApi.save)).toEqual([])
    await user.clear(dialog.getByLabelText('Address'))
    await user.type(dialog.getByLabelText('Address'), 'ldaps://ldap.example.org')
    await user.type(dialog.getByLabelText('Bind DN'), 'cn=reader,dc=example,dc=org')
    await user.type(dialog.getByLabelText('Base DN'), 'dc=example,dc=org')
    await user.click(submit)
    await dialog.findByText('Enter the password of the bind account.')
    api.on(ldapApi.save, () => ({ directory }))
    await user.type(dialog.getByLabelText('Bind password'), 'secret')
    await user.click(submit)
    await screen.findByText('Directory added')
    expect(api.calls(ldapApi.save).at(-1)?.body).toMatchObject({
      url: 'ldaps://ldap.example.org',
      bindPassword: 'secret',
      createsUsers: false,
    })
    await screen.findByText('3 users')
    const edit = screen.getByRole('button', { name: 'Edit the LDAP directory' })
    await waitFor(() => expect(document.activeElement).toBe(edit))
  })

  it('tests what is in the form, with the user to look for', async () => {
    api.on(ldapApi.test, () => ({
      ok: false,
      words: ['The directory did not answer.'],
      milliseconds: 5,
    }))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Edit the LDAP directory' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit LDAP directory' }))
    await user.type(dialog.getByLabelText(/^Look for a user/), 'ada')
    await user.click(dialog.getByRole('button', { name: 'Test connection' }))
    dialog.getByText('Invalid email address')
    expect(api.calls(ldapApi.test)).toEqual([])
    await user.type(dialog.getByLabelText(/^Look for a user/), '@example.org')
    await user.click(dialog.getByRole('button', { name: 'Test connection' }))
    await dialog.findByText('The directory did not answer.')
    expect(api.calls(ldapApi.test)[0]?.body).toMatchObject({
      url: directory.url,
      bindPassword: '',
      email: 'ada@example.org',
    })
  })

  it('is tested in its row, with the stored password', async () => {
    const words = ['The directory did not answer.']
    api.on(ldapApi.test, () => ({ ok: false, words, milliseconds: 5 }))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Test the LDAP directory' }))
    await screen.findByText('The directory did not answer.')
    expect(api.calls(ldapApi.test)[0]?.body).toMatchObject({ url: directory.url, bindPassword: '' })
  })

  it('says that its last test failed, until one succeeds or it is changed', async () => {
    const failed = { ok: false, words: ['The directory did not answer.'], milliseconds: 5 }
    api.on(ldapApi.test, () => failed).on(ldapApi.save, () => ({ directory }))
    const { user } = renderPage(<Tab />)
    await user.click(await screen.findByRole('button', { name: 'Test the LDAP directory' }))
    await screen.findByText('Test failed')
    await user.click(screen.getByRole('button', { name: 'Tab' }))
    expect(screen.queryByText('Test failed')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Tab' }))
    await screen.findByText('Test failed')
    screen.getByText('The directory did not answer.')
    api.on(ldapApi.test, () => ({ ok: true, words: ['It answered.'], milliseconds: 5 }))
    await user.click(screen.getByRole('button', { name: 'Test the LDAP directory' }))
    await screen.findByText('It answered.')
    expect(screen.queryByText('Test failed')).toBeNull()
    api.on(ldapApi.test, () => failed)
    await user.click(screen.getByRole('button', { name: 'Test the LDAP directory' }))
    await screen.findByText('Test failed')
    await user.click(screen.getByRole('button', { name: 'Edit the LDAP directory' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit LDAP directory' }))
    await user.type(dialog.getByLabelText('Base DN'), ',c=fr')
    await user.click(dialog.getByRole('button', { name: 'Save LDAP directory' }))
    await screen.findByText('Directory updated')
    expect(screen.queryByText('Test failed')).toBeNull()
  })

  it('says so as well when it is saved with the values of a failed test', async () => {
    api
      .on(ldapApi.test, () => ({ ok: false, words: ['It did not answer.'], milliseconds: 5 }))
      .on(ldapApi.save, () => ({ directory }))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Edit the LDAP directory' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit LDAP directory' }))
    await user.type(dialog.getByLabelText('Base DN'), ',o=branch')
    await user.click(dialog.getByRole('button', { name: 'Test connection' }))
    await dialog.findByText('It did not answer.')
    await user.click(dialog.getByRole('button', { name: 'Save LDAP directory' }))
    const question = within(await screen.findByRole('alertdialog', { name: 'Save anyway?' }))
    await user.click(question.getByRole('button', { name: 'Save anyway' }))
    await screen.findByText('Directory updated')
    await screen.findByText('Test failed')
    screen.getByText('It did not answer.')
  })

  it('is saved after a failed test only if that is confirmed, or after a change', async () => {
    api
      .on(ldapApi.test, () => ({ ok: false, words: ['It did not answer.'], milliseconds: 5 }))
      .on(ldapApi.save, () => ({ directory }))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Edit the LDAP directory' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit LDAP directory' }))
    await user.type(dialog.getByLabelText('Base DN'), ',o=branch')
    await user.click(dialog.getByRole('button', { name: 'Test connection' }))
    await dialog.findByText('It did not answer.')
    const submit = dialog.getByRole('button', { name: 'Save LDAP directory' })
    await user.click(submit)
    const question = within(await screen.findByRole('alertdialog', { name: 'Save anyway?' }))
    await user.click(question.getByRole('button', { name: 'Back' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(api.calls(ldapApi.save)).toEqual([])
    await user.type(dialog.getByLabelText('Base DN'), ',c=fr')
    await user.click(submit)
    await screen.findByText('Directory updated')
  })

  it('shows a refusal of the test once, at its field', async () => {
    const missing = 'Enter the password of the bind account.'
    api.on(ldapApi.test, () => refuse('validation.failed', { bindPassword: missing }))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Edit the LDAP directory' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit LDAP directory' }))
    await user.click(dialog.getByRole('button', { name: 'Test connection' }))
    await dialog.findByText(missing)
    expect(dialog.getAllByText(missing)).toHaveLength(1)
  })

  it('names an example for each name that is missing', async () => {
    api.on(ldapApi.get, () => ({ directory: null }))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Add LDAP directory' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add LDAP directory' }))
    await user.click(dialog.getByRole('button', { name: 'Add LDAP directory' }))
    dialog.getByText('Enter a name such as cn=lyceum,ou=services,dc=example,dc=org.')
    dialog.getByText('Enter a name such as dc=example,dc=org.')
  })

  it('is removed after a confirmation that names the consequences', async () => {
    api.on(ldapApi.remove, () => ({ directory: null }))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Remove the LDAP directory' }))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Remove the LDAP directory?' }))
    dialog.getByText(/3 users will be disconnected/)
    await user.click(dialog.getByRole('button', { name: 'Remove' }))
    await screen.findByText('Directory removed')
    const add = await screen.findByRole('button', { name: 'Add LDAP directory' })
    await waitFor(() => expect(document.activeElement).toBe(add))
  })
})
