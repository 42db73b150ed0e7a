import { type Channel, channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { getStartedApi } from '@lyceum/contract/get-started'
import { settingsApi } from '@lyceum/contract/settings'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { takeConsoleOutput } from '#testing/console-output.ts'
import { refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { anAdmin, aUser, signIn, signInAdminWithout } from '#testing/users.ts'
import { DashboardPage } from './dashboard.tsx'

function aChannel(change: Partial<Channel> = {}): Channel {
  return {
    _id: 'channel-1',
    name: 'Physics',
    description: 'Questions about motion',
    avatar: null,
    wallpaper: null,
    isAdmin: false,
    allowProposals: false,
    users: [],
    ...change,
  }
}

function fakeApiWithoutBackground() {
  return fakeApi().on(settingsApi.background, () => refuse('not_found'))
}
function readBackgroundImages(): string[] {
  return [...document.querySelectorAll<HTMLElement>('[style]')].map(
    (element) => element.style.backgroundImage,
  )
}

describe('/dashboard', () => {
  it('shows the user’s channels as links', async () => {
    fakeApiWithoutBackground().on(channelsApi.list, () => [
      aChannel(),
      aChannel({ _id: 'b', name: 'Law', description: '' }),
    ])
    renderPage(<DashboardPage />, { at: '/dashboard' })
    const link = await screen.findByRole('link', { name: /Physics/ })
    expect(link.getAttribute('href')).toBe('/channels/channel-1')
    expect(link.textContent).toContain('Questions about motion')
    expect(screen.getByRole('link', { name: /Law/ }).textContent).toContain('No description')
  })

  it('omits channels that an administrator is not a member of', async () => {
    fakeApiWithoutBackground().on(channelsApi.list, () => [
      aChannel(),
      aChannel({ _id: 'b', name: 'Other channel', isMember: false }),
    ])
    renderPage(<DashboardPage />, { at: '/dashboard' })
    await screen.findByRole('link', { name: /Physics/ })
    expect(screen.queryByText('Other channel')).toBeNull()
  })

  it('links to recent chats above the channels', async () => {
    fakeApiWithoutBackground()
      .on(channelsApi.list, () => [aChannel()])
      .on(chatsApi.recent, () => ({
        chats: [
          {
            chatId: 'chat-1',
            channelId: 'channel-1',
            channelName: 'Physics',
            title: 'Why is the sky blue?',
            updatedAt: '2026-11-20T08:00:00.000Z',
          },
        ],
      }))
    renderPage(<DashboardPage />, { at: '/dashboard' })
    const recent = within(await screen.findByRole('region', { name: 'Recent chats' }))
    const link = recent.getByRole('link', { name: /Why is the sky blue/ })
    expect(link.getAttribute('href')).toBe('/channels/channel-1?chat=chat-1')
    expect(link.textContent).toContain('Physics')
    const channel = screen.getByRole('link', { name: /Questions about motion/ })
    expect(link.compareDocumentPosition(channel)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  })

  it('filters nine channels or more, in natural order', async () => {
    const channels = [10, 9, 8, 7, 6, 5, 4, 2, 1].map((number) =>
      aChannel({ _id: `c${number}`, name: `Channel ${number}`, description: '' }),
    )
    fakeApiWithoutBackground().on(channelsApi.list, () => channels)
    const { user } = renderPage(<DashboardPage />, { at: '/dashboard' })
    const filter = await screen.findByRole('searchbox', { name: 'Find a channel' })
    const links = screen.getAllByRole('link', { name: /^Channel/ })
    expect(links.map((link) => link.getAttribute('href'))).toEqual(
      [1, 2, 4, 5, 6, 7, 8, 9, 10].map((number) => `/channels/c${number}`),
    )
    await user.type(filter, 'chemistry')
    await screen.findByText('No channel matches “chemistry”.')
    await user.clear(filter)
    await user.type(filter, 'channel 10')
    await screen.findByRole('link', { name: /Channel 10/ })
    expect(screen.getAllByRole('link')).toHaveLength(1)
  })

  it('begins with the four channels that were used last, once there are nine', async () => {
    const channels = Array.from({ length: 9 }, (_, index) =>
      aChannel({ _id: `c${index + 1}`, name: `Channel ${index + 1}`, description: '' }),
    )
    fakeApiWithoutBackground()
      .on(channelsApi.list, () => channels)
      .on(chatsApi.recent, () => ({
        chats: ['c7', 'c2', 'c7', 'gone', 'c9', 'c4', 'c5'].map((channelId, index) => ({
          chatId: `chat-${index}`,
          channelId,
          channelName: '',
          title: null,
          updatedAt: '2026-11-20T08:00:00.000Z',
        })),
      }))
    const { user } = renderPage(<DashboardPage />, { at: '/dashboard' })
    function listPaths(name: string): (string | null)[] {
      const links = within(screen.getByRole('list', { name })).getAllByRole('link')
      return links.map((link) => link.getAttribute('href'))
    }
    const filter = await screen.findByRole('searchbox', { name: 'Find a channel' })
    expect(listPaths('Recent channels')).toEqual([7, 2, 9, 4].map((number) => `/channels/c${number}`))
    expect(listPaths('Other channels')).toEqual([1, 3, 5, 6, 8].map((number) => `/channels/c${number}`))
    await user.type(filter, 'channel 7')
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Recent channels' })).toBeNull())
    screen.getByRole('link', { name: /^Channel 7/ })
  })

  it.each([
    ['few', 1],
    ['many', 9],
  ])('begins its headings with the page’s own and leaves out no level: %s channels', async (_name, count) => {
    const channels = Array.from({ length: count }, (_, index) => aChannel({ _id: `c${index}` }))
    fakeApiWithoutBackground()
      .on(channelsApi.list, () => channels)
      .on(chatsApi.recent, () => ({
        chats: [
          {
            chatId: 'chat-1',
            channelId: 'c0',
            channelName: 'Physics',
            title: null,
            updatedAt: '2026-11-20T08:00:00.000Z',
          },
        ],
      }))
    signIn(aUser())
    renderPage(<DashboardPage />, { at: '/dashboard' })
    await screen.findByRole('heading', { name: 'Ask a question' })
    const headings = screen.getAllByRole('heading').map(({ tagName, textContent }) => [tagName, textContent])
    expect(headings).toEqual([
      ['H1', 'Dashboard'],
      ['H2', 'Ask a question'],
      ['H2', 'Recent chats'],
      ['H2', 'Your Channels'],
      ...(count === 1
        ? []
        : [
            ['H3', 'Recent channels'],
            ['H3', 'Other channels'],
          ]),
    ])
  })

  it('shows a spinner while loading', () => {
    fakeApiWithoutBackground().on(channelsApi.list, () => new Promise<never>(() => undefined))
    renderPage(<DashboardPage />, { at: '/dashboard' })
    expect(screen.getByText('Loading your channels…').closest('[role=status]')).not.toBeNull()
  })

  it('shows an empty state without channels', async () => {
    fakeApiWithoutBackground().on(channelsApi.list, () => [])
    renderPage(<DashboardPage />, { at: '/dashboard' })
    await screen.findByText('No channels available.')
  })

  it('tells members without channels whom to ask', async () => {
    const api = fakeApiWithoutBackground().on(channelsApi.list, () => [])
    signIn(aUser())
    renderPage(<DashboardPage />, { at: '/dashboard' })
    await screen.findByText('Ask an administrator for access. Your channels will appear here.')
    expect(screen.queryByRole('link')).toBeNull()
    expect(api.calls(getStartedApi.get)).toEqual([])
  })

  it('leaves creating the first channel to the setup steps', async () => {
    fakeApiWithoutBackground()
      .on(channelsApi.list, () => [])
      .on(getStartedApi.get, () => ({ steps: [{ step: 'channel' as const, isDone: false }] }))
    signIn(anAdmin())
    renderPage(<DashboardPage />, { at: '/dashboard' })
    const link = await screen.findByRole('link', { name: /^Create a channel/ })
    expect(link.getAttribute('href')).toBe('/admin/channels?new')
    expect(screen.getAllByRole('link')).toEqual([link])
    screen.getByText('No channels available.')
  })

  it('lets those who may create channels create the first one without the steps', async () => {
    fakeApiWithoutBackground().on(channelsApi.list, () => [])
    signIn(anAdmin())
    renderPage(<DashboardPage />, { at: '/dashboard' })
    const link = await screen.findByRole('link', { name: 'Create your first channel' })
    expect(link.getAttribute('href')).toBe('/admin/channels?new')
    screen.getByText('No channels available.')
    expect(screen.queryByText(/Ask an administrator/)).toBeNull()
  })

  it('leads administrators who are members of no channel to the list of channels', async () => {
    fakeApiWithoutBackground().on(channelsApi.list, () => [aChannel({ isMember: false })])
    signIn(anAdmin())
    renderPage(<DashboardPage />, { at: '/dashboard' })
    const link = await screen.findByRole('link', { name: 'Manage Channels' })
    expect(link.getAttribute('href')).toBe('/admin/channels')
    screen.getByText('You are not a member of any channel yet.')
  })

  it('leads administrators without canManageChannels to the admin area', async () => {
    signInAdminWithout(
      fakeApiWithoutBackground().on(channelsApi.list, () => []),
      'canManageChannels',
    )
    renderPage(<DashboardPage />, { at: '/dashboard' })
    const link = await screen.findByRole('link', { name: 'Open the admin area' })
    expect(link.getAttribute('href')).toBe('/admin')
    screen.getByText('You are not a member of any channel yet.')
    expect(screen.queryByText(/Ask an administrator/)).toBeNull()
  })

  it('shows administrators the setup steps that are left', async () => {
    fakeApiWithoutBackground()
      .on(channelsApi.list, () => [aChannel()])
      .on(getStartedApi.get, () => ({ steps: [{ step: 'people' as const, isDone: false }] }))
    signIn(anAdmin())
    renderPage(<DashboardPage />, { at: '/dashboard' })
    const panel = within(await screen.findByRole('region', { name: 'Get started' }))
    expect(panel.getByRole('link').getAttribute('href')).toBe('/admin/users')
    screen.getByRole('link', { name: /Physics/ })
  })

  it.each([
    ['a member', aUser],
    ['an administrator', anAdmin],
  ])('logs a failed load and shows %s an empty list without a hint', async (_name, createUser) => {
    fakeApiWithoutBackground().on(channelsApi.list, () => refuse('internal'))
    signIn(createUser())
    renderPage(<DashboardPage />, { at: '/dashboard' })
    await screen.findByText('No channels available.')
    expect(screen.queryByRole('listitem')).toBeNull()
    expect(screen.queryByText(/Ask an administrator|not a member/)).toBeNull()
    expect(takeConsoleOutput('warn').join()).toContain('A query failed')
  })

  it('shows the background image', async () => {
    fakeApi()
      .on(channelsApi.list, () => [])
      .on(settingsApi.background, () => new Blob(['picture'], { type: 'image/webp' }))
    renderPage(<DashboardPage />, { at: '/dashboard' })
    await expect.poll(readBackgroundImages).toEqual(['url("blob:test")'])
  })

  it('shows no background image when the response is empty', async () => {
    const api = fakeApi()
      .on(channelsApi.list, () => [])
      .on(settingsApi.background, () => new Blob([], { type: 'image/webp' }))
    renderPage(<DashboardPage />, { at: '/dashboard' })
    await screen.findByText('No channels available.')
    expect(api.calls(settingsApi.background)).toHaveLength(1)
    expect(readBackgroundImages()).toEqual([])
  })
})
