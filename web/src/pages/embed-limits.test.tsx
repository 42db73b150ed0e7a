import { CSPProvider } from '@base-ui/react/csp-provider'
import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { type EmbeddedChannel, embeddingApi } from '@lyceum/contract/embedding'
import { type QuotaLeft, quotasApi } from '@lyceum/contract/quotas'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { createQueryClient } from '#api/query-client.ts'
import { storeSession } from '#api/token.ts'
import { createEmbeddedSession, noPermissions } from '#features/auth/embedded-sign-in.ts'
import { SessionStateProvider } from '#features/auth/SessionProvider.tsx'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { aChannel } from '#testing/samples.ts'
import { Toaster } from '#ui/Toaster.tsx'
import { EmbedPage } from './embed.tsx'

const channelId = 'channel-1'
const question = 'How many days of vacation are there?'
const expiresAt = '2100-01-01T00:00:00.000Z'
const visitor = { _id: 'visitor-1', name: 'Visitor 7K2M', email: null }
const member = { _id: 'user-1', name: 'Ada Example', email: 'ada@example.com' }
const usedUp: QuotaLeft = { kind: 'messages', whose: 'channel', left: 0, limit: 5, resetsAt: expiresAt }
const chat = {
  _id: 'a',
  title: null,
  messages: [],
  messageCount: 0,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
}

let api: FakeApi
let channel: EmbeddedChannel
beforeEach(() => {
  channel = { _id: channelId, name: 'Physics', description: 'Mechanics', allowsVisitors: true }
  api = fakeApi()
    .on(embeddingApi.describe, () => channel)
    .on(embeddingApi.starters, () => ({ questions: [question] }))
    .on(embeddingApi.visit, () => ({ token: 'lyceum_embed_visitor', expiresAt, user: visitor }))
    .on(channelsApi.get, () => aChannel())
    .on(chatsApi.starters, () => ({ questions: [question] }))
    .on(chatsApi.list, () => ({ chats: [chat], total: 1, totalPages: 1 }))
    .on(chatsApi.get, () => ({ chatId: 'a', title: null, messages: [], before: null, total: 0 }))
    .on(quotasApi.getRemaining, () => ({ left: usedUp }))
})

function open() {
  render(
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={createQueryClient(false)}>
        <Router hook={memoryLocation().hook}>
          <SessionStateProvider store={noPermissions}>
            <EmbedPage
              channelId={channelId}
              site="https://www.example.com"
              isPanel={false}
              session={createEmbeddedSession()}
            />
          </SessionStateProvider>
        </Router>
      </QueryClientProvider>
      <Toaster />
    </CSPProvider>,
  )
  return userEvent.setup()
}

function listButtons() {
  return screen.getAllByRole('button').map(({ textContent }) => textContent)
}

describe('the welcome while the limit of all visitors is used up', () => {
  beforeEach(() => {
    channel = { ...channel, usedUp }
  })

  it('says until when, and offers only the sign-in', async () => {
    open()
    await screen.findByText(/^No messages left in this channel/)
    screen.getByText(/^You can continue on /)
    screen.getByText('Mechanics')
    expect(listButtons()).toEqual(['Sign in'])
  })

  it('leads former members to their chats only', async () => {
    storeSession('lyceum_embed_member', { ...member, expiresAt: '2020-01-01T00:00:00.000Z' })
    open()
    await screen.findByText('Sign in again to see your chats.')
    expect(listButtons()).toEqual(['Sign in'])
  })

  it('lets visitors start again once messages are left', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    open()
    await screen.findByText(/^No messages left in this channel/)
    channel = { ...channel, usedUp: undefined }
    await vi.advanceTimersByTimeAsync(60_000)
    await screen.findByRole('button', { name: 'Start chat' })
    screen.getByRole('button', { name: question })
  })
})

describe('the chat of a visitor', () => {
  it('shows the chosen question as not sent when the limit was used up in the meantime', async () => {
    api.on(chatsApi.send, () => refuse('quota.channel_messages'))
    const user = open()
    await user.click(await screen.findByRole('button', { name: question }))
    await screen.findByText(/^No messages left in this channel/)
    await screen.findByRole('button', { name: 'Copy message' })
    screen.getByText(question)
    await waitFor(() => expect(api.calls(chatsApi.send)).toHaveLength(1))
  })

  it('keeps the chosen question in the message field when the channel can no longer answer', async () => {
    api
      .on(quotasApi.getRemaining, () => ({ left: null }))
      .on(channelsApi.get, () => ({ ...aChannel(), setupProblem: 'no-model' as const }))
    const user = open()
    await user.click(await screen.findByRole('button', { name: question }))
    await screen.findByText('The assistant cannot answer right now.')
    await waitFor(() =>
      expect(screen.getByRole('textbox', { name: 'Message' })).toHaveProperty('value', question),
    )
    expect(api.calls(chatsApi.send)).toEqual([])
  })

  it('says in a toast that the sign-in was not finished while there is no limit', async () => {
    api.on(quotasApi.getRemaining, () => ({ left: null }))
    const popup = { closed: false }
    vi.stubGlobal('open', () => popup)
    storeSession('lyceum_embed_visitor', { ...visitor, expiresAt })
    const user = open()
    await user.click(await screen.findByRole('button', { name: 'Menu' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Sign in' }))
    await screen.findByText('Continue in the window that opened.')
    popup.closed = true
    await screen.findByText('You are not signed in yet. You can try again.')
  })

  it('keeps the focus on the button for a new chat while it is created', async () => {
    api
      .on(quotasApi.getRemaining, () => ({ left: null }))
      .on(chatsApi.create, () => new Promise<never>(() => undefined))
    storeSession('lyceum_embed_visitor', { ...visitor, expiresAt })
    const user = open()
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'New chat' })
    await user.click(button)
    await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'))
    // Browsers move the focus from a disabled button to the page.
    expect(button.disabled).toBe(false)
    await user.click(button)
    expect(api.calls(chatsApi.create)).toHaveLength(1)
  })

  it('says beside the limit that the sign-in was not finished', async () => {
    const popup = { closed: false }
    vi.stubGlobal('open', () => popup)
    storeSession('lyceum_embed_visitor', { ...visitor, expiresAt })
    const user = open()
    await screen.findByText('No messages in this chat.')
    await user.click(screen.getByRole('button', { name: 'Sign in to continue' }))
    await screen.findByText('Continue in the window that opened.')
    popup.closed = true
    await screen.findByText('You are not signed in yet. You can try again.')
  })
})
