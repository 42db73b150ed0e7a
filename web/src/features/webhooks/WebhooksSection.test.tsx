import { getPermissions } from '@lyceum/contract/permissions'
import { type Webhook, type WebhookDelivery, webhooksApi } from '@lyceum/contract/webhooks'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { anAdmin, signIn } from '#testing/users.ts'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { WebhooksSection } from './WebhooksSection.tsx'

const desk: Webhook = {
  _id: 'webhook-1',
  state: 'ok',
  name: 'Desk',
  url: 'https://desk.example.org/hook',
  events: ['document.pending'],
  isEnabled: true,
  failingSince: null,
  isGivenUp: false,
}
const failed: WebhookDelivery = {
  _id: 'delivery-1',
  event: 'document.pending',
  state: 'failed',
  attempts: 8,
  error: 'desk.example.org answered with an error (500).',
  nextAttemptAt: null,
  documentName: 'House rules',
  documentVersion: 2,
  channelName: 'Handbook',
  channelId: 'channel-1',
  chatId: null,
  createdAt: '2026-11-20T10:00:00.000Z',
}

let api: FakeApi
beforeEach(() => {
  signIn(anAdmin({ isSystemAdmin: true }))
  api = fakeApi().on(webhooksApi.get, () => ({ webhooks: [desk] }))
})

function visit() {
  return renderPage(
    <>
      <ResultBanner />
      <WebhooksSection />
    </>,
  )
}

