import { groupsApi } from '@lyceum/contract/groups'
import { singleSignOnApi } from '@lyceum/contract/single-sign-on'
import { usersApi } from '@lyceum/contract/users'
import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aUserDetail } from '#testing/samples.ts'
import { anAdmin, signIn, signInAdminWithout } from '#testing/users.ts'
import { UserPage } from './user.tsx'

const identity = {
  _id: 'identity-1',
  issuerId: 'acme',
  issuerName: 'Acme',
  subject: 'subject-1',
  createdAt: '2026-01-01T00:00:00.000Z',
  lastUsedAt: null,
}
const issuer = {
  _id: 'acme',
  state: 'ok' as const,
  name: 'Acme',
  issuer: 'https://sso.example.org',
  clientId: 'lyceum',
  createsUsers: false,
  verifiedClaim: 'email_verified',
  acrValues: [],
  rules: [],
  userCount: 1,
}
const methods = { hasPassword: false, isBreakGlass: false, identities: [identity] }

let api: FakeApi
beforeEach(() => {
  signIn(anAdmin({ isSystemAdmin: true }))
  api = fakeApi()
    .on(groupsApi.accessOfUser, () => ({ groups: [], channels: [] }))
    .on(usersApi.get, () => aUserDetail())
    .on(singleSignOnApi.methodsOfUser, () => methods)
    .on(singleSignOnApi.get, () => ({
      issuers: [issuer],
      publicUrl: 'https://lyceum.example.org',
      passwordSignIn: { isOn: true, breakGlassCount: 0 },
    }))
})

function visit() {
  return renderPage(<UserPage />, { at: '/admin/users/user-1', path: '/admin/users/:id' })
}
async function findSection() {
  return within(await screen.findByRole('region', { name: 'Signing in' }))
}

describe('how a user signs in', () => {
  it('cannot be changed without the permission to edit users', async () => {
    signInAdminWithout(api, 'canEditUsers')
    const { user } = visit()
    const section = await findSection()
    await user.click(await section.findByRole('button', { name: 'Disconnect from Acme' }))
    await screen.findByText('You do not have permission to edit users')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(section.queryByRole('button', { name: 'Connect to single sign-on' })).toBeNull()
  })

  it('is shown, and ended after a confirmation', async () => {
    api.on(singleSignOnApi.disconnectUser, () => ({ ...methods, identities: [] }))
    const { user } = visit()
    const section = await findSection()
    await section.findByText('No password')
    section.getByText('subject-1')
    await user.click(section.getByRole('button', { name: 'Disconnect from Acme' }))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Disconnect this user?' }))
    await user.click(dialog.getByRole('button', { name: 'Disconnect' }))
    await screen.findByText('User disconnected')
    expect(section.queryByText('subject-1')).toBeNull()
  })

  it('is extended by a subject of an issuer, or the refusal is shown', async () => {
    api.on(singleSignOnApi.connectUser, () => refuse('sso.subject_taken'))
    const { user } = visit()
    const section = await findSection()
    await user.click(await section.findByRole('button', { name: 'Connect to single sign-on' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Connect to single sign-on' }))
    await user.click(dialog.getByRole('button', { name: 'Connect user' }))
    dialog.getByText('Enter the subject.')
    await user.type(dialog.getByLabelText('Subject'), 'subject-2')
    await user.click(dialog.getByRole('button', { name: 'Connect user' }))
    await dialog.findByText('This subject is already connected to a user.')
    api.on(singleSignOnApi.connectUser, () => methods)
    await user.click(dialog.getByRole('button', { name: 'Connect user' }))
    await screen.findByText('User connected')
    expect(api.calls(singleSignOnApi.connectUser)[0]?.body).toEqual({
      issuerId: 'acme',
      subject: 'subject-2',
    })
  })
})
