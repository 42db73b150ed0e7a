import { channelsApi } from '@lyceum/contract/channels'
import { type Document, type DocumentVersion, documentsApi } from '@lyceum/contract/documents'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { takeConsoleOutput } from '#testing/console-output.ts'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { type RenderedPage, renderPage } from '#testing/render-page.tsx'
import { aDocument, anApprovedDocument, anIndex, aPage } from '#testing/samples.ts'
import { anAdmin, signIn, signInAdminWithout } from '#testing/users.ts'
import { DocumentsPage } from './documents.tsx'

let api: FakeApi

const secondVersion = { number: 2, count: 2 }

function serveDocuments(...documents: Document[]): void {
  api.on(documentsApi.list, () => aPage(documents))
}

function aVersion(change: Partial<DocumentVersion> = {}): DocumentVersion {
  return {
    number: 1,
    originalName: 'handbook.txt',
    fileType: 'txt',
    fileSize: 2048,
    uploadedBy: { name: 'Grace Example' },
    createdAt: '2026-11-20T09:00:00.000Z',
    state: 'answering',
    decidedBy: { name: 'Alan Example' },
    decidedAt: '2026-11-21T10:00:00.000Z',
    isKept: true,
    ...change,
  }
}

function visit(): RenderedPage {
  return renderPage(<DocumentsPage />, { at: '/admin/documents' })
}

async function findRow(name: string): Promise<HTMLElement> {
  return (await screen.findByRole('button', { name })).closest('li') as HTMLElement
}

async function openReplaceDialog(user: RenderedPage['user']): Promise<HTMLElement> {
  await user.click(
    within(await findRow('handbook.pdf')).getByRole('button', { name: 'More actions for handbook.pdf' }),
  )
  await user.click(await screen.findByRole('menuitem', { name: 'Replace' }))
  return screen.findByRole('dialog', { name: 'Replace with a new version' })
}
function getFileInput(dialog: HTMLElement): HTMLElement {
  return within(dialog).getByLabelText(/Drop the new file here/)
}

beforeEach(() => {
  api = fakeApi().on(channelsApi.list, () => [])
  signIn(anAdmin())
})

describe('replacing', () => {
  it('sends a text file at once and shows the new version in its row', async () => {
    serveDocuments(anApprovedDocument({ answering: { number: 1 }, index: anIndex({ state: 'ready' }) }))
    api.on(documentsApi.replace, () => aDocument({ version: secondVersion, answering: { number: 1 } }))
    const { user } = visit()
    const dialog = await openReplaceDialog(user)
    within(dialog).getByText(/Version 1 stays in use until the new version is approved and indexed/)
    await user.upload(getFileInput(dialog), new File(['text'], 'next.txt'))
    await screen.findByText('New version uploaded. It needs approval.')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const row = await findRow('handbook.pdf')
    within(row).getByText('Pending')
    within(row).getByText('Version 2 of 2 · version 1 stays in use until this is approved')
    expect(api.calls(documentsApi.replace)[0]).toMatchObject({ params: { id: 'document-1' } })
    expect(api.calls(documentsApi.replace)[0]?.file?.name).toBe('next.txt')
    within(row).getByRole('button', { name: 'Approve' })
  })

  it('previews a PDF before it is sent', async () => {
    serveDocuments(aDocument())
    api.on(documentsApi.replace, () => aDocument({ version: secondVersion }))
    const { user } = visit()
    const dialog = await openReplaceDialog(user)
    await user.upload(getFileInput(dialog), new File(['no pdf'], 'next.pdf'))
    await within(dialog).findByText('This file is not a PDF. Choose another file.')
    await waitFor(() => expect(within(dialog).queryByRole('button', { name: 'Upload version' })).toBeNull())
    expect(api.calls(documentsApi.replace)).toHaveLength(0)
    await user.click(within(dialog).getByRole('button', { name: 'Choose another file' }))
    await user.upload(getFileInput(dialog), new File(['%PDF-'], 'other.pdf'))
    await user.click(await within(dialog).findByRole('button', { name: 'Upload version' }))
    await screen.findByText('New version uploaded. It needs approval.')
    expect(api.calls(documentsApi.replace)[0]?.file?.name).toBe('other.pdf')
  })

  it('explains that a file is a duplicate and accepts another one', async () => {
    serveDocuments(aDocument())
    api.on(documentsApi.replace, () => refuse('document.duplicate'))
    const { user } = visit()
    const dialog = await openReplaceDialog(user)
    await user.upload(getFileInput(dialog), new File(['text'], 'same.txt'))
    await within(dialog).findByText('This channel already has a document with the same content.')
    expect(within(dialog).queryByRole('button', { name: 'Try again' })).toBeNull()
    fireEvent.drop(getFileInput(dialog), { dataTransfer: { files: [new File(['png'], 'a.png')] } })
    await within(dialog).findByText('Only PDF, DOC, DOCX and TXT files can be uploaded.')
    expect(api.calls(documentsApi.replace)).toHaveLength(1)
  })

  it('retries with the same idempotency key', async () => {
    serveDocuments(aDocument())
    api.on(documentsApi.replace, () => refuse('internal'))
    const { user } = visit()
    const dialog = await openReplaceDialog(user)
    await user.upload(getFileInput(dialog), new File(['text'], 'next.txt'))
    await within(dialog).findByText('The new version could not be uploaded. Please try again.')
    await user.click(within(dialog).getByRole('button', { name: 'Try again' }))
    await expect.poll(() => api.calls(documentsApi.replace).length).toBe(2)
    const keys = api.calls(documentsApi.replace).map(({ headers }) => headers.get('Idempotency-Key'))
    expect(keys[0]).toBe(keys[1])
  })

  it('can be cancelled', async () => {
    serveDocuments(aDocument())
    api.on(documentsApi.replace, () => new Promise<never>(() => undefined))
    const { user } = visit()
    const dialog = await openReplaceDialog(user)
    await user.upload(getFileInput(dialog), new File(['text'], 'next.txt'))
    await user.click(await within(dialog).findByRole('button', { name: 'Cancel upload' }))
    await within(dialog).findByLabelText(/Drop the new file here/)
    expect(within(dialog).queryByRole('alert')).toBeNull()
  })
})

