import { authApi } from '@lyceum/contract/auth'
import { permissionsOf } from '@lyceum/contract/permissions'
import { type SystemStatus, statusApi } from '@lyceum/contract/status'
import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aPart, aStatus } from '#testing/settings-samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { diskSize } from './part-labels.ts'
import { SystemState } from './SystemState.tsx'

let api: FakeApi
let status: SystemStatus
beforeEach(() => {
  status = aStatus()
  api = fakeApi()
    .on(authApi.me, () => anAdmin())
    .on(statusApi.get, () => status)
  signIn(anAdmin())
})

function visit() {
  return renderPage(
    <>
      <ResultBanner />
      <SystemState />
    </>,
    { at: '/admin/settings' },
  ).user
}
function card(name: string) {
  return screen.findByRole('region', { name })
}

describe('the state of the parts', () => {
  it('tells of each in a word, a sentence and facts', async () => {
    status = aStatus({
      parts: [
        aPart(),
        aPart({ part: 'storage', state: 'failing', words: 'Uploads are refused.', facts: [] }),
      ],
    })
    visit()
    const mail = within(await card('Mail'))
    mail.getByText('In order')
    mail.getByText('mail.example.org')
    mail.getByText('Never')
    mail.getByText('1,200')
    within(await card('Storage')).getByText('Out of order')
    screen.getByText(/Lyceum 1\.2\.3/)
  })

  it('sends a test letter and says beside the button what came of it', async () => {
    api.on(statusApi.test, () => ({
      ok: false,
      words: ['The letter could not be handed over.'],
      milliseconds: 3,
    }))
    const user = visit()
    const mail = within(await card('Mail'))
    await user.click(mail.getByRole('button', { name: 'Send test letter' }))
    await mail.findByText('The letter could not be handed over.')
    expect(api.calls(statusApi.test)[0]?.params).toEqual({ part: 'mail' })
    api.on(statusApi.test, () => refuse('internal'))
    await user.click(mail.getByRole('button', { name: 'Send test letter' }))
    await mail.findByText('This could not be tried out.')
  })

  it('lists what was given up, to be tried again', async () => {
    const job = {
      _id: 'j1',
      name: 'mail.send',
      attempts: 3,
      error: 'Error: no',
      addedAt: '2026-11-20T09:00:00.000Z',
    }
    status = aStatus({ jobs: { waiting: 0, running: 1, failed: 1, failures: [job] } })
    api.on(statusApi.retryJob, () => {
      status = aStatus()
      return undefined
    })
    const user = visit()
    const jobs = within(await card('Background work'))
    jobs.getByText('1 given up')
    jobs.getByText('Error: no')
    await user.click(jobs.getByRole('button', { name: 'Try again' }))
    await screen.findByText('The job will be tried again')
    await jobs.findByText('In order')
    expect(jobs.queryByText('Error: no')).toBeNull()
  })

  it('says when it cannot be loaded, and tries again', async () => {
    api.on(statusApi.get, () => refuse('internal'))
    const user = visit()
    await screen.findByText('The state of the parts could not be loaded.')
    api.on(statusApi.get, () => status)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await card('Mail')
  })

  it('is not asked for without the right to manage settings', async () => {
    const overrides = { canManageSettings: false }
    const admin = anAdmin({ permissions: permissionsOf({ role: 'admin', isSystemAdmin: false, overrides }) })
    api.on(authApi.me, () => admin)
    signIn(admin)
    visit()
    await screen.findByText('You do not have permission to manage settings')
    expect(api.calls(statusApi.get)).toEqual([])
  })

  it.each([
    [0, '0 B'],
    [1023, '1,023 B'],
    [1536, '1.5 KB'],
    [5 * 1024 ** 3, '5 GB'],
    [3000 * 1024 ** 4, '3,000 TB'],
  ])('writes %d bytes as %s', (bytes, words) => {
    expect(diskSize(bytes)).toBe(words)
  })
})
