import { channelsApi } from '@lyceum/contract/channels'
import { type Chat, chatsApi } from '@lyceum/contract/chats'
import { type ChatShare, sharedChatsApi } from '@lyceum/contract/shared-chats'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { connection } from '#lib/connection.ts'
import { refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aUser, signIn } from '#testing/users.ts'
import { ChannelPage } from './channel.tsx'

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

function aChat(id: string, ageMs: number, change: Partial<Chat> = {}): Chat {
  const at = new Date(Date.now() - ageMs).toISOString()
  return { _id: id, title: id, messages: [], messageCount: 2, createdAt: at, updatedAt: at, ...change }
}

function aServer(chats: Chat[]) {
  return fakeApi()
    .on(channelsApi.list, () => [channel])
    .on(channelsApi.get, () => channel)
    .on(chatsApi.list, () => ({ chats, total: chats.length, totalPages: 1 }))
    .on(chatsApi.get, ({ params }) => ({
      chatId: params.chatId,
      title: null,
      messages: [],
      before: null,
      total: 0,
    }))
}

function open(at = '/channels/c1') {
  return renderPage(<ChannelPage />, { at, path: '/channels/:id' })
}

async function openMenuOf(title: string) {
  const list = within(await screen.findByRole('group', { name: 'Chats' }))
  return list.findByRole('button', { name: new RegExp(`^More actions for ${title}`) })
}

beforeEach(() => {
  signIn(aUser())
  connection.setReachable(true)
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }))
})

describe('pinned chats', () => {
  it('come first, but the channel opens with the chat that was updated last', async () => {
    aServer([aChat('Old', 9e8, { isPinned: true }), aChat('New', 1000)])
    open()
    const list = within(await screen.findByRole('group', { name: 'Chats' }))
    expect((await list.findAllByRole('heading')).map(({ textContent }) => textContent)).toEqual([
      'Pinned',
      'Today',
    ])
    await waitFor(() => expect(list.getByRole('link', { current: true }).textContent).toContain('New'))
  })

  it('are unpinned from the menu, and a refusal says why', async () => {
    const chats = [aChat('Mine', 1000)]
    const server = aServer(chats)
    server.on(chatsApi.pin, ({ body }) => {
      chats[0] = aChat('Mine', 1000, body.isPinned ? { isPinned: true } : {})
      return chats[0]
    })
    const { user } = open()
    await user.click(await openMenuOf('Mine'))
    await user.click(await screen.findByRole('menuitem', { name: 'Pin' }))
    await screen.findByRole('heading', { name: 'Pinned' })
    // Its row moved to another group.
    expect(document.activeElement).toBe(await openMenuOf('Mine'))
    server.on(chatsApi.pin, () => refuse('chat.too_many_pinned'))
    await user.click(await openMenuOf('Mine'))
    await user.click(await screen.findByRole('menuitem', { name: 'Unpin' }))
    await screen.findByText('You can pin up to 10 chats in a channel')
    screen.getByRole('heading', { name: 'Pinned' })
  })
})

describe('the share dialog', () => {
  it('creates, updates and revokes the link', async () => {
    let share: ChatShare | null = null
    const server = aServer([aChat('Leave', 1000)])
    server.on(sharedChatsApi.get, () => ({ share }))
    server.on(sharedChatsApi.share, () => {
      share = { shareId: 's1', sharedAt: '2026-11-20T08:00:00.000Z', isOutdated: false }
      return share
    })
    server.on(sharedChatsApi.revoke, () => {
      share = null
      return { message: 'The chat is no longer shared' }
    })
    const { user } = open()
    await user.click(await openMenuOf('Leave'))
    await user.click(await screen.findByRole('menuitem', { name: 'Share' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Share “Leave”' }))
    await user.click(await dialog.findByRole('button', { name: 'Create link' }))
    const field = await dialog.findByLabelText<HTMLInputElement>('Link')
    expect(field.value).toBe('http://localhost:3000/channels/c1/shared/s1')
    await waitFor(() => expect(document.activeElement).toBe(field))
    expect(dialog.queryByRole('button', { name: 'Update link' })).toBeNull()
    await user.click(dialog.getByRole('button', { name: 'Stop sharing' }))
    const question = within(await screen.findByRole('alertdialog', { name: 'Stop sharing this chat?' }))
    question.getByText(/Its link will stop working/)
    await user.click(question.getByRole('button', { name: 'Stop sharing' }))
    await screen.findByText('The chat is no longer shared')
    const create = await dialog.findByRole('button', { name: 'Create link' })
    await waitFor(() => expect(document.activeElement).toBe(create))
  })

  it('offers an update when the chat has changed, and says what failed', async () => {
    const server = aServer([aChat('Leave', 1000)])
    server.on(sharedChatsApi.get, () => ({
      share: { shareId: 's1', sharedAt: '2026-11-20T08:00:00.000Z', isOutdated: true },
    }))
    server.on(sharedChatsApi.share, () => refuse('chat.not_finished'))
    const { user } = open()
    await user.click(await openMenuOf('Leave'))
    await user.click(await screen.findByRole('menuitem', { name: 'Share' }))
    await user.click(await screen.findByRole('button', { name: 'Update link' }))
    await screen.findByText('The reply is still being written')
    server.on(sharedChatsApi.share, () => ({
      shareId: 's1',
      sharedAt: '2026-11-20T09:00:00.000Z',
      isOutdated: false,
    }))
    await user.click(screen.getByRole('button', { name: 'Update link' }))
    await screen.findByRole('button', { name: 'Done' })
    expect(screen.queryByText('The reply is still being written')).toBeNull()
  })

  it('can be loaded again after a failure', async () => {
    const server = aServer([aChat('Leave', 1000)])
    server.on(sharedChatsApi.get, () => refuse('internal'))
    const { user } = open()
    await user.click(await openMenuOf('Leave'))
    await user.click(await screen.findByRole('menuitem', { name: 'Share' }))
    await screen.findByText('Failed to load the link')
    server.on(sharedChatsApi.get, () => ({ share: null }))
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByRole('button', { name: 'Create link' })
  })
})
