import { channelsApi } from '@lyceum/contract/channels'
import { type Document, documentsApi } from '@lyceum/contract/documents'
import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { takeConsoleOutput } from '#testing/console-output.ts'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { type RenderedPage, renderPage } from '#testing/render-page.tsx'
import { aDocument, anApprovedDocument, aPage } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { actionLifetimeMs } from '#ui/banner.ts'
import { DocumentsPage } from './documents.tsx'

let api: FakeApi
let stored: Document[]

function change(id: string, changes: Partial<Document>): Document {
  stored = stored.map((document) => (document._id === id ? { ...document, ...changes } : document))
  return stored.find(({ _id }) => _id === id) ?? aDocument()
}

const undone = { status: 'pending', rejectedBy: null, rejectionReason: null } as const

function visit(query = ''): RenderedPage {
  return renderPage(<DocumentsPage />, { at: `/admin/documents${query}`, path: '/admin/documents' })
}
async function findRow(name: string): Promise<HTMLElement> {
  return (await screen.findByRole('button', { name })).closest('li') as HTMLElement
}
async function openDialog(user: UserEvent): Promise<HTMLElement> {
  await user.click(await screen.findByRole('button', { name: 'Reject' }))
  return screen.findByRole('dialog', { name: 'Reject this document?' })
}
function getReason(dialog: HTMLElement): HTMLElement {
  return within(dialog).getByLabelText('Reason (optional)')
}
function getConfirm(dialog: HTMLElement): HTMLElement {
  return within(dialog).getByRole('button', { name: 'Reject document' })
}

beforeEach(() => {
  signIn(anAdmin())
  stored = [aDocument()]
  api = fakeApi()
    .on(channelsApi.list, () => [])
    .on(documentsApi.list, ({ query: { status } }) =>
      aPage(stored.filter((document) => document.status === status)),
    )
    .on(documentsApi.reject, ({ params: { id }, body }) =>
      change(id, {
        status: 'rejected',
        rejectedBy: { name: 'Grace Example' },
        rejectionReason: body.reason ?? null,
      }),
    )
    .on(documentsApi.undoReject, ({ params: { id } }) => change(id, undone))
})

describe('rejecting a document', () => {
  it('sends nothing when the dialog is cancelled', async () => {
    const { user } = visit()
    const dialog = await openDialog(user)
    within(dialog).getByText('handbook.pdf')
    within(dialog).getByText('The uploader sees it.')
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.calls(documentsApi.reject)).toHaveLength(0)
    expect(screen.getByRole('button', { name: 'Reject' })).toBe(document.activeElement)
  })

  it('refuses a reason of more than 500 characters', async () => {
    const { user } = visit()
    const dialog = await openDialog(user)
    await user.click(getReason(dialog))
    await user.paste('x'.repeat(501))
    within(dialog).getByText('At most 500 characters')
    await user.click(getConfirm(dialog))
    expect(api.calls(documentsApi.reject)).toHaveLength(0)
  })

  it('sends the trimmed reason and shows it with the document', async () => {
    const { user } = visit()
    const dialog = await openDialog(user)
    await user.type(getReason(dialog), ' Last year’s edition ')
    await user.click(getConfirm(dialog))
    await screen.findByText('Document rejected successfully')
    const [sent] = api.calls(documentsApi.reject)
    expect([sent?.query, sent?.body]).toEqual([{ version: 1 }, { reason: 'Last year’s edition' }])
    const row = await findRow('handbook.pdf')
    expect(row.textContent).toContain('Reason: Last year’s edition')
    await waitFor(() =>
      expect(within(row).getByRole('button', { name: 'handbook.pdf' })).toBe(document.activeElement),
    )
    stored = []
    await user.click(screen.getByRole('button', { name: 'Show only pending' }))
    await screen.findByText('No pending documents in the selected channel to review.')
  })

  it('needs no reason', async () => {
    const { user } = visit()
    await user.click(getConfirm(await openDialog(user)))
    await screen.findByText('Document rejected successfully')
    expect(api.calls(documentsApi.reject)[0]?.body).toEqual({})
    const row = await findRow('handbook.pdf')
    expect(row.textContent).not.toContain('Reason')
  })

  it('only logs a failure and keeps the reason', async () => {
    api.on(documentsApi.reject, () => refuse('internal'))
    const { user } = visit()
    const dialog = await openDialog(user)
    await user.type(getReason(dialog), 'Outdated')
    await user.click(getConfirm(dialog))
    await expect.poll(() => takeConsoleOutput('warn').join()).toContain('Failed to reject document')
    expect(screen.queryByText('Failed to reject document')).toBeNull()
    expect(getReason(dialog)).toHaveProperty('value', 'Outdated')
  })

  it('closes when another administrator was first', async () => {
    api.on(documentsApi.reject, () => refuse('document.not_pending'))
    api.on(documentsApi.get, () => anApprovedDocument())
    const { user } = visit()
    await user.click(getConfirm(await openDialog(user)))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await within(await findRow('handbook.pdf')).findByText('Approved')
    expect(takeConsoleOutput('warn').join()).toContain('Failed to reject document')
  })
})

