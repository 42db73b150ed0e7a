import { authApi } from '@lyceum/contract/auth'
import { getStartedApi, type SetupProgress } from '@lyceum/contract/get-started'
import { type Overview, overviewApi } from '@lyceum/contract/overview'
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
  it('says what is wrong with a server that is set up', async () => {
    renderSteps(
      { step: 'model', isDone: false, problem: 'failing' },
      { step: 'mail', isDone: false, problem: 'untested' },
    )
    const panel = within(await findPanel())
    panel.getByText('It is set up, but does not answer. Check its address, then test it.')
    panel.getByText('It is set up, but has not answered yet. Test it once.')
  })

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

describe('what needs attention', () => {
  const figures = {
    messages: 0,
    replies: 0,
    refusals: 0,
    failures: 0,
    quoted: 0,
    inputTokens: 0,
    outputTokens: 0,
    good: 0,
    bad: 0,
    firstWordP50: null,
    firstWordP95: null,
    people: 0,
  }
  function renderOverview(overview: Overview) {
    fakeApi()
      .on(authApi.me, () => anAdmin())
      .on(getStartedApi.get, () => ({ steps: [] }))
      .on(overviewApi.get, () => overview)
    signIn(anAdmin())
    renderPage(<AdminHomePage />, { at: '/admin', knownPaths: [...knownPaths, '/admin/analytics'] })
  }

  it('is a sentence when nothing does', async () => {
    renderOverview({ attention: [], parts: [], week: null })
    await screen.findByText('Nothing needs your attention.')
    expect(screen.queryByRole('region', { name: 'Last 7 days' })).toBeNull()
  })

  it('lists problems and counts, each linked to its place, and counts on the cards', async () => {
    renderOverview({
      attention: [
        { kind: 'pending-documents', count: 1 },
        { kind: 'failed-documents', count: 100 },
        { kind: 'documents-without-vectors', count: 2 },
        { kind: 'expired-invitations', count: 2 },
        { kind: 'unanswered-questions', count: 1 },
      ],
      parts: [
        { part: 'mail', words: 'The last email could not be sent.', failedAt: '2026-11-21T09:00:00.000Z' },
      ],
      week: null,
    })
    const list = within(await screen.findByRole('region', { name: 'Needs attention' }))
    expect(list.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      [
        expect.stringMatching(/^Email: The last email could not be sent\. Last failure: Nov 21/),
        '/admin/settings?section=state#status-mail',
      ],
      ['1 document is waiting for approval', '/admin/documents'],
      ['99+ approved documents could not be indexed', '/admin/documents?status=approved&index=failed'],
      [
        '2 documents still need vectors, because the embedding server failed',
        '/admin/documents?status=approved&index=without-vectors',
      ],
      ['2 invitations have expired', '/admin/users#invitations'],
      ['1 unanswered question is open', '/admin/analytics?tab=questions'],
    ])
    // The page shows pending documents first. Those that could not be indexed are a filter of another tab.
    screen.getByRole('link', { name: /^Review Documents,\s?1\s?waiting/ })
    const users = screen.getByRole('link', { name: /^Manage Users,\s?2\s?waiting/ })
    const analytics = screen.getByRole('link', { name: /^Analytics,\s?1\s?waiting/ })
    expect([users, analytics].map((link) => link.getAttribute('href'))).toEqual([
      '/admin/users#invitations',
      '/admin/analytics?tab=questions',
    ])
  })

  it('counts up to 99 on a card', async () => {
    renderOverview({ attention: [{ kind: 'pending-documents', count: 100 }], parts: [], week: null })
    await screen.findByRole('link', { name: /^Review Documents,\s?99\+\s?waiting/ })
  })

  it('is followed by the last seven days and those before', async () => {
    const week = { totals: { ...figures, messages: 1200, people: 3 }, before: { ...figures, messages: 40 } }
    renderOverview({ attention: [], parts: [], week })
    const region = within(await screen.findByRole('region', { name: 'Last 7 days' }))
    expect(region.getByText('Questions').nextElementSibling?.textContent).toBe('1,20040 in the 7 days before')
  })

  it('is left out when it cannot be loaded', async () => {
    expect(await renderCards()).toContain('/admin/users')
    expect(screen.queryByText('Nothing needs your attention.')).toBeNull()
  })
})