describe('the webhooks in the settings', () => {
  it('can be loaded again after a failure', async () => {
    api.on(webhooksApi.get, () => refuse('internal'))
    const { user } = visit()
    await screen.findByText('The webhooks could not be loaded.')
    api.on(webhooksApi.get, () => ({ webhooks: [] }))
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('No webhooks yet.')
  })

  it('say which were switched off or cannot be decrypted', async () => {
    const since = '2026-11-20T10:00:00.000Z'
    api.on(webhooksApi.get, () => ({
      webhooks: [
        { ...desk, isEnabled: false, isGivenUp: true, failingSince: since },
        { ...desk, _id: 'webhook-2', name: 'Other', state: 'unreadable' as const },
      ],
    }))
    visit()
    await screen.findByText('Switched off after failures')
    screen.getByText('Cannot be read')
    expect(screen.queryByRole('button', { name: 'Edit Other' })).toBeNull()
  })

  it('are added, and their secret is shown once', async () => {
    api.on(webhooksApi.get, () => ({ webhooks: [] }))
    api.on(webhooksApi.add, () => ({ webhooks: [desk], secret: 'whsec_c2VjcmV0' }))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Add webhook' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add webhook' }))
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Desk')
    await user.type(dialog.getByRole('textbox', { name: 'Address' }), desk.url)
    await user.click(dialog.getByRole('button', { name: 'Add webhook' }))
    await dialog.findByText('Choose at least one event.')
    await user.click(dialog.getByRole('checkbox', { name: 'Document waits for approval' }))
    await user.click(dialog.getByRole('button', { name: 'Add webhook' }))
    const created = within(await screen.findByRole('dialog', { name: 'Webhook added' }))
    expect(created.getByRole<HTMLInputElement>('textbox', { name: 'Secret' }).value).toBe('whsec_c2VjcmV0')
    await user.click(created.getByRole('button', { name: 'Done' }))
    const question = within(await screen.findByRole('alertdialog'))
    await user.click(question.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByText('whsec_c2VjcmV0')).toBeNull())
    const { name, url, events, isEnabled } = desk
    expect(api.calls(webhooksApi.add)[0]?.body).toEqual({ name, url, events, isEnabled })
  })

  it('show why a test failed', async () => {
    const words = ['desk.example.org refused the credentials (401).']
    api.on(webhooksApi.test, () => ({ ok: false, words, milliseconds: 1 }))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Test Desk' }))
    await screen.findByText('desk.example.org refused the credentials (401).')
  })

  it('list their deliveries, which can be sent again', async () => {
    const waiting = { ...failed, state: 'waiting' as const, error: null }
    const delivered = { ...failed, state: 'delivered' as const, attempts: 9, error: null }
    api
      .on(webhooksApi.deliveries, () => ({ deliveries: [failed] }))
      .on(webhooksApi.resend, () => ({ deliveries: [waiting] }))
    const { user } = visit()
    await user.click(await screen.findByText('Last deliveries'))
    await screen.findByText('Given up')
    screen.getByText('desk.example.org answered with an error (500).')
    screen.getByText('House rules, version 2')
    api.on(webhooksApi.deliveries, () => ({ deliveries: [delivered] }))
    const button = screen.getByRole('button', { name: /^Send again: .*House rules/ })
    await user.click(button)
    await screen.findByText('The event was delivered.')
    await screen.findByText('9 attempts')
    expect(document.activeElement).toBe(button)
    expect(api.calls(webhooksApi.resend)[0]?.params).toEqual({
      webhookId: 'webhook-1',
      deliveryId: 'delivery-1',
    })
  })

  it('tell their deliveries apart by second, ID and a link to what they are about', async () => {
    const overrides = { canViewChatHistory: true, canManageDocuments: false }
    const permissions = getPermissions({ role: 'admin', isSystemAdmin: false, overrides })
    signIn(anAdmin({ isSystemAdmin: true, permissions }))
    const flagged = { ...failed, event: 'reply.flagged' as const, documentName: null, documentVersion: null }
    api.on(webhooksApi.deliveries, () => ({
      deliveries: [
        { ...flagged, _id: 'delivery-2', chatId: 'chat-1', createdAt: '2026-11-20T10:00:07.000Z' },
        failed,
      ],
    }))
    const { user } = visit()
    await user.click(await screen.findByText('Last deliveries'))
    const [newest, oldest] = within(
      await screen.findByRole('list', { name: 'Last deliveries' }),
    ).getAllByRole('listitem')
    if (!newest || !oldest) throw new Error('two deliveries were expected')
    expect(newest.querySelector('time')?.textContent).toMatch(/:00:07/)
    within(newest).getByText('delivery-2')
    expect(within(newest).getByRole('link', { name: 'View chat' }).getAttribute('href')).toBe(
      '/admin/chat-history/chat-1',
    )
    within(oldest).getByText('House rules, version 2')
    expect(within(oldest).queryByRole('link')).toBeNull()
  })

  it('say when a failing delivery is tried again, and try it at once on request', async () => {
    const failing = {
      ...failed,
      ...{ state: 'waiting' as const, attempts: 2 },
      nextAttemptAt: new Date(Date.now() + 4.5 * 60_000).toISOString(),
    }
    const error = 'desk.example.org answered with an error (503).'
    api
      .on(webhooksApi.deliveries, () => ({ deliveries: [failing] }))
      .on(webhooksApi.resend, () => ({ deliveries: [{ ...failing, attempts: 3, error }] }))
    const { user } = visit()
    await user.click(await screen.findByText('Last deliveries'))
    await screen.findByText('Failing')
    screen.getByText('Next attempt in 5 minutes')
    await user.click(screen.getByRole('button', { name: /^Try now/ }))
    await screen.findByText('3 attempts')
    const shown = screen.getAllByText(error).filter((element) => !element.classList.contains('sr-only'))
    expect(shown).toHaveLength(1)
  })

  it('can get a new secret, after a confirmation', async () => {
    api.on(webhooksApi.replaceSecret, () => ({ webhooks: [desk], secret: 'whsec_bmV3' }))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Replace secret of Desk' }))
    const question = within(await screen.findByRole('alertdialog', { name: 'Replace this secret?' }))
    expect(api.calls(webhooksApi.replaceSecret)).toHaveLength(0)
    await user.click(question.getByRole('button', { name: 'Replace secret' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Secret replaced' }))
    expect(dialog.getByRole<HTMLInputElement>('textbox', { name: 'Secret' }).value).toBe('whsec_bmV3')
  })

  it('are removed after a confirmation', async () => {
    api.on(webhooksApi.remove, () => ({ webhooks: [] }))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Remove Desk' }))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remove' }))
    await screen.findByText('Webhook removed')
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add webhook' })),
    )
  })
})
