import { assistantsApi } from '@lyceum/contract/assistants'
import { authApi } from '@lyceum/contract/auth'
import { type Channel, channelsApi, languageModels } from '@lyceum/contract/channels'
import { conversationsApi } from '@lyceum/contract/conversation-settings'
import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { anAssistantStatus, aPreset } from '#testing/assistant-samples.ts'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel, aPage, aSavedChannel } from '#testing/samples.ts'
import { createConversationSettings } from '#testing/settings-samples.ts'
import { anAdmin, signIn, signInAdminWithout } from '#testing/users.ts'
import { ChannelsPage } from './channels.tsx'

let api: FakeApi
beforeEach(() => {
  api = fakeApi()
    .on(authApi.me, () => anAdmin())
    .on(assistantsApi.presets, () => [])
    .on(assistantsApi.status, () => anAssistantStatus())
    .on(channelsApi.update, ({ body }) => aSavedChannel(body))
    .on(channelsApi.create, ({ body }) => aSavedChannel(body))
    .on(channelsApi.previewRetention, () => ({ chats: 3, isCut: false }))
    .on(conversationsApi.get, () => createConversationSettings({ retention: { days: 60 } }))
  signIn(anAdmin())
})

function offerModels(...offered: string[]): void {
  const models = languageModels.map((label) => ({
    label,
    answeredBy: label,
    note: null,
    offered: offered.includes(label),
  }))
  api.on(assistantsApi.status, () => anAssistantStatus({ models }))
}

async function edit(channel: Channel): Promise<UserEvent> {
  api.on(channelsApi.list, () => aPage([channel]))
  const { user } = renderPage(<ChannelsPage />, { at: '/admin/channels' })
  await user.click(await screen.findByRole('button', { name: 'Edit' }))
  await screen.findByRole('dialog', { name: 'Edit Channel' })
  return user
}

async function saveRetention(user: UserEvent, days: string): Promise<void> {
  const field = screen.getByLabelText('Keep chats for (days, optional)')
  await user.clear(field)
  if (days !== '') await user.type(field, days)
  await user.click(screen.getByRole('button', { name: 'Save Changes' }))
}
function readSentDays() {
  return api.calls(channelsApi.update).map(({ body }) => body.retentionDays)
}

