import { channelsApi } from '@lyceum/contract/channels'
import { type Document, documentsApi } from '@lyceum/contract/documents'
import { getPermissions, type Permissions } from '@lyceum/contract/permissions'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { takeConsoleOutput } from '#testing/console-output.ts'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { type RenderedPage, renderPage } from '#testing/render-page.tsx'
import { aDocument, aPage } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { DocumentsPage } from './documents.tsx'

let api: FakeApi
let stored: Document[]

function change(id: string, changes: Partial<Document>): Document {
  stored = stored.map((document) => (document._id === id ? { ...document, ...changes } : document))
  return stored.find(({ _id }) => _id === id) ?? aDocument()
}
function signInWithout(overrides: Partial<Permissions> = {}): void {
  signIn(anAdmin({ permissions: getPermissions({ role: 'admin', isSystemAdmin: false, overrides }) }))
}
async function findRow(name: string) {
  return within((await screen.findByRole('button', { name })).closest('li') as HTMLElement)
}
async function openPreview(name: string): Promise<RenderedPage> {
  const page = renderPage(<DocumentsPage />, { at: '/admin/documents' })
  await page.user.click((await findRow(name)).getByRole('button', { name: 'Preview' }))
  await findPreview(name)
  return page
}
function findPreview(name: string) {
  return screen.findByRole('dialog', { name }).then(within)
}

beforeEach(() => {
  signInWithout()
  stored = ['one', 'two', 'three'].map((name) =>
    aDocument({ _id: name, originalName: `${name}.docx`, fileType: 'docx' }),
  )
  api = fakeApi()
    .on(channelsApi.list, () => [])
    .on(documentsApi.list, () => aPage(stored))
    .on(documentsApi.text, ({ params: { id } }) => ({
      title: id,
      fileType: 'docx' as const,
      pages: [{ page: null, start: 0, text: `The text of ${id}` }],
      total: 100,
    }))
    .on(documentsApi.approve, ({ params: { id } }) => change(id, { status: 'approved' }))
    .on(documentsApi.reject, ({ params: { id }, body }) =>
      change(id, { status: 'rejected', rejectionReason: body.reason ?? null }),
    )
    .on(documentsApi.undoReject, ({ params: { id } }) => change(id, { status: 'pending' }))
    .on(documentsApi.get, ({ params: { id } }) => change(id, {}))
})

