import { channelsApi } from '@lyceum/contract/channels'
import { type ChatMessage, chatsApi } from '@lyceum/contract/chats'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel } from '#testing/samples.ts'
import { aUser, signIn } from '#testing/users.ts'
import { PrintDialog } from './PrintDialog.tsx'

const timestamp = '2026-11-20T10:00:00.000Z'
const chat = { _id: 'a', title: 'What falls', createdAt: timestamp }

function aMessage(n: number): ChatMessage {
  return n % 2 === 0
    ? { _id: `m${n}`, role: 'user', content: `question ${n}`, timestamp, status: 'read' }
    : { _id: `m${n}`, role: 'assistant', content: `answer **${n}**`, timestamp, state: 'complete' }
}

let api: FakeApi
const printed = vi.fn()
beforeEach(() => {
  signIn(aUser())
  printed.mockClear()
  vi.stubGlobal('print', printed)
  const all = Array.from({ length: 250 }, (_, n) => aMessage(n))
  api = fakeApi()
    .on(channelsApi.get, () => aChannel({ name: 'Physics' }))
    .on(chatsApi.get, ({ params, query }) => {
      const end = query.before === undefined ? all.length : Number(query.before)
      const start = Math.max(0, end - query.limit)
      const before = start === 0 ? null : String(start)
      return {
        chatId: params.chatId,
        title: null,
        messages: all.slice(start, end),
        before,
        total: all.length,
      }
    })
})

function open() {
  const onClose = vi.fn()
  renderPage(<PrintDialog channelId="channel-1" chat={chat} onClose={onClose} />)
  return onClose
}
function printedChat(): HTMLElement {
  const found = document.querySelector<HTMLElement>('body > [data-printed]')
  if (found === null) throw new Error('The printed chat is missing')
  return found
}

describe('PrintDialog', () => {
  it('shows an error and prints nothing when the messages cannot be loaded', async () => {
    api.on(chatsApi.get, () => refuse('not_found'))
    open()
    await screen.findByRole('alert')
    expect(printed).not.toHaveBeenCalled()
  })

  it('renders all messages and closes after printing', async () => {
    const onClose = open()
    await screen.findByRole('progressbar')
    await waitFor(() => expect(printed).toHaveBeenCalledTimes(1), { timeout: 20_000 })
    const rows = within(printedChat()).getAllByRole('listitem', { hidden: true })
    expect(rows).toHaveLength(250)
    expect(rows[0]?.textContent).toContain('question 0')
    expect(rows.at(-1)?.querySelector('strong')?.textContent).toBe('249')
    expect(printedChat().textContent).toContain('What falls')
    expect(printedChat().textContent).toContain('Physics')
    expect(api.calls(chatsApi.get)).toHaveLength(2)
    dispatchEvent(new Event('afterprint'))
    expect(onClose).toHaveBeenCalledTimes(1)
  }, 30_000)
})
