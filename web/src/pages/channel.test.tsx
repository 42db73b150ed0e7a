import { channelsApi } from '@lyceum/contract/channels'
import { type Chat, type ChatMessage, chatsApi, type ReplyEvent } from '@lyceum/contract/chats'
import { documentsApi } from '@lyceum/contract/documents'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openEventStream } from '#testing/chat-samples.ts'
import { type FakeApi, NoNetwork, refuse, streamOf } from '#testing/fake-api.ts'
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

function aChat(id: string, last?: string): Chat {
  return {
    _id: id,
    title: null,
    messages: last === undefined ? [] : [{ role: 'user', content: last, timestamp }],
    messageCount: last === undefined ? 0 : 2,
    createdAt: timestamp,
    updatedAt: timestamp,
  }
}

function aQuestion(content: string, id = 'q1'): ChatMessage {
  return {
    _id: id,
    role: 'user',
    content,
    timestamp,
    status: 'delivered',
  }
}

function aReply(content: string, state: ChatMessage['state'] = 'complete', id = 'r1'): ChatMessage {
  return {
    _id: id,
    role: 'assistant',
    content,
    timestamp,
    state,
  }
}

/** A server with one channel, whose chats and messages a test can change. */
function aServer(chats: Chat[], messages: ChatMessage[] = []) {
  const api: FakeApi = fakeApi()
  const state = { chats, messages }
  api
    .on(channelsApi.list, () => [channel, { ...channel, _id: 'c2', name: 'Not mine', isMember: false }])
    .on(channelsApi.get, () => channel)
    .on(chatsApi.list, () => ({ chats: state.chats, total: state.chats.length, totalPages: 1 }))
    .on(chatsApi.get, ({ params }) => ({
      chatId: params.chatId,
      title: null,
      messages: state.messages,
      before: null,
      total: state.messages.length,
    }))
  return { api, state }
}

function open(at = '/channels/c1') {
  return renderPage(<ChannelPage />, { at, path: '/channels/:id' })
}
function findMessageField() {
  return screen.findByRole('textbox', { name: 'Message' })
}
/** Returns the message field once the chat is loaded. */
function waitForMessageField() {
  return waitFor(() => {
    const input = screen.getByRole('textbox', { name: 'Message' }) as HTMLTextAreaElement
    expect(input.disabled).toBe(false)
    return input
  })
}
function findSidebar() {
  return screen.findByRole('navigation', { name: 'Channels' })
}

beforeEach(() => {
  signIn(aUser())
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = () => undefined
      disconnect = () => undefined
    },
  )
  // A wide window, so that the sidebar is beside the chat.
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }))
})

function anAcceptedEvent(text: string): ReplyEvent {
  return {
    seq: 1,
    type: 'accepted',
    message: aQuestion(text),
    reply: aReply('', 'streaming'),
  }
}

