import { CSPProvider } from '@base-ui/react/csp-provider'
import { channelsApi } from '@lyceum/contract/channels'
import type { ChatMessage } from '@lyceum/contract/chats'
import { chatsApi } from '@lyceum/contract/chats'
import type { Citation } from '@lyceum/contract/citations'
import { type EmbeddedSignIn, embeddingApi } from '@lyceum/contract/embedding'
import { quotasApi } from '@lyceum/contract/quotas'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { createQueryClient } from '#api/query-client.ts'
import { readToken, storeSession } from '#api/token.ts'
import { createEmbeddedSession, noPermissions } from '#features/auth/embedded-sign-in.ts'
import { SessionStateProvider } from '#features/auth/SessionProvider.tsx'
import { aQuestion, aReply } from '#testing/chat-samples.ts'
import { type FakeApi, NoNetwork, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { aChannel } from '#testing/samples.ts'
import { Toaster } from '#ui/Toaster.tsx'
import { EmbedPage } from './embed.tsx'

const site = 'https://www.example.com'
const channelId = 'channel-1'
const expiresAt = '2100-01-01T00:00:00.000Z'
const member = { _id: 'user-1', name: 'Ada Example', email: 'ada@example.com' }
const visitor = { _id: 'visitor-1', name: 'Visitor 7K2M', email: null }
const memberSignIn: EmbeddedSignIn = { token: 'lyceum_embed_member', expiresAt, user: member }
const visitorSignIn: EmbeddedSignIn = { token: 'lyceum_embed_visitor', expiresAt, user: visitor }

const citation: Citation = {
  n: 1,
  documentId: 'document-1',
  title: 'Handbook',
  fileType: 'pdf',
  page: 4,
  headingPath: ['Leave', 'Vacation'],
  charStart: 0,
  charEnd: 20,
  quote: 'Everybody has 28 days of vacation.',
  available: true,
}
const chat = {
  _id: 'a',
  title: 'Vacation',
  messages: [],
  messageCount: 2,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
}

let api: FakeApi
let messages: ChatMessage[]
beforeEach(() => {
  messages = [aQuestion('q'), aReply('r', { content: 'It is 28 days [1].', citations: [citation] })]
  api = fakeApi()
    .on(embeddingApi.describe, () => ({
      _id: channelId,
      name: null,
      description: null,
      allowsVisitors: false,
    }))
    .on(embeddingApi.starters, () => ({ questions: [] }))
    .on(channelsApi.get, () => aChannel({ allowAttachments: true }))
    .on(chatsApi.starters, () => ({ questions: [] }))
    .on(chatsApi.list, () => ({ chats: [chat], total: 1, totalPages: 1 }))
    .on(chatsApi.get, ({ params }) => ({
      chatId: params.chatId,
      title: 'Vacation',
      messages,
      before: null,
      total: messages.length,
    }))
})

function open({ isPanel = false }: { isPanel?: boolean } = {}) {
  const session = createEmbeddedSession()
  render(
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={createQueryClient(false)}>
        <Router hook={memoryLocation().hook}>
          <SessionStateProvider store={noPermissions}>
            <EmbedPage channelId={channelId} site={site} isPanel={isPanel} session={session} />
          </SessionStateProvider>
        </Router>
      </QueryClientProvider>
      <Toaster />
    </CSPProvider>,
  )
  return { user: userEvent.setup(), session }
}

function openAs({ token, user, expiresAt: ends }: EmbeddedSignIn, options?: { isPanel?: boolean }) {
  storeSession(token, { ...user, expiresAt: ends })
  return open(options)
}

/** The window that signs in. It can send nothing but messages. */
function stubPopup(): Window {
  const frame = document.createElement('iframe')
  document.body.append(frame)
  const popup = frame.contentWindow
  if (popup === null) throw new Error('The frame has no window')
  vi.stubGlobal(
    'open',
    vi.fn(() => popup),
  )
  return popup
}

function sendFrom(
  source: Window | null,
  origin: string,
  signIn: unknown = memberSignIn,
  type = 'lyceum.embedded-sign-in',
): void {
  act(() => {
    const data = { type, signIn }
    dispatchEvent(new MessageEvent('message', { source, origin, data }))
  })
}

afterEach(() => {
  for (const frame of document.querySelectorAll('body > iframe')) frame.remove()
})

describe('before the sign-in', () => {
  it('says that a chat is not available', async () => {
    api.on(embeddingApi.describe, () => refuse('not_found'))
    open()
    await screen.findByText('This chat is not available.')
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('can be loaded again after a failure', async () => {
    api.on(embeddingApi.describe, () => {
      throw new NoNetwork()
    })
    const { user } = open()
    await screen.findByText('The chat could not be loaded.')
    api.on(embeddingApi.describe, () => ({
      _id: channelId,
      name: null,
      description: null,
      allowsVisitors: false,
    }))
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByRole('button', { name: 'Sign in' })
  })

  it('offers only the sign-in where visitors are not allowed', async () => {
    open()
    await screen.findByText('Sign in to chat')
    expect(screen.queryByRole('button', { name: 'Start chat' })).toBeNull()
    screen.getByRole('heading', { level: 1, name: 'Chat' })
  })

  it('says that the browser blocked the popup', async () => {
    vi.stubGlobal('open', () => null)
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Sign in' }))
    await screen.findByText(/Your browser blocked the sign-in window/)
  })

  it('no longer waits for a popup that was closed', async () => {
    const popup = { closed: false }
    vi.stubGlobal('open', () => popup)
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Sign in' }))
    await screen.findByText('Continue in the window that opened.')
    popup.closed = true
    await screen.findByText('You are not signed in yet. You can try again.')
    expect(screen.queryByText('Continue in the window that opened.')).toBeNull()
  })

  it('says that the sign-in was cancelled, and can open the popup again', async () => {
    const popup = stubPopup()
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Sign in' }))
    sendFrom(window, location.origin, undefined, 'lyceum.embedded-sign-in-cancelled')
    screen.getByText('Continue in the window that opened.')
    sendFrom(popup, location.origin, undefined, 'lyceum.embedded-sign-in-cancelled')
    await screen.findByText('The sign-in was cancelled. You can try again.')
    await user.click(screen.getByRole('button', { name: 'Sign in' }))
    await screen.findByText('Continue in the window that opened.')
    expect(window.open).toHaveBeenCalledTimes(2)
  })

  it('accepts a sign-in only from its popup and its own origin', async () => {
    const popup = stubPopup()
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Sign in' }))
    expect(window.open).toHaveBeenCalledWith(
      `/embed/${channelId}/sign-in?site=https%3A%2F%2Fwww.example.com`,
      expect.any(String),
      expect.stringContaining('popup'),
    )
    await screen.findByText('Continue in the window that opened.')
    sendFrom(window, location.origin)
    sendFrom(popup, site)
    sendFrom(popup, location.origin, { token: 1 })
    expect(readToken()).toBeNull()
    sendFrom(popup, location.origin)
    await screen.findByRole('button', { name: 'Menu, signed in as Ada Example' })
    expect(readToken()).toBe('lyceum_embed_member')
  })

  it('says why a visitor could not start', async () => {
    api
      .on(embeddingApi.describe, () => ({
        _id: channelId,
        name: 'Physics',
        description: 'Mechanics',
        allowsVisitors: true,
      }))
      .on(embeddingApi.visit, () => refuse('rate.limited'))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Start chat' }))
    await screen.findByText('Too many requests. Please wait a moment and try again.')
    expect(readToken()).toBeNull()
  })

  it('tells visitors who answers, who reads, and for how long, and lets them start', async () => {
    api
      .on(embeddingApi.describe, () => ({
        _id: channelId,
        name: 'Physics',
        description: 'Mechanics',
        allowsVisitors: true,
      }))
      .on(embeddingApi.visit, () => visitorSignIn)
    const { user } = open()
    await screen.findByText(/^An AI answers\. Administrators of Lyceum can read your chats.*30 days/)
    screen.getByRole('heading', { level: 1, name: 'Physics' })
    expect(screen.getAllByText('Physics')).toHaveLength(1)
    screen.getByText('Mechanics')
    screen.getByRole('button', { name: 'Sign in' })
    await user.click(screen.getByRole('button', { name: 'Start chat' }))
    await screen.findByRole('button', { name: 'Menu' })
    expect(api.calls(embeddingApi.visit)[0]?.body).toEqual({ site })
  })

  it('offers visitors questions, and asks the chosen one in their new chat', async () => {
    messages = []
    const question = 'How many days of vacation are there?'
    api
      .on(embeddingApi.describe, () => ({
        _id: channelId,
        name: 'Physics',
        description: 'Mechanics',
        allowsVisitors: true,
      }))
      .on(embeddingApi.starters, () => ({ questions: [question, 'Who repairs the printer?'] }))
      .on(embeddingApi.visit, () => visitorSignIn)
      .on(quotasApi.getRemaining, () => ({ left: null }))
      .on(chatsApi.send, () => refuse('internal'))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: question }))
    await waitFor(() => expect(api.calls(chatsApi.send)).toHaveLength(1))
    expect(api.calls(chatsApi.send)[0]?.body).toMatchObject({ message: question })
    expect(api.calls(embeddingApi.visit)).toHaveLength(1)
  })

  it('offers former members no questions, because they would ask them as visitors', async () => {
    api
      .on(embeddingApi.describe, () => ({
        _id: channelId,
        name: 'Physics',
        description: 'Mechanics',
        allowsVisitors: true,
      }))
      .on(embeddingApi.starters, () => ({ questions: ['Who repairs the printer?'] }))
    openAs({ ...memberSignIn, expiresAt: '2020-01-01T00:00:00.000Z' })
    await screen.findByText('Sign in again to see your chats.')
    expect(screen.queryByRole('button', { name: 'Who repairs the printer?' })).toBeNull()
  })

  it('does not use an expired sign-in', async () => {
    openAs({ ...memberSignIn, expiresAt: '2020-01-01T00:00:00.000Z' })
    await screen.findByText('Your session has ended.')
    expect(readToken()).toBeNull()
  })
})

