import { channelsApi } from '@lyceum/contract/channels'
import { type Document, documentsApi } from '@lyceum/contract/documents'
import { getPermissions, type Permission } from '@lyceum/contract/permissions'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { takeConsoleOutput } from '#testing/console-output.ts'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { type RenderedPage, renderPage } from '#testing/render-page.tsx'
import { aDocument, anApprovedDocument, anIndex, aPage } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { DocumentsPage } from './documents.tsx'

let api: FakeApi

function signInWithout(...permissions: Permission[]): void {
  const overrides = Object.fromEntries(permissions.map((permission) => [permission, false]))
  signIn(anAdmin({ permissions: getPermissions({ role: 'admin', isSystemAdmin: false, overrides }) }))
}

function aPendingDocument(number: number, change: Partial<Document> = {}): Document {
  return aDocument({ _id: `document-${number}`, originalName: `file-${number}.pdf`, ...change })
}

function createDocuments(count: number, make = aPendingDocument): Document[] {
  return Array.from({ length: count }, (_, at) => make(at + 1))
}

/** Serves these documents. A bulk action removes the documents it processes. */
function serveDocuments(documents: Document[]): void {
  let stored = documents
  api.on(documentsApi.list, ({ query: { skip = 0, limit = 500 } }) =>
    aPage(stored.slice(skip, skip + limit), stored.length, limit),
  )
  api.on(documentsApi.bulk, ({ body: { ids } }) => {
    stored = stored.filter(({ _id }) => !ids.includes(_id))
    return { done: ids, refused: [] }
  })
}

function visit(query = ''): RenderedPage {
  return renderPage(<DocumentsPage />, { at: `/admin/documents${query}`, path: '/admin/documents' })
}

function findCheckbox(name: string): Promise<HTMLInputElement> {
  return screen.findByRole('checkbox', { name: `Select ${name}` })
}
function getPageCheckbox(): HTMLInputElement {
  return screen.getByRole('checkbox', { name: 'Select all on this page' })
}
function getSelectionBar() {
  return within(screen.getByRole('region', { name: 'Selection' }))
}
function readOfferedActions(): (string | null)[] {
  return getSelectionBar()
    .queryAllByRole('button')
    .map((button) => button.getAttribute('aria-label') ?? button.textContent)
}

beforeEach(() => {
  api = fakeApi().on(channelsApi.list, () => [])
  signInWithout()
})

describe('the selection', () => {
  it('is changed by row or by page, and its size is shown', async () => {
    serveDocuments(createDocuments(3))
    const { user } = visit()
    await user.click(await findCheckbox('file-2.pdf'))
    getSelectionBar().getByText('1 selected')
    expect(getPageCheckbox().indeterminate).toBe(true)
    await user.click(getPageCheckbox())
    getSelectionBar().getByText('3 selected')
    expect(getPageCheckbox().checked).toBe(true)
    await user.click(await findCheckbox('file-1.pdf'))
    getSelectionBar().getByText('2 selected')
    await user.click(getSelectionBar().getByRole('button', { name: 'Clear selection' }))
    expect(getSelectionBar().queryByText(/selected/)).toBeNull()
    getSelectionBar().getByText('1–3 of 3')
  })

  it('is kept across pages and cleared by a search', async () => {
    serveDocuments(createDocuments(25))
    const { user } = visit()
    await user.click(await findCheckbox('file-1.pdf'))
    await user.click(screen.getByRole('button', { name: 'Page 2' }))
    await user.click(await findCheckbox('file-21.pdf'))
    getSelectionBar().getByText('2 selected')
    await user.type(screen.getByRole('searchbox'), 'file')
    await waitFor(() => expect(getSelectionBar().queryByText(/selected/)).toBeNull())
  })

  it('extends to all matching documents on all pages', async () => {
    serveDocuments(createDocuments(45))
    const { user } = visit()
    await findCheckbox('file-1.pdf')
    await user.click(getPageCheckbox())
    await user.click(getSelectionBar().getByRole('button', { name: 'Select all 45' }))
    await getSelectionBar().findByText('45 selected')
    expect(getSelectionBar().queryByRole('button', { name: /Select all/ })).toBeNull()
  })

  it('leaves out documents that were already reviewed', async () => {
    serveDocuments([
      aPendingDocument(1),
      anApprovedDocument({ _id: 'other', originalName: 'other.pdf', index: anIndex({ state: 'ready' }) }),
    ])
    const { user } = visit()
    expect((await findCheckbox('other.pdf')).disabled).toBe(true)
    await user.click(getPageCheckbox())
    getSelectionBar().getByText('1 selected')
    expect(getSelectionBar().queryByRole('button', { name: /^Select/ })).toBeNull()
    api.on(documentsApi.approve, () => anApprovedDocument({ _id: 'document-1', originalName: 'file-1.pdf' }))
    api.on(documentsApi.get, () => anApprovedDocument({ _id: 'document-1', originalName: 'file-1.pdf' }))
    const [approveOne] = within(screen.getByRole('list', { name: 'Documents in Physics' })).getAllByRole(
      'button',
      { name: 'Approve' },
    )
    await user.click(approveOne as HTMLElement)
    await waitFor(() => expect(getSelectionBar().queryByText('1 selected')).toBeNull())
  })
})

