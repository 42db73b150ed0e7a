import { chatsApi } from '@lyceum/contract/chats'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aUser, signIn } from '#testing/users.ts'
import { ChatSearch } from './ChatSearch.tsx'
import type { SearchResult } from './search-query.ts'

function aResult(number: number, change: Partial<SearchResult> = {}): SearchResult {
  return {
    chatId: 'a',
    channelId: 'c1',
    channelName: 'Staff handbook',
    messageId: `m${number}`,
    role: 'assistant',
    title: null,
    excerpt: `Leave, place ${number}`,
    timestamp: '2026-11-20T10:00:00.000Z',
    ...change,
  }
}

function open() {
  const choose = vi.fn()
  const page = renderPage(<ChatSearch channelId="c1" onChoose={choose} />)
  return { ...page, choose, field: screen.getByRole('combobox', { name: 'Search your chats' }) }
}

beforeEach(() => {
  signIn(aUser())
  Element.prototype.scrollIntoView ??= () => undefined
})

describe('ChatSearch', () => {
  it('sends one request after typing and none before', async () => {
    const api = fakeApi().on(chatsApi.search, () => ({ items: [], total: 0, totalPages: 0 }))
    const { user, field } = open()
    await user.type(field, '   ')
    expect(screen.getByText('Only your own chats are searched.')).toBeDefined()
    await user.type(field, 'leave')
    await screen.findByText('Nothing found for', { exact: false })
    expect(api.calls(chatsApi.search).map(({ query }) => query.q)).toEqual(['leave'])
    expect(screen.getByText('Nothing found.')).toBeDefined()
  })

  it('shows an error and retries', async () => {
    const api = fakeApi().on(chatsApi.search, () => refuse('internal'))
    const { user, field } = open()
    await user.type(field, 'leave')
    expect(await screen.findByText('Search failed.')).toBeDefined()
    api.on(chatsApi.search, () => ({ items: [aResult(1)], total: 1, totalPages: 1 }))
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('option')).toBeDefined()
  })

  it('marks the matches and shows markup as text', async () => {
    fakeApi().on(chatsApi.search, () => ({
      items: [aResult(1, { excerpt: '<img src=x onerror=alert(1)> leave', title: 'Holidays' })],
      total: 1,
      totalPages: 1,
    }))
    const { user, field } = open()
    await user.type(field, 'leave')
    const option = await screen.findByRole('option')
    expect(option.querySelector('mark')?.textContent).toBe('leave')
    expect(option.querySelector('img')).toBeNull()
  })

  it('shows the results of a chat below its title, and names only another channel', async () => {
    const other = { chatId: 'b', channelId: 'c2', channelName: 'Workshop', title: 'Leave of absence' }
    fakeApi().on(chatsApi.search, () => ({
      items: [
        aResult(1, { title: 'Holidays' }),
        aResult(2, { title: 'Holidays', role: 'user' }),
        aResult(3, { ...other, messageId: null, role: null, excerpt: other.title }),
        aResult(4, other),
      ],
      total: 4,
      totalPages: 1,
    }))
    const { user, field } = open()
    await user.type(field, 'leave')
    await screen.findAllByRole('option')
    const groups = screen.getAllByRole('group').map((group) => ({
      name: group.getAttribute('aria-label'),
      heading: group.firstElementChild?.getAttribute('role') ?? null,
      options: within(group)
        .getAllByRole('option')
        .map(({ firstChild }) => firstChild?.textContent),
    }))
    expect(groups).toEqual([
      { name: 'Holidays', heading: null, options: ['Assistant: Leave, place 1', 'You: Leave, place 2'] },
      {
        name: 'Leave of absence, Workshop',
        heading: 'option',
        options: ['Leave of absencein Workshop', 'Assistant: Leave, place 4'],
      },
    ])
    expect(screen.getAllByText('Holidays')).toHaveLength(1)
    expect(screen.queryByText('Staff handbook', { exact: false })).toBeNull()
  })

  it('selects with the arrow keys and opens with Enter', async () => {
    fakeApi().on(chatsApi.search, () => ({ items: [aResult(1), aResult(2)], total: 2, totalPages: 1 }))
    const { user, field, choose } = open()
    await user.type(field, 'leave')
    const [first, second] = await screen.findAllByRole('option')
    expect(field.getAttribute('aria-activedescendant')).toBe(first?.id)
    await user.keyboard('{ArrowDown}')
    expect(field.getAttribute('aria-activedescendant')).toBe(second?.id)
    expect(second?.getAttribute('aria-selected')).toBe('true')
    await user.keyboard('{ArrowDown}{ArrowUp}{Enter}')
    expect(choose).toHaveBeenCalledWith(expect.objectContaining({ messageId: 'm2' }), expect.any(String))
  })

  it('shows three messages of a chat, and the others when Enter is pressed on their number', async () => {
    const title = aResult(0, { messageId: null, role: null, title: 'Leave' })
    const messages = Array.from({ length: 8 }, (_, index) => aResult(index + 1, { title: 'Leave' }))
    fakeApi().on(chatsApi.search, () => ({
      items: [title, ...messages, aResult(20, { chatId: 'b' })],
      total: 10,
      totalPages: 1,
    }))
    const { user, field, choose } = open()
    await user.type(field, 'leave')
    expect(await screen.findAllByRole('option')).toHaveLength(6)
    screen.getByRole('option', { name: '5 more in this chat' })
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}{Enter}')
    expect(screen.getAllByRole('option')).toHaveLength(10)
    expect(screen.queryByRole('option', { name: /more in this chat/ })).toBeNull()
    await user.keyboard('{Enter}')
    expect(choose).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ messageId: 'm4' }), 'leave')
  })

  it('keeps the focus in the field when the hidden results are shown with a click', async () => {
    fakeApi().on(chatsApi.search, () => ({
      items: Array.from({ length: 8 }, (_, index) => aResult(index)),
      total: 8,
      totalPages: 1,
    }))
    const { user, field, choose } = open()
    await user.type(field, 'leave')
    await user.click(await screen.findByRole('option', { name: '5 more in this chat' }))
    expect(screen.getAllByRole('option')).toHaveLength(8)
    expect(document.activeElement).toBe(field)
    await user.keyboard('{ArrowDown}{Enter}')
    expect(choose).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ messageId: 'm4' }), 'leave')
  })

  it('says that a chat has at least as many results while others are not loaded', async () => {
    fakeApi().on(chatsApi.search, () => ({
      items: Array.from({ length: 10 }, (_, index) => aResult(index)),
      total: 30,
      totalPages: 3,
    }))
    const { user, field } = open()
    await user.type(field, 'leave')
    await screen.findByRole('option', { name: 'At least 7 more in this chat' })
  })

  it('shows more results and restricts the search to the channel', async () => {
    const all = Array.from({ length: 70 }, (_, index) => aResult(index, { chatId: `chat ${index}` }))
    const api = fakeApi().on(chatsApi.search, ({ query }) => ({
      items: all.slice(query.skip, query.skip + query.limit),
      total: 70,
      totalPages: 2,
    }))
    const { user, field } = open()
    await user.type(field, 'leave')
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(60))
    await user.click(screen.getByRole('button', { name: 'Show more' }))
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(70))
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
    await user.click(screen.getByRole('checkbox', { name: 'This channel only' }))
    await waitFor(() => expect(api.calls(chatsApi.search).at(-1)?.query.channelId).toBe('c1'))
  })
})
