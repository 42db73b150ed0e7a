import type { Citation } from '@lyceum/contract/citations'
import { documentsApi } from '@lyceum/contract/documents'
import { type SharedChat, sharedChatsApi } from '@lyceum/contract/shared-chats'
import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aUser, signIn } from '#testing/users.ts'
import { SharedChatPage } from './shared-chat.tsx'

const at = '2026-11-20T08:00:00.000Z'
const chat: SharedChat = {
  title: 'Leave in Norway',
  ownerName: 'Ada Lovelace',
  sharedAt: at,
  messages: [
    { _id: 'm1', role: 'user', content: 'How many days?', timestamp: at },
    { _id: 'm2', role: 'assistant', content: 'Twenty **days**.', timestamp: at, state: 'complete' },
  ],
  before: null,
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

function open() {
  return renderPage(<SharedChatPage />, {
    at: '/channels/c1/shared/s1',
    path: '/channels/:id/shared/:shareId',
  })
}

beforeEach(() => signIn(aUser()))

describe('the page of a shared chat', () => {
  it('explains that the link no longer works', async () => {
    fakeApi().on(sharedChatsApi.read, () => refuse('not_found'))
    open()
    await screen.findByText('This chat can’t be opened.')
    expect(screen.getByRole('link', { name: 'Open the channel' }).getAttribute('href')).toBe('/channels/c1')
  })

  it('can be loaded again after a failure', async () => {
    const server = fakeApi().on(sharedChatsApi.read, () => refuse('internal'))
    const { user } = open()
    await screen.findByText('Failed to load messages')
    server.on(sharedChatsApi.read, () => chat)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByRole('heading', { name: 'Leave in Norway' })
  })

  it('shows the messages and who shared them, without a message field or actions', async () => {
    fakeApi().on(sharedChatsApi.read, () => chat)
    open()
    await screen.findByRole('heading', { name: 'Leave in Norway', level: 1 })
    expect(screen.getByText(/^Shared by/).textContent).toContain('Shared by Ada Lovelace')
    screen.getByText('How many days?')
    expect(screen.getByText('days').tagName).toBe('STRONG')
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('opens a source beside the messages in a wide window, and Escape closes it', async () => {
    vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }))
    const reply = { ...chat.messages[1], content: 'Twenty days [1].', citations: [citation] }
    fakeApi()
      .on(sharedChatsApi.read, () => ({ ...chat, messages: [reply] }) as SharedChat)
      .on(documentsApi.text, () => ({
        title: 'Handbook.txt',
        fileType: 'txt' as const,
        pages: [{ page: null, start: 0, text: 'Twenty days.' }],
        total: 12,
      }))
    const { user } = open()
    const sources = await screen.findAllByRole('button', { name: /Handbook\.txt/ })
    await user.click(sources.at(-1) as HTMLElement)
    await screen.findByRole('complementary', { name: 'Handbook.txt' })
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('complementary')).toBeNull()
    expect(document.activeElement).toBe(sources.at(-1))
  })

  it('loads earlier messages above the others', async () => {
    const earlier = {
      ...chat,
      messages: [{ ...chat.messages[0], _id: 'm0', content: 'Hello' }],
    } as SharedChat
    fakeApi().on(sharedChatsApi.read, ({ query }) =>
      query.before === 'm1' ? earlier : { ...chat, before: 'm1' },
    )
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Show earlier messages' }))
    await screen.findByText('Hello')
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)[0]).toContain('Hello')
    expect(screen.queryByRole('button')).toBeNull()
  })
})
