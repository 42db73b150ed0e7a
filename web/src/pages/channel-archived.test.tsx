import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aQuestion, aReply, openEventStream } from '#testing/chat-samples.ts'
import { type FakeApi, refuse, streamOf } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel } from '#testing/samples.ts'
import { aUser, signIn } from '#testing/users.ts'
import { ChannelPage } from './channel.tsx'

const timestamp = '2026-11-20T10:00:00.000Z'
const chat = {
  _id: 'a',
  title: 'Leave',
  messages: [],
  messageCount: 2,
  createdAt: timestamp,
  updatedAt: timestamp,
}
const archived = aChannel({ _id: 'c1', allowProposals: true, isArchived: true })
const note = 'This channel is archived. You can read, export and delete your chats, but not send messages.'
const newNote =
  'An administrator archived this channel. You can still read, export and delete your chats. Ask an administrator if you need it.'

let api: FakeApi
afterEach(() => void vi.useRealTimers())
beforeEach(() => {
  signIn(aUser())
  // A wide window.
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }))
  api = fakeApi()
    .on(channelsApi.list, () => [])
    .on(channelsApi.get, () => archived)
    .on(chatsApi.list, () => ({ chats: [chat], total: 1, totalPages: 1 }))
    .on(chatsApi.get, () => ({
      chatId: 'a',
      title: 'Leave',
      messages: [
        aQuestion('q1', { content: 'How long is my leave?' }),
        aReply('r1', { content: 'Twenty days.', state: 'interrupted', canContinue: true }),
      ],
      before: null,
      total: 2,
    }))
})

function open() {
  return renderPage(<ChannelPage />, { at: '/channels/c1', path: '/channels/:id' })
}

/** The note, if it is announced. */
function findAlert(): HTMLElement | null {
  return screen
    .getByText(/archived this channel|This channel is archived/)
    .closest<HTMLElement>('[role=alert]')
}

