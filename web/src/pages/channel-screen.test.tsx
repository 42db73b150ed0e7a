import { channelsApi } from '@lyceum/contract/channels'
import { type Chat, type ChatMessage, chatsApi } from '@lyceum/contract/chats'
import type { Citation } from '@lyceum/contract/citations'
import { documentsApi } from '@lyceum/contract/documents'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { connection } from '#lib/connection.ts'
import { saveDraft } from '#lib/drafts.ts'
import { openEventStream } from '#testing/chat-samples.ts'
import { NoNetwork, refuse, streamOf } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aUser, signIn } from '#testing/users.ts'
import { ChannelPage } from './channel.tsx'

const timestamp = '2026-11-20T10:00:00.000Z'

const channel = {
  _id: 'c1',
  name: 'Staff handbook',
  description: '',
  avatar: null,
  wallpaper: null,
  isAdmin: false,
  allowProposals: false,
  users: [],
}

function aChat(id: string, title: string | null = null): Chat {
  return {
    _id: id,
    title,
    messages: [],
    messageCount: 2,
    createdAt: timestamp,
    updatedAt: timestamp,
  }
}

function aMessage(id: string, role: 'user' | 'assistant', content: string): ChatMessage {
  return {
    _id: id,
    role,
    content,
    timestamp,
    ...(role === 'user' ? { status: 'read' } : { state: 'complete' }),
  }
}

const citation: Citation = {
  n: 1,
  documentId: 'd1',
  title: 'Handbook.txt',
  fileType: 'txt',
  page: null,
  headingPath: [],
  charStart: 0,
  charEnd: 12,
  quote: 'Twenty days.',
  available: true,
}

/** The messages of a long chat. */
function aLongChat(length: number): ChatMessage[] {
  return Array.from({ length }, (_, index) =>
    aMessage(`m${index + 1}`, index % 2 === 0 ? 'user' : 'assistant', `Message ${index + 1}`),
  )
}

function aServer(chats: Chat[], messages: ChatMessage[] = []) {
  const api = fakeApi()
  const state = { chats, messages }
  api
    .on(channelsApi.list, () => [channel])
    .on(channelsApi.get, () => channel)
    .on(chatsApi.list, () => ({ chats: state.chats, total: state.chats.length, totalPages: 1 }))
    .on(chatsApi.get, ({ params, query }) => {
      if (!state.chats.some(({ _id }) => _id === params.chatId)) return refuse('not_found')
      const end = query.before === undefined ? state.messages.length : Number(query.before)
      const start = Math.max(0, end - query.limit)
      return {
        chatId: params.chatId,
        title: null,
        messages: state.messages.slice(start, end),
        before: start === 0 ? null : String(start),
        total: state.messages.length,
      }
    })
    .on(chatsApi.rename, ({ params, body }) => {
      state.chats = state.chats.map((chat) => (chat._id === params.chatId ? { ...chat, ...body } : chat))
      return state.chats.find(({ _id }) => _id === params.chatId) ?? refuse('not_found')
    })
  return { api, state }
}

function open(at = '/channels/c1') {
  return renderPage(<ChannelPage />, { at, path: '/channels/:id' })
}
function waitForMessageField() {
  return waitFor(() => {
    const input = screen.getByRole('textbox', { name: 'Message' }) as HTMLTextAreaElement
    expect(input.disabled).toBe(false)
    return input
  })
}
async function readChatLinks(): Promise<string[]> {
  return within(await screen.findByRole('group', { name: 'Chats' }))
    .getAllByRole('link')
    .map((link) => link.textContent ?? '')
}

beforeEach(() => {
  signIn(aUser())
  connection.setReachable(true)
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = () => undefined
      disconnect = () => undefined
    },
  )
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }))
})

