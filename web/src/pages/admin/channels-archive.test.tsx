import { assistantsApi } from '@lyceum/contract/assistants'
import { type Channel, channelsApi } from '@lyceum/contract/channels'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { anAssistantStatus } from '#testing/assistant-samples.ts'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel, aPage } from '#testing/samples.ts'
import { signInAdminWithout } from '#testing/users.ts'
import { ChannelsPage } from './channels.tsx'

let api: FakeApi
let channels: Channel[]
beforeEach(() => {
  channels = [aChannel(), aChannel({ _id: 'channel-2', name: 'Law', isArchived: true })]
  api = fakeApi()
    .on(assistantsApi.status, () => anAssistantStatus())
    .on(channelsApi.list, ({ query }) =>
      aPage(
        channels.filter(
          ({ isArchived = false }) =>
            query.archived === 'include' || isArchived === (query.archived === 'only'),
        ),
      ),
    )
    .on(channelsApi.archive, ({ params, body }) => {
      channels = channels.map((channel) =>
        channel._id === params.id ? { ...channel, isArchived: body.isArchived } : channel,
      )
      return { message: 'Done' }
    })
  signInAdminWithout(api)
})

function visit(at = '/admin/channels') {
  return renderPage(<ChannelsPage />, { at, path: '/admin/channels' })
}

async function choose(user: ReturnType<typeof visit>['user'], name: string, item: string): Promise<void> {
  await user.click(await screen.findByRole('button', { name: `More actions for ${name}` }))
  await user.click(await screen.findByRole('menuitem', { name: item }))
}

async function expectMenuFocus(name: string): Promise<void> {
  const button = await screen.findByRole('button', { name: `More actions for ${name}` })
  await waitFor(() => expect(document.activeElement).toBe(button))
}

describe('archiving a channel', () => {
  it('asks first and removes the channel from the list', async () => {
    const { user } = visit()
    await choose(user, 'Physics', 'Archive')
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Archive this channel?' }))
    await user.click(dialog.getByRole('button', { name: 'Archive channel' }))
    await screen.findByText('Channel archived')
    await screen.findByText('There are no active channels.')
    expect(api.calls(channelsApi.archive).map(({ params, body }) => [params.id, body.isArchived])).toEqual([
      ['channel-1', true],
    ])
  })

  it('shows the reason of a refusal and returns the focus to the menu', async () => {
    api.on(channelsApi.archive, () => refuse('permission.denied'))
    const { user } = visit()
    await choose(user, 'Physics', 'Archive')
    await user.click(await screen.findByRole('button', { name: 'Archive channel' }))
    await screen.findByText('You do not have permission to do this')
    await expectMenuFocus('Physics')
  })

  it.each([
    ['next', 'Biology', 'Physics'],
    ['previous', 'Physics', 'Biology'],
  ])('moves the focus to the %s card, as the card of the channel is gone', async (_, archived, other) => {
    channels = [aChannel({ _id: 'channel-0', name: 'Biology' }), ...channels]
    const { user } = visit()
    await choose(user, archived, 'Archive')
    await user.click(await screen.findByRole('button', { name: 'Archive channel' }))
    await screen.findByText('Channel archived')
    await expectMenuFocus(other)
  })

  it('is offered only with canEditChannels', async () => {
    signInAdminWithout(api, 'canEditChannels')
    visit()
    await screen.findByRole('article')
    expect(screen.queryByRole('menuitem', { name: 'Archive' })).toBeNull()
  })
})

describe('archived channels', () => {
  it('are hidden by default and listed on request, without an upload', async () => {
    const { user } = visit()
    await screen.findByRole('heading', { name: 'Physics' })
    expect(screen.queryByRole('heading', { name: 'Law' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Show archived channels' }))
    await screen.findByRole('heading', { name: 'Law' })
    const card = within(screen.getByRole('article'))
    card.getByText('Archived')
    expect(card.queryByRole('button', { name: 'Upload' })).toBeNull()
  })

  it('are counted where no others are left', async () => {
    channels = channels.filter(({ isArchived }) => isArchived)
    visit()
    await screen.findByText('There are no active channels.')
    await screen.findByText('1 channel is archived.')
  })

  it('can be restored', async () => {
    const { user } = visit('/admin/channels?archived=true')
    await choose(user, 'Law', 'Restore')
    await screen.findByText('Channel restored')
    await screen.findByText('There are no archived channels.')
    await user.click(screen.getByRole('button', { name: 'Show active channels' }))
    await screen.findByRole('heading', { name: 'Law' })
  })

  it('pass the focus to the next card when they are restored', async () => {
    channels = [...channels, aChannel({ _id: 'channel-3', name: 'Music', isArchived: true })]
    const { user } = visit('/admin/channels?archived=true')
    await choose(user, 'Law', 'Restore')
    await screen.findByText('Channel restored')
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Law' })).toBeNull())
    await expectMenuFocus('Music')
  })
})