describe('a sign-in that has ended', () => {
  it('leads members to their chats before it offers a chat without an account', async () => {
    api
      .on(embeddingApi.describe, () => ({
        _id: channelId,
        name: 'Physics',
        description: 'Mechanics',
        allowsVisitors: true,
      }))
      .on(chatsApi.list, () => refuse('auth.session_ended'))
    openAs(memberSignIn)
    await screen.findByText('Your session has ended.')
    screen.getByText('Sign in again to see your chats.')
    const buttons = screen.getAllByRole('button').map(({ textContent }) => textContent)
    expect(buttons).toEqual(['Sign in', 'Chat without an account'])
  })
})

describe('the chat', () => {
  it('ends when the server refuses the sign-in, and offers another', async () => {
    api.on(chatsApi.list, () => refuse('auth.session_ended'))
    openAs(memberSignIn)
    await screen.findByText('Your session has ended.')
    screen.getByRole('button', { name: 'Sign in' })
    expect(readToken()).toBeNull()
  })

  it('says that the user is no longer a member', async () => {
    api.on(channelsApi.get, () => refuse('not_found')).on(chatsApi.list, () => refuse('not_found'))
    openAs(memberSignIn)
    await screen.findByText('You no longer have access to this channel.')
    screen.getByRole('button', { name: 'Sign out' })
  })

  it('can only be read in an archived channel', async () => {
    api.on(channelsApi.get, () => aChannel({ isArchived: true }))
    openAs(memberSignIn)
    await screen.findByText(/This channel is archived/)
    expect(screen.queryByRole('button', { name: 'New chat' })).toBeNull()
    expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull()
  })

  it('offers no attachments', async () => {
    openAs(memberSignIn)
    await waitFor(() =>
      expect(screen.getByRole('textbox', { name: 'Message' })).toHaveProperty('disabled', false),
    )
    expect(screen.queryByRole('button', { name: 'Attach files' })).toBeNull()
  })

  it('shows visitors the cited passage without a link to the document', async () => {
    const { user } = openAs(visitorSignIn)
    await user.click(await screen.findByRole('button', { name: /^Source 1: Handbook/ }))
    const dialog = await screen.findByRole('dialog', { name: 'Handbook' })
    within(dialog).getByText('Everybody has 28 days of vacation.')
    within(dialog).getByText('Page 4 › Leave › Vacation')
    expect(within(dialog).queryByRole('link')).toBeNull()
  })

  it('leads members to the cited document in a new tab', async () => {
    const { user } = openAs(memberSignIn)
    await user.click(await screen.findByRole('button', { name: /^Source 1: Handbook/ }))
    const link = await screen.findByRole('link', { name: /^Open in Lyceum/ })
    expect(link.getAttribute('href')).toBe(`/channels/${channelId}?chat=a&message=r&source=1`)
    expect([link.getAttribute('target'), link.getAttribute('rel')]).toEqual(['_blank', 'noopener'])
  })

  it('switches between the chats', async () => {
    const other = { ...chat, _id: 'b', title: 'Canteen' }
    api.on(chatsApi.list, () => ({ chats: [chat, other], total: 2, totalPages: 1 }))
    const { user } = openAs(memberSignIn)
    await user.click(await screen.findByRole('button', { name: 'Chats' }))
    expect((await screen.findByRole('menuitem', { name: 'Vacation' })).getAttribute('aria-current')).toBe(
      'true',
    )
    await user.click(screen.getByRole('menuitem', { name: 'Canteen' }))
    await waitFor(() => expect(api.calls(chatsApi.get).at(-1)?.params.chatId).toBe('b'))
  })

  it('deletes the current chat after a question', async () => {
    let chats = [chat]
    api.on(chatsApi.list, () => ({ chats, total: chats.length, totalPages: 1 }))
    api.on(chatsApi.create, () => ({ ...chat, _id: 'b', messageCount: 0 }))
    api.on(chatsApi.remove, ({ params }) => {
      chats = chats.filter(({ _id }) => _id !== params.chatId)
      return { message: 'Chat deleted successfully' }
    })
    const { user } = openAs(visitorSignIn)
    await user.click(await screen.findByRole('button', { name: 'Menu' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete this chat' }))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete this chat?' }))
    expect(api.calls(chatsApi.remove)).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(api.calls(chatsApi.remove).map(({ params }) => params.chatId)).toEqual(['a']))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  })

  it('tells visitors in an empty chat that their limit is used up, and lets them sign in', async () => {
    messages = []
    const popup = stubPopup()
    const resetsAt = '2100-01-01T00:00:00.000Z'
    api.on(quotasApi.getRemaining, () => ({
      left: { kind: 'messages', whose: 'own', left: 0, limit: 1, resetsAt } as const,
    }))
    const { user } = openAs(visitorSignIn)
    await screen.findByText('You have used all your messages')
    expect(screen.queryByText('No messages yet. Start the conversation!')).toBeNull()
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(screen.queryByRole('button', { name: 'New chat' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Sign in to continue' }))
    sendFrom(popup, location.origin)
    await screen.findByRole('button', { name: 'Menu, signed in as Ada Example' })
    await screen.findByText('You have used all your messages')
    expect(screen.queryByRole('button', { name: 'Sign in to continue' })).toBeNull()
  })

  it('signs out here and on the server', async () => {
    api.on(embeddingApi.signOut, () => undefined)
    const { user } = openAs(memberSignIn)
    await user.click(await screen.findByRole('button', { name: 'Menu, signed in as Ada Example' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Sign out' }))
    await screen.findByText('Sign in to chat')
    expect(readToken()).toBeNull()
    expect(api.calls(embeddingApi.signOut)[0]?.headers.get('authorization')).toBe(
      'Bearer lyceum_embed_member',
    )
  })

  it('asks visitors before they leave, and shows their chats to nobody else', async () => {
    api
      .on(embeddingApi.signOut, () => undefined)
      .on(embeddingApi.describe, () => ({
        _id: channelId,
        name: 'Physics',
        description: 'Mechanics',
        allowsVisitors: true,
      }))
      .on(embeddingApi.visit, () => ({
        ...visitorSignIn,
        token: 'other',
        user: { ...visitor, _id: 'visitor-2' },
      }))
    const { user } = openAs(visitorSignIn)
    await screen.findByText(/It is 28 days/)
    await user.click(await screen.findByRole('button', { name: 'Menu' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Leave the chat' }))
    await user.click(await screen.findByRole('button', { name: 'Leave the chat' }))
    messages = []
    await user.click(await screen.findByRole('button', { name: 'Start chat' }))
    await screen.findByText('No messages yet. Start the conversation!')
    expect(screen.queryByText(/It is 28 days/)).toBeNull()
  })
})

describe('in a panel', () => {
  function watchParent() {
    const postMessage = vi.fn()
    vi.stubGlobal('parent', { postMessage })
    return postMessage
  }

  it('tells only the site that it is ready and that its user closes it', async () => {
    const postMessage = watchParent()
    const { user } = openAs(memberSignIn, { isPanel: true })
    await user.click(await screen.findByRole('button', { name: 'Close the chat' }))
    expect(postMessage.mock.calls).toEqual([
      [{ type: 'lyceum.ready' }, site],
      [{ type: 'lyceum.close' }, site],
    ])
  })

  it('closes with Escape, but not while Escape closes a dialog', async () => {
    const postMessage = watchParent()
    const { user } = openAs(memberSignIn, { isPanel: true })
    await user.click(await screen.findByRole('button', { name: /^Source 1: Handbook/ }))
    await screen.findByRole('dialog')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(postMessage).toHaveBeenCalledTimes(1)
    await user.keyboard('{Escape}')
    expect(postMessage).toHaveBeenLastCalledWith({ type: 'lyceum.close' }, site)
  })

  it('focuses the message field when the site opens it again, and at nobody else’s request', async () => {
    vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }))
    const parent = stubPopup()
    vi.stubGlobal('parent', parent)
    openAs(memberSignIn, { isPanel: true })
    await waitFor(() =>
      expect(screen.getByRole('textbox', { name: 'Message' })).toHaveProperty('disabled', false),
    )
    const field = screen.getByRole('textbox', { name: 'Message' })
    function requestFocus(source: Window, origin: string): void {
      const data = { type: 'lyceum.open' }
      act(() => dispatchEvent(new MessageEvent('message', { source, origin, data })))
    }
    field.blur()
    requestFocus(parent, 'https://other.example')
    requestFocus(window, site)
    expect(document.activeElement).toBe(document.body)
    requestFocus(parent, site)
    expect(document.activeElement).toBe(field)
  })

  it('has no close button elsewhere', async () => {
    openAs(memberSignIn)
    await screen.findByRole('button', { name: 'Menu, signed in as Ada Example' })
    expect(screen.queryByRole('button', { name: 'Close the chat' })).toBeNull()
  })
})
