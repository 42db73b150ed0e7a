import { channelsApi } from '@lyceum/contract/channels'
import { type Chat, type ChatMessage, chatsApi, type ReplyEvent } from '@lyceum/contract/chats'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { readDraft } from '#lib/drafts.ts'
import { readUnsent } from '#lib/unsent-messages.ts'
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

function aChat(id: string): Chat {
  return {
    _id: id,
    title: null,
    messages: [],
    messageCount: 0,
    createdAt: timestamp,
    updatedAt: timestamp,
  }
}

const question: ChatMessage = { _id: 'q1', role: 'user', content: 'Hello', timestamp, status: 'delivered' }
const reply: ChatMessage = { _id: 'r1', role: 'assistant', content: '', timestamp, state: 'streaming' }

/** A server whose channel and chats can be deleted. */
function aServer(...ids: string[]) {
  const api = fakeApi()
  const state = { hasChannel: true, chats: ids.map(aChat) }
  api
    .on(channelsApi.list, () => (state.hasChannel ? [channel] : []))
    .on(channelsApi.get, () => (state.hasChannel ? channel : refuse('not_found')))
    .on(chatsApi.list, () =>
      state.hasChannel
        ? { chats: state.chats, total: state.chats.length, totalPages: 1 }
        : refuse('not_found'),
    )
    .on(chatsApi.get, ({ params: { chatId } }) =>
      state.hasChannel && state.chats.some(({ _id }) => _id === chatId)
        ? { chatId, title: null, messages: [], before: null, total: 0 }
        : refuse('not_found'),
    )
    .on(chatsApi.send, () => refuse('not_found'))
    .on(chatsApi.create, () => refuse('not_found'))
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

beforeEach(() => {
  signIn(aUser())
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = () => undefined
      disconnect = () => undefined
    },
  )
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }))
})

describe('a channel that was deleted or is no longer accessible', () => {
  it.each(['/channels/c1', '/channels/c1?chat=a'])('is reported once: %s', async (at) => {
    aServer('a').state.hasChannel = false
    const { address } = open(at)
    await screen.findByText('Failed to load channel information')
    await waitFor(() => expect(address()).toBe('/dashboard'))
    expect(screen.getAllByText(/Failed to|could not be found/)).toHaveLength(1)
  })

  it('shows another chat and a toast when only the chat of an old link is missing', async () => {
    aServer('a')
    const { address } = open('/channels/c1?chat=long-gone')
    await screen.findByText('Failed to load messages')
    await waitFor(() => expect(address()).toBe('/channels/c1?chat=a'))
    expect(screen.queryByText(/could not be found/)).toBeNull()
  })

  it('redirects to the dashboard when a message is sent', async () => {
    const { state } = aServer('a', 'b')
    const { user, address } = open()
    const field = await waitForMessageField()
    state.hasChannel = false
    await user.type(field, 'Anybody here?{Enter}')
    await waitFor(() => expect(address()).toBe('/dashboard'))
    await screen.findByText('You no longer have access to this channel.')
    expect(screen.queryByText(/^This chat was deleted|^Not found|^Failed to/)).toBeNull()
  })

  it('is no longer listed, even before the list is loaded again', async () => {
    const { api, state } = aServer('a')
    const { address, queryClient } = open()
    await waitForMessageField()
    await waitFor(() => expect(queryClient.getQueryData(['channels'])).toHaveLength(1))
    state.hasChannel = false
    api.on(channelsApi.list, () => new Promise<never>(() => undefined))
    await queryClient.invalidateQueries({ queryKey: ['channels', 'c1'] })
    await waitFor(() => expect(address()).toBe('/dashboard'))
    expect(queryClient.getQueryData(['channels'])).toEqual([])
  })

  it('redirects to the dashboard when a chat is created', async () => {
    const { state } = aServer('a')
    const { user, address } = open()
    await waitForMessageField()
    state.hasChannel = false
    await user.click(screen.getByRole('button', { name: 'New chat' }))
    await waitFor(() => expect(address()).toBe('/dashboard'))
  })

  it('opens again once access is restored', async () => {
    const { state } = aServer('a')
    const first = open()
    await waitForMessageField()
    state.hasChannel = false
    await first.queryClient.invalidateQueries({ queryKey: ['channels', 'c1'] })
    await waitFor(() => expect(first.address()).toBe('/dashboard'))
    first.unmount()
    state.hasChannel = true
    const { address } = open()
    await waitForMessageField()
    expect(address()).toBe('/channels/c1?chat=a')
  })
})

describe('a malformed chat id in the URL', () => {
  it.each(['', '%00', 'x'.repeat(65)])('selects the newest chat: %j', async (chat) => {
    const { api } = aServer('a')
    const { address } = open(`/channels/c1?chat=${chat}`)
    await waitForMessageField()
    expect(address()).toBe('/channels/c1?chat=a')
    expect(api.calls(chatsApi.get).map(({ params }) => params.chatId)).toEqual(['a'])
  })
})

