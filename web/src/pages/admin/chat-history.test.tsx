import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { chatHistoryApi } from '@lyceum/contract/chat-history'
import { getPermissions, type Permissions } from '@lyceum/contract/permissions'
import { usersApi } from '@lyceum/contract/users'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { aHistory, aHistoryDetail, aHistoryPage } from '#testing/history-samples.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel, aListedUser, aPage } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { ChatHistoryPage } from './chat-history.tsx'

const path = '/admin/chat-history'
const readOnly: Partial<Permissions> = { canViewChatHistory: true }
const allPermissions = { ...readOnly, canSearchChatHistory: true, canExportChatHistory: true }

function setUp(at = path, permissions: Partial<Permissions> = allPermissions) {
  const viewer = anAdmin({
    permissions: getPermissions({ role: 'admin', isSystemAdmin: false, overrides: permissions }),
  })
  const api = fakeApi()
  api.on(authApi.me, () => viewer)
  api.on(usersApi.list, () => aPage([aListedUser()]))
  api.on(channelsApi.list, () => aPage([aChannel()]))
  api.on(chatHistoryApi.list, () => aHistoryPage([aHistory()]))
  signIn(viewer)
  function lastQuery() {
    return api.calls(chatHistoryApi.list).at(-1)?.query
  }
  return { api, lastQuery, visit: () => renderPage(<ChatHistoryPage />, { at, path }) }
}

