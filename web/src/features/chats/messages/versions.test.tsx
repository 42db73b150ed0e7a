import { type ChatMessage, type Conversation, chatsApi } from '@lyceum/contract/chats'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { aQuestion, aReply, openEventStream } from '#testing/chat-samples.ts'
import { refuse, streamOf } from '#testing/fake-api.ts'
import { renderChat } from '#testing/render-chat.tsx'

function aVersionedReply(id: string, current: number): ChatMessage {
  return aReply(id, { versions: { ids: ['r1', 'r2', 'r3'], current } })
}

function page(messages: ChatMessage[], before: string | null = null): Conversation {
  return {
    chatId: 'a',
    title: null,
    messages,
    before,
    total: messages.length,
  }
}

function log() {
  return within(screen.getByRole('log'))
}
function button(name: string) {
  return screen.findByRole('button', { name })
}

describe('versions of a message', () => {
  it('shows no switch for a single version', async () => {
    renderChat(aQuestion('q1'), aReply('r1'))
    expect(await screen.findByText('Reply r1')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Earlier version' })).toBeNull()
  })

  it('switches in place with the messages that follow, and keeps the focus', async () => {
    const chat = renderChat(aQuestion('q1'), aVersionedReply('r2', 1), aQuestion('q2'), aReply('r4'))
    chat.api.on(chatsApi.showVersion, ({ params }) =>
      page([
        aQuestion('q1'),
        params.messageId === 'r1' ? aVersionedReply('r1', 0) : aVersionedReply('r2', 1),
      ]),
    )
    const earlier = await button('Earlier version')
    expect(log().getByText('Version 2 of 3')).toBeDefined()
    await chat.user.click(earlier)
    expect(await log().findByText('Reply r1')).toBeDefined()
    expect(log().queryByText('Reply r2')).toBeNull()
    expect(log().queryByText('Question q2')).toBeNull()
    expect(log().getByText('Version 1 of 3')).toBeDefined()
    expect(document.activeElement).toBe(earlier)
    expect(earlier.getAttribute('aria-disabled')).toBe('true')
    // At the first version, the button does nothing.
    await chat.user.click(earlier)
    await chat.user.click(await button('Later version'))
    expect(await log().findByText('Reply r2')).toBeDefined()
    expect(chat.api.calls(chatsApi.showVersion).map(({ params }) => params.messageId)).toEqual(['r1', 'r2'])
    expect(document.activeElement).toBe(await button('Later version'))
    // Existing text is not announced.
    expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).not.toContain('Reply r2')
  })

  it('leads from a failed attempt to the earlier reply, and counts no versions', async () => {
    const failed = aReply('r2', {
      content: '',
      state: 'failed',
      error: 'No answer',
      versions: { ids: ['r1', 'r2'], current: 1 },
    })
    const chat = renderChat(aQuestion('q1'), failed)
    chat.api.on(chatsApi.showVersion, () => page([aQuestion('q1'), aReply('r1')]))
    const earlier = await button('Show the earlier reply')
    expect(screen.queryByRole('group', { name: 'Versions' })).toBeNull()
    await chat.user.click(earlier)
    expect(await log().findByText('Reply r1')).toBeDefined()
    expect(chat.api.calls(chatsApi.showVersion).map(({ params }) => params.messageId)).toEqual(['r1'])
  })

  it('keeps the messages above the first message of the page', async () => {
    const chat = renderChat(aQuestion('q0'), aReply('r0'), aQuestion('q1'), aVersionedReply('r2', 1))
    chat.api.on(chatsApi.showVersion, () =>
      page([aVersionedReply('r1', 0), aQuestion('q5'), aReply('r5')], 'r1'),
    )
    await chat.user.click(await button('Earlier version'))
    expect(await log().findByText('Reply r5')).toBeDefined()
    for (const text of ['Question q0', 'Reply r0', 'Question q1', 'Reply r1']) log().getByText(text)
  })

  it('loads a longer page when more than one page follows the version', async () => {
    const chat = renderChat(aQuestion('q1'), aVersionedReply('r2', 1))
    await screen.findByText('Reply r2')
    chat.api.on(chatsApi.showVersion, () => page([aReply('r9')], 'r9'))
    chat.state.messages = [aQuestion('q1'), aVersionedReply('r1', 0), aQuestion('q8'), aReply('r9')]
    await chat.user.click(await button('Earlier version'))
    expect(await log().findByText('Reply r9')).toBeDefined()
    expect(log().getByText('Reply r1')).toBeDefined()
    expect(chat.api.calls(chatsApi.get).map(({ query }) => query.limit)).toContain(200)
  })

  it('keeps the version when another cannot be loaded', async () => {
    const chat = renderChat(aQuestion('q1'), aVersionedReply('r2', 1))
    chat.api.on(chatsApi.showVersion, () => refuse('internal'))
    await chat.user.click(await button('Earlier version'))
    expect(await screen.findByText('Failed to show the other version')).toBeDefined()
    expect(log().getByText('Reply r2')).toBeDefined()
  })

  it('cannot be switched while a reply is running', async () => {
    const question = aQuestion('q2', { versions: { ids: ['q2', 'q3'], current: 0 } })
    const chat = renderChat(question, aReply('r2', { state: 'streaming', content: 'So', lastEvent: 3 }))
    const stream = openEventStream()
    chat.api
      .on(chatsApi.events, () => streamOf(chatsApi.events, stream.events))
      .on(chatsApi.showVersion, () => refuse('internal'))
    const later = await button('Later version')
    await waitFor(() => expect(later.getAttribute('aria-disabled')).toBe('true'))
    await chat.user.click(later)
    expect(chat.api.calls(chatsApi.showVersion)).toEqual([])
  })

  it('notifies other tabs and applies their changes', async () => {
    const chat = renderChat(aQuestion('q1'), aVersionedReply('r2', 1))
    chat.api.on(chatsApi.showVersion, () => page([aQuestion('q1'), aVersionedReply('r1', 0)]))
    const received: unknown[] = []
    const tab = new BroadcastChannel('lyceum.chats')
    tab.onmessage = ({ data }) => received.push(data)
    await chat.user.click(await button('Earlier version'))
    await waitFor(() => expect(received).toEqual([{ channelId: 'c1', chatId: 'a' }]))
    chat.state.messages = [aQuestion('q1'), aVersionedReply('r3', 2)]
    tab.postMessage({ channelId: 'c1', chatId: 'a' })
    expect(await log().findByText('Reply r3')).toBeDefined()
    tab.close()
  })
})
