import { channelsApi } from '@lyceum/contract/channels'
import { documentsApi } from '@lyceum/contract/documents'
import { usersApi } from '@lyceum/contract/users'
import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel, aPage } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { DocumentsPage } from './documents.tsx'

let api: FakeApi

function createChannels(count: number) {
  return Array.from({ length: count }, (_, at) => aChannel({ _id: `channel-${at}`, name: `Course ${at}` }))
}

function visit(query = '') {
  return renderPage(<DocumentsPage />, { at: `/admin/documents${query}`, path: '/admin/documents' })
}
function findChannelField(): Promise<HTMLInputElement> {
  return screen.findByRole('combobox', { name: 'Channel' })
}
function readOptions() {
  return screen.queryAllByRole('option').map(({ textContent }) => textContent)
}

beforeEach(() => {
  api = fakeApi().on(documentsApi.list, () => aPage([]))
  signIn(anAdmin())
})

describe('the channel filter', () => {
  it('is a plain list for few channels', async () => {
    api.on(channelsApi.list, () => createChannels(3))
    visit()
    await screen.findByRole('option', { name: 'Course 2' })
    expect(readOptions()).toEqual(['All Channels', 'Course 0', 'Course 1', 'Course 2'])
    expect((await findChannelField()).tagName).toBe('SELECT')
  })

  it('is a search field for many channels', async () => {
    api.on(channelsApi.list, () => createChannels(200))
    const { user, address } = visit()
    await expect.poll(async () => (await findChannelField()).tagName).toBe('INPUT')
    await user.click(await findChannelField())
    expect(readOptions()).toHaveLength(51)
    screen.getByText('150 more. Type to find them.')
    await user.type(await findChannelField(), 'course 19')
    expect(readOptions().slice(0, 3)).toEqual(['Course 19', 'Course 190', 'Course 191'])
    await user.keyboard('{ArrowDown}{Enter}')
    expect(address()).toBe('/admin/documents?channelId=channel-19')
    expect(await findChannelField()).toHaveProperty('value', 'Course 19')
    await user.click(screen.getByRole('button', { name: 'Clear Filters' }))
    expect(await findChannelField()).toHaveProperty('value', 'All Channels')
  })

  it('searches on the server if not all channels are loaded', async () => {
    api.on(channelsApi.list, ({ query }) =>
      query.limit === undefined
        ? createChannels(500)
        : aPage(
            [aChannel({ _id: 'far', name: query.search ? `Found by ${query.search}` : 'Course 0' })],
            900,
          ),
    )
    api.on(channelsApi.get, () => aChannel({ _id: 'hidden', name: 'Beyond the first' }))
    const { user, address } = visit('?channelId=hidden')
    await expect.poll(async () => (await findChannelField()).value).toBe('Beyond the first')
    await user.click(await findChannelField())
    await user.type(await findChannelField(), 'law')
    await user.click(await screen.findByRole('option', { name: 'Found by law' }))
    expect(address()).toBe('/admin/documents?channelId=far')
  })
})

describe('the uploader filter', () => {
  it('follows the address, stays on another tab and can be removed', async () => {
    api.on(channelsApi.list, () => createChannels(3)).on(usersApi.get, () => refuse('not_found'))
    const { user, address } = visit('?status=approved&uploaderId=user-1')
    const button = await screen.findByRole('button', { name: 'Uploaded by one user' })
    await screen.findByText('Other uploads of this user may be pending, approved or rejected.')
    expect(api.calls(documentsApi.list).at(-1)?.query).toMatchObject({ uploaderId: 'user-1' })
    await user.click(screen.getByRole('tab', { name: 'Pending Approval' }))
    expect(address()).toBe('/admin/documents?uploaderId=user-1')
    await user.click(button)
    expect(address()).toBe('/admin/documents')
  })
})
