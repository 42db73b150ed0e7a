import { channelsApi } from '@lyceum/contract/channels'
import { type Chat, chatsApi } from '@lyceum/contract/chats'
import { quotasApi } from '@lyceum/contract/quotas'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { connection } from '#lib/connection.ts'
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
const dayMs = 24 * 60 * 60 * 1000
const otherId = '01a21390-2283-7664-95e4-afe230b7222f'

function aChat(id: string, age: number, change: Partial<Chat> = {}): Chat {
  const at = new Date(Date.now() - age).toISOString()
  return { _id: id, title: null, messages: [], messageCount: 2, createdAt: at, updatedAt: at, ...change }
}

function aServer(...chats: Chat[]) {
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

/** A window that is wide enough for the sidebar, with or without a mouse. */
function usePointer(kind: 'fine' | 'coarse'): void {
  vi.stubGlobal('matchMedia', (query: string) =>
    Object.assign(new EventTarget(), { matches: !query.includes('pointer') || kind === 'fine' }),
  )
}

async function findChats() {
  return within(await screen.findByRole('group', { name: 'Chats' }))
}

beforeEach(() => {
  signIn(aUser())
  connection.setReachable(true)
  usePointer('fine')
})

describe('the list of chats', () => {
  it('shows the chat that is created automatically under Today', async () => {
    const empty = aServer()
    empty.on(chatsApi.create, () => aChat('new', 0))
    open()
    const list = await findChats()
    await list.findByRole('heading', { name: 'Today' })
    expect(list.getAllByRole('heading')).toHaveLength(1)
  })

  it('groups chats under headings by the day of their last change', async () => {
    aServer(
      aChat('a', 0, { title: 'Of today' }),
      aChat('b', dayMs, { title: 'Of yesterday' }),
      aChat('c', 30 * dayMs, { title: 'Older' }),
    )
    open()
    const list = await findChats()
    const found = list.getAllByRole('heading').map((heading) => heading.textContent)
    expect(found).toEqual(['Today', 'Yesterday', 'Earlier'])
    const earlier = within(list.getByRole('list', { name: 'Earlier' }))
    expect(earlier.getAllByRole('link')).toHaveLength(1)
    earlier.getByText('Older')
  })

  it('leads a row with its title, and has Chat, its time and the preview on the second line', async () => {
    const message = {
      role: 'assistant',
      content: 'Half an hour, so x², and so on and on',
      timestamp: '',
    }
    aServer(aChat('a', 0, { title: 'Breaks', messages: [message] }), aChat('b', 0))
    open()
    const [titled, untitled] = (await findChats()).getAllByRole('link')
    expect(titled?.textContent).toMatch(/^Breaks Chat \d.* · Half an hour, so x², and so on\.\.\.$/)
    expect(untitled?.textContent).toMatch(/^Chat \d.*New chat$/)
  })

  it('asks again for the title that a model is still writing', async () => {
    const chat = aChat('a', 0, { title: 'How many days of', isTitlePending: true })
    const api = aServer(chat)
    open()
    await (await findChats()).findByText('How many days of')
    const { isTitlePending: _, ...named } = { ...chat, title: 'Vacation' }
    api.on(chatsApi.list, () => ({ chats: [named], total: 1, totalPages: 1 }))
    await (await findChats()).findByText('Vacation')
    expect(screen.queryByText('How many days of')).toBeNull()
  })
})

describe('moving in the list of chats', () => {
  async function listTabStops(): Promise<(string | null)[]> {
    const group = await screen.findByRole('group', { name: 'Chats' })
    return [...group.querySelectorAll('a, button')]
      .filter((control) => (control as HTMLElement).tabIndex === 0)
      .map((control) => control.getAttribute('aria-label') ?? control.textContent)
  }

  it('takes one row of Tab stops, at the open chat', async () => {
    aServer(aChat('a', 0, { title: 'Breaks' }), aChat('b', 1, { title: 'Leave' }))
    open()
    expect(await listTabStops()).toEqual([
      expect.stringContaining('Breaks'),
      expect.stringMatching(/^More actions for Breaks, /),
      expect.stringMatching(/^Delete Breaks, /),
    ])
  })

  it('takes the arrow keys, Home and End', async () => {
    aServer(
      aChat('a', 0, { title: 'Breaks', isPinned: true }),
      aChat('b', 1, { title: 'Leave' }),
      aChat('c', 30 * dayMs, { title: 'Travel' }),
    )
    const { user } = open()
    const [first, second, third] = (await findChats()).getAllByRole('link')
    act(() => first?.focus())
    await user.keyboard('{ArrowUp}')
    expect(document.activeElement).toBe(first)
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(second)
    expect((await listTabStops())[0]).toContain('Leave')
    await user.keyboard('{End}')
    expect(document.activeElement).toBe(third)
    await user.keyboard('{ArrowRight}')
    expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^More actions for Travel, /)
    await user.keyboard('{ArrowLeft}')
    expect(document.activeElement).toBe(third)
    act(() => third?.blur())
    expect((await listTabStops())[0]).toContain('Breaks')
    act(() => third?.focus())
    await user.keyboard('{Home}')
    expect(document.activeElement).toBe(first)
  })

  it('shows eight chats and the open one, then all, and keeps the focus in the list', async () => {
    const titles = Array.from({ length: 11 }, (_, index) => `Chat number ${index + 1}`)
    aServer(...titles.map((title, index) => aChat(index === 10 ? otherId : title, index, { title })))
    const { user } = open(`/channels/c1?chat=${otherId}`)
    const list = await findChats()
    function listShown(): (string | undefined)[] {
      return list.getAllByRole('link').map(({ textContent }) => textContent.match(/number \d+/)?.[0])
    }
    expect(listShown()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 11].map((number) => `number ${number}`))
    await user.click(screen.getByRole('button', { name: 'Show all 11' }))
    expect(listShown()).toHaveLength(11)
    expect(document.activeElement?.textContent).toContain('number 9')
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement?.textContent).toContain('number 10')
    expect(screen.queryByRole('button', { name: /^Show all/ })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Show fewer' }))
    expect(listShown()).toHaveLength(9)
    expect(document.activeElement?.textContent).toBe('Show all 11')
  })

  it('leaves the keys to an open menu and returns the focus to its row', async () => {
    aServer(aChat('a', 0, { title: 'Breaks' }), aChat('b', 1, { title: 'Leave' }))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: /^More actions for Leave, / }))
    const rename = await screen.findByRole('menuitem', { name: 'Rename' })
    await user.keyboard('{ArrowRight}{ArrowLeft}')
    expect(document.activeElement).toBe(rename)
    await user.keyboard('{Escape}{ArrowUp}')
    expect(document.activeElement?.textContent).toContain('Breaks')
  })

  it('scrolls to the chat of the address without moving the focus', async () => {
    const scrolled: Element[] = []
    vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
      scrolled.push(this)
    })
    aServer(aChat('a', 0, { title: 'Breaks' }), aChat(otherId, 1, { title: 'Leave' }))
    const { user } = open(`/channels/c1?chat=${otherId}`)
    const list = await screen.findByRole('group', { name: 'Chats' })
    const [first, second] = within(list).getAllByRole('listitem')
    await waitFor(() => expect(scrolled.length === 1 && scrolled[0] === second).toBe(true))
    const field = screen.getByRole('textbox', { name: 'Message' })
    act(() => field.blur())
    // The shortcuts load after the list.
    await waitFor(async () => {
      await user.keyboard('k')
      expect(scrolled.at(-1) === first).toBe(true)
    })
    expect(list.contains(document.activeElement)).toBe(false)
    vi.restoreAllMocks()
  })
})