describe('undoing a rejection', () => {
  it('is offered with the result and makes the document pending again', async () => {
    const { user } = visit()
    await user.click(getConfirm(await openDialog(user)))
    const result = screen.getByRole('region', { name: 'Result' })
    const row = await findRow('handbook.pdf')
    const undo = await within(row).findByRole('button', { name: 'Undo' })
    within(result).getByText('Document rejected successfully')
    expect(within(result).queryByRole('button')).toBeNull()
    await user.click(undo)
    await screen.findByText('Rejection undone')
    expect(api.calls(documentsApi.undoReject)[0]).toMatchObject({
      params: { id: 'document-1' },
      query: { version: 1 },
    })
    within(row).getByText('Pending')
    expect(within(row).getByRole('button', { name: 'handbook.pdf' })).toBe(document.activeElement)
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })

  it('is still offered in its row after the next decision', async () => {
    stored = [aDocument(), aDocument({ _id: 'document-2', originalName: 'other.pdf' })]
    api.on(documentsApi.approve, ({ params: { id } }) => change(id, { status: 'approved' }))
    const { user } = visit()
    const row = await findRow('handbook.pdf')
    await user.click(within(row).getByRole('button', { name: 'Reject' }))
    await user.click(getConfirm(await screen.findByRole('dialog', { name: 'Reject this document?' })))
    await within(row).findByRole('button', { name: 'Undo' })
    await user.click(within(await findRow('other.pdf')).getByRole('button', { name: 'Approve' }))
    await screen.findByText('Document approved successfully')
    within(row).getByRole('button', { name: 'Undo' })
  })

  it('is focused after a rejection by keyboard', async () => {
    const { user } = visit()
    const reject = await screen.findByRole('button', { name: 'Reject' })
    reject.focus()
    await user.keyboard('{Enter}')
    await screen.findByRole('dialog')
    await user.keyboard('Outdated{Tab}{Tab}{Enter}')
    const undo = await screen.findByRole('button', { name: 'Undo' })
    await waitFor(() => expect(undo).toBe(document.activeElement))
    await user.keyboard('{Enter}')
    await screen.findByText('Rejection undone')
    expect(api.calls(documentsApi.reject)[0]?.body).toEqual({ reason: 'Outdated' })
  })

  it('is not offered after the document was deleted', async () => {
    api.on(documentsApi.remove, ({ params: { id } }) => {
      stored = stored.filter(({ _id }) => _id !== id)
      return { message: 'gone' }
    })
    const { user } = visit()
    await user.click(getConfirm(await openDialog(user)))
    await screen.findByRole('button', { name: 'Undo' })
    await user.click(screen.getByRole('button', { name: 'More actions for handbook.pdf' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    await user.click(await screen.findByRole('button', { name: 'Delete document' }))
    await screen.findByText('Document deleted successfully')
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })

  it('is offered for ten seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    try {
      const { user } = visit()
      await user.click(getConfirm(await openDialog(user)))
      await screen.findByRole('button', { name: 'Undo' })
      await vi.advanceTimersByTimeAsync(actionLifetimeMs - 1000)
      screen.getByRole('button', { name: 'Undo' })
      await vi.advanceTimersByTimeAsync(1000)
      await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull())
      expect(actionLifetimeMs).toBe(10_000)
    } finally {
      vi.useRealTimers()
    }
  })

  it('is still offered after another document was viewed', async () => {
    stored = [aDocument(), aDocument({ _id: 'document-2', originalName: 'other.docx', fileType: 'docx' })]
    api.on(documentsApi.text, () => ({
      title: 'Other',
      fileType: 'docx' as const,
      pages: [{ page: null, start: 0, text: 'Other text' }],
      total: 10,
    }))
    vi.useFakeTimers({ shouldAdvanceTime: true })
    try {
      const { user } = visit()
      const row = await findRow('handbook.pdf')
      await user.click(within(row).getByRole('button', { name: 'Reject' }))
      await user.click(getConfirm(await screen.findByRole('dialog', { name: 'Reject this document?' })))
      await within(row).findByRole('button', { name: 'Undo' })
      await user.click(within(await findRow('other.docx')).getByRole('button', { name: 'Preview' }))
      const preview = within(await screen.findByRole('dialog', { name: 'other.docx' }))
      await vi.advanceTimersByTimeAsync(actionLifetimeMs)
      await user.click(preview.getByRole('button', { name: 'Close' }))
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
      within(row).getByRole('button', { name: 'Undo' })
      await vi.advanceTimersByTimeAsync(actionLifetimeMs)
      await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull())
    } finally {
      vi.useRealTimers()
    }
  })

  it('says why it is refused', async () => {
    api.on(documentsApi.undoReject, () => refuse('document.undo_expired'))
    api.on(documentsApi.get, () => stored[0] ?? aDocument())
    const { user } = visit()
    await user.click(getConfirm(await openDialog(user)))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await screen.findByText(
      'It is too late to undo this rejection. Upload the file as a new version instead.',
    )
    within(await findRow('handbook.pdf')).getByText('Rejected')
  })

  it('moves to the banner when the row is removed, and brings the document back', async () => {
    const { user } = visit()
    await user.click(getConfirm(await openDialog(user)))
    await user.click(await screen.findByRole('button', { name: 'Show only pending' }))
    await screen.findByText('No pending documents in the selected channel to review.')
    const result = screen.getByRole('region', { name: 'Result' })
    within(result).getByText('Document rejected successfully')
    await user.click(within(result).getByRole('button', { name: 'Undo' }))
    await findRow('handbook.pdf')
  })
})