describe('the chat screen of an archived channel', () => {
  it('shows a note in place of the message field', async () => {
    open()
    await screen.findByText(note)
    await screen.findByText('Twenty days.')
    expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull()
  })

  it('offers to read, but not to add anything', async () => {
    open()
    await screen.findByText('Twenty days.')
    await screen.findByText(note)
    screen.getByRole('button', { name: 'Copy reply' })
    for (const name of ['New chat', 'Regenerate', 'Continue', 'Edit message', 'Propose a document'])
      expect(screen.queryByRole('button', { name })).toBeNull()
  })

  it('can stop a reply that was running when the channel was archived', async () => {
    const stream = openEventStream({ seq: 2, type: 'delta', text: 'days' })
    let reply = aReply('r1', { content: 'Twenty ', state: 'streaming', lastEvent: 1 })
    api
      .on(chatsApi.get, () => ({
        chatId: 'a',
        title: 'Leave',
        messages: [aQuestion('q1', { content: 'How long is my leave?' }), reply],
        before: null,
        total: 2,
      }))
      .on(chatsApi.events, () => streamOf(chatsApi.events, stream.events))
      .on(chatsApi.stop, () => {
        reply = aReply('r1', { content: 'Twenty days', state: 'stopped' })
        stream.send({ seq: 3, type: 'done', reply })
        return reply
      })
    const { user } = open()
    await screen.findByText('Twenty days')
    await user.click(await screen.findByRole('button', { name: 'Stop the reply' }))
    await screen.findByText('You stopped this reply.')
    expect(screen.queryByRole('button', { name: 'Stop the reply' })).toBeNull()
    expect(api.calls(chatsApi.stop)).toHaveLength(1)
  })

  it('is listed in the sidebar although lists leave it out', async () => {
    open()
    const sidebar = within(await screen.findByRole('navigation', { name: 'Channels' }))
    await sidebar.findByText(archived.name)
  })

  it('creates no chat', async () => {
    api.on(chatsApi.list, () => ({ chats: [], total: 0, totalPages: 1 }))
    open()
    await screen.findByText('No chat selected')
    await screen.findByText(note)
    expect(screen.queryByRole('button', { name: 'New chat' })).toBeNull()
    expect(api.calls(chatsApi.create)).toEqual([])
  })

  it('appears when a message is refused because the channel was archived meanwhile', async () => {
    let isArchived = false
    api
      .on(channelsApi.get, () => (isArchived ? archived : aChannel({ _id: 'c1' })))
      .on(chatsApi.send, () => {
        isArchived = true
        return refuse('channel.archived')
      })
    const { user } = open()
    await screen.findByText('Twenty days.')
    const field: HTMLTextAreaElement = screen.getByRole('textbox', { name: 'Message' })
    await user.type(field, 'Hello{Enter}')
    await screen.findByText(newNote)
    // The message is still shown, so the note mentions no text of the field.
    expect(findAlert()?.textContent).toBe(newNote)
    expect(screen.getAllByText(/archived/)).toHaveLength(1)
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
    const unsent = within(screen.getByText('Hello').closest('li') as HTMLElement)
    await user.click(unsent.getByRole('button', { name: 'Copy message' }))
    expect(await navigator.clipboard.readText()).toBe('Hello')
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    expect(screen.queryByText('Hello')).toBeNull()
  })

  it('does not take the focus or announce itself when the channel is opened', async () => {
    open()
    const message = await screen.findByText(note)
    expect(findAlert()).toBeNull()
    expect(message.closest('[tabindex="-1"]')).not.toBe(document.activeElement)
  })

  describe('that is archived while it is open', () => {
    let isArchived: boolean
    beforeEach(() => {
      isArchived = false
      api.on(channelsApi.get, () => (isArchived ? archived : aChannel({ _id: 'c1' })))
    })
    async function openInUse() {
      const page = open()
      await screen.findByText('Twenty days.')
      async function archive(next: boolean): Promise<void> {
        isArchived = next
        await page.queryClient.invalidateQueries({ queryKey: ['channels', 'c1'] })
      }
      return { ...page, archive }
    }

    it('leaves the focus where it is outside the field', async () => {
      const { archive } = await openInUse()
      const link = await screen.findByRole('button', { name: 'Copy reply' })
      link.focus()
      await archive(true)
      await screen.findByText(newNote)
      expect(findAlert()?.textContent).toBe(newNote)
      expect(document.activeElement).toBe(link)
    })

    it('is noticed without a reload, and so is that it was restored', async () => {
      vi.useFakeTimers({ shouldAdvanceTime: true })
      await openInUse()
      isArchived = true
      await vi.advanceTimersByTimeAsync(10_000)
      await screen.findByText(newNote)
      isArchived = false
      await vi.advanceTimersByTimeAsync(10_000)
      await screen.findByRole('textbox', { name: 'Message' })
      screen.getByText('This channel is in use again.')
    })

    it('moves the focus from the field to the note, and shows the text to copy', async () => {
      const { user, archive } = await openInUse()
      await user.type(screen.getByRole('textbox', { name: 'Message' }), 'And in ')
      await archive(true)
      await screen.findByText(
        `${newNote} Your text was not sent. You can copy it, and this browser keeps it.`,
      )
      const alert = findAlert()
      await waitFor(() => expect(document.activeElement).toBe(alert))
      const draft: HTMLTextAreaElement = screen.getByRole('textbox', { name: 'Your text' })
      expect([draft.value, draft.readOnly]).toEqual(['And in ', true])
      await user.click(screen.getByRole('button', { name: 'Copy your text' }))
      expect(await navigator.clipboard.readText()).toBe('And in ')
      await archive(false)
      const field: HTMLTextAreaElement = await screen.findByRole('textbox', { name: 'Message' })
      expect(field.value).toBe('And in ')
      await waitFor(() => expect(document.activeElement).toBe(field))
    })
  })
})
