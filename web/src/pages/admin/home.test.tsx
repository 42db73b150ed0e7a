import { authApi } from '@lyceum/contract/auth'
import { getStartedApi, type SetupProgress } from '@lyceum/contract/get-started'
import { getPermissions } from '@lyceum/contract/permissions'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { anAdmin, signIn } from '#testing/users.ts'
import { AdminHomePage } from './home.tsx'

const knownPaths = [
  '/admin/users',
  '/admin/documents',
  '/admin/channels',
  '/admin/chat-history',
  '/admin/settings',
]

async function renderCards(admin = anAdmin(), known = knownPaths): Promise<(string | null)[]> {
  fakeApi()
    .on(authApi.me, () => admin)
    .on(getStartedApi.get, () => ({ steps: [] }))
  signIn(admin)
  renderPage(<AdminHomePage />, { at: '/admin', knownPaths: known })
  await waitFor(() => expect(screen.queryByText('Loading…')).toBeNull())
  return screen.queryAllByRole('link').map((link) => link.getAttribute('href'))
}

/** Renders the page for an administrator with these steps. */
function renderSteps(...steps: SetupProgress['steps']) {
  const api = fakeApi()
    .on(authApi.me, () => anAdmin())
    .on(getStartedApi.get, () => ({ steps }))
  signIn(anAdmin())
  return { api, ...renderPage(<AdminHomePage />, { at: '/admin', knownPaths }) }
}
function findPanel() {
  return screen.findByRole('region', { name: 'Get started' })
}

describe('/admin', () => {
  it('shows only the cards that the administrator has permissions for', async () => {
    expect(await renderCards()).toEqual([
      '/admin/users',
      '/admin/documents',
      '/admin/channels',
      '/admin/settings',
    ])
  })

  it('shows the chat history with canViewChatHistory', async () => {
    const permissions = getPermissions({
      role: 'admin',
      isSystemAdmin: false,
      overrides: { canViewChatHistory: true },
    })
    expect(await renderCards(anAdmin({ permissions }))).toContain('/admin/chat-history')
  })

  it('omits areas without a route', async () => {
    expect(await renderCards(anAdmin(), ['/admin/channels'])).toEqual(['/admin/channels'])
  })

  it('shows an empty state without any area', async () => {
    expect(await renderCards(anAdmin(), [])).toEqual([])
    screen.getByText('You don’t have access to any admin area yet.')
  })
})

describe('“Get started” on /admin', () => {
  const undone = { step: 'mail', isDone: false } as const

  it('links each step to its place, ticks what is done, and marks the next step', async () => {
    renderSteps({ step: 'channel', isDone: true }, { step: 'documents', isDone: false }, undone)
    const panel = within(await findPanel())
    panel.getByText('1 of 3 done')
    const links = panel.getAllByRole('link')
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/admin/channels?new',
      '/admin/channels',
      '/admin/settings?section=connections#mail',
    ])
    expect(links.map((link) => link.getAttribute('aria-current'))).toEqual([null, 'step', null])
    expect(links[0]?.textContent).toContain('(done)')
    expect(links[2]?.textContent).toContain('It needs a mail server.')
  })

  it('disappears when all steps are done', async () => {
    renderSteps({ step: 'channel', isDone: true })
    await screen.findByRole('link', { name: /Manage Channels/ })
    expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull()
  })

  it('can be dismissed with the keyboard, and stays dismissed for this user', async () => {
    const { user, unmount } = renderSteps(undone)
    const dismiss = within(await findPanel()).getByRole('button', { name: 'Dismiss “Get started”' })
    dismiss.focus()
    await user.keyboard('{Enter}')
    expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull()
    unmount()

    const second = renderSteps(undone)
    await screen.findByRole('link', { name: /Manage Channels/ })
    expect(second.api.calls(getStartedApi.get)).toEqual([])
    second.unmount()

    const other = anAdmin({ _id: 'admin-2' })
    second.api.on(authApi.me, () => other)
    signIn(other)
    renderPage(<AdminHomePage />, { at: '/admin', knownPaths })
    await findPanel()
  })

  it('is not shown when the steps cannot be loaded', async () => {
    renderSteps().api.on(getStartedApi.get, () => refuse('internal'))
    await screen.findByRole('link', { name: /Manage Channels/ })
    expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull()
  })
})
