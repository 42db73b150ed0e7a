import type { Citation } from '@lyceum/contract/chats'
import { documentsApi } from '@lyceum/contract/documents'
import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { SourceDialog } from './SourceDialog.tsx'

const citation: Citation = {
  n: 2,
  documentId: 'd1',
  title: 'Travel policy',
  fileType: 'docx',
  page: null,
  headingPath: ['Staying away', 'Allowances'],
  charStart: 30_004,
  charEnd: 30_010,
  quote: 'Norway',
  available: true,
}

function show() {
  return renderPage(<SourceDialog citation={citation} onClose={() => undefined} />)
}

describe('SourceDialog', () => {
  beforeEach(() => {
    Element.prototype.scrollIntoView = vi.fn()
  })

  it('marks the passage in the text of a document that is not a PDF', async () => {
    const api = fakeApi()
    api.on(documentsApi.text, ({ query }) => ({
      title: 'Travel policy',
      fileType: 'docx' as const,
      pages: [{ page: null, start: 30_000, text: `To: Norway, ${query.start}` }],
      total: 40_000,
    }))
    show()
    expect(await screen.findByRole('dialog', { name: 'Travel policy' })).toBeDefined()
    expect(screen.getByText('Source 2, Staying away › Allowances')).toBeDefined()
    expect(await screen.findByText('Norway', { selector: 'mark' })).toBeDefined()
    // A long document is loaded from shortly before the passage.
    expect(api.calls(documentsApi.text)[0]?.query.start).toBe(10_004)
  })

  it('says that the document was deleted', async () => {
    fakeApi().on(documentsApi.text, () => refuse('not_found'))
    show()
    expect(await screen.findByText('This document is no longer available.')).toBeDefined()
  })

  it('offers a retry after a failed load', async () => {
    const api = fakeApi()
    api.on(documentsApi.text, () => refuse('internal'))
    const { user } = show()
    expect(await screen.findByText('The document could not be opened.')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('The document could not be opened.')).toBeDefined()
    expect(api.calls(documentsApi.text)).toHaveLength(2)
  })
})
