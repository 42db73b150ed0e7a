import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { type Document, documentsApi } from '@lyceum/contract/documents'
import { getPermissions, type Permission } from '@lyceum/contract/permissions'
import { act, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { indexPollMs } from '#features/documents/queries.ts'
import { takeConsoleOutput } from '#testing/console-output.ts'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { type RenderedPage, renderPage } from '#testing/render-page.tsx'
import { aChannel, aDocument, anApprovedDocument, anIndex, aPage } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { DocumentsPage } from './documents.tsx'

let api: FakeApi

function signInWithout(...permissions: Permission[]): void {
  const overrides = Object.fromEntries(permissions.map((permission) => [permission, false]))
  const admin = anAdmin({ permissions: getPermissions({ role: 'admin', isSystemAdmin: false, overrides }) })
  api.on(authApi.me, () => admin)
  signIn(admin)
}

function serveDocuments(...documents: Document[]): void {
  api.on(documentsApi.list, () => aPage(documents))
}

function visit(query = ''): RenderedPage {
  return renderPage(<DocumentsPage />, { at: `/admin/documents${query}`, path: '/admin/documents' })
}

async function findRow(name: string): Promise<HTMLElement> {
  return (await screen.findByRole('button', { name })).closest('li') as HTMLElement
}
async function openMenu(user: UserEvent, row: HTMLElement): Promise<void> {
  await user.click(within(row).getByRole('button', { name: /^More actions for / }))
}
/** The enabled buttons, then the items of the menu. */
async function readActions(user: UserEvent, row: HTMLElement): Promise<(string | null)[]> {
  const buttons = within(row)
    .getAllByRole('button')
    .slice(1)
    .filter(
      (button) =>
        !(button as HTMLButtonElement).disabled &&
        button.ariaDisabled !== 'true' &&
        button.ariaHasPopup !== 'menu',
    )
  await openMenu(user, row)
  const items = await screen.findAllByRole('menuitem')
  await user.keyboard('{Escape}')
  return [...buttons, ...items].map(({ textContent }) => textContent)
}

beforeEach(() => {
  api = fakeApi().on(channelsApi.list, () => [aChannel(), aChannel({ _id: 'channel-2', name: 'Law' })])
  signInWithout()
  serveDocuments()
})

describe('the document list', () => {
  it('starts with pending documents', async () => {
    visit()
    await screen.findByText('No pending documents in the selected channel to review.')
    expect(api.calls(documentsApi.list)[0]?.query).toEqual({ status: 'pending', limit: 20, skip: 0 })
    expect(screen.getByRole('tab', { name: 'Pending Approval', selected: true })).toBeDefined()
  })

  it('keeps the tab, the channel and the search in the URL', async () => {
    const { user, address } = visit()
    await user.click(await screen.findByRole('tab', { name: 'Approved Documents' }))
    expect(address()).toBe('/admin/documents?status=approved')
    await screen.findByText('No approved documents in the selected channel to review.')
    await screen.findByRole('option', { name: 'Law' })
    await user.selectOptions(screen.getByLabelText('Channel'), 'Law')
    await user.type(screen.getByRole('searchbox'), 'report')
    await waitFor(() =>
      expect(address()).toBe('/admin/documents?status=approved&channelId=channel-2&search=report'),
    )
    await waitFor(() =>
      expect(api.calls(documentsApi.list).at(-1)?.query).toEqual({
        status: 'approved',
        channelId: 'channel-2',
        search: 'report',
        limit: 20,
        skip: 0,
      }),
    )
    await user.click(screen.getByRole('button', { name: 'Clear Filters' }))
    expect(address()).toBe('/admin/documents?status=approved')
    expect(screen.getByRole('searchbox')).toHaveProperty('value', '')
    const clear = screen.getByRole('button', { name: 'Clear Filters' })
    expect(clear.getAttribute('aria-disabled')).toBe('true')
    expect(document.activeElement).toBe(clear)
  })

  it('opens with the filters and the page from the URL', async () => {
    api.on(documentsApi.list, () => aPage([anApprovedDocument()], 41))
    const { user, address } = visit('?status=approved&channelId=channel-2&page=2')
    await findRow('handbook.pdf')
    expect(api.calls(documentsApi.list)[0]?.query).toMatchObject({ channelId: 'channel-2', skip: 20 })
    await user.click(screen.getByRole('button', { name: 'Page 3' }))
    expect(address()).toContain('page=3')
    expect(api.calls(documentsApi.list).at(-1)?.query).toMatchObject({ skip: 40 })
  })

  it('goes to the last page if the requested one no longer exists', async () => {
    api.on(documentsApi.list, ({ query }) => aPage(query.skip ? [] : [aDocument()], 1))
    const { address } = visit('?page=4')
    await findRow('handbook.pdf')
    expect(address()).toBe('/admin/documents')
  })

  it('groups the documents by channel', async () => {
    serveDocuments(
      aDocument({ _id: '1', originalName: 'one.pdf' }),
      aDocument({ _id: '2', originalName: 'two.pdf', channel: { _id: 'channel-2', name: 'Law' } }),
      aDocument({ _id: '3', originalName: 'three.pdf' }),
    )
    visit()
    await findRow('one.pdf')
    const groups = screen.getAllByRole('heading', { level: 2 })
    expect(groups.map(({ textContent }) => textContent)).toEqual(['Physics', 'Law'])
    const physics = screen.getByRole('list', { name: 'Documents in Physics' })
    expect(within(physics).getAllByRole('listitem')).toHaveLength(2)
  })

  it('shows a failed load as an empty list and only logs it', async () => {
    api.on(documentsApi.list, () => refuse('internal'))
    visit()
    await screen.findByText('No pending documents in the selected channel to review.')
    expect(screen.queryByRole('alert')?.textContent ?? '').toBe('')
    expect(takeConsoleOutput('warn').join()).toContain('A query failed')
  })
})

describe('a row', () => {
  it('expands to all details', async () => {
    serveDocuments(
      anApprovedDocument({
        index: anIndex({ state: 'ready', passages: 1200, pages: 7 }),
        fileSize: 1_572_864,
      }),
    )
    const { user } = visit('?status=approved')
    const row = await findRow('handbook.pdf')
    expect(within(row).queryByText('Approved by')).toBeNull()
    await user.click(within(row).getByRole('button', { name: 'handbook.pdf', expanded: false }))
    const shown = within(row)
      .getAllByRole('term')
      .map((term) => `${term.textContent}: ${term.nextElementSibling?.textContent}`)
    expect(shown).toEqual([
      'File name: handbook.pdf',
      'Title: Handbook',
      'Type: PDF (application/pdf)',
      'Size: 1.50 MB',
      'Channel: Physics',
      'Uploaded by: Grace Example',
      expect.stringContaining('Uploaded on: '),
      'Approved by: Alan Example',
      expect.stringContaining('Approved on: '),
      'Pages: 7',
      `Indexed passages: ${(1200).toLocaleString()}`,
    ])
  })

  it('offers the actions that its state allows', async () => {
    serveDocuments(
      aDocument({ _id: '1', originalName: 'pending.pdf' }),
      anApprovedDocument({ _id: '2', originalName: 'approved.pdf', index: anIndex({ state: 'ready' }) }),
      aDocument({ _id: '3', originalName: 'rejected.docx', status: 'rejected', fileType: 'docx' }),
    )
    const { user } = visit()
    expect(await readActions(user, await findRow('pending.pdf'))).toEqual([
      'Approve',
      'Reject',
      'Preview',
      'Download',
      'Replace',
      'Delete',
    ])
    expect(await readActions(user, await findRow('approved.pdf'))).toEqual([
      'Preview',
      'Download',
      'Reindex',
      'Replace',
      'Delete',
    ])
    const ofRejected = await readActions(user, await findRow('rejected.docx'))
    expect(ofRejected).toEqual(['Download', 'Replace', 'Delete'])
  })

  it.each([
    ['canApproveDocuments', 'Approve'],
    ['canRejectDocuments', 'Reject'],
    ['canPreviewDocuments', 'Preview'],
    ['canDownloadDocuments', 'Download'],
    ['canUploadDocuments', 'Replace'],
    ['canDeleteDocuments', 'Delete'],
  ] as const)('hides the action that requires %s', async (permission, button) => {
    signInWithout(permission)
    serveDocuments(aDocument({ originalName: 'pending.pdf' }))
    const { user } = visit()
    const offered = await readActions(user, await findRow('pending.pdf'))
    expect(offered).toHaveLength(5)
    expect(offered).not.toContain(button)
  })

  it('shows why indexing failed and how often it was tried', async () => {
    const index = anIndex({ state: 'failed', attempts: 3, reason: 'This document is damaged.' })
    serveDocuments(anApprovedDocument({ index }))
    visit('?status=approved')
    const row = await findRow('handbook.pdf')
    within(row).getByText('Indexing failed')
    within(row).getByText('This document is damaged. Tried 3 times.')
    within(row).getByRole('button', { name: 'Reindex' })
  })

  it('offers to replace a file that cannot be indexed', async () => {
    const index = anIndex({ state: 'failed', reason: 'This document is damaged.', needsOtherFile: true })
    serveDocuments(anApprovedDocument({ index }))
    const { user } = visit('?status=approved')
    const row = await findRow('handbook.pdf')
    expect(await readActions(user, row)).toEqual(['Replace', 'Preview', 'Download', 'Reindex', 'Delete'])
    await user.click(within(row).getByRole('button', { name: 'Replace' }))
    await screen.findByRole('dialog', { name: /Replace/ })
  })
})

describe('a decision', () => {
  it('updates its row, which keeps its place', async () => {
    serveDocuments(aDocument(), aDocument({ _id: 'document-2', originalName: 'other.pdf' }))
    api.on(documentsApi.approve, () => anApprovedDocument({ index: anIndex({ state: 'ready' }) }))
    const { user } = visit()
    const row = await findRow('handbook.pdf')
    await user.click(within(row).getByRole('button', { name: 'Approve' }))
    await screen.findByText('Document approved successfully')
    within(row).getByText('Approved')
    within(row).getByText('Indexed')
    expect(await readActions(user, row)).toEqual(['Preview', 'Download', 'Reindex', 'Replace', 'Delete'])
    expect(screen.getAllByRole('listitem')).toHaveLength(2)
    expect(api.calls(documentsApi.list)).toHaveLength(1)
    expect(api.calls(documentsApi.approve)[0]?.query).toEqual({ version: 1 })
  })

  it('shows who decided if another administrator already did', async () => {
    serveDocuments(aDocument())
    api.on(documentsApi.approve, () => refuse('document.not_pending'))
    api.on(documentsApi.get, () =>
      aDocument({
        status: 'rejected',
        rejectedBy: { name: 'Alan Example' },
        rejectedAt: '2026-11-21T10:00:00Z',
      }),
    )
    const { user } = visit()
    const row = await findRow('handbook.pdf')
    await user.click(within(row).getByRole('button', { name: 'Approve' }))
    await within(row).findByText('Rejected')
    expect(row.textContent).toMatch(/rejected by Alan Example, .*2026/)
    expect(screen.queryByText('This document has already been reviewed')).toBeNull()
    expect(takeConsoleOutput('warn').join()).toContain('Failed to approve document')
  })
})

describe('deleting', () => {
  it('asks for confirmation and removes the row', async () => {
    serveDocuments(aDocument(), aDocument({ _id: 'document-2', originalName: 'other.pdf' }))
    api.on(documentsApi.remove, () => ({ message: 'gone' }))
    const { user } = visit()
    await openMenu(user, await findRow('handbook.pdf'))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete this document?' })
    expect(dialog.textContent).toContain('handbook.pdf')
    expect(api.calls(documentsApi.remove)).toHaveLength(0)
    await user.click(within(dialog).getByRole('button', { name: 'Delete document' }))
    await screen.findByText('Document deleted successfully')
    expect(screen.queryByRole('button', { name: 'handbook.pdf' })).toBeNull()
    await findRow('other.pdf')
  })

  it('refills a page that lost its last row', async () => {
    api.on(documentsApi.list, () => aPage([aDocument()], 21))
    api.on(documentsApi.remove, () => {
      api.on(documentsApi.list, () => aPage([aDocument({ _id: 'next', originalName: 'next.pdf' })], 20))
      return { message: 'gone' }
    })
    const { user } = visit()
    await openMenu(user, await findRow('handbook.pdf'))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    await user.click(await screen.findByRole('button', { name: 'Delete document' }))
    await findRow('next.pdf')
  })
})

describe('polling', () => {
  function anIndexingDocument(percent: number): Document {
    return anApprovedDocument({ index: anIndex({ state: 'embedding', percent, attempts: 1 }) })
  }
  function advanceTime(ms = indexPollMs): Promise<void> {
    return act(async () => {
      await vi.advanceTimersByTimeAsync(ms)
    })
  }
  function waitForResponses(): Promise<void> {
    return advanceTime(50)
  }

  it('runs every two seconds while a document is being indexed, then stops', async () => {
    vi.useFakeTimers()
    serveDocuments(anIndexingDocument(10))
    visit('?status=approved')
    await waitForResponses()
    screen.getByText('Indexing 10%')
    serveDocuments(anIndexingDocument(60))
    await advanceTime()
    screen.getByText('Indexing 60%')
    serveDocuments(anApprovedDocument({ index: anIndex({ state: 'ready' }) }))
    await advanceTime()
    screen.getByText('Indexed')
    const calls = api.calls(documentsApi.list).length
    await advanceTime()
    await advanceTime()
    expect(api.calls(documentsApi.list)).toHaveLength(calls)
  })

  it('follows a document that was just approved without losing its row', async () => {
    vi.useFakeTimers()
    serveDocuments(anIndexingDocument(10), aDocument({ _id: 'document-2', originalName: 'other.pdf' }))
    api.on(documentsApi.get, () => anIndexingDocument(30))
    visit()
    await waitForResponses()
    // The page adds the document to those that it follows, then asks for its state.
    await waitForResponses()
    screen.getByText('Indexing 30%')
    api.on(documentsApi.get, () => anApprovedDocument({ index: anIndex({ state: 'ready' }) }))
    await advanceTime()
    screen.getByText('Indexed')
    await advanceTime()
    expect(api.calls(documentsApi.get)).toHaveLength(1)
    expect(api.calls(documentsApi.list)).toHaveLength(1)
  })

  it('never runs when no document is being indexed', async () => {
    vi.useFakeTimers()
    serveDocuments(
      aDocument(),
      anApprovedDocument({ _id: 'document-2', index: anIndex({ state: 'failed' }) }),
    )
    visit()
    await waitForResponses()
    await advanceTime()
    await advanceTime()
    expect(api.calls(documentsApi.list)).toHaveLength(1)
    expect(api.unhandledCalls).toEqual([])
  })

  it('announces when reindexing has finished', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    serveDocuments(anApprovedDocument({ index: anIndex({ state: 'ready' }) }))
    api.on(documentsApi.reindex, () =>
      anApprovedDocument({ index: anIndex({ state: 'waiting', answers: true }) }),
    )
    const { user } = visit('?status=approved')
    const row = await findRow('handbook.pdf')
    await openMenu(user, row)
    await user.click(await screen.findByRole('menuitem', { name: 'Reindex' }))
    await screen.findByText('Document reindexing started')
    within(row).getByText('The previous index is still in use.')
    await advanceTime()
    await screen.findByText('Document re-indexed successfully')
    within(row).getByText('Indexed')
  })
})

