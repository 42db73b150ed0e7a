import { authApi } from '@lyceum/contract/auth'
import { type Quota, quotasApi } from '@lyceum/contract/quotas'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel, aListedUser } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { LimitNote } from '../composer/LimitNote.tsx'
import { ChannelLimitsDialog } from './ChannelLimitsDialog.tsx'
import { DefaultLimits } from './DefaultLimits.tsx'
import { QuotaNote } from './QuotaNote.tsx'
import { UserLimitsDialog } from './UserLimitsDialog.tsx'

const everybody: Quota = { messagesPerDay: 50, tokensPerMonth: null }
const used = { messagesToday: 12, tokensThisMonth: 3400 }

let api: FakeApi
beforeEach(() => {
  api = fakeApi().on(authApi.me, () => anAdmin())
  signIn(anAdmin())
})

describe('DefaultLimits', () => {
  it('rejects an invalid number without sending a request, and saves valid ones', async () => {
    api.on(quotasApi.get, () => everybody).on(quotasApi.update, ({ body }) => body)
    const { user } = renderPage(<DefaultLimits />)
    const messages = await screen.findByLabelText('Messages a day')
    await user.clear(messages)
    await user.type(messages, '-3')
    await user.click(screen.getByRole('button', { name: 'Save limits' }))
    await screen.findByText('Enter a whole number of 0 or more, or leave it empty')
    expect(api.calls(quotasApi.update)).toHaveLength(0)
    await user.clear(messages)
    await user.type(screen.getByLabelText('Tokens a month'), '1000')
    await user.click(screen.getByRole('button', { name: 'Save limits' }))
    await waitFor(() =>
      expect(api.calls(quotasApi.update).map(({ body }) => body)).toEqual([
        { messagesPerDay: null, tokensPerMonth: 1000 },
      ]),
    )
  })
})

describe('UserLimitsDialog', () => {
  function open() {
    const onClose = vi.fn()
    const { user } = renderPage(<UserLimitsDialog user={aListedUser()} onClose={onClose} />)
    return { user, onClose }
  }

  it('shows the default limits and the usage until custom limits are set', async () => {
    const limits = { own: null, everybody, used }
    api
      .on(quotasApi.getForUser, () => limits)
      .on(quotasApi.setForUser, ({ body }) => ({ ...limits, own: body }))
    const { user, onClose } = open()
    await screen.findByText('Used: 12 of 50 today')
    screen.getByRole('dialog', { name: 'Limits', description: 'Ada Example · ada@example.com' })
    screen.getByText('50 messages a day, unlimited tokens')
    expect(screen.getByLabelText('Messages a day')).toHaveProperty('disabled', true)
    await user.click(screen.getByRole('radio', { name: 'Custom' }))
    await user.clear(screen.getByLabelText('Messages a day'))
    await user.type(screen.getByLabelText('Messages a day'), '0')
    await user.click(screen.getByRole('button', { name: 'Save limits' }))
    await waitFor(() => expect(onClose).toHaveBeenCalled())
    expect(api.calls(quotasApi.setForUser)[0]?.body).toEqual({ messagesPerDay: 0, tokensPerMonth: null })
  })

  it('removes custom limits and shows a refusal in the dialog', async () => {
    const limits = { own: { messagesPerDay: 5, tokensPerMonth: 10 }, everybody, used }
    api
      .on(quotasApi.getForUser, () => limits)
      .on(quotasApi.resetForUser, () => refuse('user.system_admin_only'))
    const { user, onClose } = open()
    await user.click(await screen.findByRole('radio', { name: 'Default' }))
    await user.click(screen.getByRole('button', { name: 'Save limits' }))
    await screen.findByText('Only a system administrator can change another system administrator')
    expect(onClose).not.toHaveBeenCalled()
    api.on(quotasApi.resetForUser, () => ({ ...limits, own: null }))
    await user.click(screen.getByRole('button', { name: 'Save limits' }))
    await waitFor(() => expect(onClose).toHaveBeenCalled())
  })
})

