import { authApi } from '@lyceum/contract/auth'
import { chatHistoryApi, type HistoryDetail } from '@lyceum/contract/chat-history'
import type { Citation } from '@lyceum/contract/citations'
import { documentsApi } from '@lyceum/contract/documents'
import { getPermissions, type Permissions } from '@lyceum/contract/permissions'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { aHistoryDetail } from '#testing/history-samples.ts'
import { renderPage } from '#testing/render-page.tsx'
import { anAdmin, signIn } from '#testing/users.ts'
import { ChatHistoryDetailPage } from './chat-history-detail.tsx'

// jsdom lacks these browser APIs.
beforeEach(() => {
  const Observer = class {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  }
  vi.stubGlobal('ResizeObserver', Observer)
})

const timestamp = '2026-11-20T09:00:00.000Z'
type Message = HistoryDetail['messages'][number]

function aReply(_id: string, change: Partial<Message> = {}): Message {
  return {
    _id,
    role: 'assistant',
    content: `Reply ${_id}`,
    timestamp,
    state: 'complete',
    ...change,
  }
}

const source: Citation = {
  n: 1,
  documentId: 'document-1',
  title: 'Handbook',
  fileType: 'txt',
  page: null,
  headingPath: ['Falling'],
  charStart: 0,
  charEnd: 5,
  quote: 'Things fall.',
  available: true,
}

function setUp(permissions: Partial<Permissions> = {}) {
  const overrides = { canViewChatHistory: true, ...permissions }
  const viewer = anAdmin({ permissions: getPermissions({ role: 'admin', isSystemAdmin: false, overrides }) })
  const api = fakeApi()
  api.on(authApi.me, () => viewer)
  signIn(viewer)
  const at = '/admin/chat-history/chat-1'
  function visit() {
    return renderPage(<ChatHistoryDetailPage />, { at, path: '/admin/chat-history/:id' })
  }
  return { api, visit }
}