describe('reindexing a document that could not be indexed', () => {
  it('keeps the focus and the row in the list, and reports another failure', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const failed = anApprovedDocument({ index: anIndex({ state: 'failed' }) })
    serveDocuments(failed)
    const waiting = anApprovedDocument({ index: anIndex({ state: 'waiting' }) })
    api.on(documentsApi.reindex, () => waiting).on(documentsApi.get, () => waiting)
    const { user } = visit('?status=approved&index=failed')
    const row = await findRow('handbook.pdf')
    act(() => within(row).getByRole('button', { name: 'Reindex' }).focus())
    await user.keyboard('{Enter}')
    await screen.findByText('Document reindexing started')
    within(row).getByText('Waiting to be indexed')
    expect(document.activeElement).toBe(within(row).getByRole('button', { name: 'handbook.pdf' }))
    api.on(documentsApi.get, () => failed)
    await act(async () => {
      await vi.advanceTimersByTimeAsync(indexPollMs)
    })
    await screen.findByText('Failed to reindex document')
    within(row).getByText('Indexing failed')
    expect(api.calls(documentsApi.list)).toHaveLength(1)
  })
})

describe('preview and download', () => {
  it('shows the text of a document in parts', async () => {
    serveDocuments(
      anApprovedDocument({ fileType: 'docx', originalName: 'a.docx', index: anIndex({ state: 'ready' }) }),
    )
    api.on(documentsApi.text, ({ query }) => ({
      title: 'a',
      fileType: 'docx' as const,
      pages: [
        query.start === 0
          ? { page: null, start: 0, text: 'First.' }
          : { page: null, start: 6, text: 'Last.' },
      ],
      total: 11,
    }))
    const { user } = visit('?status=approved')
    await user.click(within(await findRow('a.docx')).getByRole('button', { name: 'Preview' }))
    await screen.findByText('First.')
    await user.click(screen.getByRole('button', { name: 'Show more text' }))
    await screen.findByText('Last.')
    screen.getByText('First.')
    expect(screen.queryByRole('button', { name: 'Show more text' })).toBeNull()
  })

  it('closes a failed preview and only logs the reason', async () => {
    serveDocuments(aDocument())
    api.on(documentsApi.download, () => refuse('internal'))
    const { user } = visit()
    await user.click(within(await findRow('handbook.pdf')).getByRole('button', { name: 'Preview' }))
    await expect.poll(() => takeConsoleOutput('warn').join()).toContain('Failed to preview document')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.queryByText('Failed to preview document')).toBeNull()
  })

  it('saves the file under its own name', async () => {
    const saved: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download)
    })
    serveDocuments(aDocument())
    api.on(documentsApi.download, () => new Blob(['%PDF-'], { type: 'application/pdf' }))
    const { user } = visit()
    await openMenu(user, await findRow('handbook.pdf'))
    await user.click(await screen.findByRole('menuitem', { name: 'Download' }))
    await screen.findByText('Document downloaded successfully')
    expect(saved).toEqual(['handbook.pdf'])
  })
})
