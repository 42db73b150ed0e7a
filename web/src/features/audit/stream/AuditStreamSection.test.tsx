import { type AuditReceiver, auditStreamApi } from '@lyceum/contract/audit-stream'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { anAdmin, signIn } from '#testing/users.ts'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { AuditStreamSection } from './AuditStreamSection.tsx'

const splunk: Extract<AuditReceiver, { kind: 'http' }> = {
  kind: 'http',
  _id: 'receiver-1',
  name: 'Splunk',
  url: 'https://splunk.example.org:8088/services/collector/event',
  format: 'splunk',
  headerName: 'Authorization',
  hasHeaderValue: true,
  caCertificate: '',
  behind: 0,
  sentAt: '2026-11-20T10:00:00.000Z',
  failure: null,
}
const failing: AuditReceiver = {
  kind: 'syslog',
  ...{ _id: 'receiver-2', name: 'rsyslog', host: 'syslog.example.org', port: 6514 },
  ...{ caCertificate: '', clientCertificate: '', hasClientKey: false, behind: 10_001, sentAt: null },
  failure: {
    words: 'syslog.example.org:6514 did not answer in time.',
    since: '2026-11-20T10:00:00.000Z',
    retryAt: '2026-11-20T10:05:00.000Z',
  },
}
const certificate = '-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----'

let api: FakeApi
beforeEach(() => {
  signIn(anAdmin({ isSystemAdmin: true }))
  api = fakeApi().on(auditStreamApi.get, () => ({ receivers: [splunk, failing] }))
})

function visit() {
  return renderPage(
    <>
      <ResultBanner />
      <AuditStreamSection />
    </>,
  )
}

describe('the receivers of the audit log', () => {
  it('can be loaded again after a failure', async () => {
    api.on(auditStreamApi.get, () => refuse('internal'))
    const { user } = visit()
    await screen.findByText('The receivers could not be loaded.')
    api.on(auditStreamApi.get, () => ({ receivers: [] }))
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('No receivers yet. The audit log stays on this server.')
  })

  it('show how far each of them is, and why one fails', async () => {
    visit()
    await screen.findByText('Up to date')
    screen.getByText('More than 10,000 entries waiting')
    screen.getByText(/syslog\.example\.org:6514 did not answer in time\. Failing since/)
    screen.getByText('Nothing sent yet')
  })

  it('say which of them cannot be decrypted, which can only be removed', async () => {
    const { _id, name, behind, sentAt, failure } = splunk
    api.on(auditStreamApi.get, () => ({
      receivers: [{ kind: 'unreadable' as const, _id, name, behind, sentAt, failure }],
    }))
    visit()
    await screen.findByText('Cannot be read')
    expect(screen.queryByRole('button', { name: 'Edit Splunk' })).toBeNull()
    screen.getByRole('button', { name: 'Remove Splunk' })
  })

  it('are added after the form has been completed and tested', async () => {
    api
      .on(auditStreamApi.get, () => ({ receivers: [] }))
      .on(auditStreamApi.test, () => ({ ok: true, words: ['It works.'], milliseconds: 1 }))
      .on(auditStreamApi.add, () => ({ receivers: [failing] }))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Add syslog server' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add syslog server' }))
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'rsyslog')
    await user.click(dialog.getByRole('button', { name: 'Add receiver' }))
    await dialog.findByText('Enter the host name of the syslog server.')
    await user.type(dialog.getByRole('textbox', { name: 'Host' }), 'syslog.example.org')
    await user.click(dialog.getByRole('textbox', { name: 'CA certificate' }))
    await user.paste(certificate)
    await user.click(dialog.getByRole('button', { name: 'Send test event' }))
    await dialog.findByText('It works.')
    await user.click(dialog.getByRole('radio', { name: 'All entries' }))
    await user.click(dialog.getByRole('button', { name: 'Add receiver' }))
    await screen.findByText('Receiver added')
    const receiver = {
      ...{ kind: 'syslog', name: 'rsyslog', host: 'syslog.example.org', port: 6514 },
      ...{ caCertificate: certificate, clientCertificate: '', clientKey: '' },
    }
    expect(api.calls(auditStreamApi.test)[0]?.body).toEqual({ receiver })
    expect(api.calls(auditStreamApi.add)[0]?.body).toEqual({ receiver, startsAt: 'beginning' })
  })

  it('keep their secret if none is entered', async () => {
    api.on(auditStreamApi.change, () => ({ receivers: [splunk] }))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Edit Splunk' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Splunk' }))
    dialog.getByText('A value is stored. Leave this empty to keep it.')
    await user.clear(dialog.getByRole('textbox', { name: 'Name' }))
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Splunk 2')
    await user.click(dialog.getByRole('button', { name: 'Save receiver' }))
    await screen.findByText('Receiver updated')
    const { url, format, headerName, caCertificate } = splunk
    expect(api.calls(auditStreamApi.change)[0]?.body).toEqual({
      ...{ kind: 'http', name: 'Splunk 2', url, format, headerName, caCertificate },
    })
  })

  it('are removed after a confirmation', async () => {
    api.on(auditStreamApi.remove, () => ({ receivers: [] }))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Remove Splunk' }))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remove' }))
    await screen.findByText('Receiver removed')
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add syslog server' })),
    )
    expect(api.calls(auditStreamApi.remove)[0]?.params).toEqual({ receiverId: 'receiver-1' })
  })
})