describe('the preview of a pending document', () => {
  it.each([
    [{ canApproveDocuments: false }, ['Try the test questions', 'Next pending', 'Reject', 'Close']],
    [{ canRejectDocuments: false }, ['Try the test questions', 'Next pending', 'Approve', 'Close']],
    [{ canApproveDocuments: false, canRejectDocuments: false }, ['Close']],
  ])('offers only what the permissions allow (%j)', async (overrides, names) => {
    signInWithout(overrides)
    await openPreview('one.docx')
    const preview = await findPreview('one.docx')
    await preview.findByText('The text of one')
    const shown = preview
      .getAllByRole('button')
      .map((button) => button.getAttribute('aria-label') ?? button.textContent)
    expect(shown.filter((name) => name !== 'Show more text')).toEqual(names)
  })

  it('approves the document and goes on to the next pending one by keyboard', async () => {
    const { user } = await openPreview('two.docx')
    const preview = await findPreview('two.docx')
    preview.getByRole('button', { name: 'Approve' }).focus()
    await user.keyboard('{Enter}')
    await preview.findByText('Approved')
    expect(api.calls(documentsApi.approve)[0]).toMatchObject({ params: { id: 'two' }, query: { version: 1 } })
    await waitFor(() =>
      expect(document.activeElement).toBe(preview.getByRole('button', { name: 'Next pending' })),
    )
    await user.keyboard('{Enter}')
    const next = await findPreview('three.docx')
    await next.findByText('The text of three')
    await user.click(next.getByRole('button', { name: 'Next pending' }))
    await findPreview('one.docx')
  })

  it('moves the focus when the pressed button disappears', async () => {
    const { user } = await openPreview('one.docx')
    const preview = await findPreview('one.docx')
    const focused: (Element | null)[] = []
    const observer = new MutationObserver(() => focused.push(document.activeElement))
    observer.observe(document.body, { childList: true, subtree: true })
    const approve = preview.getByRole('button', { name: 'Approve' })
    approve.focus()
    await user.keyboard('{Enter}')
    await preview.findByText('Approved')
    observer.disconnect()
    expect(focused).not.toContain(document.body)
    expect(document.activeElement).toBe(preview.getByRole('button', { name: 'Next pending' }))
  })

  it('shows the result once, although the dialog closes', async () => {
    const { user } = await openPreview('one.docx')
    await user.click((await findPreview('one.docx')).getByRole('button', { name: 'Approve' }))
    await screen.findByText('Document approved successfully')
    const scrolled = vi.fn()
    Element.prototype.scrollIntoView = scrolled
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.queryByText('Document approved successfully')).toBeNull()
    // The notice about the approval moves the row.
    await waitFor(() => expect(scrolled.mock.contexts).toEqual([document.activeElement]))
    expect(document.activeElement?.closest('li, article')?.textContent).toContain('one.docx')
  })

  it('rejects the document with a reason, and undoes it', async () => {
    const { user } = await openPreview('one.docx')
    const preview = await findPreview('one.docx')
    await user.click(preview.getByRole('button', { name: 'Reject' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Reject this document?' }))
    await user.type(dialog.getByLabelText('Reason (optional)'), 'Outdated')
    await user.click(dialog.getByRole('button', { name: 'Reject document' }))
    await preview.findByText('Rejected')
    expect(api.calls(documentsApi.reject)[0]?.body).toEqual({ reason: 'Outdated' })
    await waitFor(() =>
      expect(document.activeElement).toBe(preview.getByRole('button', { name: 'Next pending' })),
    )
    await user.click(preview.getByRole('button', { name: 'Undo' }))
    await preview.findByText('Rejection undone')
    preview.getByRole('button', { name: 'Approve' })
  })

  it('returns to the row of a rejected document', async () => {
    const { user } = await openPreview('one.docx')
    const preview = await findPreview('one.docx')
    await user.click(preview.getByRole('button', { name: 'Reject' }))
    await user.click(await screen.findByRole('button', { name: 'Reject document' }))
    await preview.findByText('Rejected')
    await user.click(preview.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'one.docx' })))
    // The offer to undo it is in the row now.
    await user.click((await findRow('one.docx')).getByRole('button', { name: 'Undo' }))
    await screen.findByText('Rejection undone')
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })

  it('returns to the decision when a failed rejection is cancelled', async () => {
    api.on(documentsApi.reject, () => refuse('internal'))
    const { user } = await openPreview('one.docx')
    const preview = await findPreview('one.docx')
    await user.click(preview.getByRole('button', { name: 'Reject' }))
    await user.click(await screen.findByRole('button', { name: 'Reject document' }))
    await waitFor(() => expect(takeConsoleOutput('warn').join()).toContain('Failed to reject document'))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(preview.getByRole('button', { name: 'Reject' })))
  })

  it('still shows a new version after its rejection brought back the one before it', async () => {
    change('one', { originalName: 'new.docx', version: { number: 2, count: 2 } })
    api.on(documentsApi.reject, () =>
      change('one', { originalName: 'one.docx', status: 'approved', version: { number: 1, count: 2 } }),
    )
    const { user } = await openPreview('new.docx')
    await user.click((await findPreview('new.docx')).getByRole('button', { name: 'Reject' }))
    await user.click(await screen.findByRole('button', { name: 'Reject document' }))
    await (await findPreview('new.docx')).findByText('Rejected')
  })

  it('closes after the last pending document and returns to its row', async () => {
    stored = stored.map((document) => ({
      ...document,
      status: document._id === 'one' ? 'pending' : 'approved',
    }))
    const { user } = await openPreview('one.docx')
    const preview = await findPreview('one.docx')
    expect(preview.queryByRole('button', { name: 'Next pending' })).toBeNull()
    await user.click(preview.getByRole('button', { name: 'Approve' }))
    await user.click((await preview.findAllByRole('button', { name: 'Close' }))[0] as HTMLElement)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    ;(await findRow('one.docx')).getByText('Approved')
  })

  it('shows who was first when another administrator has decided', async () => {
    api.on(documentsApi.approve, () => refuse('document.not_pending'))
    const { user } = await openPreview('one.docx')
    const preview = await findPreview('one.docx')
    change('one', { status: 'rejected' })
    await user.click(preview.getByRole('button', { name: 'Approve' }))
    await preview.findByText('Rejected')
    expect(takeConsoleOutput('warn').join()).toContain('Failed to approve document')
  })
})

it('offers no decision in the preview of an approved document', async () => {
  stored = [aDocument({ _id: 'one', originalName: 'one.docx', fileType: 'docx', status: 'approved' })]
  await openPreview('one.docx')
  const preview = await findPreview('one.docx')
  expect(preview.queryByRole('button', { name: /Approve|Reject|Next/ })).toBeNull()
})
