import { documentsApi, type Proposal } from '@lyceum/contract/documents'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { formatDateTime } from '#lib/date-time.ts'
import { type FakeApi, NoNetwork, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aUser, signIn } from '#testing/users.ts'
import { ProposalsDialog } from './ProposalsDialog.tsx'

// PdfView has its own tests and needs a canvas, which jsdom lacks.
vi.mock('#ui/PdfView.tsx', () => ({ PdfView: ({ label }: { label: string }) => <p>{label}</p> }))
vi.mock('#ui/pdf/pdf-fault.ts', () => ({
  findPdfFault: async (file: File) => (file.name === 'bad.pdf' ? 'This file is not a PDF.' : null),
}))

function aProposal(change: Partial<Proposal> = {}): Proposal {
  return {
    _id: 'document-1',
    title: 'Notes',
    originalName: 'notes.txt',
    fileSize: 2048,
    status: 'pending',
    createdAt: '2026-11-20T09:00:00.000Z',
    decidedAt: null,
    ...change,
  }
}

let api: FakeApi
let proposals: Proposal[]

function createDialog(open: boolean) {
  return (
    <ProposalsDialog channel={{ _id: 'channel-1', name: 'Physics' }} open={open} onClose={() => undefined} />
  )
}
async function open(): Promise<UserEvent> {
  const { user } = renderPage(createDialog(true))
  await screen.findByRole('dialog', { name: 'Propose a document' })
  return user
}
function getFileInput(): HTMLInputElement {
  return screen.getByLabelText(/Drop a file here/)
}
function choose(name: string) {
  return fireEvent.change(getFileInput(), { target: { files: [new File(['some text'], name)] } })
}
function listSentFiles() {
  return api.calls(documentsApi.propose).map(({ params, file }) => [params.id, file?.name])
}

beforeEach(() => {
  signIn(aUser())
  proposals = []
  api = fakeApi()
    .on(documentsApi.proposals, () => proposals)
    .on(documentsApi.propose, ({ file }) => {
      const stored = aProposal({ originalName: file?.name ?? '' })
      proposals = [stored, ...proposals]
      return stored
    })
})

describe('proposing a document', () => {
  it('sends a text file at once and lists it as pending', async () => {
    await open()
    await screen.findByText('You have not proposed a document here yet.')
    choose('notes.txt')
    await screen.findByText('Document proposed.')
    const list = await screen.findByRole('list', { name: 'Your proposals' })
    within(list).getByText('notes.txt')
    within(list).getByText('Pending')
    within(list).getByText(`2.00 KB · proposed ${formatDateTime('2026-11-20T09:00:00.000Z')}`)
    expect(listSentFiles()).toEqual([['channel-1', 'notes.txt']])
  })

  it('accepts a dropped file', async () => {
    await open()
    const file = new File(['some text'], 'notes.docx')
    fireEvent.drop(getFileInput().closest('label') as HTMLElement, { dataTransfer: { files: [file] } })
    await expect.poll(listSentFiles).toEqual([['channel-1', 'notes.docx']])
  })

  it('previews a PDF and sends it only when confirmed', async () => {
    const user = await open()
    choose('a.pdf')
    const first = await screen.findByRole('dialog', { name: 'a.pdf' })
    within(first).getByText('Page of a.pdf')
    await user.click(within(first).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'a.pdf' })).toBeNull())
    expect(listSentFiles()).toEqual([])
    choose('a.pdf')
    const second = await screen.findByRole('dialog', { name: 'a.pdf' })
    await user.click(within(second).getByRole('button', { name: 'Propose' }))
    await expect.poll(listSentFiles).toEqual([['channel-1', 'a.pdf']])
  })

  it('does not offer to send a broken PDF', async () => {
    await open()
    choose('bad.pdf')
    const preview = await screen.findByRole('dialog', { name: 'bad.pdf' })
    await waitFor(() => expect(within(preview).queryByRole('button', { name: 'Propose' })).toBeNull())
    within(preview).getByRole('button', { name: 'Cancel' })
  })

  it('refuses unsupported file types without sending them', async () => {
    await open()
    choose('a.exe')
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('a.exe')
    expect(listSentFiles()).toEqual([])
    choose('b.txt')
    await expect.poll(listSentFiles).toEqual([['channel-1', 'b.txt']])
    expect(screen.queryByText('a.exe')).toBeNull()
  })

  it.each([
    ['document.duplicate', 'This channel already has a document with the same content.'],
    ['document.proposals_full', 'You have reached the limit of pending proposals in this channel'],
    ['channel.no_proposals', 'This channel does not accept document proposals'],
    ['internal', 'Failed to propose the document'],
  ] as const)('shows the reason for the refusal %s', async (code, text) => {
    api.on(documentsApi.propose, () => refuse(code))
    await open()
    choose('notes.txt')
    const alert = await screen.findByText(text)
    expect(alert.closest('[role=alert]')?.textContent).toContain('notes.txt')
  })

  it('reports a lost connection', async () => {
    api.on(documentsApi.propose, () => {
      throw new NoNetwork()
    })
    await open()
    choose('notes.txt')
    await screen.findByText('Failed to propose the document')
  })

  it('shows the progress, accepts no other file in the meantime and can be cancelled', async () => {
    api.on(documentsApi.propose, () => new Promise<never>(() => undefined))
    const user = await open()
    choose('notes.txt')
    expect(await screen.findByRole('progressbar', { name: 'Uploading notes.txt' })).toHaveProperty(
      'value',
      0.5,
    )
    getFileInput().focus()
    expect(getFileInput().getAttribute('aria-disabled')).toBe('true')
    choose('other.txt')
    expect(listSentFiles()).toHaveLength(1)
    await user.click(screen.getByRole('button', { name: 'Cancel upload' }))
    await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull())
    expect(getFileInput().getAttribute('aria-disabled')).toBeNull()
    expect(document.activeElement).toBe(getFileInput())
    expect(screen.queryByRole('alert', { name: '' })?.textContent ?? '').toBe('')
  })
})