describe('the bulk actions', () => {
  it('are Approve, Reject and Delete for pending documents', async () => {
    serveDocuments(createDocuments(1))
    const { user } = visit()
    await user.click(await findCheckbox('file-1.pdf'))
    expect(readOfferedActions()).toEqual(['Clear selection', 'Approve', 'Reject', 'Delete'])
  })

  it('are Reindex and Delete for approved documents', async () => {
    serveDocuments([anApprovedDocument({ index: anIndex({ state: 'ready' }) })])
    const { user } = visit('?status=approved')
    await user.click(await findCheckbox('handbook.pdf'))
    expect(readOfferedActions()).toEqual(['Clear selection', 'Reindex', 'Delete'])
  })

  it.each([
    ['canApproveDocuments', 'Approve'],
    ['canRejectDocuments', 'Reject'],
    ['canDeleteDocuments', 'Delete'],
  ] as const)('require %s', async (permission, button) => {
    signInWithout(permission)
    serveDocuments(createDocuments(1))
    const { user } = visit()
    await user.click(await findCheckbox('file-1.pdf'))
    expect(readOfferedActions()).toHaveLength(3)
    expect(readOfferedActions()).not.toContain(button)
  })

  it('are hidden together with the checkboxes when the user lacks every permission', async () => {
    signInWithout('canApproveDocuments', 'canRejectDocuments', 'canDeleteDocuments')
    serveDocuments(createDocuments(1))
    visit()
    await screen.findByRole('button', { name: 'file-1.pdf' })
    expect(screen.queryByRole('checkbox')).toBeNull()
  })
})

