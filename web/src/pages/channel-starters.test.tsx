import { channelsApi, type SetupProblem } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { act, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { startersQuery } from '#features/chats/starters/queries.ts'
import { connection } from '#lib/connection.ts'
import { aQuestion, openEventStream } from '#testing/chat-samples.ts'
import { type FakeApi, NoNetwork, refuse, streamOf } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel } from '#testing/samples.ts'
import { aUser, signIn } from '#testing/users.ts'
import { ChannelPage } from './channel.tsx'

const timestamp = '2026-11-20T10:00:00.000Z'
const questions = ['What are the rules for trains?', 'Who approves my travel?']

let api: FakeApi
beforeEach(() => {
  signIn(aUser())
  connection.setReachable(true)
  // A wide window.
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }))
  api = fakeApi().on(chatsApi.starters, () => ({ questions }))
})

interface Screen {
  isAdmin?: boolean
  isEmpty?: boolean
  setupProblem?: SetupProblem
}

function open({ isAdmin = false, isEmpty = true, ...problem }: Screen = {}) {
  const channel = aChannel({
    _id: 'c1',
    isAdmin,
    ...problem,
    ...(isAdmin ? { starterQuestions: questions } : {}),
  })
  const chat = {
    _id: 'a',
    title: null,
    messages: [],
    messageCount: 0,
    createdAt: timestamp,
    updatedAt: timestamp,
  }
  api
    .on(channelsApi.list, () => [channel])
    .on(channelsApi.get, () => channel)
    .on(chatsApi.list, () => ({ chats: [chat], total: 1, totalPages: 1 }))
    .on(chatsApi.get, () => ({
      chatId: 'a',
      title: null,
      messages: isEmpty ? [] : [aQuestion('q1', { content: 'Hello' })],
      before: null,
      total: isEmpty ? 0 : 1,
    }))
  return renderPage(<ChannelPage />, { at: '/channels/c1', path: '/channels/:id' })
}

async function findQuestions() {
  const list = await screen.findByRole('list', { name: 'Suggested questions' })
  return within(list).getAllByRole('button')
}

describe('the starter questions of an empty chat', () => {
  it('are buttons below the sentence of the empty chat', async () => {
    open()
    expect((await findQuestions()).map(({ textContent }) => textContent)).toEqual(questions)
    screen.getByText('No messages yet. Start the conversation!')
  })

  it('are sent when chosen', async () => {
    api.on(chatsApi.send, () => streamOf(chatsApi.send, openEventStream().events))
    const { user } = open()
    const [first] = await findQuestions()
    if (first !== undefined) await user.click(first)
    expect(api.calls(chatsApi.send).map(({ body }) => body.message)).toEqual([questions[0]])
    expect(screen.queryByRole('list', { name: 'Suggested questions' })).toBeNull()
  })

  it('go into the message field while the server cannot be reached', async () => {
    const { user } = open()
    const [first] = await findQuestions()
    await user.type(screen.getByRole('textbox', { name: 'Message' }), 'Hello')
    api.on(chatsApi.list, () => {
      throw new NoNetwork()
    })
    act(() => connection.setReachable(false))
    if (first !== undefined) await user.click(first)
    const field: HTMLTextAreaElement = screen.getByRole('textbox', { name: 'Message' })
    expect(field.value).toBe(`Hello\n${questions[0]}`)
    expect(api.calls(chatsApi.send)).toEqual([])
  })

  it.each([true, false])(
    'can be added by administrators of the channel if there are none: %s',
    async (isAdmin) => {
      api.on(chatsApi.starters, () => ({ questions: [] }))
      const { user } = open({ isAdmin })
      await screen.findByText('No messages yet. Start the conversation!')
      await vi.waitFor(() => expect(api.calls(chatsApi.starters)).toHaveLength(1))
      if (!isAdmin) {
        expect(screen.queryByRole('button', { name: 'Add starter questions' })).toBeNull()
        return
      }
      await user.click(await screen.findByRole('button', { name: 'Add starter questions' }))
      await screen.findByRole('dialog', { name: 'Starter questions' })
    },
  )

  it.each([[[]], [['How do I begin?']]])(
    'are neither offered nor added while the channel cannot answer: %j',
    async (questions) => {
      api.on(chatsApi.starters, () => ({ questions }))
      const { queryClient } = open({ isAdmin: true, setupProblem: 'gone' })
      queryClient.setQueryData(startersQuery('c1').queryKey, questions)
      await screen.findByText(/This assistant/)
      await screen.findByText('No messages yet. Start the conversation!')
      expect(screen.queryByRole('button', { name: /Add starter|begin/ })).toBeNull()
    },
  )

  it('are missing without a message when the call fails', async () => {
    api.on(chatsApi.starters, () => refuse('server.busy'))
    open()
    await screen.findByText('No messages yet. Start the conversation!')
    expect(screen.queryByRole('list', { name: 'Suggested questions' })).toBeNull()
    expect(screen.getByRole('alert').textContent).toBe('')
  })

  it('are not requested for a chat with messages', async () => {
    open({ isEmpty: false })
    await screen.findByText('Hello')
    expect(api.calls(chatsApi.starters)).toEqual([])
  })
})

describe('the dialog of the starter questions', () => {
  async function openMenu(isAdmin: boolean) {
    const { user } = open({ isAdmin })
    await user.click(await screen.findByRole('button', { name: 'More actions for the current chat' }))
    return { user, menu: await screen.findByRole('menu') }
  }

  it('is offered only to administrators of the channel', async () => {
    const { menu } = await openMenu(false)
    expect(within(menu).queryByRole('menuitem', { name: 'Starter questions' })).toBeNull()
  })

  it('saves the questions', async () => {
    api.on(channelsApi.setStarters, () => ({ message: 'Saved' }))
    const { user, menu } = await openMenu(true)
    await user.click(within(menu).getByRole('menuitem', { name: 'Starter questions' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Starter questions' }))
    await user.clear(dialog.getByLabelText('Starter question 1'))
    await user.type(dialog.getByLabelText('Starter question 3'), 'When do doors close?')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await screen.findByText('Starter questions saved')
    expect(api.calls(channelsApi.setStarters).map(({ body }) => body.starterQuestions)).toEqual([
      [questions[1], 'When do doors close?'],
    ])
  })

  it('shows an error below the fields', async () => {
    const { user, menu } = await openMenu(true)
    await user.click(within(menu).getByRole('menuitem', { name: 'Starter questions' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Starter questions' }))
    await user.click(dialog.getByLabelText('Starter question 1'))
    await user.paste('x'.repeat(201))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    dialog.getByText('At most 200 characters')
    expect(api.calls(channelsApi.setStarters)).toEqual([])
  })
})