describe('the list of proposals', () => {
  it('shows each decision and its date', async () => {
    proposals = [
      aProposal({ _id: '1', status: 'approved', decidedAt: '2026-11-21T10:00:00.000Z' }),
      aProposal({
        _id: '2',
        originalName: 'other.pdf',
        status: 'rejected',
        decidedAt: '2026-11-22T10:00:00.000Z',
        rejectionReason: 'We have a newer edition.',
      }),
    ]
    await open()
    const [first, second] = within(await screen.findByRole('list', { name: 'Your proposals' })).getAllByRole(
      'listitem',
    )
    expect(first?.textContent).toContain(`Approved${formatDateTime('2026-11-21T10:00:00.000Z')}`)
    expect(second?.textContent).toContain(`Rejected${formatDateTime('2026-11-22T10:00:00.000Z')}`)
    expect(second?.textContent).toContain('Reason: We have a newer edition.')
    expect(first?.textContent).not.toContain('Reason')
    expect(screen.queryByRole('button', { name: 'Withdraw' })).toBeNull()
  })

  it('opens an approved document', async () => {
    proposals = [aProposal(), aProposal({ _id: '2', originalName: 'bus.txt', status: 'approved' })]
    api.on(documentsApi.text, ({ params }) => ({
      title: 'bus',
      fileType: 'txt' as const,
      pages: [{ page: null, start: 0, text: `The bus of ${params.id}.` }],
      total: 13,
    }))
    const user = await open()
    await user.click(await screen.findByRole('button', { name: 'Open document' }))
    const source = await screen.findByRole('dialog', { name: 'bus.txt' })
    await within(source).findByText('The bus of 2.')
  })

  it('polls for decisions while one is pending', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    try {
      proposals = [aProposal()]
      await open()
      await screen.findByText('Pending')
      proposals = [aProposal({ status: 'approved', decidedAt: '2026-11-21T10:00:00.000Z' })]
      await vi.advanceTimersByTimeAsync(5000)
      await screen.findByText('Approved')
      const callCount = api.calls(documentsApi.proposals).length
      await vi.advanceTimersByTimeAsync(20_000)
      expect(api.calls(documentsApi.proposals)).toHaveLength(callCount)
    } finally {
      vi.useRealTimers()
    }
  })

  it('withdraws a proposal after confirmation', async () => {
    proposals = [aProposal()]
    api.on(documentsApi.withdraw, () => {
      proposals = []
      return { message: 'gone' }
    })
    const user = await open()
    await user.click(await screen.findByRole('button', { name: 'Withdraw' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Withdraw this proposal?' })
    expect(dialog.textContent).toContain('notes.txt')
    expect(api.calls(documentsApi.withdraw)).toHaveLength(0)
    await user.click(within(dialog).getByRole('button', { name: 'Withdraw' }))
    await screen.findByText('Proposal withdrawn')
    await screen.findByText('You have not proposed a document here yet.')
    expect(api.calls(documentsApi.withdraw)[0]?.params).toEqual({ id: 'channel-1', documentId: 'document-1' })
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Your proposals'))
  })

  it('shows the decision when a proposal can no longer be withdrawn', async () => {
    proposals = [aProposal()]
    api.on(documentsApi.withdraw, () => {
      proposals = [aProposal({ status: 'rejected', decidedAt: '2026-11-21T10:00:00.000Z' })]
      return refuse('document.not_pending')
    })
    const user = await open()
    await user.click(await screen.findByRole('button', { name: 'Withdraw' }))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Withdraw' }))
    await screen.findByText('This document has already been reviewed')
    await screen.findByText('Rejected')
  })

  it('reports a failed load and offers a retry', async () => {
    api.on(documentsApi.proposals, () => refuse('internal'))
    const user = await open()
    await screen.findByText('Your proposals could not be loaded.')
    api.on(documentsApi.proposals, () => [])
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('You have not proposed a document here yet.')
  })

  it('loads nothing while the dialog is closed', () => {
    renderPage(createDialog(false))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(api.calls(documentsApi.proposals)).toHaveLength(0)
  })
})
