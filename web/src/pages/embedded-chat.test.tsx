import { type Channel, channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel } from '#testing/samples.ts'
import { aUser, signIn, signInAdminWithout } from '#testing/users.ts'
import { EmbeddedChatPage } from './embedded-chat.tsx'

it('shows a toast when the selected channel is no longer accessible', async () => {
  const first = aChannel({ _id: 'c1', name: 'Canteen' })
  const second = aChannel({ _id: 'c2', name: 'Workshop' })
  let channels: Channel[] = [first, second]
  const chat = { _id: 'a', title: null, messages: [], messageCount: 0, createdAt: '', updatedAt: '' }
  fakeApi()
    .on(channelsApi.list, () => channels)
    .on(channelsApi.get, () => first)
    .on(chatsApi.list, () => ({ chats: [chat], total: 1, totalPages: 1 }))
    .on(chatsApi.get, () => ({ chatId: 'a', title: null, messages: [], before: null, total: 0 }))
  signIn(aUser())
  const { user, queryClient } = renderPage(<EmbeddedChatPage />, { at: '/', path: '*' })
  await user.selectOptions(await screen.findByLabelText('Channel'), 'Workshop')
  expect(screen.queryByText(/no longer have access/)).toBeNull()
  channels = [first]
  await queryClient.invalidateQueries({ queryKey: ['channels'] })
  await screen.findByText('You no longer have access to this channel.')
  await waitFor(() => expect(screen.getByLabelText('Channel')).toHaveProperty('value', 'c1'))
})

it('leads administrators of channels to Channel Management while they have no channel', async () => {
  signInAdminWithout(fakeApi().on(channelsApi.list, () => []))
  renderPage(<EmbeddedChatPage />, { at: '/', path: '*' })
  const link = await screen.findByRole('link', { name: 'Manage Channels' })
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['/admin/channels', '_top'])
})

it('tells other users without a channel whom to ask', async () => {
  fakeApi().on(channelsApi.list, () => [])
  signIn(aUser())
  renderPage(<EmbeddedChatPage />, { at: '/', path: '*' })
  await screen.findByText('Ask an administrator for access. Your channels will appear here.')
  expect(screen.queryByRole('link')).toBeNull()
})
