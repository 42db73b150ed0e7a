import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { type Chat, type ChatMessage, chatsApi } from '@lyceum/contract/chats'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { FakeApi } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel } from '#testing/samples.ts'
import { aUser, signIn } from '#testing/users.ts'
import { ChannelPage } from './channel.tsx'

const timestamp = '2026-11-20T10:00:00.000Z'

function aChat(id: string): Chat {
  return {
    _id: id,
    title: null,
    messages: [{ role: 'user', content: `About ${id}`, timestamp }],
    messageCount: 2,
    createdAt: timestamp,
    updatedAt: timestamp,
  }
}

const question: ChatMessage = {
  _id: 'q1',
  role: 'user',
  content: 'Hello',
  timestamp,
  status: 'delivered',
}

let api: FakeApi
let channel: ReturnType<typeof aChannel>
beforeEach(() => {
  channel = aChannel({ _id: 'c1', isAdmin: true })
  const chats = [aChat('first'), aChat('second')]
  api = fakeApi()
    .on(authApi.me, () => aUser())
    .on(channelsApi.list, () => [channel])
    .on(channelsApi.get, () => channel)
    .on(channelsApi.wallpaper, () => new Blob(['picture'], { type: 'image/webp' }))
    .on(channelsApi.setWallpaper, () => {
      channel = { ...channel, wallpaper: '/api/channels/c1/wallpaper?v=1' }
      return { wallpaper: '/api/channels/c1/wallpaper?v=1', message: 'Set' }
    })
    .on(chatsApi.list, () => ({ chats, total: chats.length, totalPages: 1 }))
    .on(chatsApi.get, ({ params }) => ({
      chatId: params.chatId,
      title: null,
      messages: [question],
      before: null,
      total: 1,
    }))
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

function open() {
  return renderPage(<ChannelPage />, { at: '/channels/c1', path: '/channels/:id' }).user
}
function readBackgroundImages(): string[] {
  return [...document.querySelectorAll<HTMLElement>('[style]')]
    .map(({ style }) => style.backgroundImage)
    .filter(Boolean)
}

describe('the wallpaper of a channel', () => {
  it('can be uploaded only by channel administrators', async () => {
    channel = aChannel({ _id: 'c1', isAdmin: false, wallpaper: '/api/channels/c1/wallpaper?v=0' })
    open()
    await expect.poll(readBackgroundImages).toEqual(['url("blob:test")'])
    expect(screen.queryByRole('button', { name: 'Upload wallpaper' })).toBeNull()
  })

  it('appears behind the chat, with a note that is not stored', async () => {
    const user = open()
    await user.click(await screen.findByRole('button', { name: 'Upload wallpaper' }))
    const dialog = await screen.findByRole('dialog', { name: 'Upload wallpaper' })
    const image = new File(['picture'], 'sea.png', { type: 'image/png' })
    await user.upload(within(dialog).getByLabelText(/Drop an image here/), image)
    await user.click(within(dialog).getByRole('button', { name: 'Upload' }))
    await screen.findByText('Document uploaded: sea.png')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const log = screen.getByRole('log', { name: 'Messages' })
    within(log).getByText('Uploaded document: sea.png')
    await expect.poll(readBackgroundImages).toEqual(['url("blob:test")'])
    expect(api.calls(chatsApi.send)).toEqual([])

    await user.click(screen.getByRole('link', { name: /About second/ }))
    await waitFor(() => expect(screen.queryByText('Uploaded document: sea.png')).toBeNull())
  })
})
