import { attachmentsApi } from '@lyceum/contract/attachments'
import type { Citation } from '@lyceum/contract/citations'
import { documentsApi } from '@lyceum/contract/documents'
import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { SourceDialog } from './SourceDialog.tsx'

const { saveFile } = vi.hoisted(() => ({ saveFile: vi.fn() }))
vi.mock('#lib/save-file.ts', () => ({ saveFile }))

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
    expect(await screen.findByText('This document was deleted.')).toBeDefined()
  })

  it('offers to download files attached to the chat, but no documents of the channel', async () => {
    const content = new Blob(['Norway'])
    const api = fakeApi()
      .on(attachmentsApi.text, () => ({ title: 'trip.docx', fileType: 'docx' as const, pages: [], total: 0 }))
      .on(attachmentsApi.download, () => content)
      .on(documentsApi.text, () => ({ title: 'trip.docx', fileType: 'docx' as const, pages: [], total: 0 }))
    const chat = { channelId: 'c1', chatId: 'a' }
    const file = { ...citation, title: 'trip.docx', isAttachment: true }
    const { user, unmount } = renderPage(
      <SourceDialog citation={file} chat={chat} onClose={() => undefined} />,
    )
    await user.click(await screen.findByRole('button', { name: 'Download the file' }))
    await vi.waitFor(() => expect(saveFile).toHaveBeenCalledWith(content, 'trip.docx'))
    expect(api.calls(attachmentsApi.download)[0]?.params).toEqual({ ...chat, attachmentId: 'd1' })
    unmount()
    renderPage(<SourceDialog citation={citation} chat={chat} onClose={() => undefined} />)
    await screen.findByRole('dialog', { name: 'Travel policy' })
    expect(screen.queryByRole('button', { name: 'Download the file' })).toBeNull()
  })

  it('reports that a file could not be downloaded', async () => {
    fakeApi()
      .on(attachmentsApi.text, () => ({ title: 'trip.docx', fileType: 'docx' as const, pages: [], total: 0 }))
      .on(attachmentsApi.download, () => refuse('internal'))
    const file = { ...citation, isAttachment: true }
    const { user } = renderPage(
      <SourceDialog citation={file} chat={{ channelId: 'c1', chatId: 'a' }} onClose={() => undefined} />,
    )
    await user.click(await screen.findByRole('button', { name: 'Download the file' }))
    await screen.findByText('Failed to download the file')
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
