import { authApi } from '@lyceum/contract/auth'
import { getPermissions } from '@lyceum/contract/permissions'
import { type SystemStatus, statusApi } from '@lyceum/contract/status'
import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aPart, aStatus } from '#testing/settings-samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { formatDiskSize } from './part-labels.ts'
import { StatusSection } from './StatusSection.tsx'

let api: FakeApi
let status: SystemStatus
beforeEach(() => {
  status = aStatus()
  api = fakeApi()
    .on(authApi.me, () => anAdmin())
    .on(statusApi.get, () => status)
  signIn(anAdmin())
})

function visit(at = '/admin/settings') {
  return renderPage(
    <>
      <ResultBanner />
      <StatusSection />
    </>,
    { at, path: '/admin/settings' },
  ).user
}
function card(name: string) {
  return screen.findByRole('region', { name })
}

describe('system status', () => {
  it('shows the state, a sentence and the facts of each part', async () => {
    status = aStatus({
      parts: [
        aPart(),
        aPart({ part: 'storage', state: 'failing', words: 'Uploads are refused.', facts: [] }),
      ],
    })
    visit()
    const mail = within(await card('Email'))
    mail.getByText('OK')
    mail.getByText('mail.example.org')
    mail.getByText('Never')
    mail.getByText('1,200')
    within(await card('Storage')).getByText('Not working')
    screen.getByText(/Lyceum 1\.2\.3/)
  })

  it('focuses the part that the address names, once it is loaded', async () => {
    status = aStatus({ parts: [aPart(), aPart({ part: 'model', state: 'failing' })] })
    visit('/admin/settings#status-model')
    const title = await screen.findByRole('heading', { name: 'Language models' })
    expect(document.activeElement).toBe(title)
  })

  it('links to no settings that only system administrators may change', async () => {
    status = aStatus({ parts: [aPart({ state: 'attention' })] })
    visit()
    await card('Email')
    expect(screen.queryByRole('link')).toBeNull()
  })

  it('leads system administrators to what is not set up', async () => {
    status = aStatus({
      parts: [
        aPart({ state: 'attention' }),
        aPart({ part: 'model', state: 'off' }),
        aPart({ part: 'embeddings', state: 'failing' }),
        aPart({ part: 'reranking', state: 'failing' }),
        aPart({ part: 'backups' }),
        aPart({ part: 'audit-stream', state: 'failing' }),
        aPart({ part: 'webhooks', state: 'off' }),
      ],
    })
    const system = anAdmin({ isSystemAdmin: true })
    api.on(authApi.me, () => system)
    signIn(system)
    visit()
    await card('Email')
    expect(screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Set up email', '/admin/settings?section=connections#mail'],
      ['Connect a model', '/admin/settings?section=connections#model'],
      ['Open the embedding settings', '/admin/settings?section=connections#embeddings'],
      ['Open the reranker settings', '/admin/settings?section=connections#reranking'],
      ['Open the receivers', '/admin/settings?section=events'],
    ])
  })

  it('leads to the documents that have to be mended', async () => {
    status = aStatus({
      parts: [aPart({ part: 'search', state: 'attention', remedy: 'mend-documents' })],
    })
    visit()
    await card('Search')
    expect(screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Show these documents', '/admin/documents?status=approved&index=failed'],
    ])
  })

  it('leads to the documents that have no vectors, beside the settings', async () => {
    const admin = anAdmin({ isSystemAdmin: true })
    api.on(authApi.me, () => admin)
    signIn(admin)
    const remedy = 'see-documents-without-vectors'
    status = aStatus({ parts: [aPart({ part: 'embeddings', state: 'failing', remedy })] })
    visit()
    await card('Embeddings')
    expect(screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Show these documents', '/admin/documents?status=approved&index=without-vectors'],
      ['Open the embedding settings', '/admin/settings?section=connections#embeddings'],
    ])
  })

  it('puts the facts of a group below a heading', async () => {
    const answer = {
      label: 'gpt-4o',
      kind: 'text',
      value: 'llama3.3',
      group: 'The model that answers',
    } as const
    status = aStatus({ parts: [aPart({ part: 'model', facts: [...aPart().facts, answer] })] })
    visit()
    const model = within(await card('Language models'))
    model.getByRole('heading', { name: 'The model that answers' })
    model.getByText('llama3.3')
  })

  it('links to no documents without canManageDocuments', async () => {
    status = aStatus({ parts: [aPart({ part: 'search', state: 'attention', remedy: 'mend-documents' })] })
    const overrides = { canManageDocuments: false }
    const admin = anAdmin({ permissions: getPermissions({ role: 'admin', isSystemAdmin: false, overrides }) })
    api.on(authApi.me, () => admin)
    signIn(admin)
    visit()
    await card('Search')
    expect(screen.queryByRole('link')).toBeNull()
  })

  it('lists the servers when there are several', async () => {
    const node = {
      _id: 'a',
      name: 'node-a',
      role: 'all' as const,
      state: 'running' as const,
      clockDifference: -2000,
      version: '1.2.3',
      lastSeenAt: status.at,
    }
    status = aStatus({ nodes: [node] })
    const { unmount } = renderPage(<StatusSection />, { at: '/admin/settings' })
    await card('Background jobs')
    expect(screen.queryByRole('region', { name: 'Servers' })).toBeNull()
    unmount()
    status = aStatus({
      nodes: [
        node,
        { ...node, _id: 'b', name: 'node-b', role: 'worker', version: '1.2.4', clockDifference: -3400 },
        { ...node, _id: 'c', name: 'node-c', role: 'web', state: 'draining', clockDifference: 61_000 },
      ],
    })
    visit()
    const servers = within(await card('Servers')).getAllByRole('listitem')
    expect(servers.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^node-aWeb and jobs · Lyceum 1\.2\.3 · Last seen /),
      expect.stringMatching(/^node-bClock 3 seconds slowJobs · Lyceum 1\.2\.4 · Last seen /),
      expect.stringMatching(/^node-cStoppingClock 61 seconds fastWeb · Lyceum 1\.2\.3 · Last seen /),
    ])
  })

  it('offers no test of what is not set up', async () => {
    status = aStatus({ parts: [aPart({ part: 'model', state: 'off' }), aPart({ part: 'database' })] })
    visit()
    await card('Database')
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Test database'])
  })

  it('sends a test email and shows the result beside the button', async () => {
    api.on(statusApi.test, () => ({
      ok: false,
      words: ['The email could not be delivered.'],
      milliseconds: 3,
    }))
    const user = visit()
    const mail = within(await card('Email'))
    await user.click(mail.getByRole('button', { name: 'Send test email' }))
    await mail.findByText('The email could not be delivered.')
    expect(api.calls(statusApi.test)[0]?.params).toEqual({ part: 'mail' })
    api.on(statusApi.test, () => refuse('internal'))
    await user.click(mail.getByRole('button', { name: 'Send test email' }))
    await mail.findByText('The test failed to run.')
  })

  it('reports that no server runs jobs', async () => {
    status = aStatus({ jobs: { hasWorker: false, waiting: 3, running: 0, failed: 0, failures: [] } })
    visit()
    const jobs = within(await card('Background jobs'))
    jobs.getByText('Not running')
    jobs.getByText(/^No server that runs jobs has been seen for a minute\./)
    expect(jobs.queryByText('OK')).toBeNull()
  })

  it('lists failed jobs and retries them', async () => {
    const job = {
      _id: 'j1',
      name: 'mail.send',
      attempts: 3,
      error: 'Error: no',
      addedAt: '2026-11-20T09:00:00.000Z',
    }
    status = aStatus({ jobs: { hasWorker: true, waiting: 0, running: 1, failed: 1, failures: [job] } })
    api.on(statusApi.retryJob, () => {
      status = aStatus()
      return undefined
    })
    const user = visit()
    const jobs = within(await card('Background jobs'))
    jobs.getByText('1 failed')
    jobs.getByText('Error: no')
    await user.click(jobs.getByRole('button', { name: 'Retry' }))
    await screen.findByText('The job will be retried')
    await jobs.findByText('OK')
    expect(jobs.queryByText('Error: no')).toBeNull()
  })

  it('shows an error when it cannot be loaded, and retries', async () => {
    api.on(statusApi.get, () => refuse('internal'))
    const user = visit()
    await screen.findByText('The system status could not be loaded.')
    api.on(statusApi.get, () => status)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await card('Email')
  })

  it.each([
    [0, '0 B'],
    [1023, '1,023 B'],
    [1536, '1.5 KB'],
    [5 * 1024 ** 3, '5 GB'],
    [3000 * 1024 ** 4, '3,000 TB'],
  ])('formats %d bytes as %s', (bytes, formatted) => {
    expect(formatDiskSize(bytes)).toBe(formatted)
  })
})