describe('/admin/chat-history/:id', () => {
  it('shows the details and messages of a chat', async () => {
    const { api, visit } = setUp()
    const system: Message = { _id: 'm0', role: 'system', content: 'Wallpaper changed', timestamp }
    const { messages } = aHistoryDetail()
    api.on(chatHistoryApi.get, () => aHistoryDetail({ messages: [system, ...messages] }))
    visit()
    await screen.findByRole('heading', { level: 1, name: 'What falls' })
    for (const text of ['ada@example.com', 'Physics', '4', 'Wallpaper changed', 'Why do things fall?']) {
      screen.getByText(text)
    }
    screen.getByText('Viewing this chat is recorded in the audit log.')
    const roles = screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
    expect(roles[0]).toMatch(/^System/)
    expect(roles[1]).toMatch(/^UserAda Example/)
    expect(roles[2]).toMatch(/^Assistant/)
    expect(screen.getByText('gravity').tagName).toBe('STRONG')
  })

  it.each<[Partial<Message>, string]>([
    [{ state: 'stopped' }, 'Stopped by the user.'],
    [{ state: 'interrupted' }, 'Interrupted before it was complete.'],
    [{ state: 'failed', content: '' }, 'The assistant could not answer.'],
    [{ state: 'streaming' }, 'Still being written when this was loaded.'],
    [{ mode: 'refusal' }, 'Not found in the channel’s documents.'],
    [{ mode: 'extractive' }, 'Quoted from the documents, not written by a language model.'],
    [{ uncheckedCitations: 1 }, 'The model did not check 1 citation, so only words were compared.'],
  ])('describes the state of a reply: %j', async (change, text) => {
    const { api, visit } = setUp()
    api.on(chatHistoryApi.get, () => aHistoryDetail({ messages: [aReply('m1', change)] }))
    visit()
    await screen.findByText(text)
  })

  it('does not render HTML or script links from messages', async () => {
    const { api, visit } = setUp()
    const content = '<img src=x onerror="alert(1)"> [here](javascript:alert(1))'
    api.on(chatHistoryApi.get, () => aHistoryDetail({ messages: [aReply('m1', { content })] }))
    const { container } = visit()
    await screen.findByText(/onerror/)
    expect(container.querySelector('img, a[href^="javascript"]')).toBeNull()
  })

  it('starts at the beginning and loads later messages by cursor', async () => {
    const { api, visit } = setUp()
    api.on(chatHistoryApi.get, ({ query }) =>
      query.after === 'start'
        ? aHistoryDetail({ messages: [aReply('m1'), aReply('m2')], after: 'm2' })
        : aHistoryDetail({ messages: [aReply('m3'), aReply('m4')], after: null }),
    )
    const { user } = visit()
    await screen.findByText('Reply m1')
    expect(screen.queryByText('Reply m3')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Show later messages' }))
    await waitFor(() => expect(api.calls(chatHistoryApi.get).at(-1)?.query.after).toBe('m2'))
    while (screen.queryByText('Reply m4') === null) {
      await user.click(await screen.findByRole('button', { name: 'Show later messages' }))
    }
    const shown = screen.getAllByText(/^Reply m/).map(({ textContent }) => textContent)
    expect(shown).toEqual(['Reply m1', 'Reply m2', 'Reply m3', 'Reply m4'])
    expect(screen.queryByRole('button', { name: /later|end/ })).toBeNull()
    expect(api.calls(chatHistoryApi.get)).toHaveLength(2)
  })

  it('goes to the end and loads earlier messages by cursor', async () => {
    const { api, visit } = setUp()
    api.on(chatHistoryApi.get, ({ query }) =>
      query.after !== undefined
        ? aHistoryDetail({ messages: [aReply('m1'), aReply('m2')], after: 'm2' })
        : query.before === undefined
          ? aHistoryDetail({ messages: [aReply('m3'), aReply('m4')], before: 'm3' })
          : aHistoryDetail({ messages: [aReply('m1'), aReply('m2')] }),
    )
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Go to the end' }))
    await screen.findByText('Reply m4')
    expect(screen.queryByText('Reply m1')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Show earlier messages' }))
    await waitFor(() => expect(api.calls(chatHistoryApi.get).at(-1)?.query.before).toBe('m3'))
    while (screen.queryByText('Reply m1') === null) {
      await user.click(await screen.findByRole('button', { name: 'Show earlier messages' }))
    }
    const shown = screen.getAllByText(/^Reply m/).map(({ textContent }) => textContent)
    expect(shown).toEqual(['Reply m1', 'Reply m2', 'Reply m3', 'Reply m4'])
    expect(api.calls(chatHistoryApi.get)).toHaveLength(3)
  })

  it('goes to the end by keyboard, from a button before the messages', async () => {
    const { api, visit } = setUp()
    api.on(chatHistoryApi.get, ({ query }) =>
      query.after !== undefined
        ? aHistoryDetail({ messages: [aReply('m1')], after: 'm1' })
        : aHistoryDetail({ messages: [aReply('m2')], before: 'm2' }),
    )
    const { user } = visit()
    const button = await screen.findByRole('button', { name: 'Go to the end' })
    screen.getByRole('link', { name: 'Back to the list' }).focus()
    await user.tab()
    expect(document.activeElement).toBe(button)
    expect(button.className).not.toContain('absolute')
    await user.keyboard('{Enter}')
    await screen.findByText('Reply m2')
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Messages' }))
  })

  it('names the user beside the details on a phone', async () => {
    vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }))
    const { api, visit } = setUp()
    api.on(chatHistoryApi.get, () => aHistoryDetail())
    visit()
    const details = await screen.findByText('Details')
    const name = within(details.closest('summary') as HTMLElement).getByText('Ada Example')
    expect(name.className).toContain('truncate')
    expect(name.title).toBe('Ada Example')
  })

  it('scrolls the messages by keys pressed on the page', async () => {
    const { api, visit } = setUp()
    api.on(chatHistoryApi.get, () => aHistoryDetail())
    const { user } = visit()
    const messages = await screen.findByRole('region', { name: 'Messages' })
    await user.keyboard('a')
    expect(document.activeElement).toBe(document.body)
    await user.keyboard('{PageDown}')
    expect(document.activeElement).toBe(messages)
    screen.getByRole('link', { name: 'Back to the list' }).focus()
    await user.keyboard('{PageDown}')
    expect(document.activeElement).not.toBe(messages)
  })

  it('opens cited documents', async () => {
    const { api, visit } = setUp()
    const reply = aReply('m1', { content: 'They fall [1].', citations: [source] })
    api.on(chatHistoryApi.get, () => aHistoryDetail({ messages: [reply] }))
    api.on(documentsApi.text, () => refuse('not_found'))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: /^Source 1: Handbook/ }))
    await screen.findByRole('dialog', { name: 'Handbook' })
    await screen.findByText('This document was deleted.')
  })

  it('does not open cited documents without a permission to read them', async () => {
    const { api, visit } = setUp({ canPreviewDocuments: false, canDownloadDocuments: false })
    const reply = aReply('m1', { content: 'They fall [1].', citations: [source] })
    api.on(chatHistoryApi.get, () => aHistoryDetail({ messages: [reply] }))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: /^Source 1: Handbook/ }))
    await screen.findByText('You do not have permission to preview documents')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('reports a missing chat and links back to the list', async () => {
    const { api, visit } = setUp()
    api.on(chatHistoryApi.get, () => refuse('not_found'))
    const { user, address } = visit()
    await screen.findByText('Failed to load chat details.')
    screen.getByText(/^Chat not found\. /)
    await user.click(screen.getByRole('link', { name: 'Back to the list' }))
    expect(address()).toBe('/admin/chat-history')
  })

  it('reports a failed load and offers a retry', async () => {
    const { api, visit } = setUp()
    api.on(chatHistoryApi.get, () => refuse('server.busy'))
    const { user } = visit()
    await screen.findByText('Failed to load chat details.')
    api.on(chatHistoryApi.get, () => aHistoryDetail())
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('Why do things fall?')
  })
})