describe('a chat deleted while its reply is running', () => {
  it('disappears without a not-found toast', async () => {
    const { api, state } = aServer('a', 'b')
    let finishDeletion: () => void = () => undefined
    const deleted = new Promise<void>((resolve) => {
      finishDeletion = resolve
    })
    async function* events(): AsyncGenerator<ReplyEvent> {
      yield { seq: 1, type: 'accepted', message: question, reply }
      await deleted
      const ended: ChatMessage = { ...reply, state: 'interrupted' }
      yield {
        seq: 2,
        type: 'error',
        code: 'not_found',
        message: 'Not found. It may have been deleted, or you do not have access.',
        reply: ended,
      }
    }
    api
      .on(chatsApi.send, () => streamOf(chatsApi.send, events()))
      .on(chatsApi.remove, ({ params }) => {
        state.chats = state.chats.filter(({ _id }) => _id !== params.chatId)
        finishDeletion()
        return { message: 'Chat deleted' }
      })
    const { user, address } = open()
    await user.type(await waitForMessageField(), 'Hello{Enter}')
    await screen.findByRole('button', { name: 'Stop the reply' })
    await user.click(await screen.findByRole('button', { name: 'Delete current chat' }))
    const dialog = await screen.findByRole('alertdialog')
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Chat deleted successfully')).toBeDefined()
    await waitFor(() => expect(address()).toBe('/channels/c1?chat=b'))
    await waitForMessageField()
    expect(screen.queryByText('Not found. It may have been deleted, or you do not have access.')).toBeNull()
  })
})

describe('a message that could not be sent', () => {
  const draftKey = { userId: aUser()._id, chatId: 'a' }
  function failToConnect(): never {
    throw new NoNetwork()
  }
  async function findChatLink(n: number) {
    return (await screen.findByRole('group', { name: 'Chats' })).querySelectorAll('a').item(n)
  }

  it('is shown as failed after a reload, and is stored once when retried', async () => {
    const { api } = aServer('a')
    api.on(chatsApi.send, failToConnect)
    const first = open()
    await first.user.type(await waitForMessageField(), 'A long thought{Enter}')
    await screen.findByText('(Failed to send)', { exact: false })
    expect(readDraft(draftKey)).toBe('')
    first.unmount()

    const second = open()
    await screen.findByText('(Failed to send)', { exact: false })
    screen.getByText('A long thought')
    expect((await waitForMessageField()).value).toBe('')
    const completeReply: ChatMessage = { ...reply, content: 'Yes', state: 'complete' }
    api.on(chatsApi.send, () =>
      streamOf(chatsApi.send, [
        { seq: 1, type: 'accepted', message: question, reply },
        { seq: 2, type: 'done', reply: completeReply },
      ]),
    )
    await second.user.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(screen.queryByText('(Failed to send)', { exact: false })).toBeNull())
    const keys = api.calls(chatsApi.send).map(({ headers }) => headers.get('idempotency-key'))
    expect(keys[0]).not.toBeNull()
    expect(new Set(keys)).toHaveLength(1)
    second.unmount()
    open()
    await waitForMessageField()
    expect(screen.queryByText('(Failed to send)', { exact: false })).toBeNull()
  })

  it('is hidden from the next user, and removed when discarded', async () => {
    const { api } = aServer('a')
    api.on(chatsApi.send, failToConnect)
    const first = open()
    await first.user.type(await waitForMessageField(), 'A long thought{Enter}')
    await screen.findByText('(Failed to send)', { exact: false })
    first.unmount()
    signIn(aUser({ _id: 'user-2' }))
    const second = open()
    await waitForMessageField()
    expect(screen.queryByText('A long thought')).toBeNull()
    second.unmount()
    signIn(aUser())
    const third = open()
    await third.user.click(await screen.findByRole('button', { name: 'Discard' }))
    third.unmount()
    open()
    await waitForMessageField()
    expect(screen.queryByText('A long thought')).toBeNull()
  })

  it('is shown among the messages but not in the message field, and is removed when sent', async () => {
    const { api } = aServer('a', 'b')
    api.on(chatsApi.send, failToConnect)
    const { user, address } = open()
    await user.type(await waitForMessageField(), 'A long thought{Enter}')
    await screen.findByText('(Failed to send)', { exact: false })
    await user.click(await findChatLink(1))
    await waitFor(() => expect(address()).toBe('/channels/c1?chat=b'))
    await waitForMessageField()
    await user.click(await findChatLink(0))
    await screen.findByText('(Failed to send)', { exact: false })
    expect((await waitForMessageField()).value).toBe('')
    expect(readDraft(draftKey)).toBe('')

    const completeReply: ChatMessage = { ...reply, content: 'Yes', state: 'complete' }
    api.on(chatsApi.send, () =>
      streamOf(chatsApi.send, [
        { seq: 1, type: 'accepted', message: question, reply },
        { seq: 2, type: 'done', reply: completeReply },
      ]),
    )
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(readUnsent(draftKey)).toEqual([]))
  })
})

describe('the focus', () => {
  it('moves to the field when the focused button is deleted with its chat', async () => {
    const { api, state } = aServer('a', 'b')
    api.on(chatsApi.remove, ({ params }) => {
      state.chats = state.chats.filter(({ _id }) => _id !== params.chatId)
      return { message: 'Chat deleted' }
    })
    const { user } = open()
    await waitForMessageField()
    const [, second] = await screen.findAllByRole('button', { name: /^Delete Chat, / })
    if (second) await user.click(second)
    const dialog = await screen.findByRole('alertdialog')
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Message' })))
  })

  it('returns to the button when the dialog is cancelled', async () => {
    aServer('a')
    const { user } = open()
    const opener = await screen.findByRole('button', { name: 'Delete current chat' })
    await user.click(opener)
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(document.activeElement).toBe(opener))
  })
})
