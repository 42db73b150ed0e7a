import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { documentsApi, type Proposal } from '@lyceum/contract/documents'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { connection } from '#lib/connection.ts'
import { aQuestion, aReply } from '#testing/chat-samples.ts'
import { refuse } from '#testing/fake-api.ts'
import { renderChat, renderChatIn } from '#testing/render-chat.tsx'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel } from '#testing/samples.ts'
import { SetupNote } from './SetupNote.tsx'

afterEach(() => void vi.useRealTimers())

describe('the note about a channel that cannot reply', () => {
  it('appears before the first message', async () => {
    renderChatIn(aChannel({ setupProblem: 'gone' }))
    expect(await screen.findByText(/This assistant cannot answer at the moment/)).toBeDefined()
  })

  it('never keeps a message from being sent: the channel may have been mended since', async () => {
    const chat = renderChatIn(aChannel({ setupProblem: 'gone' }))
    chat.api.on(chatsApi.send, () => refuse('assistant.unavailable'))
    await screen.findByText('The assistant cannot answer right now.')
    screen.getByText('No messages yet. Start the conversation!')
    await chat.user.type(screen.getByRole('textbox', { name: 'Message' }), 'Hello{Enter}')
    await waitFor(() => expect(chat.api.calls(chatsApi.send)).toHaveLength(1))
  })

  it('does not appear in a channel that can reply', async () => {
    const chat = renderChat(aQuestion('q1'), aReply('r1'))
    await screen.findByText('Reply r1')
    await waitFor(() => expect(chat.api.calls(channelsApi.get)).not.toEqual([]))
    expect(screen.queryByText(/cannot answer/)).toBeNull()
  })

  it('does not appear without a connection, when nobody can answer', async () => {
    renderChatIn(aChannel({ setupProblem: 'gone' }))
    await screen.findByText(/This assistant cannot answer at the moment/)
    act(() => connection.setReachable(false))
    expect(screen.queryByText(/This assistant cannot answer at the moment/)).toBeNull()
    act(() => connection.setReachable(true))
    expect(screen.getByText(/This assistant cannot answer at the moment/)).toBeDefined()
  })

  it('goes away once the problem is mended, and the failed reply can be tried again', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const failed = aReply('r1', { content: '', state: 'failed', error: '', setupProblem: 'gone' })
    const chat = renderChatIn(aChannel({ setupProblem: 'gone' }), aQuestion('q1'), failed)
    await screen.findByText(/This assistant cannot answer at the moment/)
    chat.state.channel = aChannel()
    const { setupProblem, ...mended } = failed
    chat.state.messages = [aQuestion('q1'), mended]
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeDefined()
    expect(screen.queryByText(/cannot answer/)).toBeNull()
    expect(chat.api.calls(chatsApi.get).length).toBeGreaterThan(1)
  })

  it('offers to propose documents, and says that a proposed one waits for approval', async () => {
    const { api } = renderChatIn(aChannel())
    let proposals: Proposal[] = []
    api.on(documentsApi.proposals, () => proposals)
    const note = <SetupNote channelId="c1" problem="no-documents" onPropose={() => undefined} />
    const { unmount } = renderPage(note)
    await screen.findByRole('button', { name: 'Propose a document' })
    expect(screen.queryByText(/waiting for approval/)).toBeNull()
    unmount()
    proposals = [
      {
        _id: 'd1',
        title: 'Notes',
        originalName: 'notes.txt',
        fileSize: 10,
        status: 'pending',
        createdAt: '2026-11-20T09:00:00.000Z',
        decidedAt: null,
      },
    ]
    renderPage(note)
    await screen.findByText('Your proposed document is waiting for approval.')
    screen.getByRole('button', { name: 'Propose another document' })
  })
})