describe('the version history', () => {
  const currentDocument = aDocument({ version: secondVersion, answering: { number: 1 } })
  const history = [
    aVersion({
      number: 2,
      originalName: 'handbook.pdf',
      fileType: 'pdf',
      state: 'pending',
      decidedBy: null,
      decidedAt: null,
    }),
    aVersion(),
  ]

  it('lists the versions in the expanded row, newest first, with their decisions', async () => {
    serveDocuments(currentDocument)
    api.on(documentsApi.versions, () => history)
    const { user } = visit()
    const row = await findRow('handbook.pdf')
    await user.click(within(row).getByRole('button', { name: 'handbook.pdf' }))
    const list = await within(row).findByRole('list', { name: 'Versions of handbook.pdf' })
    const [newest, first] = within(list).getAllByRole('listitem')
    expect(newest?.textContent).toMatch(/^Version 2Pending/)
    expect(first?.textContent).toMatch(
      /^Version 1In use.*handbook\.txt.*Grace Example.*approved by Alan Example/,
    )
  })

  it('previews and downloads each version by its number and file name', async () => {
    const saved: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download)
    })
    serveDocuments(currentDocument)
    api.on(documentsApi.versions, () => history)
    api.on(documentsApi.download, () => new Blob(['an old text'], { type: 'text/plain' }))
    api.on(documentsApi.text, () => ({
      title: 'a',
      fileType: 'txt' as const,
      pages: [{ page: null, start: 0, text: 'an old text' }],
      total: 11,
    }))
    const { user } = visit()
    const row = await findRow('handbook.pdf')
    await user.click(within(row).getByRole('button', { name: 'handbook.pdf' }))
    const downloads = await within(row).findAllByRole('button', { name: 'Download version' })
    await user.click(downloads[1] as HTMLElement)
    await screen.findByText('Document downloaded successfully')
    expect(saved).toEqual(['handbook.txt'])
    expect(api.calls(documentsApi.download)[0]?.query).toEqual({ version: 1 })
    const previews = within(row).getAllByRole('button', { name: 'Preview version' })
    await user.click(previews[1] as HTMLElement)
    const dialog = await screen.findByRole('dialog', { name: 'handbook.txt' })
    within(dialog).getByText('Version 1 · In Physics')
    await within(dialog).findByText('an old text')
  })

  it('says when a file is no longer stored', async () => {
    serveDocuments(currentDocument)
    api.on(documentsApi.versions, () => [aVersion({ state: 'rejected', isKept: false })])
    const { user } = visit()
    const row = await findRow('handbook.pdf')
    await user.click(within(row).getByRole('button', { name: 'handbook.pdf' }))
    await within(row).findByText('No longer stored')
    expect(within(row).queryByRole('button', { name: 'Download version' })).toBeNull()
  })

  describe('while a version is pending and an earlier one was approved', () => {
    const index = { state: 'ready', percent: 100, attempts: 1, reason: null } as const
    let approved: DocumentVersion
    async function expand() {
      serveDocuments(currentDocument)
      api.on(documentsApi.versions, () => [...history.slice(0, 1), approved])
      const { user } = visit()
      const row = await findRow('handbook.pdf')
      await user.click(within(row).getByRole('button', { name: 'handbook.pdf' }))
      const list = await within(row).findByRole('list', { name: 'Versions of handbook.pdf' })
      return { user, list }
    }

    it('offers no reindexing without the permission', async () => {
      signInAdminWithout(api, 'canReindexDocuments')
      approved = aVersion({ index })
      const { list } = await expand()
      within(list).getByText('Version 1')
      expect(within(list).queryByRole('button', { name: 'Reindex version' })).toBeNull()
    })

    it('offers no reindexing that would fail again', async () => {
      const reason = 'This document is damaged and could not be read. Replace it with a working copy.'
      approved = aVersion({
        state: 'approved',
        index: { ...index, state: 'failed', reason, needsOtherFile: true },
      })
      const { list } = await expand()
      within(list).getByText('Indexing failed')
      within(list).getByText(reason)
      expect(within(list).queryByRole('button', { name: 'Reindex version' })).toBeNull()
    })

    it('reindexes the approved version and shows its progress', async () => {
      api.on(documentsApi.reindex, () => {
        approved = aVersion({ index: { ...index, state: 'waiting', percent: 0 } })
        return currentDocument
      })
      vi.useFakeTimers({ shouldAdvanceTime: true })
      try {
        approved = aVersion({ index })
        const { list, user } = await expand()
        const button = within(list).getByRole('button', { name: 'Reindex version' })
        expect(button.getAttribute('aria-description')).toBe('Version 1, handbook.txt')
        expect(within(list).queryByText('Indexed')).toBeNull()
        await user.click(button)
        await screen.findByText('Document reindexing started')
        await within(list).findByText('Waiting to be indexed')
        within(list).getByText('The previous index is still in use.')
        expect(document.activeElement).toBe(button)
        await user.click(button)
        expect(api.calls(documentsApi.reindex).map(({ params }) => params.id)).toEqual(['document-1'])
        approved = aVersion({ index })
        await vi.advanceTimersByTimeAsync(2000)
        await screen.findByText('Document re-indexed successfully')
        expect(within(list).queryByText('Waiting to be indexed')).toBeNull()
      } finally {
        vi.useRealTimers()
      }
    })
  })

  it('is not loaded when there is only one version', async () => {
    serveDocuments(aDocument())
    const { user } = visit()
    const row = await findRow('handbook.pdf')
    await user.click(within(row).getByRole('button', { name: 'handbook.pdf' }))
    within(row).getByText('File name')
    expect(api.unhandledCalls.filter((missing) => missing.includes('versions'))).toEqual([])
  })
})