describe('renaming a chat', () => {
  async function rename(user: ReturnType<typeof open>['user'], title: string): Promise<void> {
    await user.click(await screen.findByRole('button', { name: /^More actions for Chat/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Rename' }))
    const dialog = await screen.findByRole('dialog', { name: 'Rename this chat' })
    const field = within(dialog).getByRole('textbox', { name: 'Title' })
    await user.clear(field)
    if (title !== '') await user.type(field, title)
    await user.click(within(dialog).getByRole('button', { name: 'Rename' }))
  }

  it('requires a title of at most 120 characters and sends no request without it', async () => {
    const { api } = aServer([aChat('a')])
    const { user } = open()
    await rename(user, '')
    expect(await screen.findByText('Title is required')).toBeDefined()
    const field = screen.getByRole('textbox', { name: 'Title' })
    await user.click(field)
    await user.paste('x'.repeat(121))
    await user.keyboard('{Enter}')
    expect(await screen.findByText('At most 120 characters')).toBeDefined()
    expect(api.calls(chatsApi.rename)).toHaveLength(0)
  })

  it('keeps the typed title when the server refuses, and says why', async () => {
    const { api } = aServer([aChat('a')])
    const refusal = Promise.withResolvers<Response>()
    api.on(chatsApi.rename, () => refusal.promise)
    const { user } = open()
    await rename(user, 'Leave')
    const dialog = within(screen.getByRole('dialog', { name: 'Rename this chat' }))
    expect(dialog.getByRole('button', { name: 'Rename' }).getAttribute('aria-busy')).toBe('true')
    refusal.resolve(refuse('internal'))
    expect(await dialog.findByText('Failed to rename chat')).toBeDefined()
    expect(dialog.getByRole<HTMLInputElement>('textbox', { name: 'Title' }).value).toBe('Leave')
    await user.keyboard('{Escape}')
    const question = within(await screen.findByRole('alertdialog', { name: 'Discard your changes?' }))
    await user.click(question.getByRole('button', { name: 'Discard' }))
    expect((await readChatLinks())[0]).toMatch(/^Chat/)
  })

  it('saves the title and notifies the other tabs', async () => {
    const { api } = aServer([aChat('a')])
    const received = vi.fn()
    const tab = new BroadcastChannel('lyceum.chats')
    tab.addEventListener('message', ({ data }) => received(data))
    const { user } = open()
    await rename(user, '  My leave  ')
    expect(await screen.findByText('Chat renamed')).toBeDefined()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect((await readChatLinks())[0]).toContain('My leave')
    expect(api.calls(chatsApi.rename)[0]?.body).toEqual({ title: 'My leave' })
    await waitFor(() => expect(received).toHaveBeenCalledWith({ channelId: 'c1', chatId: 'a' }))
    tab.close()
  })
})

describe('sharing, exporting and printing', () => {
  const needingMessages = ['Share', 'Export as Markdown', 'Export as JSON', 'Print']

  it.each([
    ['disabled in a chat without messages', [], 'This chat has no messages yet.'],
    ['enabled once the open chat shows messages that the list does not count yet', aLongChat(2), ''],
  ])('is %s', async (_, messages, description) => {
    aServer([{ ...aChat('a'), messageCount: 0 }], messages)
    const { user } = open()
    await screen.findByText(messages[0]?.content ?? 'No messages yet. Start the conversation!')
    await user.click(screen.getByRole('button', { name: 'More actions for the current chat' }))
    await screen.findByRole('menuitem', { name: 'Rename', description: '' })
    for (const name of needingMessages) {
      const item = screen.getByRole('menuitem', { name, description })
      expect(item.getAttribute('aria-disabled')).toBe(description === '' ? null : 'true')
    }
  })
})

describe('exporting a chat', () => {
  it('shows an error when the file cannot be loaded', async () => {
    const { api } = aServer([aChat('a')])
    api.on(chatsApi.export, () => refuse('internal'))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'More actions for the current chat' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Export as Markdown' }))
    expect(await screen.findByText('Failed to export chat')).toBeDefined()
  })

  it('downloads a file with a name that is valid on every operating system', async () => {
    const { api } = aServer([aChat('a', 'Pay: 5/6 "net"')])
    api.on(chatsApi.export, () => new Blob(['{}'], { type: 'application/json' }))
    const names: string[] = []
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      names.push(this.download)
    })
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'More actions for the current chat' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Export as JSON' }))
    await waitFor(() => expect(names).toEqual(['Pay- 5-6 -net- 2026-11-20.json']))
    expect(api.calls(chatsApi.export)[0]?.query).toEqual({ format: 'json' })
    click.mockRestore()
  })
})

describe('a message named in the URL', () => {
  it('is loaded, shown, focused and removed from the URL', async () => {
    const { api } = aServer([aChat('a')], aLongChat(500))
    const { address } = open('/channels/c1?chat=a&message=m31')
    const found = await screen.findByText('Message 31')
    await waitFor(() => expect(document.activeElement?.getAttribute('data-id')).toBe('m31'))
    expect(document.activeElement?.contains(found)).toBe(true)
    await waitFor(() => expect(address()).toBe('/channels/c1?chat=a'))
    expect(api.calls(chatsApi.get).map(({ query }) => query.limit)).toEqual([60, 200, 200, 200])
    // Only the messages around it are rendered.
    expect(document.querySelectorAll('[data-id]').length).toBeLessThan(130)
    expect(screen.queryByText('Message 500')).toBeNull()
  })

  it('is shown with the source that the URL names', async () => {
    const reply = { ...aMessage('m2', 'assistant', 'Twenty days [1].'), citations: [citation] }
    const { api } = aServer([aChat('a')], [aMessage('m1', 'user', 'How long?'), reply])
    api.on(documentsApi.text, () => ({
      title: 'Handbook.txt',
      fileType: 'txt' as const,
      pages: [{ page: null, start: 0, text: 'Twenty days.' }],
      total: 12,
    }))
    const { address } = open('/channels/c1?chat=a&message=m2&source=1')
    expect(await screen.findByRole('complementary', { name: 'Handbook.txt' })).toBeDefined()
    expect(address()).toBe('/channels/c1?chat=a')
  })

  it('is shown when it belongs to another version', async () => {
    const { api, state } = aServer([aChat('a')], aLongChat(2))
    api.on(chatsApi.showVersion, ({ params }) => {
      state.messages = [aMessage('m1', 'user', 'Message 1'), aMessage('v2', 'assistant', 'The other answer')]
      return { chatId: params.chatId, title: null, messages: state.messages, before: null, total: 2 }
    })
    open('/channels/c1?chat=a&message=v2')
    expect(await screen.findByText('The other answer')).toBeDefined()
    expect(api.calls(chatsApi.showVersion).map(({ params }) => params.messageId)).toEqual(['v2'])
  })

  it('is removed from the URL when it does not exist', async () => {
    const { api } = aServer([aChat('a')], aLongChat(2))
    api.on(chatsApi.showVersion, () => refuse('not_found'))
    const { address } = open('/channels/c1?chat=a&message=gone')
    await waitFor(() => expect(address()).toBe('/channels/c1?chat=a'))
    expect(api.calls(chatsApi.showVersion)).toHaveLength(1)
    expect(screen.getByText('Message 2')).toBeDefined()
  })
})

describe('a lost connection', () => {
  function setOnline(isOnline: boolean): void {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
    act(() => {
      dispatchEvent(new Event(isOnline ? 'online' : 'offline'))
    })
  }
  function listChats({ api, state }: ReturnType<typeof aServer>): void {
    api.on(chatsApi.list, () => ({ chats: state.chats, total: 1, totalPages: 1 }))
  }
  function loseServer({ api }: ReturnType<typeof aServer>): void {
    api.on(chatsApi.list, () => {
      throw new NoNetwork()
    })
  }
  const fieldText = 'You’re offline. You can send this message once you’re connected.'

  it('is shown, and the chat is reloaded once when it is restored', async () => {
    const server = aServer([aChat('a')], aLongChat(2))
    function countLists(): number {
      // A probe lists one chat.
      return server.api.calls(chatsApi.list).filter(({ query }) => query.limit !== 1).length
    }
    open()
    await screen.findByText('Message 2')
    loseServer(server)
    setOnline(false)
    expect(await screen.findByText('No connection. Trying to reconnect…')).toBeDefined()
    const before = { lists: countLists(), messages: server.api.calls(chatsApi.get).length }
    listChats(server)
    setOnline(true)
    await waitFor(() => expect(screen.queryByText(/^No connection/)).toBeNull())
    await waitFor(() => expect(server.api.calls(chatsApi.get)).toHaveLength(before.messages + 1))
    expect(countLists()).toBe(before.lists + 1)
  })

  it('keeps the text in the field and sends nothing until it is restored', async () => {
    const server = aServer([aChat('a')])
    server.api.on(chatsApi.send, () => refuse('internal'))
    const { user } = open()
    const field = await waitForMessageField()
    loseServer(server)
    setOnline(false)
    await screen.findByText(/^No connection/)
    expect(screen.queryByText(fieldText)).toBeNull()
    await user.type(field, 'Hello')
    expect(screen.getByText(fieldText)).toBeDefined()
    await user.type(field, '{Enter}')
    expect(screen.getByRole('button', { name: 'Send message' }).hasAttribute('disabled')).toBe(true)
    expect(field.value).toBe('Hello')
    listChats(server)
    setOnline(true)
    await waitFor(() => expect(screen.queryByText(fieldText)).toBeNull())
    expect(server.api.calls(chatsApi.send)).toHaveLength(0)
    await user.type(field, '{Enter}')
    await waitFor(() => expect(server.api.calls(chatsApi.send)).toHaveLength(1))
  })

  it('disables the Stop button until it is restored', async () => {
    const reply: ChatMessage = { ...aMessage('m2', 'assistant', 'So far'), state: 'streaming', lastEvent: 1 }
    const server = aServer([aChat('a')], [aMessage('m1', 'user', 'Hello'), reply])
    server.api.on(chatsApi.events, () => streamOf(chatsApi.events, openEventStream().events))
    open()
    const stop = await screen.findByRole('button', { name: 'Stop the reply' })
    await waitFor(() => expect(stop.hasAttribute('disabled')).toBe(false))
    loseServer(server)
    setOnline(false)
    await waitFor(() => expect(stop.hasAttribute('disabled')).toBe(true))
    listChats(server)
    setOnline(true)
    await waitFor(() => expect(stop.hasAttribute('disabled')).toBe(false))
  })

  it('is not assumed when the browser reports it but the server answers', async () => {
    const { api } = aServer([aChat('a')])
    api.on(chatsApi.send, () => refuse('internal'))
    const { user } = open()
    const field = await waitForMessageField()
    setOnline(false)
    await waitFor(() => expect(api.calls(chatsApi.list).at(-1)?.query.limit).toBe(1))
    await user.type(field, 'Hello{Enter}')
    await waitFor(() => expect(api.calls(chatsApi.send)).toHaveLength(1))
    expect(screen.queryByText(/^No connection/)).toBeNull()
  })

  it('is shown when a call gets no response, until a later call gets one', async () => {
    const { api, state } = aServer([aChat('a')], aLongChat(2))
    const { user } = open()
    const field = await waitForMessageField()
    api
      .on(chatsApi.send, () => {
        throw new NoNetwork()
      })
      .on(chatsApi.list, () => {
        throw new NoNetwork()
      })
    await user.type(field, 'Hello{Enter}')
    expect(await screen.findByText(/^The server cannot be reached/)).toBeDefined()
    expect(screen.getByText('Not delivered yet. Trying again…')).toBeDefined()
    api.on(chatsApi.list, () => ({ chats: state.chats, total: 1, totalPages: 1 }))
    await waitFor(() => expect(screen.queryByText(/^The server cannot be reached/)).toBeNull())
  })
})

describe('a chat deleted elsewhere', () => {
  it('selects the next chat and shows a toast', async () => {
    const { state } = aServer([aChat('a'), aChat('b')], aLongChat(2))
    const { address } = open('/channels/c1?chat=a')
    await screen.findByText('Message 2')
    state.chats = [aChat('b')]
    const tab = new BroadcastChannel('lyceum.chats')
    tab.postMessage({ channelId: 'c1', chatId: 'a' })
    expect(
      await screen.findByText('This chat was deleted in another window or on another device.'),
    ).toBeDefined()
    await waitFor(() => expect(address()).toBe('/channels/c1?chat=b'))
    expect(screen.queryByText('Failed to load messages')).toBeNull()
    tab.close()
  })
})

describe('a draft', () => {
  const draftKey = { userId: aUser()._id, chatId: 'a' }
  function changeDraftElsewhere(text: string): void {
    act(() => {
      const newValue = JSON.stringify({ text, at: Date.now() })
      dispatchEvent(new StorageEvent('storage', { key: `lyceum.draft.${draftKey.userId}.a`, newValue }))
    })
  }

  it('appears when the chat is opened in another tab', async () => {
    saveDraft(draftKey, 'half a thought')
    aServer([aChat('a')])
    open()
    expect((await waitForMessageField()).value).toBe('half a thought')
  })

  it('follows another tab, but does not overwrite what is being typed', async () => {
    aServer([aChat('a')])
    const { user } = open()
    const field = await waitForMessageField()
    const focus = vi.spyOn(document, 'hasFocus').mockReturnValue(false)
    changeDraftElsewhere('from there')
    expect(field.value).toBe('from there')
    focus.mockReturnValue(true)
    await user.click(field)
    changeDraftElsewhere('from there again')
    expect(field.value).toBe('from there')
    focus.mockRestore()
  })
})

describe('keyboard shortcuts', () => {
  async function leaveField(): Promise<void> {
    await waitForMessageField()
    act(() => (document.activeElement as HTMLElement | null)?.blur())
  }
  /** Presses the keys until they take effect, because the handler loads after the first paint. */
  async function press(user: ReturnType<typeof open>['user'], keys: string, findEffect: () => unknown) {
    return waitFor(async () => {
      if (!findEffect()) await user.keyboard(keys)
      expect(findEffect()).toBeTruthy()
    })
  }

  it('open the help dialog, where single-key shortcuts can be switched off', async () => {
    aServer([aChat('a')])
    const { user } = open()
    await leaveField()
    function findHelpDialog() {
      return screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })
    }
    await press(user, '?', findHelpDialog)
    await user.click(await screen.findByRole('checkbox', { name: /Single-key shortcuts/ }))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(findHelpDialog()).toBeNull())
    await leaveField()
    await user.keyboard('r')
    expect(screen.queryByRole('dialog')).toBeNull()
    await press(user, '{Control>}/{/Control}', findHelpDialog)
    expect((screen.getByRole('checkbox', { name: /Single-key shortcuts/ }) as HTMLInputElement).checked).toBe(
      false,
    )
  })

  it('open the search from the message field, where single-key shortcuts do nothing', async () => {
    aServer([aChat('a')])
    const { user } = open()
    const field = await waitForMessageField()
    await user.type(field, 'nrd?')
    expect(field.value).toBe('nrd?')
    expect(screen.queryByRole('dialog')).toBeNull()
    await press(user, '{Control>}k{/Control}', () =>
      screen.queryByRole('dialog', { name: 'Search your chats' }),
    )
  })

  it('step through the chats and ask before deleting one', async () => {
    const { api } = aServer([aChat('a', 'One'), aChat('b', 'Two')])
    const { user, address } = open()
    await leaveField()
    await press(user, 'j', () => address() === '/channels/c1?chat=b')
    await leaveField()
    await press(user, 'k', () => address() === '/channels/c1?chat=a')
    await leaveField()
    await press(user, 'd', () => screen.queryByRole('alertdialog'))
    expect(api.calls(chatsApi.remove)).toHaveLength(0)
  })
})
