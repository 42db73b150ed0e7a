import { usersApi } from '@lyceum/contract/users'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aUserDetail } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { UserPage } from './user.tsx'

const deactivatedAt = '2026-11-27T09:00:00.000Z'

let api: FakeApi
beforeEach(() => {
  api = fakeApi().on(usersApi.get, () => aUserDetail())
})

function visit() {
  return renderPage(<UserPage />, { at: '/admin/users/user-1', path: '/admin/users/:id' })
}
async function confirm(action: string, title: string) {
  await userEvent.click(await screen.findByRole('button', { name: action }))
  const dialog = await screen.findByRole('alertdialog', { name: title })
  await userEvent.click(within(dialog).getByRole('button', { name: action }))
}

it('offers no deactivation to administrators who are not system administrators', async () => {
  signIn(anAdmin())
  visit()
  await screen.findByRole('button', { name: 'Sign out everywhere' })
  expect(screen.queryByRole('button', { name: 'Deactivate' })).toBeNull()
})

it('says why a user cannot be deactivated', async () => {
  signIn(anAdmin({ isSystemAdmin: true }))
  api.on(usersApi.setActive, () => refuse('user.last_system_admin'))
  visit()
  await confirm('Deactivate', 'Deactivate this user?')
  await screen.findByText('At least one system administrator must remain')
  expect(screen.queryByText('Deactivated')).toBeNull()
})

it('deactivates a user and activates them again', async () => {
  signIn(anAdmin({ isSystemAdmin: true }))
  api.on(usersApi.setActive, ({ body }) =>
    body.isActive ? aUserDetail() : { ...aUserDetail(), deactivatedAt },
  )
  visit()
  await confirm('Deactivate', 'Deactivate this user?')
  await screen.findByText('Deactivated')
  const heading = screen.getByRole('heading', { level: 1 })
  await waitFor(() => expect(document.activeElement).toBe(heading))
  await confirm('Activate', 'Activate this user?')
  await screen.findByRole('button', { name: 'Deactivate' })
  expect(screen.queryByText('Deactivated')).toBeNull()
  await waitFor(() => expect(document.activeElement).toBe(heading))
})

it('says since when and by whom a user is deactivated, and what that means', async () => {
  signIn(anAdmin())
  api.on(usersApi.get, () => aUserDetail({ deactivatedAt, deactivatedByName: 'Grace', sessionCount: 0 }))
  const { user } = visit()
  const text = (await screen.findByText(/They cannot sign in/)).parentElement?.textContent
  expect(text).toMatch(/^This user was deactivated on Nov 27, 2026.* by Grace/)
  expect(screen.queryByRole('button', { name: 'Activate' })).toBeNull()
  const button = screen.getByRole('button', { name: 'Sign out everywhere' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
  await user.click(button)
  await screen.findByText('This user is not signed in anywhere')
})