describe('a version under review', () => {
  it('leaves the previous version in use when it is rejected, and returns when that is undone', async () => {
    const pending = aDocument({ version: secondVersion, answering: { number: 1 } })
    serveDocuments(pending)
    api.on(documentsApi.undoReject, () => pending)
    api.on(documentsApi.reject, () =>
      anApprovedDocument({
        version: { number: 1, count: 2 },
        answering: { number: 1 },
        index: anIndex({ state: 'ready' }),
      }),
    )
    const { user } = visit()
    const row = await findRow('handbook.pdf')
    await user.click(within(row).getByRole('button', { name: 'Reject' }))
    const dialog = await screen.findByRole('dialog', { name: 'Reject this document?' })
    within(dialog).getByText(/Earlier approved versions stay in use/)
    await user.click(within(dialog).getByRole('button', { name: 'Reject document' }))
    await within(row).findByText('Version 1 of 2')
    within(row).getByText('Approved')
    within(row).getByText('Version 2 rejected')
    expect(screen.queryByText(/approved document/)).toBeNull()
    expect(api.calls(documentsApi.reject)[0]?.query).toEqual({ version: 2 })
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await within(row).findByText(/Version 2 of 2/)
    within(row).getByText('Pending')
    expect(api.calls(documentsApi.undoReject)[0]?.query).toEqual({ version: 2 })
  })

  it('is not approved if it was replaced meanwhile', async () => {
    serveDocuments(aDocument())
    api.on(documentsApi.approve, () => refuse('document.replaced'))
    api.on(documentsApi.get, () => aDocument({ version: secondVersion }))
    const { user } = visit()
    const row = await findRow('handbook.pdf')
    await user.click(within(row).getByRole('button', { name: 'Approve' }))
    await within(row).findByText('Version 2 of 2')
    within(row).getByRole('button', { name: 'Approve' })
    expect(takeConsoleOutput('warn').join()).toContain('Failed to approve document')
  })
})

it('marks a member’s proposal', async () => {
  serveDocuments(aDocument({ isProposal: true, uploadedBy: { name: 'Ada Example' } }))
  const { user } = visit()
  const row = await findRow('handbook.pdf')
  within(row).getByText('Proposal')
  expect(row.textContent).toContain('Proposed by Ada Example')
  await user.click(within(row).getByRole('button', { name: 'handbook.pdf' }))
  expect(within(row).getByText('Proposed by').nextElementSibling?.textContent).toBe('Ada Example')
})
