import { documentsApi } from '@lyceum/contract/documents'
import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { takeConsoleOutput } from '#testing/console-output.ts'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aDocument } from '#testing/samples.ts'
import { DocumentPreview } from './DocumentPreview.tsx'

let api: FakeApi
beforeEach(() => {
  api = fakeApi()
})

function show() {
  const onClose = vi.fn()
  const document = aDocument({ fileType: 'docx', originalName: 'policy.docx' })
  return { onClose, ...renderPage(<DocumentPreview document={document} isQuiet onClose={onClose} />) }
}

function createText(text: string) {
  return {
    title: 'policy',
    fileType: 'docx' as const,
    pages: [{ page: null, start: 0, text }],
    total: text.length,
  }
}

describe('the preview of a pending document', () => {
  it('says why its text cannot be read', async () => {
    api.on(documentsApi.text, () => refuse('attachment.unreadable'))
    const { onClose } = show()
    expect((await screen.findByRole('alert')).textContent).toBe(
      'This file could not be read.Reject it and give the reason, so that its uploader can send a working copy. You can download the original.',
    )
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
    expect(onClose).not.toHaveBeenCalled()
  })

  it('offers to try again while the server is busy', async () => {
    api.on(documentsApi.text, () => refuse('server.busy'))
    const { user } = show()
    expect((await screen.findByRole('alert')).textContent).toContain('The server is busy.')
    api.on(documentsApi.text, () => createText('Norway: 80 euros'))
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('Norway: 80 euros')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('is closed by any other failure', async () => {
    api.on(documentsApi.text, () => refuse('internal'))
    const { onClose } = show()
    await vi.waitFor(() => expect(onClose).toHaveBeenCalled())
    expect(takeConsoleOutput('warn').join()).toContain('Failed to preview document')
  })

  it('shows that it is opening until the text has been read, and then the text without its markup', async () => {
    const reading = Promise.withResolvers<void>()
    api.on(documentsApi.text, async () => {
      await reading.promise
      return createText('Norway: <b>80 euros</b>')
    })
    show()
    await screen.findByRole('dialog', { name: 'policy.docx' })
    screen.getByText('Opening the document…')
    reading.resolve()
    await screen.findByText('Norway: <b>80 euros</b>')
    expect(screen.queryByText('Opening the document…')).toBeNull()
    expect(api.calls(documentsApi.text)[0]?.query).toEqual({ start: 0, version: 1 })
  })
})