describe('/admin/chat-history', () => {
  it('lists and counts chats, newest first', async () => {
    const { api, lastQuery, visit } = setUp()
    const deletedUser = { _id: 'user-2', name: 'Deleted user', email: '' }
    api.on(chatHistoryApi.list, () =>
      aHistoryPage([aHistory(), aHistory({ _id: 'chat-2', user: deletedUser, messageCount: 1234 })], 1500),
    )
    visit()
    const row = await screen.findByRole('row', { name: /Ada Example/ })
    for (const text of ['ada@example.com', 'Physics', 'What falls', '4']) within(row).getByText(text)
    within(screen.getByRole('row', { name: /Deleted user/ })).getByText((1234).toLocaleString())
    expect(screen.getAllByText(`${(1500).toLocaleString()} chats in total`)).not.toHaveLength(0)
    expect(lastQuery()).toMatchObject({ limit: 20, skip: 0, sortBy: 'createdAt', sortOrder: 'desc' })
  })

  it('shows the first question of a chat unless the title repeats it, and which chats are empty', async () => {
    const { api, visit } = setUp()
    const firstQuestion = 'Which form do  I need?'
    api.on(chatHistoryApi.list, () =>
      aHistoryPage([
        aHistory({ _id: 'chat-1', title: 'Travel expenses', firstQuestion }),
        aHistory({ _id: 'chat-2', title: 'Which form do…', firstQuestion }),
        aHistory({ _id: 'chat-3', title: null, firstQuestion }),
        aHistory({ _id: 'chat-4', title: null }),
        aHistory({ _id: 'chat-5', title: null, messageCount: 0 }),
        aHistory({ _id: 'chat-6', title: 'Plans', messageCount: 0 }),
      ]),
    )
    visit()
    const rows = (await screen.findAllByRole('row')).slice(1)
    expect(rows.map((row) => within(row).getAllByRole('cell')[0]?.textContent)).toEqual([
      'Travel expensesWhich form do I need?',
      'Which form do…',
      'Which form do I need?',
      'Chat',
      'ChatNo messages',
      'PlansNo messages',
    ])
    const names = screen.getAllByRole('link').map(({ className }) => className.includes('text-muted'))
    expect(names).toEqual([false, false, false, true, true, false])
  })

  it('applies all filters from the URL', async () => {
    const { lastQuery, visit } = setUp(
      `${path}?search=falls&user=user-1&channel=channel-1&chat=chat-1&from=2026-11-01&to=2026-11-02&sort=messageCount&order=asc&size=50&page=2`,
    )
    visit()
    await screen.findByRole('row', { name: /Ada Example/ })
    expect(lastQuery()).toEqual({
      search: 'falls',
      userId: 'user-1',
      channelId: 'channel-1',
      chatId: 'chat-1',
      startDate: new Date('2026-11-01T00:00:00').toISOString(),
      endDate: new Date('2026-11-02T23:59:59.999').toISOString(),
      sortBy: 'messageCount',
      sortOrder: 'asc',
      limit: 50,
      skip: 50,
    })
    // The filter panel is open if any filter is set.
    expect(screen.getByRole('button', { name: 'Filters (5)' }).getAttribute('aria-expanded')).toBe('true')
  })

  it('ignores invalid values in the URL', async () => {
    const { lastQuery, visit } = setUp(`${path}?page=-3&size=7&sort=password&order=up&from=yesterday&tab=all`)
    visit()
    await screen.findByRole('row', { name: /Ada Example/ })
    expect(lastQuery()).toEqual({ limit: 20, skip: 0, sortBy: 'createdAt', sortOrder: 'desc' })
  })

  it('returns to the first page when a filter changes and keeps the other filters', async () => {
    const { lastQuery, visit } = setUp(`${path}?page=2&size=10`)
    const { user, address } = visit()
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Sort by' }), 'Messages, most first')
    await waitFor(() => expect(address()).toBe(`${path}?sort=messageCount&size=10`))
    await user.selectOptions(screen.getByRole('combobox', { name: 'Per page' }), '100')
    await waitFor(() => expect(lastQuery()).toMatchObject({ limit: 100, skip: 0 }))
    await user.type(screen.getByRole('searchbox', { name: /^Messages/ }), 'falls')
    await waitFor(() => expect(lastQuery()?.search).toBe('falls'))
    await user.click(screen.getByRole('button', { name: 'Filters' }))
    await user.click(screen.getByRole('combobox', { name: 'User' }))
    await user.click(await screen.findByRole('option', { name: 'Ada Example (ada@example.com)' }))
    await user.click(screen.getByRole('combobox', { name: 'Channel' }))
    await user.click(await screen.findByRole('option', { name: 'Physics' }))
    await waitFor(() =>
      expect(lastQuery()).toMatchObject({ search: 'falls', userId: 'user-1', channelId: 'channel-1' }),
    )
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    await waitFor(() => expect(address()).toBe(`${path}?sort=messageCount&size=100`))
  })

  it('changes pages', async () => {
    const { api, lastQuery, visit } = setUp()
    api.on(chatHistoryApi.list, () => aHistoryPage([aHistory()], 60))
    const { user, address } = visit()
    await user.click(await screen.findByRole('button', { name: 'Page 2' }))
    await waitFor(() => expect(lastQuery()?.skip).toBe(20))
    expect(address()).toBe(`${path}?page=2`)
    await user.click(screen.getByRole('button', { name: 'Next' }))
    await waitFor(() => expect(lastQuery()?.skip).toBe(40))
  })

  it('filters by a typed date once it is complete, and says if the end is before the start', async () => {
    const { api, visit } = setUp()
    const { user, address } = visit()
    await user.click(await screen.findByRole('button', { name: 'Filters' }))
    const field = screen.getByLabelText('Created from')
    await user.type(field, '0202-11-20')
    expect(address()).toBe(path)
    await user.clear(field)
    await user.type(field, '2026-11-20')
    expect(address()).toBe(path)
    await user.tab()
    await waitFor(() => expect(address()).toBe(`${path}?from=2026-11-20`))
    await waitFor(() => expect(api.calls(chatHistoryApi.list)).toHaveLength(2))
    await user.type(screen.getByLabelText('Created until'), '2026-11-19{Enter}')
    await screen.findByText('The end is before the start.')
    expect(address()).toBe(`${path}?from=2026-11-20&to=2026-11-19`)
  })

  it('empties a date that was not applied when the filters are cleared', async () => {
    const { visit } = setUp(`${path}?empty=hide`)
    const { user } = visit()
    await user.type(await screen.findByLabelText('Created until'), '0202-11-20{Enter}')
    screen.getByText('Enter a complete date.')
    const [clear] = screen.getAllByRole('button', { name: 'Clear filters' })
    if (clear === undefined) throw new Error('The button is missing')
    await user.click(clear)
    await waitFor(() => expect(screen.queryByText('Enter a complete date.')).toBeNull())
    expect(screen.getByLabelText('Created until')).toHaveProperty('value', '')
  })

  it('neither offers nor sends a search without canSearchChatHistory', async () => {
    const { lastQuery, visit } = setUp(`${path}?search=secret`, readOnly)
    visit()
    await screen.findByRole('row', { name: /Ada Example/ })
    expect(screen.queryByRole('searchbox', { name: /^Messages/ })).toBeNull()
    expect(screen.queryByRole('button', { name: /^Export/ })).toBeNull()
    expect(lastQuery()).not.toHaveProperty('search')
  })

  it('does not search users without canManageUsers', async () => {
    const { api, visit } = setUp(`${path}?user=user-1`, { ...allPermissions, canManageUsers: false })
    const { user, address } = visit()
    await screen.findByRole('row', { name: /Ada Example/ })
    const userField = screen.getByRole('combobox', { name: 'User' })
    within(userField).getByText('Ada Example')
    expect(api.calls(usersApi.list)).toHaveLength(0)
    await user.selectOptions(userField, 'All users')
    await waitFor(() => expect(address()).toBe(path))
  })

  it.each([
    ['search=zebra', 'No chats match “zebra”.', 'Clear search'],
    ['empty=hide', 'No chats match these filters.', 'Clear filters'],
    ['search=zebra&user=user-1', 'No chats match “zebra” and these filters.', 'Clear search and filters'],
  ])('says what nothing matches and offers to clear it: %s', async (query, text, button) => {
    const { api, visit } = setUp(`${path}?${query}`)
    api.on(chatHistoryApi.list, () => aHistoryPage([]))
    const { user, address } = visit()
    const explanation = await screen.findByText(text)
    const emptyState = explanation.closest('div') as HTMLElement
    await user.click(within(emptyState).getByRole('button', { name: button }))
    await screen.findByText('There are no chats yet.')
    expect(address()).toBe(path)
  })

  it('opens the full chat from its row, and returns to the filtered list', async () => {
    const { visit } = setUp(`${path}?size=10`)
    const { user, address } = visit()
    const row = await screen.findByRole('row', { name: /Ada Example/ })
    const link = within(row).getByRole('link', { name: 'What falls' })
    // jsdom has no layout: this class lets the link cover the row.
    expect(link.className).toContain('after:-inset-x-[100vw]')
    await user.click(link)
    expect(address()).toBe(`${path}/chat-1`)
    expect(history.state).toEqual({ list: '?size=10' })
  })

  it('says when search results are incomplete', async () => {
    const { api, visit } = setUp(`${path}?search=the`)
    api.on(chatHistoryApi.list, () => ({
      ...aHistoryPage([aHistory()], 1000),
      isCut: true,
      isBuilding: true,
    }))
    visit()
    await screen.findByText(/still being built/)
    expect(screen.getAllByText(`${(1000).toLocaleString()} chats found, possibly more`)).toHaveLength(2)
  })

  it('reports a failed load and offers a retry', async () => {
    const { api, visit } = setUp()
    api.on(chatHistoryApi.list, () => refuse('audit.unavailable'))
    const { user } = visit()
    await screen.findByText('Failed to load chat histories. Please try again.')
    screen.getByText(/audit log could not be written/)
    api.on(chatHistoryApi.list, () => aHistoryPage([aHistory()]))
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByRole('row', { name: /Ada Example/ })
  })

  it('keeps the current page when rate-limited and retries automatically', async () => {
    const { api, visit } = setUp()
    api.on(chatHistoryApi.list, () => aHistoryPage([aHistory()], 60))
    const { user } = visit()
    await screen.findByRole('row', { name: /Ada Example/ })
    api.on(chatHistoryApi.list, () => refuse('rate.limited', {}, 1))
    await user.click(screen.getByRole('button', { name: 'Page 2' }))
    await screen.findByText(/Too many requests\. This will load/)
    screen.getByRole('row', { name: /Ada Example/ })
    screen.getByRole('button', { name: 'Page 3' })
    expect(screen.queryByText('Failed to load chat histories. Please try again.')).toBeNull()
    const other = { ...aHistory().user, name: 'Second Page' }
    api.on(chatHistoryApi.list, () => aHistoryPage([aHistory({ user: other })], 60))
    await screen.findByRole('row', { name: /Second Page/ }, { timeout: 5000 })
    expect(screen.queryByText(/Too many requests/)).toBeNull()
  })

  it('hides everything once the permission is revoked', async () => {
    const { api, visit } = setUp()
    const { user } = visit()
    await screen.findByRole('row', { name: /Ada Example/ })
    api.on(chatHistoryApi.list, () => refuse('permission.denied'))
    await user.selectOptions(screen.getByRole('combobox', { name: 'Per page' }), '50')
    await screen.findByText('You do not have permission to do this')
    expect(screen.queryByRole('row')).toBeNull()
  })

  it('shows the last messages of a chat and links to the full chat', async () => {
    const { api, visit } = setUp(`${path}?size=10`)
    api.on(chatHistoryApi.get, () => refuse('server.busy'))
    const { user, address } = visit()
    await user.click(await screen.findByRole('button', { name: /^View the chat of Ada Example/ }))
    const dialog = await screen.findByRole('dialog', { name: 'What falls' })
    await within(dialog).findByText('Failed to load chat details.')
    api.on(chatHistoryApi.get, () => aHistoryDetail({ before: 'm0' }))
    await user.click(within(dialog).getByRole('button', { name: 'Try again' }))
    await within(dialog).findByText('Why do things fall?')
    within(dialog).getByText('gravity', { selector: 'strong' })
    within(dialog).getByRole('heading', { name: 'Last messages' })
    await user.click(within(dialog).getByRole('link', { name: 'View Full Chat' }))
    await waitFor(() => expect(address()).toBe(`${path}/chat-1`))
  })

  it('links a summary to the chats it counts', async () => {
    const { api, lastQuery, visit } = setUp(`${path}?search=falls&page=3`)
    const counts = { chatCount: 12, messageCount: 345, lastActivityAt: '2026-11-21T10:00:00.000Z' }
    api.on(chatHistoryApi.userSummaries, () => aPage([{ user: aHistory().user, ...counts }], 30))
    api.on(chatHistoryApi.channelSummaries, () => aPage([{ channel: aHistory().channel, ...counts }]))
    const { user, address } = visit()
    await user.click(await screen.findByRole('tab', { name: 'By channel' }))
    within(await screen.findByRole('row', { name: /Physics/ })).getByText('345')
    expect(address()).toBe(`${path}?tab=channels&search=falls`)
    await user.click(screen.getByRole('tab', { name: 'By user' }))
    await user.click(await screen.findByRole('button', { name: 'Page 2' }))
    await waitFor(() =>
      expect(api.calls(chatHistoryApi.userSummaries).at(-1)?.query).toEqual({ limit: 20, skip: 20 }),
    )
    await user.click(screen.getByRole('button', { name: 'Show chats of Ada Example' }))
    await waitFor(() => expect(address()).toBe(`${path}?user=user-1`))
    await waitFor(() => expect(lastQuery()).toMatchObject({ userId: 'user-1', skip: 0 }))
  })

  it('reports a failed load of a summary', async () => {
    const { api, visit } = setUp(`${path}?tab=users`)
    api.on(chatHistoryApi.userSummaries, () => refuse('server.busy'))
    visit()
    await screen.findByText('Failed to load the summaries. Please try again.')
  })
})
