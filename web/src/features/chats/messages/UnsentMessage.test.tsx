import { chatsApi } from '@lyceum/contract/chats'
import { act, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { connection } from '#lib/connection.ts'
import { aQuestion, aReply, openEventStream } from '#testing/chat-samples.ts'
import { refuse, streamOf } from '#testing/fake-api.ts'
import { renderChat } from '#testing/render-chat.tsx'
import { UnsentMessage } from './UnsentMessage.tsx'

afterEach(() => connection.setReachable(true))

it('cannot be sent again until there is a connection', () => {
  const message = { key: 'k1', text: 'Hello', timestamp: '2026-11-20T10:00:00.000Z', hasFailed: true }
  render(<UnsentMessage message={message} isLocked={false} onRetry={vi.fn()} onDiscard={vi.fn()} />)
  const button = screen.getByRole('button', { name: 'Try again' })
  act(() => {
    connection.setReachable(false)
    connection.confirmLoss()
  })
  expect(button.hasAttribute('disabled')).toBe(true)
  act(() => connection.setReachable(true))
  expect(button.hasAttribute('disabled')).toBe(false)
})

describe('after a failure', () => {
  async function failToSend() {
    // A mouse, so that the message field may get the focus.
    vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }))
    const chat = renderChat(aQuestion('q1'), aReply('r1'))
    chat.api.on(chatsApi.send, () => refuse('internal'))
    await screen.findByText('Reply r1')
    await chat.user.type(getField(), 'Hello{Enter}')
    await screen.findByRole('button', { name: 'Try again' })
    return chat
  }
  function getField() {
    return screen.getByRole('textbox', { name: 'Message' })
  }
  const toastText = 'Failed to send message'

  it('focuses the message field and removes the toast when the message is sent again', async () => {
    const chat = await failToSend()
    await screen.findByText(toastText)
    chat.api.on(chatsApi.send, () => streamOf(chatsApi.send, openEventStream().events))
    await chat.user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(document.activeElement).toBe(getField())
    expect(screen.queryByText(toastText)).toBeNull()
  })

  it('focuses the message field and removes the toast when the message is discarded', async () => {
    const chat = await failToSend()
    await screen.findByText(toastText)
    await chat.user.click(screen.getByRole('button', { name: 'Discard' }))
    expect(document.activeElement).toBe(getField())
    expect(screen.queryByText(toastText)).toBeNull()
  })

  it('removes the toast when another message is sent', async () => {
    const chat = await failToSend()
    await screen.findByText(toastText)
    chat.api.on(chatsApi.send, () => streamOf(chatsApi.send, openEventStream().events))
    await chat.user.type(getField(), 'Another{Enter}')
    expect(screen.queryByText(toastText)).toBeNull()
    await screen.findByRole('button', { name: 'Discard' })
  })
})