describe('/admin/channels?new', () => {
  it('opens the form for a new channel once', async () => {
    api.on(channelsApi.list, () => aPage([]))
    const page = renderPage(<ChannelsPage />, { at: '/admin/channels?new', path: '/admin/channels' })
    await screen.findByRole('dialog', { name: 'New Channel' })
    expect(page.address()).toBe('/admin/channels')
  })

  it('opens nothing without canCreateChannels', async () => {
    signInAdminWithout(api, 'canCreateChannels')
    api.on(channelsApi.list, () => aPage([]))
    const page = renderPage(<ChannelsPage />, { at: '/admin/channels?new', path: '/admin/channels' })
    await expect.poll(page.address).toBe('/admin/channels')
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('/admin/channels?edit=', () => {
  it('opens the form of the channel once', async () => {
    api.on(channelsApi.get, () => aChannel({ _id: 'c9', name: 'Payroll' }))
    api.on(channelsApi.list, () => aPage([]))
    const page = renderPage(<ChannelsPage />, { at: '/admin/channels?edit=c9', path: '/admin/channels' })
    await screen.findByRole('dialog', { name: 'Edit Channel' })
    expect(screen.getByDisplayValue('Payroll')).toBeDefined()
    expect(page.address()).toBe('/admin/channels')
  })

  it('leads back to the channel after saving', async () => {
    api.on(channelsApi.get, () => aChannel({ _id: 'c9', llmModel: 'gpt-4o' }))
    api.on(channelsApi.list, () => aPage([]))
    const page = renderPage(<ChannelsPage />, {
      at: '/admin/channels?edit=c9&field=assistant',
      path: '/admin/channels',
    })
    await page.user.type(await screen.findByLabelText('Description'), ' Ask here first.')
    await page.user.click(screen.getByRole('button', { name: 'Save Changes' }))
    const button = await screen.findByRole('button', { name: 'Open channel' })
    await waitFor(() => expect(document.activeElement).toBe(button))
    await page.user.keyboard('{Enter}')
    expect(page.address()).toBe('/channels/c9')
  })

  it('focuses the id of an assistant that does not exist', async () => {
    const channel = aChannel({ _id: 'c9', useAssistant: true, openaiAssistantId: 'missing', llmModel: '' })
    api.on(channelsApi.get, () => channel)
    api.on(channelsApi.list, () => aPage([]))
    api.on(assistantsApi.presets, () => [aPreset()])
    api.on(assistantsApi.resolve, () => ({ kind: 'none' as const, name: null, warning: null }))
    renderPage(<ChannelsPage />, {
      at: '/admin/channels?edit=c9&field=assistant',
      path: '/admin/channels',
    })
    const field = await screen.findByRole('textbox', { name: 'Assistant ID' })
    await waitFor(() => expect(document.activeElement).toBe(field))
  })

  it('opens nothing without canEditChannels', async () => {
    signInAdminWithout(api, 'canEditChannels')
    api.on(channelsApi.list, () => aPage([]))
    const page = renderPage(<ChannelsPage />, { at: '/admin/channels?edit=c9', path: '/admin/channels' })
    await expect.poll(page.address).toBe('/admin/channels')
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('the retention period of a channel', () => {
  it.each(['6', 'long'])('rejects %s days', async (days) => {
    const user = await edit(aChannel())
    await saveRetention(user, days)
    await screen.findByText('Enter 7 to 3650 days, or leave it empty')
    expect(readSentDays()).toEqual([])
  })

  it('is shortened only after a confirmation that shows how many chats will be deleted', async () => {
    const user = await edit(aChannel())
    await saveRetention(user, '30')
    const question = await screen.findByRole('alertdialog', { name: 'Keep chats for only 30 days?' })
    within(question).getByText(/would permanently delete 3 chats/)
    expect(readSentDays()).toEqual([])
    await user.click(within(question).getByRole('button', { name: 'Shorten retention' }))
    await screen.findByText('Channel updated successfully')
    expect(readSentDays()).toEqual([30])
  })

  it('falls back to a shorter global period only after confirmation', async () => {
    const user = await edit(aChannel({ retentionDays: 365 }))
    await saveRetention(user, '')
    await user.click(await screen.findByRole('button', { name: 'Shorten retention' }))
    await waitFor(() => expect(readSentDays()).toEqual([null]))
  })

  it('is not saved if the global period cannot be loaded', async () => {
    api.on(conversationsApi.get, () => refuse('internal'))
    const user = await edit(aChannel({ retentionDays: 365 }))
    await saveRetention(user, '')
    await screen.findByText('Failed to save channel')
    expect(readSentDays()).toEqual([])
  })

  it('is extended without confirmation', async () => {
    const user = await edit(aChannel())
    await saveRetention(user, '90')
    await waitFor(() => expect(readSentDays()).toEqual([90]))
    expect(api.calls(channelsApi.previewRetention)).toEqual([])
  })
})

describe('the models of the channel form', () => {
  function readModelOptions() {
    return within(screen.getByLabelText('Language model'))
      .getAllByRole('option')
      .map(({ textContent }) => textContent)
  }

  it('are the offered ones, and a new channel starts with the first', async () => {
    offerModels('o1', 'o1-pro')
    api.on(channelsApi.list, () => aPage([]))
    const { user } = renderPage(<ChannelsPage />, { at: '/admin/channels' })
    const [open] = await screen.findAllByRole('button', { name: 'New Channel' })
    await user.click(open as HTMLElement)
    await waitFor(() => expect(readModelOptions()).toEqual(['o1', 'o1-pro']))
    expect(screen.getByLabelText('Language model')).toHaveProperty('value', 'o1')
  })

  it('include the current model even if it is no longer offered', async () => {
    offerModels('o1')
    const user = await edit(aChannel())
    const hint = 'This model is no longer offered. The channel keeps it until you choose another one.'
    await screen.findByText(hint)
    expect(readModelOptions()).toEqual(['gpt-4o', 'o1'])
    await user.selectOptions(screen.getByLabelText('Language model'), 'o1')
    expect(screen.queryByText(hint)).toBeNull()
    expect(readModelOptions()).toEqual(['gpt-4o', 'o1'])
  })
})

describe('duplicating a channel', () => {
  it('creates a channel with the settings of the original', async () => {
    const original = aChannel({ systemPrompt: 'Be brief.', strictDocumentsOnly: true, retentionDays: 30 })
    api.on(channelsApi.list, () => aPage([original]))
    const { user } = renderPage(<ChannelsPage />, { at: '/admin/channels' })
    await user.click(await screen.findByRole('button', { name: 'More actions for Physics' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Duplicate' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Duplicate Channel' }))
    dialog.getByText(
      'Only the settings are copied. Documents, members and chats stay in the original channel.',
    )
    await user.click(dialog.getByRole('button', { name: 'Create Channel' }))
    await screen.findByText('Channel created successfully')
    expect(api.calls(channelsApi.create).map(({ body }) => body)).toMatchObject([
      { name: 'Copy of Physics', systemPrompt: 'Be brief.', strictDocumentsOnly: true, retentionDays: 30 },
    ])
    expect(api.calls(channelsApi.update)).toEqual([])
  })

  it('is offered only with canCreateChannels', async () => {
    signInAdminWithout(api, 'canCreateChannels')
    api.on(channelsApi.list, () => aPage([aChannel()]))
    const { user } = renderPage(<ChannelsPage />, { at: '/admin/channels' })
    await user.click(await screen.findByRole('button', { name: 'More actions for Physics' }))
    await screen.findByRole('menuitem', { name: 'Archive' })
    expect(screen.queryByRole('menuitem', { name: 'Duplicate' })).toBeNull()
  })
})
