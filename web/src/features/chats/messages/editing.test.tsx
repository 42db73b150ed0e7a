import { type ChatMessage, chatsApi, messageMaxLength } from '@lyceum/contract/chats'
import { errors } from '@lyceum/contract/errors'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { aQuestion, aReply, openEventStream } from '#testing/chat-samples.ts'
import { NoNetwork, refuse, streamOf } from '#testing/fake-api.ts'
import { renderChat } from '#testing/render-chat.tsx'

function twoTurns(): ChatMessage[] {
  return [aQuestion('q1'), aReply('r1'), aQuestion('q2'), aReply('r2')]
}
function log() {
  return within(screen.getByRole('log'))
}
function editButtons() {
  return screen.findAllByRole('button', { name: 'Edit message' })
}
function field() {
  return screen.findByRole('textbox', { name: 'Edit message' })
}

async function openEditor(chat: ReturnType<typeof renderChat>, index = 0): Promise<HTMLTextAreaElement> {
  await chat.user.click((await editButtons())[index] as HTMLElement)
  return (await field()) as HTMLTextAreaElement
}

describe('editing a message', () => {
  it.each([
    ['blank', '   ', 'A message cannot be blank'],
    ['too long', 'x'.repeat(messageMaxLength + 1), `At most ${messageMaxLength} characters`],
  ])('sends nothing when the text is %s', async (_, text, expectedError) => {
    const chat = renderChat(...twoTurns())
    chat.api.on(chatsApi.edit, () => refuse('internal'))
    const area = await openEditor(chat)
    fireEvent.change(area, { target: { value: text } })
    expect(screen.getByText(expectedError)).toBeDefined()
    expect(area.getAttribute('aria-invalid')).toBe('true')
    await chat.user.click(screen.getByRole('button', { name: 'Save & send' }))
    await chat.user.type(area, '{Control>}{Enter}{/Control}')
    expect(chat.api.calls(chatsApi.edit)).toHaveLength(0)
  })

  it('is cancelled by Escape and Cancel, and returns the focus to the edit button', async () => {
    const chat = renderChat(...twoTurns())
    const area = await openEditor(chat)
    expect(document.activeElement).toBe(area)
    expect(area.value).toBe('Question q1')
    await chat.user.type(area, ' more{Escape}')
    expect(log().getByText('Question q1')).toBeDefined()
    await waitFor(async () => expect(document.activeElement).toBe((await editButtons())[0]))
    await chat.user.keyboard('{Enter}')
    expect(((await field()) as HTMLTextAreaElement).value).toBe('Question q1')
    await chat.user.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(async () => expect(document.activeElement).toBe((await editButtons())[0]))
  })

  it('hides the messages below at once and sends with Ctrl+Enter', async () => {
    const chat = renderChat(...twoTurns())
    const stream = openEventStream()
    chat.api.on(chatsApi.edit, () => streamOf(chatsApi.edit, stream.events))
    await chat.user.type(await openEditor(chat), ', again{Control>}{Enter}{/Control}')
    expect(await log().findByText('Question q1, again')).toBeDefined()
    expect(log().getByText('Sent')).toBeDefined()
    expect(log().queryByText('Reply r1')).toBeNull()
    expect(log().queryByText('Question q2')).toBeNull()
    expect(screen.getByText('Assistant is typing')).toBeDefined()
    expect(document.activeElement).toBe(screen.getByRole('log'))

    const edited = aQuestion('q3', { content: 'Question q1, again' })
    const finishedReply = aReply('r3', { content: 'Otherwise' })
    stream.send({
      seq: 1,
      type: 'accepted',
      message: edited,
      reply: aReply('r3', { content: '', state: 'streaming' }),
    })
    stream.send({ seq: 2, type: 'delta', text: 'Otherwise' })
    expect(await log().findByText('Otherwise')).toBeDefined()
    const versions = { ids: ['q1', 'q3'], current: 1 }
    chat.state.messages = [{ ...edited, versions }, finishedReply]
    stream.send({ seq: 3, type: 'done', reply: finishedReply })
    expect(await log().findByText('Version 2 of 2')).toBeDefined()
    expect(log().getAllByText('Question q1, again')).toHaveLength(1)
    expect(chat.api.calls(chatsApi.edit).map(({ params, body }) => [params.messageId, body.message])).toEqual(
      [['q1', 'Question q1, again']],
    )
  })

  it('restores the messages and the text after a failure, and retries with the same key', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    const chat = renderChat(...twoTurns())
    chat.api.on(chatsApi.edit, () => {
      throw new NoNetwork()
    })
    await chat.user.type(await openEditor(chat), '!{Control>}{Enter}{/Control}')
    expect(await screen.findByText('Failed to send the edited message')).toBeDefined()
    const area = (await field()) as HTMLTextAreaElement
    expect(area.value).toBe('Question q1!')
    expect(document.activeElement).toBe(area)
    expect(log().getByText('Reply r1')).toBeDefined()
    expect(log().getByText('Question q2')).toBeDefined()
    const key = chat.api.calls(chatsApi.edit)[0]?.headers.get('Idempotency-Key')
    expect(key).toMatch(/^[0-9a-f]{32}$/)

    chat.api.on(chatsApi.edit, () => refuse('chat.busy'))
    await chat.user.click(screen.getByRole('button', { name: 'Save & send' }))
    expect(await screen.findByText(errors['chat.busy'].message)).toBeDefined()
    expect(chat.api.calls(chatsApi.edit)[0]?.headers.get('Idempotency-Key')).toBe(key)
    await chat.user.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(log().getByText('Question q1')).toBeDefined()
  })

  it('sends nothing while a reply is running', async () => {
    const chat = renderChat(
      aQuestion('q1'),
      aReply('r1', { content: 'So', state: 'streaming', lastEvent: 2 }),
    )
    const stream = openEventStream()
    chat.api
      .on(chatsApi.events, () => streamOf(chatsApi.events, stream.events))
      .on(chatsApi.edit, () => refuse('internal'))
    const area = await openEditor(chat)
    await chat.user.type(area, '?{Control>}{Enter}{/Control}')
    expect(chat.api.calls(chatsApi.edit)).toHaveLength(0)
    expect(area.value).toBe('Question q1?')
  })
})