describe('rejecting several documents', () => {
  async function rejectAll(user: UserEvent, reason: string): Promise<void> {
    await user.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }))
    const bar = within(screen.getByRole('region', { name: 'Selection' }))
    await user.click(bar.getByRole('button', { name: 'Reject' }))
    const dialog = await screen.findByRole('dialog', { name: 'Reject 2 documents?' })
    within(dialog).getByText('The uploader of each document sees it.')
    await user.type(getReason(dialog), reason)
    await user.click(within(dialog).getByRole('button', { name: 'Reject 2 documents' }))
  }
  beforeEach(() => {
    stored = [aDocument({ _id: 'a', originalName: 'a.pdf' }), aDocument({ _id: 'b', originalName: 'b.pdf' })]
    api.on(documentsApi.bulk, ({ body: { action, ids, reason } }) => {
      for (const id of ids)
        change(id, action === 'reject' ? { status: 'rejected', rejectionReason: reason ?? null } : undone)
      return { done: ids, refused: [] }
    })
  })

  it('sends one reason, and one click undoes all of them', async () => {
    const { user } = visit()
    await rejectAll(user, 'Outdated')
    await screen.findByText('2 documents rejected')
    await screen.findByText('No pending documents in the selected channel to review.')
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await screen.findByText('2 documents returned to review')
    expect(api.calls(documentsApi.bulk).map(({ body }) => body)).toEqual([
      { action: 'reject', ids: ['a', 'b'], versions: [1, 1], reason: 'Outdated' },
      { action: 'undo-reject', ids: ['a', 'b'], versions: [1, 1] },
    ])
    await findRow('a.pdf')
    expect(screen.getByRole('region', { name: 'Documents to review' })).toBe(document.activeElement)
  })

  it('offers to undo to keyboard users without a search for the button', async () => {
    const { user } = visit()
    ;(await screen.findByRole('checkbox', { name: 'Select all on this page' })).focus()
    await user.keyboard(' ')
    within(screen.getByRole('region', { name: 'Selection' }))
      .getByRole('button', { name: 'Reject' })
      .focus()
    await user.keyboard('{Enter}')
    await screen.findByRole('dialog')
    await user.keyboard('Outdated{Tab}{Tab}{Enter}')
    const undo = await screen.findByRole('button', { name: 'Undo' })
    await waitFor(() => expect(undo).toBe(document.activeElement))
  })

  it('says for how many it could not be undone and why', async () => {
    const { user } = visit()
    await rejectAll(user, 'Outdated')
    const undo = await screen.findByRole('button', { name: 'Undo' })
    api.on(documentsApi.bulk, () => ({
      done: ['a'],
      refused: [{ _id: 'b', title: 'b.pdf', message: 'This document is no longer rejected' }],
    }))
    await user.click(undo)
    await screen.findByText('Undone for 1 of 2 documents. This document is no longer rejected')
  })

  it('offers to undo what was rejected after the failures are read', async () => {
    api.on(documentsApi.bulk, ({ body: { ids } }) => ({
      done: ids.slice(0, 1),
      refused: ids.slice(1).map((_id) => ({ _id, title: 'b.pdf', message: 'Not found.' })),
    }))
    const { user } = visit()
    await rejectAll(user, 'Outdated')
    const outcome = await screen.findByRole('dialog', { name: 'The action failed for some documents' })
    await user.click(within(outcome).getByRole('button', { name: 'Done' }))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await expect
      .poll(() => api.calls(documentsApi.bulk).at(-1)?.body)
      .toEqual({ action: 'undo-reject', ids: ['a'], versions: [1] })
    await screen.findByText('1 document returned to review')
  })
})

describe('the rejected documents', () => {
  it('show their reason, in full when expanded', async () => {
    const rejectionReason = 'Last year’s edition.\nPlease upload the one of 2027.'
    stored = [aDocument({ status: 'rejected', rejectedBy: { name: 'Grace Example' }, rejectionReason })]
    const { user } = visit('?status=rejected')
    const row = await findRow('handbook.pdf')
    expect(row.textContent).toContain(`Reason: ${rejectionReason}`)
    await user.click(within(row).getByRole('button', { name: 'handbook.pdf' }))
    expect(within(row).getByText('Reason').nextElementSibling?.textContent).toBe(rejectionReason)
  })
})