describe('opening a channel', () => {
  it('shows the newest chat, the user’s channels and the description', async () => {
    aServer([aChat('new', 'x'.repeat(31)), aChat('old')], [aQuestion('Hello'), aReply('Hi there')])
    const { address } = open()
    expect(await screen.findByRole('heading', { level: 1, name: 'Staff handbook' })).toBeDefined()
    expect(await screen.findByText('Hi there')).toBeDefined()
    const list = await findSidebar()
    expect(within(list).queryByText('Not mine')).toBeNull()
    expect(within(list).getByText('No description')).toBeDefined()
    expect(within(list).getByText(`${'x'.repeat(30)}...`)).toBeDefined()
    expect(within(list).getByText('New chat')).toBeDefined()
    expect(address()).toBe('/channels/c1?chat=new')
  })

  it('opens the chat named in the URL', async () => {
    const { api } = aServer([aChat('new'), aChat('old')])
    open('/channels/c1?chat=old')
    expect(await screen.findByText('No messages yet. Start the conversation!')).toBeDefined()
    expect(api.calls(chatsApi.get).map(({ params }) => params.chatId)).toEqual(['old'])
  })

  it('creates the first chat without a toast', async () => {
    const { api, state } = aServer([])
    api.on(chatsApi.create, () => {
      state.chats = [aChat('first')]
      return aChat('first')
    })
    const { address } = open()
    await waitFor(() => expect(address()).toBe('/channels/c1?chat=first'))
    expect(api.calls(chatsApi.create)).toHaveLength(1)
    expect(screen.queryByText('New chat created')).toBeNull()
  })

  it('does not navigate back to a channel left before its first chat was created', async () => {
    const { api } = aServer([])
    let resolveCreation: (_: Chat) => void = () => undefined
    const other = { ...channel, _id: 'c2', name: 'Workshop' }
    api
      .on(channelsApi.list, () => [channel, other])
      .on(channelsApi.get, ({ params }) => (params.id === 'c1' ? channel : other))
      .on(chatsApi.list, ({ params }) => {
        const chats = params.channelId === 'c1' ? [] : [aChat('theirs')]
        return { chats, total: chats.length, totalPages: 1 }
      })
      .on(chatsApi.create, () => new Promise<Chat>((resolve) => (resolveCreation = resolve)))
    const { address, user, queryClient } = open()
    await waitFor(() => expect(api.calls(chatsApi.create)).toHaveLength(1))
    await user.click(within(await findSidebar()).getByRole('link', { name: /Workshop/ }))
    await waitFor(() => expect(address()).toBe('/channels/c2?chat=theirs'))
    resolveCreation(aChat('first'))
    await waitFor(() => expect(queryClient.isMutating()).toBe(0))
    expect(address()).toBe('/channels/c2?chat=theirs')
  })

  it('shows an error when the first chat cannot be created', async () => {
    const { api } = aServer([])
    api.on(chatsApi.create, () => refuse('internal'))
    open()
    expect(await screen.findByText('Failed to create default chat')).toBeDefined()
    expect(screen.getByText('No chat selected')).toBeDefined()
    const input = (await findMessageField()) as HTMLTextAreaElement
    expect(input.disabled).toBe(true)
    expect(input.placeholder).toBe('Select a chat to start messaging...')
  })

  it('redirects to the dashboard when the channel cannot be loaded', async () => {
    const { api } = aServer([])
    api.on(channelsApi.get, () => refuse('internal')).on(chatsApi.create, () => refuse('internal'))
    const { address } = open()
    expect(await screen.findByText('Failed to load channel information')).toBeDefined()
    await waitFor(() => expect(address()).toBe('/dashboard'))
  })

  it('shows the sidebar as a drawer on narrow screens and closes it on selection', async () => {
    vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }))
    aServer([aChat('a', 'One'), aChat('b', 'Two')])
    const { user, address } = open()
    await waitForMessageField()
    expect(screen.queryByRole('navigation', { name: 'Channels' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Channels and chats' }))
    const drawer = await screen.findByRole('dialog', { name: 'Channels and chats' })
    expect(within(drawer).getByRole('button', { name: 'Close' })).toBeDefined()
    await user.click(within(drawer).getByRole('link', { name: /Two/ }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(address()).toBe('/channels/c1?chat=b')
  })

  it('hides system messages', async () => {
    aServer([aChat('a')], [{ ...aQuestion('Be brief'), role: 'system' }])
    open()
    expect(await screen.findByText('No messages yet. Start the conversation!')).toBeDefined()
    expect(screen.queryByText('Be brief')).toBeNull()
  })
})

describe('sending a message', () => {
  it('shows it at once, then the growing reply, and keeps the focus in the field', async () => {
    const { api, state } = aServer([aChat('a')])
    const stream = openEventStream()
    api.on(chatsApi.send, () => streamOf(chatsApi.send, stream.events))
    const { user } = open()
    await user.type(await waitForMessageField(), 'How many days?{Enter}')
    expect(await screen.findByText('How many days?')).toBeDefined()
    expect(screen.getByText('Sent')).toBeDefined()
    expect(screen.getByText('Assistant is typing')).toBeDefined()
    expect(document.activeElement).toBe(await findMessageField())

    stream.send(anAcceptedEvent('How many days?'))
    expect(await screen.findByText('Delivered')).toBeDefined()
    stream.send({ seq: 2, type: 'status', status: 'searching' })
    expect(await screen.findByText('Searching the documents…')).toBeDefined()
    stream.send({ seq: 3, type: 'delta', text: 'Twenty-eight ' })
    expect(await screen.findByText('Twenty-eight')).toBeDefined()
    expect(screen.getByText('Read')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Send message' })).toBeNull()

    const completeReply = aReply('Twenty-eight days.')
    state.messages = [{ ...aQuestion('How many days?'), status: 'read' }, completeReply]
    stream.send({ seq: 4, type: 'delta', text: 'days.' }, { seq: 5, type: 'done', reply: completeReply })
    expect(await screen.findByRole('button', { name: 'Copy reply' })).toBeDefined()
    expect(screen.getAllByText('How many days?')).toHaveLength(1)
    const log = screen.getByRole('log')
    expect(within(log).getAllByText('Twenty-eight days.')).toHaveLength(1)
    await waitFor(() => expect(api.calls(chatsApi.list).length).toBeGreaterThan(1))
  })

  it('sends nothing for blank text or Shift+Enter', async () => {
    const { api } = aServer([aChat('a')])
    api.on(chatsApi.send, () => refuse('internal'))
    const { user } = open()
    await screen.findByText('No messages yet. Start the conversation!')
    await user.type(await findMessageField(), '   {Enter}')
    await user.type(await findMessageField(), 'words{Shift>}{Enter}{/Shift}')
    expect(api.calls(chatsApi.send)).toHaveLength(0)
    expect(((await findMessageField()) as HTMLTextAreaElement).value).toBe('   words')
  })

  it('sends nothing while an input method composes a word', async () => {
    const { api } = aServer([aChat('a')])
    const { user } = open()
    const field = await waitForMessageField()
    await user.type(field, 'にほん')
    fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
    fireEvent.keyDown(field, { key: 'Enter', keyCode: 229 })
    expect(api.calls(chatsApi.send)).toHaveLength(0)
    expect(field.value).toBe('にほん')
  })

  it('keeps the line breaks of pasted text', async () => {
    const { api } = aServer([aChat('a')])
    api.on(chatsApi.send, () => refuse('internal'))
    const { user } = open()
    await user.click(await waitForMessageField())
    await user.paste('one\r\n  two')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(api.calls(chatsApi.send)[0]?.body).toEqual({ message: 'one\n  two' }))
  })

  it('says why nothing is sent while a reply is running, and keeps the text', async () => {
    const { api, state } = aServer([aChat('a')])
    const stream = openEventStream()
    api.on(chatsApi.send, () => streamOf(chatsApi.send, stream.events))
    const { user } = open()
    const field = await waitForMessageField()
    await user.type(field, 'One{Enter}')
    stream.send(anAcceptedEvent('One'))
    await screen.findByText('Delivered')
    await user.type(field, ' {Enter}')
    expect(screen.queryByText(/^You can send this once/)).toBeNull()
    await user.type(field, 'Two{Enter}')
    expect(await screen.findByText(/^You can send this once the reply is complete/)).toBeDefined()
    expect(field.value).toBe(' Two')
    state.messages = [aQuestion('One'), aReply('Yes')]
    stream.send({ seq: 2, type: 'done', reply: aReply('Yes') })
    await waitFor(() => expect(screen.queryByText(/^You can send this once/)).toBeNull())
    expect(field.value).toBe(' Two')
    expect(api.calls(chatsApi.send)).toHaveLength(1)
  })

  it('shows a failed message and retries it with the same key', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    const { api, state } = aServer([aChat('a')])
    api.on(chatsApi.send, () => {
      throw new NoNetwork()
    })
    const { user } = open()
    await user.type(await waitForMessageField(), 'Hello{Enter}')
    expect(await screen.findByText('(Failed to send)', { exact: false })).toBeDefined()
    expect(screen.getByText('Failed to send message')).toBeDefined()
    const field = await waitForMessageField()
    expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'Failed to send message. Please try again.',
    )
    const key = api.calls(chatsApi.send)[0]?.headers.get('Idempotency-Key')

    const completeReply = aReply('Hi')
    state.messages = [aQuestion('Hello'), completeReply]
    api.on(chatsApi.send, () =>
      streamOf(chatsApi.send, [anAcceptedEvent('Hello'), { seq: 2, type: 'done', reply: completeReply }]),
    )
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await within(screen.getByRole('log')).findByText('Hi')).toBeDefined()
    expect(screen.queryByText('(Failed to send)', { exact: false })).toBeNull()
    expect(api.calls(chatsApi.send)[0]?.headers.get('Idempotency-Key')).toBe(key)
  })

  it('shows a reply that failed on the server, even after a reload', async () => {
    const failed = { ...aReply('', 'failed'), error: 'The assistant is not available.' }
    const { api } = aServer([aChat('a')], [aQuestion('Hello'), failed])
    const stream = openEventStream()
    api.on(chatsApi.regenerate, () => streamOf(chatsApi.regenerate, stream.events))
    const { user } = open()
    expect(await screen.findByText('The assistant is not available.')).toBeDefined()
    expect(screen.queryByText('(Failed to send)', { exact: false })).toBeNull()

    await user.click(screen.getByRole('button', { name: 'Try again' }))
    stream.send({ seq: 1, type: 'accepted', message: null, reply: aReply('', 'streaming', 'r2') })
    await waitFor(() => expect(screen.queryByText('The assistant is not available.')).toBeNull())
    expect(api.calls(chatsApi.regenerate)[0]?.params.messageId).toBe('r1')
  })
})

