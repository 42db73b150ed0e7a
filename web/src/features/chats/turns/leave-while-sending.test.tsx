import { chatsApi } from '@lyceum/contract/chats'
import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { readDraft } from '#lib/drafts.ts'
import { aQuestion, aReply, openEventStream } from '#testing/chat-samples.ts'
import { streamOf } from '#testing/fake-api.ts'
import { renderChat } from '#testing/render-chat.tsx'

it('clears the draft when the server accepts the message after the user has left the chat', async () => {
  const chat = renderChat(aQuestion('q1'), aReply('r1'))
  const stream = openEventStream()
  chat.api.on(chatsApi.send, () => streamOf(chatsApi.send, stream.events))
  await screen.findByText('Reply r1')
  await chat.user.type(screen.getByRole('textbox', { name: 'Message' }), 'A long thought{Enter}')
  function draft(): string {
    return readDraft({ userId: 'p1', chatId: 'a' })
  }
  await waitFor(() => expect(draft()).toBe('A long thought'))
  chat.unmount()
  expect(draft()).toBe('A long thought')
  stream.send({
    seq: 1,
    type: 'accepted',
    message: aQuestion('q2', { content: 'A long thought' }),
    reply: aReply('r2', { content: '', state: 'streaming' }),
  })
  await waitFor(() => expect(draft()).toBe(''))
})
