import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { conversationsApi } from '@lyceum/contract/conversation-settings'
import { getPermissions } from '@lyceum/contract/permissions'
import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel } from '#testing/samples.ts'
import { createConversationSettings } from '#testing/settings-samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { ConversationsSection } from './ConversationsSection.tsx'

let api: FakeApi
beforeEach(() => {
  api = fakeApi()
    .on(authApi.me, () => anAdmin())
    .on(channelsApi.list, () => [])
    .on(conversationsApi.get, () => createConversationSettings())
  signIn(anAdmin())
})

function visit() {
  return renderPage(
    <>
      <ResultBanner />
      <ConversationsSection />
    </>,
    { at: '/admin/settings' },
  ).user
}

const noticeText = 'The works council may read this chat'

describe('review notice', () => {
  it('previews and saves the notice', async () => {
    api.on(conversationsApi.setNotice, ({ body }) => createConversationSettings({ reviewNotice: body }))
    const user = visit()
    const field = await screen.findByLabelText('Notice')
    await user.clear(field)
    await user.type(field, noticeText)
    within(screen.getByRole('figure')).getByText(noticeText)
    await user.click(screen.getByRole('button', { name: 'Save notice' }))
    await screen.findByText('Settings updated successfully')
    expect(api.calls(conversationsApi.setNotice)[0]?.body).toEqual({ enabled: true, text: noticeText })
    await user.click(screen.getByRole('checkbox', { name: /Show a notice/ }))
    screen.getByText('No notice is shown.')
  })

  it('rejects an empty notice', async () => {
    const user = visit()
    await user.clear(await screen.findByLabelText('Notice'))
    await user.click(screen.getByRole('button', { name: 'Save notice' }))
    await screen.findByText('Enter the notice text, or turn the notice off')
    expect(api.unhandledCalls).toEqual([])
  })
})

describe('chat retention', () => {
  async function enter(user: ReturnType<typeof visit>, days: string): Promise<void> {
    const field = await screen.findByLabelText('Keep chats for (days)')
    await user.clear(field)
    if (days !== '') await user.type(field, days)
    await user.click(screen.getByRole('button', { name: 'Save retention' }))
  }

  it.each(['6', '3651', '7.5', 'long'])('rejects %s days', async (days) => {
    const user = visit()
    await enter(user, days)
    await screen.findByText('Enter 7 to 3650 days, or leave it empty')
    expect(api.unhandledCalls).toEqual([])
  })

  it('shortens the period only after showing how many chats will be deleted', async () => {
    api
      .on(conversationsApi.previewRetention, () => ({ chats: 1234, isCut: false }))
      .on(conversationsApi.setRetention, ({ body }) => createConversationSettings({ retention: body }))
    const user = visit()
    await enter(user, '30')
    const dialog = await screen.findByRole('alertdialog', { name: 'Keep chats for only 30 days?' })
    within(dialog).getByText(/would permanently delete 1,234 chats/)
    expect(api.calls(conversationsApi.setRetention)).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    expect(api.calls(conversationsApi.setRetention)).toEqual([])
    await enter(user, '30')
    await user.click(await screen.findByRole('button', { name: 'Shorten retention' }))
    await screen.findByText('Settings updated successfully')
    expect(api.calls(conversationsApi.setRetention)[0]?.body).toEqual({ days: 30 })
  })

  it('extends the period without confirmation', async () => {
    api
      .on(conversationsApi.get, () => createConversationSettings({ retention: { days: 30 } }))
      .on(conversationsApi.setRetention, ({ body }) => createConversationSettings({ retention: body }))
    const user = visit()
    await enter(user, '')
    await screen.findByText('Settings updated successfully')
    expect(api.calls(conversationsApi.setRetention)[0]?.body).toEqual({ days: null })
  })

  it('lists channels with their own retention period', async () => {
    api.on(channelsApi.list, () => [
      aChannel(),
      aChannel({ _id: 'two', name: 'Chemistry', retentionDays: 90 }),
    ])
    visit()
    await screen.findByText('Chemistry')
    screen.getByText('90 days')
    expect(screen.queryByText('Physics')).toBeNull()
  })
})

describe('conversation settings', () => {
  it('shows an error when loading or saving fails', async () => {
    api.on(conversationsApi.get, () => refuse('internal'))
    const user = visit()
    expect(await screen.findAllByText('Failed to load settings')).toHaveLength(2)
    api
      .on(conversationsApi.get, () => createConversationSettings())
      .on(conversationsApi.setNotice, () => refuse('internal'))
    await user.click(screen.getAllByRole('button', { name: 'Try again' })[0] as HTMLElement)
    await user.type(await screen.findByLabelText('Notice'), '.')
    await user.click(screen.getByRole('button', { name: 'Save notice' }))
    await screen.findByText('Failed to update settings')
  })

  it('is read-only without canManageSettings', async () => {
    const overrides = { canManageSettings: false }
    const admin = anAdmin({ permissions: getPermissions({ role: 'admin', isSystemAdmin: false, overrides }) })
    api.on(authApi.me, () => admin)
    signIn(admin)
    const user = visit()
    expect(await screen.findByLabelText('Notice')).toHaveProperty('disabled', true)
    expect(screen.getByLabelText('Keep chats for (days)')).toHaveProperty('disabled', true)
    await user.click(screen.getByRole('button', { name: 'Save retention' }))
    await screen.findByText('You do not have permission to manage settings')
    expect(api.unhandledCalls).toEqual([])
  })
})