describe('a running reply', () => {
  it('is resumed after a reload and can be stopped', async () => {
    const { api, state } = aServer(
      [aChat('a')],
      [aQuestion('Hello'), { ...aReply('So ', 'streaming'), lastEvent: 7 }],
    )
    const stream = openEventStream({ seq: 8, type: 'delta', text: 'far' })
    const stopped = aReply('So far', 'stopped')
    api
      .on(chatsApi.events, () => streamOf(chatsApi.events, stream.events))
      .on(chatsApi.stop, () => {
        state.messages = [aQuestion('Hello'), stopped]
        stream.send({ seq: 9, type: 'done', reply: stopped })
        return stopped
      })
    const { user } = open()
    expect(await screen.findByText('So far')).toBeDefined()
    expect(api.calls(chatsApi.events).map(({ query }) => query.after)).toEqual([7])
    await user.click(screen.getByRole('button', { name: 'Stop the reply' }))
    expect(await screen.findByText('You stopped this reply.')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Regenerate' })).toBeDefined()
  })

  it('is followed when another tab requested it', async () => {
    const { api, state } = aServer([aChat('a')])
    const stream = openEventStream({ seq: 1, type: 'delta', text: 'Here too' })
    api.on(chatsApi.events, () => streamOf(chatsApi.events, stream.events))
    open()
    await screen.findByText('No messages yet. Start the conversation!')
    state.messages = [aQuestion('Hello'), { ...aReply('', 'streaming'), lastEvent: 0 }]
    const tab = new BroadcastChannel('lyceum.chats')
    tab.postMessage({ channelId: 'c1', chatId: 'a' })
    expect(await screen.findByText('Here too')).toBeDefined()
    tab.close()
  })

  it('is reported as lost when its stream is refused', async () => {
    const { api } = aServer(
      [aChat('a')],
      [aQuestion('Hello'), { ...aReply('So far', 'streaming'), lastEvent: 7 }],
    )
    api.on(chatsApi.events, () => refuse('permission.denied'))
    open()
    expect(await screen.findByText('The connection was lost during this reply.')).toBeDefined()
    expect(within(screen.getByRole('log')).getByText('So far')).toBeDefined()
    await waitFor(() => expect(api.calls(chatsApi.get).length).toBeGreaterThan(1))
    expect(api.calls(chatsApi.events)).toHaveLength(1)
  })

  it('continues when the user leaves the page', async () => {
    const { api } = aServer(
      [aChat('a')],
      [aQuestion('Hello'), { ...aReply('So far', 'streaming'), lastEvent: 7 }],
    )
    const stream = openEventStream()
    api.on(chatsApi.events, () => streamOf(chatsApi.events, stream.events))
    const { unmount } = open()
    await screen.findByRole('button', { name: 'Stop the reply' })
    await waitFor(() => expect(api.calls(chatsApi.events)).toHaveLength(1))
    unmount()
    expect(api.calls(chatsApi.events)[0]?.signal?.aborted).toBe(true)
    expect(api.unhandledCalls.filter((call) => call.endsWith('/stop'))).toEqual([])
  })
})

describe('chats', () => {
  it('are created with the button and selected', async () => {
    const { api, state } = aServer([aChat('a', 'Hello')])
    api.on(chatsApi.create, () => {
      state.chats = [aChat('b'), ...state.chats]
      return aChat('b')
    })
    const { user, address } = open()
    await user.click(await screen.findByRole('button', { name: 'New chat' }))
    expect(await screen.findByText('New chat created')).toBeDefined()
    expect(address()).toBe('/channels/c1?chat=b')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Message' })))
  })

  it('are loaded again when they are selected', async () => {
    const { api } = aServer([aChat('a', 'Hello'), aChat('b', 'Other')], [aQuestion('Hello')])
    const { user } = open()
    await screen.findByText('Hello', { selector: 'p' })
    await user.click(within(await findSidebar()).getByRole('link', { name: /Other/ }))
    await user.click(within(await findSidebar()).getByRole('link', { name: /Hello/ }))
    await waitFor(() =>
      expect(api.calls(chatsApi.get).map(({ params }) => params.chatId)).toEqual(['a', 'b', 'a']),
    )
  })

  it('are deleted after confirmation; the first remaining one is selected, then none', async () => {
    const { api, state } = aServer([aChat('a', 'One'), aChat('b', 'Two')])
    api.on(chatsApi.remove, ({ params }) => {
      state.chats = state.chats.filter(({ _id }) => _id !== params.chatId)
      return { message: 'Chat deleted' }
    })
    const { user, address } = open()
    async function removeCurrent(): Promise<void> {
      await user.click(await screen.findByRole('button', { name: 'Delete current chat' }))
      const dialog = await screen.findByRole('alertdialog')
      await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
    }
    await removeCurrent()
    await waitFor(() => expect(address()).toBe('/channels/c1?chat=b'))
    expect(await screen.findByText('Chat deleted successfully')).toBeDefined()
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    await removeCurrent()
    expect(await screen.findByText('No chat selected')).toBeDefined()
    expect(address()).toBe('/channels/c1')
    expect(api.calls(chatsApi.remove).map(({ params }) => params.chatId)).toEqual(['a', 'b'])
    expect(api.calls(chatsApi.create)).toEqual([])
  })

  it('are not deleted when the dialog is cancelled or the server refuses', async () => {
    const { api } = aServer([aChat('a', 'One')])
    api.on(chatsApi.remove, () => refuse('internal'))
    const { user, address } = open()
    await user.click(await screen.findByRole('button', { name: 'Delete current chat' }))
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(api.calls(chatsApi.remove)).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Delete current chat' }))
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Failed to delete chat')).toBeDefined()
    expect(address()).toBe('/channels/c1?chat=a')
  })

  it('have separate drafts', async () => {
    aServer([aChat('a', 'One'), aChat('b', 'Two')])
    const { user } = open()
    await screen.findByText('No messages yet. Start the conversation!')
    await user.type(await findMessageField(), 'half a thought')
    await user.click(within(await findSidebar()).getByRole('link', { name: /Two/ }))
    await waitFor(async () => expect(((await findMessageField()) as HTMLTextAreaElement).value).toBe(''))
    await user.click(within(await findSidebar()).getByRole('link', { name: /One/ }))
    await waitFor(async () =>
      expect(((await findMessageField()) as HTMLTextAreaElement).value).toBe('half a thought'),
    )
  })
})

describe('proposing documents', () => {
  it('is offered only in channels that allow it', async () => {
    const { api } = aServer([aChat('a', 'One')])
    api.on(documentsApi.proposals, () => [])
    const first = open()
    await screen.findByRole('heading', { level: 1, name: 'Staff handbook' })
    expect(screen.queryByRole('button', { name: 'Propose a document' })).toBeNull()
    first.unmount()
    api.on(channelsApi.get, () => ({ ...channel, allowProposals: true }))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Propose a document' }))
    await screen.findByRole('dialog', { name: 'Propose a document' })
    expect(api.calls(documentsApi.proposals)[0]?.params).toEqual({ id: 'c1' })
    await user.click(screen.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})
