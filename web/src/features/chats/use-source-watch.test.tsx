import type { Citation } from '@lyceum/contract/citations'
import { sourcesApi } from '@lyceum/contract/sources'
import { screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { aQuestion, aReply } from '#testing/chat-samples.ts'
import { renderChat } from '#testing/render-chat.tsx'

const manual: Citation = {
  ...{ n: 1, documentId: 'd1', title: 'Manual', fileType: 'docx', page: null, headingPath: [] },
  ...{ charStart: 0, charEnd: 5, quote: 'Doors', available: true },
}

afterEach(() => void vi.useRealTimers())

describe('the sources of an open chat', () => {
  it('are marked without a reload once their document is deleted', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const other = { ...manual, n: 2, documentId: 'd2', title: 'Other' }
    const { api } = renderChat(
      aQuestion('q1'),
      aReply('r1', { content: 'Doors [1] close [2].', citations: [manual, other] }),
    )
    let deleted: string[] = []
    api.on(sourcesApi.listDeleted, () => ({ documentIds: deleted }))
    await screen.findByRole('button', { name: 'Source 1: Manual' })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(api.calls(sourcesApi.listDeleted)[0]?.query).toEqual({ documentIds: 'd1,d2' })
    screen.getByRole('button', { name: 'Source 1: Manual' })
    deleted = ['d1']
    await vi.advanceTimersByTimeAsync(10_000)
    await screen.findByRole('button', { name: 'Source 1: Manual, deleted' })
    screen.getByRole('button', { name: 'Source 2: Other' })
  })

  it('are not checked without citations of documents', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const file = { ...manual, isAttachment: true }
    const { api } = renderChat(aQuestion('q1'), aReply('r1', { content: 'Doors [1].', citations: [file] }))
    await screen.findByRole('button', { name: 'Source 1: Manual, attached file' })
    await vi.advanceTimersByTimeAsync(30_000)
    expect(api.unhandledCalls.filter((path) => path.includes('deleted-sources'))).toEqual([])
  })
})
