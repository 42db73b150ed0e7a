import type { Citation } from '@lyceum/contract/citations'
import { documentsApi } from '@lyceum/contract/documents'
import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { SourcePanel } from './SourcePanel.tsx'

function cite(n: number, available = true): Citation {
  return {
    n,
    documentId: `d${n}`,
    title: `Document ${n}`,
    fileType: 'docx',
    page: null,
    headingPath: [],
    charStart: 0,
    charEnd: 4,
    quote: 'Text',
    available,
  }
}

const citations = [cite(1), cite(2, false), cite(3)]

function Reply() {
  const [citation, setCitation] = useState<Citation | null>(null)
  return (
    <>
      <button type="button" onClick={() => setCitation(cite(1))}>
        [1]
      </button>
      <SourcePanel
        citation={citation}
        citations={citations}
        chat={{ channelId: 'c1', chatId: 'chat1' }}
        onShow={setCitation}
        onClose={() => setCitation(null)}
      />
    </>
  )
}

describe('SourcePanel', () => {
  beforeEach(() => {
    Element.prototype.scrollIntoView = vi.fn()
    fakeApi().on(documentsApi.text, ({ params }) => ({
      title: params.id,
      fileType: 'docx' as const,
      pages: [{ page: null, start: 0, text: `Text of ${params.id}` }],
      total: 10,
    }))
  })

  it('takes the focus and gives it back to the citation on Escape', async () => {
    const { user } = renderPage(<Reply />)
    await user.click(screen.getByRole('button', { name: '[1]' }))
    const panel = screen.getByRole('complementary', { name: 'Document 1' })
    expect(document.activeElement).toBe(panel)
    expect(await screen.findByText('Text', { selector: 'mark' })).toBeDefined()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('complementary')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: '[1]' }))
  })

  it('steps through the sources that are available', async () => {
    const { user } = renderPage(<Reply />)
    await user.click(screen.getByRole('button', { name: '[1]' }))
    const previous = screen.getByRole('button', { name: 'Previous source' })
    expect(previous.getAttribute('aria-disabled')).toBe('true')
    await user.click(screen.getByRole('button', { name: 'Next source' }))
    expect(await screen.findByRole('complementary', { name: 'Document 3' })).toBeDefined()
    await user.click(previous)
    expect(await screen.findByRole('complementary', { name: 'Document 1' })).toBeDefined()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: '[1]' })))
  })
})
