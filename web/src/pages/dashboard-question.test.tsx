import { type Channel, channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { quotasApi } from '@lyceum/contract/quotas'
import { settingsApi } from '@lyceum/contract/settings'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { takeFirstQuestion } from '#features/chats/first-questions.ts'
import { readDraft, saveDraft } from '#lib/drafts.ts'
import { saveUnsent } from '#lib/unsent-messages.ts'
import { openEventStream } from '#testing/chat-samples.ts'
import { type FakeApi, refuse, streamOf } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel } from '#testing/samples.ts'
import { aUser, signIn } from '#testing/users.ts'
import { ChannelPage } from './channel.tsx'
import { DashboardPage } from './dashboard.tsx'

describe('the form “Ask a question”', () => {
  const physics = aChannel({ _id: 'channel-1', name: 'Physics' })
  const law = aChannel({ _id: 'b', name: 'Law' })

  function open(channels: Channel[], chatChannelId?: string) {
    signIn(aUser())
    const chat = {
      chatId: 'old',
      channelName: 'Law',
      title: 'Earlier',
      updatedAt: '2026-11-20T08:00:00.000Z',
    }
    const api = fakeApi()
      .on(settingsApi.background, () => refuse('not_found'))
      .on(channelsApi.list, () => channels)
      .on(channelsApi.get, ({ params }) => channels.find(({ _id }) => _id === params.id) ?? law)
      .on(chatsApi.recent, () => ({
        chats: chatChannelId === undefined ? [] : [{ ...chat, channelId: chatChannelId }],
      }))
    return { api, ...renderPage(<DashboardPage />, { at: '/dashboard' }) }
  }
  function findField(): Promise<HTMLElement> {
    return screen.findByRole('textbox', { name: 'Question' })
  }
  function aChat(_id: string) {
    const createdAt = '2026-11-27T08:00:00.000Z'
    return { _id, title: null, messages: [], messageCount: 0, createdAt, updatedAt: createdAt }
  }

  it('is not shown without channels', async () => {
    open([])
    await screen.findByText('No channels available.')
    expect(screen.queryByRole('textbox')).toBeNull()
  })

  it('leaves out archived channels', async () => {
    open([aChannel({ name: 'Physics', isArchived: true })])
    await screen.findByRole('link', { name: /Physics/ })
    expect(screen.queryByRole('textbox')).toBeNull()
  })

  it('is not shown when no channel can answer', async () => {
    const { api } = open([{ ...physics, setupProblem: 'no-documents-or-model' }])
    await screen.findByRole('link', { name: /Physics/ })
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(api.calls(chatsApi.starters)).toEqual([])
  })

  it('offers no channels that cannot answer, even if one has the newest chat', async () => {
    open([{ ...physics, setupProblem: 'no-model' }, law, aChannel({ _id: 'c', name: 'Music' })], 'channel-1')
    const choice = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Channel' })
    expect([...choice.options].map(({ text }) => text)).toEqual(['Law', 'Music'])
    expect(choice.value).toBe('b')
  })

  it('suggests the starter questions of the chosen channel, and asks the one that is chosen', async () => {
    const { api, user, address } = open([physics, law], 'channel-1')
    api
      .on(chatsApi.starters, ({ params }) => ({
        questions: params.channelId === 'b' ? ['What is a contract?'] : ['Why is the sky blue?'],
      }))
      .on(chatsApi.create, () => aChat('new'))
    await screen.findByRole('button', { name: 'Why is the sky blue?' })
    await user.selectOptions(screen.getByRole('combobox', { name: 'Channel' }), 'Law')
    await user.click(await screen.findByRole('button', { name: 'What is a contract?' }))
    expect(screen.queryByRole('button', { name: 'Why is the sky blue?' })).toBeNull()
    await waitFor(() => expect(address()).toBe('/channels/b?chat=new'))
    expect(takeFirstQuestion('new')).toBe('What is a contract?')
  })

  it('keeps the focus on the chosen suggestion while the chat is created', async () => {
    const { api, user } = open([physics])
    api
      .on(chatsApi.starters, () => ({ questions: ['Why is the sky blue?', 'What is light?'] }))
      .on(chatsApi.create, () => new Promise<never>(() => undefined))
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Why is the sky blue?' })
    await user.click(button)
    await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'))
    // Browsers move the focus from a disabled button to the page.
    expect(button.disabled).toBe(false)
    expect(document.activeElement).toBe(button)
    await user.click(screen.getByRole('button', { name: 'What is light?' }))
    expect(api.calls(chatsApi.create)).toHaveLength(1)
  })

  it('offers no choice with a single channel', async () => {
    open([physics])
    await findField()
    expect(screen.queryByRole('combobox')).toBeNull()
  })

  it('begins with the channel of the newest chat, otherwise with the first', async () => {
    const { unmount } = open([physics, law], 'channel-1')
    expect((await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Channel' })).value).toBe(
      'channel-1',
    )
    unmount()
    open([physics, law])
    expect((await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Channel' })).value).toBe('b')
  })

  it('opens a new chat of the chosen channel, which sends the question once', async () => {
    const { api, user, address, unmount } = open([physics, law])
    api
      .on(chatsApi.create, () => aChat('new'))
      .on(chatsApi.list, () => ({ chats: [aChat('new')], total: 1, totalPages: 1 }))
      .on(chatsApi.get, () => ({ chatId: 'new', title: null, messages: [], before: null, total: 0 }))
      .on(chatsApi.send, () => streamOf(chatsApi.send, openEventStream().events))
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Channel' }), 'Physics')
    await user.type(await findField(), 'Why is the sky blue?{Enter}')
    await waitFor(() => expect(address()).toBe('/channels/channel-1?chat=new'))
    expect(api.calls(chatsApi.create).map(({ params }) => params.channelId)).toEqual(['channel-1'])
    unmount()
    for (let visit = 1; visit <= 2; visit += 1) {
      const channel = renderPage(<ChannelPage />, { at: address(), path: '/channels/:id' })
      await waitFor(() => expect(api.calls(chatsApi.send)).toHaveLength(1))
      await screen.findByRole('textbox', { name: 'Message' })
      channel.unmount()
    }
    expect(api.calls(chatsApi.send).map(({ body }) => body.message)).toEqual(['Why is the sky blue?'])
  })

  it('leaves the question in the message field of a channel that can no longer answer', async () => {
    const { api, user, address, unmount } = open([physics])
    api
      .on(channelsApi.get, () => ({ ...physics, setupProblem: 'no-model' as const }))
      .on(chatsApi.create, () => aChat('new'))
      .on(chatsApi.list, () => ({ chats: [aChat('new')], total: 1, totalPages: 1 }))
      .on(chatsApi.get, () => ({ chatId: 'new', title: null, messages: [], before: null, total: 0 }))
    await user.type(await findField(), 'Why?{Enter}')
    await waitFor(() => expect(address()).toBe('/channels/channel-1?chat=new'))
    unmount()
    renderPage(<ChannelPage />, { at: address(), path: '/channels/:id' })
    await screen.findByText('The assistant cannot answer right now.')
    expect(screen.getByRole('textbox', { name: 'Message' })).toHaveProperty('value', 'Why?')
    expect(api.calls(chatsApi.send)).toEqual([])
  })

  describe('in a chat whose limit is used up', () => {
    const usedUp = { kind: 'messages', whose: 'own', left: 0, limit: 3 } as const
    const emptyChat = { chatId: 'new', title: null, messages: [], before: null, total: 0 }
    const draftKey = { userId: aUser()._id, chatId: 'new' }

    function limit(api: FakeApi): FakeApi {
      return api
        .on(quotasApi.getRemaining, () => ({ left: { ...usedUp, resetsAt: new Date().toISOString() } }))
        .on(chatsApi.list, () => ({ chats: [aChat('new')], total: 1, totalPages: 1 }))
        .on(chatsApi.get, () => emptyChat)
        .on(chatsApi.send, () => refuse('quota.messages'))
    }

    it('is shown once, as a message that could not be sent', async () => {
      const { api, user, address, unmount } = open([physics])
      api.on(chatsApi.create, () => aChat('new'))
      await user.type(await findField(), 'Why?{Enter}')
      await waitFor(() => expect(address()).toBe('/channels/channel-1?chat=new'))
      unmount()
      const loaded = Promise.withResolvers<void>()
      limit(api).on(chatsApi.get, async () => {
        await loaded.promise
        return emptyChat
      })
      const { queryClient } = renderPage(<ChannelPage />, { at: address(), path: '/channels/:id' })
      await screen.findByText('You have used all your messages')
      expect(screen.queryByLabelText('Your text')).toBeNull()
      loaded.resolve()
      await screen.findByRole('button', { name: 'Copy message' })
      await waitFor(() => expect(queryClient.isFetching()).toBe(0))
      expect(screen.getAllByText('Why?')).toHaveLength(1)
      expect(readDraft(draftKey)).toBe('')
    })

    it.each([
      ['deletes a draft with the text of an unsent message', 'Why?', ''],
      ['keeps another draft', 'And how?', 'And how?'],
    ])('%s', async (_name, draft, kept) => {
      const { api, unmount } = open([physics])
      limit(api)
      unmount()
      saveUnsent(draftKey, { key: 'k', text: 'Why?', timestamp: new Date().toISOString() })
      saveDraft(draftKey, draft)
      renderPage(<ChannelPage />, { at: '/channels/channel-1?chat=new', path: '/channels/:id' })
      await screen.findByText('You have used all your messages')
      await screen.findByText('Why?')
      expect(screen.queryByLabelText<HTMLTextAreaElement>('Your text')?.value ?? '').toBe(kept)
      expect(readDraft(draftKey)).toBe(kept)
    })
  })

  it('says how many messages are left when a limit is nearly used up', async () => {
    const { api } = open([physics])
    const left = { kind: 'messages', whose: 'own', left: 1, limit: 3 } as const
    api.on(quotasApi.getRemaining, () => ({ left: { ...left, resetsAt: new Date().toISOString() } }))
    await findField()
    await screen.findByText(/^1 of 3 messages left today\./)
  })

  it('shows at once that another tab has used up the limit', async () => {
    const { api } = open([physics])
    const left = { kind: 'messages', whose: 'own', limit: 3, resetsAt: new Date().toISOString() } as const
    api.on(quotasApi.getRemaining, () => ({ left: { ...left, left: 1 } }))
    await screen.findByText(/^1 of 3 messages left today\./)
    api.on(quotasApi.getRemaining, () => ({ left: { ...left, left: 0 } }))
    const tab = new BroadcastChannel('lyceum.chats')
    tab.postMessage({ channelId: 'b', chatId: 'chat-1' })
    await screen.findByText('You have used all your messages')
    tab.close()
  })

  describe('with a used-up limit', () => {
    function limitPhysics(api: FakeApi): FakeApi {
      const left = { kind: 'messages', whose: 'channel', left: 0, limit: 3 } as const
      return api
        .on(quotasApi.getRemaining, ({ params }) => ({
          left: params.channelId === 'b' ? null : { ...left, resetsAt: new Date().toISOString() },
        }))
        .on(chatsApi.starters, () => ({ questions: ['Why is the sky blue?'] }))
    }
    const note = /^No messages left in this channel/

    it('shows the note in place of the field and its suggestions', async () => {
      limitPhysics(open([physics]).api)
      await screen.findByText(note)
      expect(screen.queryByRole('textbox')).toBeNull()
      expect(screen.queryByRole('list', { name: 'Suggested questions' })).toBeNull()
      expect(document.activeElement).toBe(document.body)
    })

    it('offers no choice of channels when the user’s own limit is used up', async () => {
      const { api } = open([physics, law])
      const left = { kind: 'messages', whose: 'own', left: 0, limit: 3 } as const
      api.on(quotasApi.getRemaining, () => ({ left: { ...left, resetsAt: new Date().toISOString() } }))
      await screen.findByText('You have used all your messages')
      screen.getByText(/You can continue today at/)
      expect(screen.queryByRole('combobox')).toBeNull()
      expect(screen.queryByRole('textbox')).toBeNull()
    })

    it('creates no chat and keeps the question when another tab has used up the limit', async () => {
      const { api, user, address } = open([physics])
      await user.type(await findField(), 'Why?')
      limitPhysics(api)
      await user.keyboard('{Enter}')
      await screen.findByText(note)
      expect(screen.getByRole('textbox', { name: 'Your text' })).toHaveProperty('value', 'Why?')
      expect(api.calls(chatsApi.create)).toEqual([])
      expect(address()).toBe('/dashboard')
    })

    it('lets the server decide when the limit cannot be checked', async () => {
      const { api, user, address } = open([physics])
      await user.type(await findField(), 'Why?')
      api.on(quotasApi.getRemaining, () => refuse('internal')).on(chatsApi.create, () => aChat('new'))
      await user.keyboard('{Enter}')
      await waitFor(() => expect(address()).toBe('/channels/channel-1?chat=new'))
      expect(takeFirstQuestion('new')).toBe('Why?')
    })

    it('creates no chat for a user who leaves while the limit is checked', async () => {
      const { api, user, unmount, queryClient } = open([physics])
      await user.type(await findField(), 'Why?')
      const checked = Promise.withResolvers<void>()
      api
        .on(quotasApi.getRemaining, async () => {
          await checked.promise
          return { left: null }
        })
        .on(chatsApi.create, () => aChat('new'))
      await user.keyboard('{Enter}')
      unmount()
      checked.resolve()
      await waitFor(() => expect(queryClient.isFetching()).toBe(0))
      expect(api.calls(chatsApi.create)).toEqual([])
      expect(readDraft({ userId: aUser()._id, chatId: 'dashboard' })).toBe('Why?')
    })

    it('keeps the text for a channel that has messages left', async () => {
      const { api, user } = open([physics, law])
      limitPhysics(api)
      await user.type(await findField(), 'Why?')
      const choice = screen.getByRole('combobox', { name: 'Channel' })
      await user.selectOptions(choice, 'Physics')
      await screen.findByText(note)
      expect(screen.queryByRole('textbox', { name: 'Question' })).toBeNull()
      expect(screen.getByRole('textbox', { name: 'Your text' })).toHaveProperty('value', 'Why?')
      await user.selectOptions(choice, 'Law')
      expect(await findField()).toHaveProperty('value', 'Why?')
      screen.getByRole('button', { name: 'Why is the sky blue?' })
      expect(screen.queryByText(note)).toBeNull()
    })

    it('shows the field while the limit loads, and after a failed load', async () => {
      const { api, user, queryClient } = open([physics])
      const loaded = Promise.withResolvers<void>()
      api.on(quotasApi.getRemaining, async () => {
        await loaded.promise
        return refuse('internal')
      })
      await user.type(await findField(), 'Why?')
      loaded.resolve()
      await waitFor(() => expect(queryClient.isFetching()).toBe(0))
      expect(await findField()).toHaveProperty('value', 'Why?')
    })
  })

  it('keeps the question when the chat cannot be created', async () => {
    const { api, user, address } = open([physics])
    api.on(chatsApi.create, () => refuse('internal'))
    const field = await findField()
    await user.type(field, 'Why?{Enter}')
    await screen.findByText('Failed to create new chat')
    await waitFor(() => expect(field).toHaveProperty('value', 'Why?'))
    expect(address()).toBe('/dashboard')
  })
})