describe('running a bulk action', () => {
  it('approves the displayed versions without confirmation and refetches the list', async () => {
    serveDocuments([
      aPendingDocument(1),
      aPendingDocument(2, { version: { number: 3, count: 3 } }),
      aPendingDocument(3),
    ])
    const { user } = visit()
    await user.click(await findCheckbox('file-1.pdf'))
    await user.click(await findCheckbox('file-2.pdf'))
    await user.click(getSelectionBar().getByRole('button', { name: 'Approve' }))
    await screen.findByText('2 documents approved')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'file-1.pdf' })).toBeNull())
    screen.getByRole('button', { name: 'file-3.pdf' })
    expect(api.calls(documentsApi.bulk).map(({ body }) => body)).toEqual([
      { action: 'approve', ids: ['document-1', 'document-2'], versions: [1, 3] },
    ])
    expect(getSelectionBar().queryByText(/selected/)).toBeNull()
    expect(screen.getByRole('region', { name: 'Documents to review' })).toBe(document.activeElement)
  })

  it.each([
    ['Reject', 'dialog'],
    ['Delete', 'alertdialog'],
  ])('asks for confirmation before %s and names the documents', async (verb, role) => {
    serveDocuments(createDocuments(7))
    const { user } = visit()
    await findCheckbox('file-1.pdf')
    await user.click(getPageCheckbox())
    await user.click(getSelectionBar().getByRole('button', { name: verb }))
    const dialog = await screen.findByRole(role, { name: `${verb} 7 documents?` })
    within(dialog).getByText('file-5.pdf')
    within(dialog).getByText('and 2 more')
    expect(within(dialog).queryByText('file-6.pdf')).toBeNull()
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole(role)).toBeNull())
    expect(api.calls(documentsApi.bulk)).toHaveLength(0)
    expect(getSelectionBar().getByRole('button', { name: verb })).toBe(document.activeElement)
    await user.click(getSelectionBar().getByRole('button', { name: verb }))
    await user.click(await screen.findByRole('button', { name: `${verb} 7 documents` }))
    await screen.findByText(`7 documents ${verb.toLowerCase()}${verb === 'Delete' ? 'd' : 'ed'}`)
    expect(api.calls(documentsApi.bulk)[0]?.body).toMatchObject({ action: verb.toLowerCase() })
    await screen.findByText('No pending documents in the selected channel to review.')
  })

  it('lists the refused documents with their reasons', async () => {
    serveDocuments(createDocuments(3))
    const reason = 'This document was already rejected by Alan Example on 21 November 2026 at 10:00 UTC'
    api.on(documentsApi.bulk, () => ({
      done: ['document-1'],
      refused: [
        { _id: 'document-2', title: 'Second', message: reason },
        {
          _id: 'document-3',
          title: null,
          message: 'Not found. It may have been deleted, or you do not have access.',
        },
      ],
    }))
    const { user } = visit()
    await findCheckbox('file-1.pdf')
    await user.click(getPageCheckbox())
    await user.click(getSelectionBar().getByRole('button', { name: 'Approve' }))
    const dialog = await screen.findByRole('dialog', { name: 'The action failed for some documents' })
    within(dialog).getByText('1 document approved.')
    const refused = within(within(dialog).getByRole('list', { name: 'Failed' })).getAllByRole('listitem')
    expect(refused.map(({ textContent }) => textContent)).toEqual([
      `Second${reason}`,
      'Deleted documentNot found. It may have been deleted, or you do not have access.',
    ])
    await user.click(within(dialog).getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(getSelectionBar().queryByText(/selected/)).toBeNull()
  })

  it('runs in batches and shows its progress', async () => {
    serveDocuments(createDocuments(120))
    const resolvers: (() => void)[] = []
    api.on(
      documentsApi.bulk,
      ({ body }) => new Promise((done) => resolvers.push(() => done({ done: body.ids, refused: [] }))),
    )
    const { user } = visit()
    await findCheckbox('file-1.pdf')
    await user.click(getPageCheckbox())
    await user.click(getSelectionBar().getByRole('button', { name: 'Select all 120' }))
    await getSelectionBar().findByText('120 selected')
    await user.click(getSelectionBar().getByRole('button', { name: 'Approve' }))
    await getSelectionBar().findByText('Approving: 0 of 120')
    expect(getPageCheckbox().disabled).toBe(true)
    await expect.poll(() => resolvers.length).toBe(1)
    resolvers[0]?.()
    await getSelectionBar().findByText('Approving: 50 of 120')
    await expect.poll(() => resolvers.length).toBe(2)
    resolvers[1]?.()
    await getSelectionBar().findByText('Approving: 100 of 120')
    await expect.poll(() => resolvers.length).toBe(3)
    resolvers[2]?.()
    await screen.findByText('120 documents approved')
    expect(api.calls(documentsApi.bulk).map(({ body }) => body.ids.length)).toEqual([50, 50, 20])
  })

  it('can be stopped and keeps the remaining documents selected', async () => {
    serveDocuments(createDocuments(60))
    let resolveBatch: () => void = () => undefined
    api.on(
      documentsApi.bulk,
      ({ body }) =>
        new Promise((done) => {
          resolveBatch = () => done({ done: body.ids, refused: [] })
        }),
    )
    const { user } = visit()
    await findCheckbox('file-1.pdf')
    await user.click(getPageCheckbox())
    await user.click(getSelectionBar().getByRole('button', { name: 'Select all 60' }))
    await getSelectionBar().findByText('60 selected')
    await user.click(getSelectionBar().getByRole('button', { name: 'Approve' }))
    await user.click(await getSelectionBar().findByRole('button', { name: 'Stop' }))
    resolveBatch()
    const dialog = await screen.findByRole('dialog', { name: 'Not finished' })
    within(dialog).getByText('50 documents approved.')
    within(dialog).getByText('Stopped with 10 documents left. The rest is still selected.')
    expect(api.calls(documentsApi.bulk)).toHaveLength(1)
  })

  it('reports a failure and keeps the unprocessed documents selected', async () => {
    serveDocuments(createDocuments(2))
    api.on(documentsApi.bulk, () => refuse('server.busy'))
    const { user } = visit()
    await findCheckbox('file-1.pdf')
    await user.click(getPageCheckbox())
    await user.click(getSelectionBar().getByRole('button', { name: 'Approve' }))
    const dialog = await screen.findByRole('dialog', { name: 'Not finished' })
    within(dialog).getByText(/^The server is busy\. .*2 documents may not have been processed/)
    await user.click(within(dialog).getByRole('button', { name: 'Done' }))
    getSelectionBar().getByText('2 selected')
    expect(takeConsoleOutput('warn').join()).toContain('Failed to approve the documents')
  })
})

describe('after a bulk approval', () => {
  it('follows the documents although they have left the list', async () => {
    serveDocuments(createDocuments(2))
    api.on(documentsApi.get, ({ params }) =>
      anApprovedDocument({ _id: params.id, index: anIndex({ state: 'ready' }) }),
    )
    const { user } = visit()
    await findCheckbox('file-1.pdf')
    await user.click(getPageCheckbox())
    await user.click(getSelectionBar().getByRole('button', { name: 'Approve' }))
    const notice = within(await screen.findByRole('region', { name: 'Approved just now' }))
    expect(await notice.findAllByText('2 approved documents indexed')).toHaveLength(2)
    expect(screen.getByText('2 documents approved').classList).toContain('sr-only')
  })
})
