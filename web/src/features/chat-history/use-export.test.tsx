import { authApi } from '@lyceum/contract/auth'
import { chatHistoryApi } from '@lyceum/contract/chat-history'
import { getPermissions } from '@lyceum/contract/permissions'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { saveFile } from '#lib/save-file.ts'
import { ChatHistoryPage } from '#pages/admin/chat-history.tsx'
import { NoNetwork, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { aHistory, aHistoryPage } from '#testing/history-samples.ts'
import { renderPage } from '#testing/render-page.tsx'
import { anAdmin, signIn } from '#testing/users.ts'

vi.mock('#lib/save-file.ts', () => ({ saveFile: vi.fn() }))
beforeEach(() => vi.mocked(saveFile).mockClear())

const path = '/admin/chat-history'

function open(at = path) {
  const permissions = getPermissions({
    role: 'admin',
    isSystemAdmin: false,
    overrides: { canViewChatHistory: true, canExportChatHistory: true, canSearchChatHistory: false },
  })
  const viewer = anAdmin({ permissions })
  const api = fakeApi()
  api.on(authApi.me, () => viewer)
  api.on(chatHistoryApi.list, () => aHistoryPage([aHistory()]))
  signIn(viewer)
  return { api, show: () => renderPage(<ChatHistoryPage />, { at, path }) }
}

/** A response whose chunks the test sends one by one. */
function createSlowFile(total: number, isCut = false) {
  const encoder = new TextEncoder()
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      stream = controller
    },
  })
  const headers = { 'x-total-messages': String(total), 'x-export-cut': String(isCut) }
  return {
    response: new Response(body, { headers }),
    send: (text: string) => stream?.enqueue(encoder.encode(text)),
    end: () => stream?.close(),
    fail: () => stream?.error(new TypeError('terminated')),
  }
}

function findButton(name: string) {
  return screen.findByRole('button', { name })
}

describe('exporting chat histories', () => {
  it('shows the progress and saves the file when complete', async () => {
    const { api, show } = open(`${path}?channel=channel-1&sort=updatedAt`)
    const file = createSlowFile(4)
    api.on(chatHistoryApi.export, () => file.response)
    const { user } = show()
    await user.click(await findButton('Export as CSV'))
    file.send('Exported by Grace\r\nchatId,content\r\n1,"a\nb"\r\n')
    await screen.findByText('1 of 4 messages')
    expect(screen.getByRole('progressbar').getAttribute('value')).toBe('0.25')
    expect((await findButton('Export as JSON Lines')).hasAttribute('disabled')).toBe(true)
    expect(saveFile).not.toHaveBeenCalled()
    file.end()
    await screen.findByText('Chat histories exported')
    expect(api.calls(chatHistoryApi.export).at(-1)?.query).toMatchObject({
      channelId: 'channel-1',
      sortBy: 'updatedAt',
      format: 'csv',
    })
    expect(vi.mocked(saveFile).mock.lastCall?.[1]).toMatch(/^chat-histories-\d{4}-\d{2}-\d{2}\.csv$/)
    await user.click(await findButton('Dismiss'))
    expect(screen.queryByText('Chat histories exported')).toBeNull()
  })

  it('reports that the file was truncated', async () => {
    const { api, show } = open()
    const file = createSlowFile(50_000, true)
    api.on(chatHistoryApi.export, () => file.response)
    const { user } = show()
    await user.click(await findButton('Export as JSON Lines'))
    file.end()
    await screen.findByText(
      `The file contains only the first ${(50_000).toLocaleString()} messages. Narrow the filters to export the rest.`,
    )
    expect(vi.mocked(saveFile).mock.lastCall?.[1]).toMatch(/\.jsonl$/)
  })

  it('saves nothing when cancelled', async () => {
    const { api, show } = open()
    api.on(chatHistoryApi.export, () => new Promise<Response>(() => undefined))
    const { user } = show()
    await user.click(await findButton('Export as CSV'))
    await user.click(await findButton('Cancel export'))
    await screen.findByText('Export cancelled. Nothing was saved.')
    expect(document.activeElement).toBe(await findButton('Export as CSV'))
    expect(api.calls(chatHistoryApi.export).at(-1)?.signal?.aborted).toBe(true)
    expect(saveFile).not.toHaveBeenCalled()
  })

  it('is cancelled when the user leaves the screen', async () => {
    const { api, show } = open()
    api.on(chatHistoryApi.export, () => new Promise<Response>(() => undefined))
    const { user, unmount } = show()
    await user.click(await findButton('Export as CSV'))
    await findButton('Cancel export')
    unmount()
    await waitFor(() => expect(api.calls(chatHistoryApi.export).at(-1)?.signal?.aborted).toBe(true))
  })

  it('saves nothing when the download is interrupted', async () => {
    const { api, show } = open()
    const file = createSlowFile(4)
    api.on(chatHistoryApi.export, () => file.response)
    const { user } = show()
    await user.click(await findButton('Export as CSV'))
    file.send('Exported by Grace\r\n')
    await screen.findByText('0 of 4 messages')
    file.fail()
    await screen.findByText('Failed to export the chat histories')
    expect(saveFile).not.toHaveBeenCalled()
  })

  it.each([
    ['history.exporting', /You already have an export running/],
    ['permission.denied', /permission/],
    ['audit.unavailable', /audit log could not be written/],
  ] as const)('shows the reason for the refusal %s', async (code, text) => {
    const { api, show } = open()
    api.on(chatHistoryApi.export, () => refuse(code))
    const { user } = show()
    await user.click(await findButton('Export as CSV'))
    await screen.findByText(text)
  })

  it('reports a lost connection', async () => {
    const { api, show } = open()
    api.on(chatHistoryApi.export, () => {
      throw new NoNetwork()
    })
    const { user } = show()
    await user.click(await findButton('Export as CSV'))
    await screen.findByText('Failed to export the chat histories')
  })

  it('is disabled when there are no chats', async () => {
    const { api, show } = open()
    api.on(chatHistoryApi.list, () => aHistoryPage([]))
    show()
    await screen.findByText('There are no chats yet.')
    expect((await findButton('Export as CSV')).hasAttribute('disabled')).toBe(true)
  })
})