describe('ChannelLimitsDialog', () => {
  it('retries a failed load and saves the limits that all members share', async () => {
    api.on(quotasApi.getForChannel, () => refuse('server.busy'))
    const onClose = vi.fn()
    const { user } = renderPage(<ChannelLimitsDialog channel={aChannel()} onClose={onClose} />)
    await screen.findByText('The server is busy. Please try again in a moment.')
    const quota = { messagesPerDay: null, tokensPerMonth: null }
    api.on(quotasApi.getForChannel, () => ({ quota, used }))
    api.on(quotasApi.setForChannel, ({ body }) => ({ quota: body, used }))
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await user.type(await screen.findByLabelText('Messages a day'), '200')
    await user.click(screen.getByRole('button', { name: 'Save limits' }))
    await waitFor(() => expect(onClose).toHaveBeenCalled())
    expect(api.calls(quotasApi.setForChannel)[0]?.body).toEqual({ messagesPerDay: 200, tokensPerMonth: null })
  })
})

function tomorrowAtNoon(): string {
  const now = new Date()
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 12).toISOString()
}

describe('QuotaNote', () => {
  const resetsAt = '2026-11-22T00:00:00.000Z'

  it('shows nothing while enough is left', async () => {
    api.on(quotasApi.getRemaining, () => ({ left: null }))
    renderPage(<QuotaNote channelId="channel-1" />)
    await waitFor(() => expect(api.calls(quotasApi.getRemaining)).toHaveLength(1))
    expect(screen.queryByText(/left|can be sent/)).toBeNull()
  })

  it.each([
    [
      { kind: 'messages', whose: 'own', left: 1, limit: 10, resetsAt } as const,
      /^1 of 10 messages left today\./,
    ],
    [
      { kind: 'messages', whose: 'own', left: 4, limit: 50, resetsAt } as const,
      /^4 of 50 messages left today\./,
    ],
  ])('shows the remaining quota: %j', async (left, text) => {
    api.on(quotasApi.getRemaining, () => ({ left }))
    renderPage(<QuotaNote channelId="channel-1" />)
    await screen.findByText(text)
  })

  it('leaves a used-up limit to the note in place of the field', async () => {
    const left = { kind: 'messages', whose: 'own', left: 0, limit: 3, resetsAt } as const
    api.on(quotasApi.getRemaining, () => ({ left }))
    renderPage(<QuotaNote channelId="channel-1" />)
    await waitFor(() => expect(api.calls(quotasApi.getRemaining)).toHaveLength(1))
    expect(screen.queryByText(/left|limit/)).toBeNull()
  })
})

describe('LimitNote', () => {
  const resetsAt = '2026-11-22T00:00:00.000Z'

  it.each([
    [
      { kind: 'tokens', whose: 'channel', left: 0, limit: 1000, resetsAt } as const,
      /^No tokens left in this channel this month You can continue on .+\d:\d\d\u00a0[AP]M\.$/,
    ],
    [
      { kind: 'messages', whose: 'channel', left: 0, limit: 0, resetsAt } as const,
      /^No messages are allowed in this channel Contact an administrator\.$/,
    ],
    [
      { kind: 'messages', whose: 'own', left: 0, limit: 3, resetsAt: tomorrowAtNoon() } as const,
      /^You have used all your messages You can continue tomorrow at 12:00\u00a0PM\.$/,
    ],
  ])('says what happened and what to do: %j', (left, text) => {
    renderPage(<LimitNote isNew left={left} action={<button type="button">Sign in</button>} />)
    const note = document.activeElement
    expect(note?.getAttribute('role')).toBe('alert')
    expect(note?.querySelector('p')?.textContent).toMatch(text)
    screen.getByRole('button', { name: 'Sign in' })
  })
})