describe('the actions of a chat', () => {
  async function listMenuItems(user: ReturnType<typeof open>['user'], name: RegExp | string) {
    await user.click(await screen.findByRole('button', { name }))
    const items = await screen.findAllByRole('menuitem')
    const labels = items.map((item) => item.textContent)
    await user.keyboard('{Escape}')
    return labels
  }

  it('are a menu and a delete button with a mouse, each action once', async () => {
    aServer(aChat('a', 0, { title: 'Breaks' }))
    const { user } = open()
    await screen.findByRole('button', { name: /^Delete Breaks, / })
    expect(await listMenuItems(user, /^More actions for Breaks, /)).not.toContain('Delete')
    await screen.findByRole('button', { name: 'Delete current chat' })
    expect(await listMenuItems(user, 'More actions for the current chat')).not.toContain('Delete')
  })

  it('are one menu on a touch screen', async () => {
    usePointer('coarse')
    aServer(aChat('a', 0, { title: 'Breaks' }))
    const { user } = open()
    expect(await listMenuItems(user, /^More actions for Breaks, /)).toContain('Delete')
    expect(screen.queryByRole('button', { name: /^Delete Breaks/ })).toBeNull()
    await user.click(screen.getByRole('button', { name: /^More actions for Breaks, / }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    await waitFor(() => screen.getByRole('alertdialog', { name: 'Delete this chat?' }))
  })

  it('move the focus to the next chat after one was deleted without a message field', async () => {
    let chats = [aChat('a', 0, { title: 'Breaks' }), aChat(otherId, 1, { title: 'Leave' })]
    const left = {
      kind: 'messages',
      whose: 'own',
      left: 0,
      limit: 3,
      resetsAt: chats[0]?.createdAt ?? '',
    } as const
    aServer()
      .on(chatsApi.list, () => ({ chats, total: chats.length, totalPages: 1 }))
      .on(quotasApi.getRemaining, () => ({ left }))
      .on(chatsApi.remove, () => {
        chats = chats.slice(1)
        return { message: '' }
      })
    const { user } = open('/channels/c1?chat=a')
    await screen.findByText('You have used all your messages')
    await user.click(await screen.findByRole('button', { name: /^Delete Breaks, / }))
    const question = within(await screen.findByRole('alertdialog', { name: 'Delete this chat?' }))
    await user.click(question.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: /^Leave/ })))
  })
})
