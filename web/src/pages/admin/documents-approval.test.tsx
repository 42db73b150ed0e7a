import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { type Document, documentsApi } from '@lyceum/contract/documents'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { indexPollMs } from '#features/documents/queries.ts'
import { phoneQuery } from '#lib/use-media-query.ts'
import type { FakeApi } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { type RenderedPage, renderPage } from '#testing/render-page.tsx'
import { aChannel, aDocument, anApprovedDocument, anIndex, aPage } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { DocumentsPage } from './documents.tsx'

let api: FakeApi

function serveDocuments(...documents: Document[]): void {
  api.on(documentsApi.list, () => aPage(documents))
}

function visit(query = ''): RenderedPage {
  return renderPage(<DocumentsPage />, { at: `/admin/documents${query}`, path: '/admin/documents' })
}

async function findRow(name: string): Promise<HTMLElement> {
  return (await screen.findByRole('button', { name })).closest('li') as HTMLElement
}

beforeEach(() => {
  api = fakeApi().on(channelsApi.list, () => [aChannel(), aChannel({ _id: 'channel-2', name: 'Law' })])
  api.on(authApi.me, () => anAdmin())
  signIn(anAdmin())
  serveDocuments()
})

describe('after an approval', () => {
  const approved = anApprovedDocument()

  function findNotice() {
    return screen.findByRole('region', { name: 'Approved just now' })
  }
  async function approve(page: RenderedPage): Promise<void> {
    api.on(documentsApi.approve, () => approved)
    await page.user.click(within(await findRow('handbook.pdf')).getByRole('button', { name: 'Approve' }))
  }

  it('reports the approval only once, and shows the progress, then that the document is indexed, and links to its channel', async () => {
    vi.useFakeTimers({
      shouldAdvanceTime: true,
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    })
    serveDocuments(aDocument())
    api.on(documentsApi.get, () => ({ ...approved, index: anIndex({ state: 'embedding', percent: 40 }) }))
    const page = visit()
    await approve(page)
    const notice = within(await findNotice())
    expect(await notice.findAllByText('Indexing 1 approved document')).toHaveLength(2)
    // The notice shows it, so the banner only announces it.
    expect(screen.getAllByText('Document approved successfully')).toHaveLength(1)
    expect(screen.getByText('Document approved successfully').classList).toContain('sr-only')
    await notice.findByText('40%')
    const link = await notice.findByRole('link', { name: 'Open channel' })
    expect(link.getAttribute('href')).toBe('/channels/channel-1')

    api.on(documentsApi.get, () => ({ ...approved, index: anIndex({ state: 'ready', percent: 100 }) }))
    await act(() => vi.advanceTimersByTimeAsync(indexPollMs))
    expect(await notice.findAllByText('1 approved document indexed')).toHaveLength(2)
    expect(notice.queryByRole('progressbar')).toBeNull()
    // Nothing is left to decide.
    expect(document.activeElement).toBe(link)
    await page.user.click(notice.getByRole('button', { name: 'Show approved documents' }))
    expect(page.address()).toBe('/admin/documents?status=approved')
  })

  describe('on phones', () => {
    function stubPhone(): void {
      vi.stubGlobal('matchMedia', (query: string) =>
        Object.assign(new EventTarget(), { matches: query === phoneQuery }),
      )
    }
    const law = { _id: 'document-2', originalName: 'law.pdf', channel: { _id: 'channel-2', name: 'Law' } }
    const isIndexed = { index: anIndex({ state: 'ready', percent: 100 }) }

    it('offers only to open the channel if there is only one', async () => {
      stubPhone()
      serveDocuments(aDocument())
      api.on(documentsApi.get, () => ({ ...approved, ...isIndexed }))
      await approve(visit())
      const notice = within(await findNotice())
      const link = await notice.findByRole('link', { name: 'Open channel' })
      expect(notice.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
        'Dismiss',
      ])
      await waitFor(() => expect(document.activeElement).toBe(link))
    })

    it('offers only to show the documents if there are several channels', async () => {
      stubPhone()
      serveDocuments(aDocument(), aDocument(law))
      api.on(documentsApi.get, ({ params }) =>
        anApprovedDocument({ ...(params.id === law._id && law), ...isIndexed }),
      )
      const page = visit()
      await approve(page)
      api.on(documentsApi.approve, () => anApprovedDocument(law))
      await page.user.click(within(await findRow('law.pdf')).getByRole('button', { name: 'Approve' }))
      const notice = within(await findNotice())
      await waitFor(() => expect(document.activeElement?.textContent).toBe('Show approved documents'))
      expect(notice.queryAllByRole('link')).toEqual([])
    })
  })

  it('is told below the list, so that no row moves under the pointer', async () => {
    serveDocuments(aDocument())
    api.on(documentsApi.get, () => ({ ...approved, index: anIndex({ state: 'ready', percent: 100 }) }))
    const page = visit()
    const row = await findRow('handbook.pdf')
    await approve(page)
    const notice = await findNotice()
    expect(row.compareDocumentPosition(notice)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  })

  it('keeps the focus in the list while another document waits', async () => {
    serveDocuments(aDocument(), aDocument({ _id: 'document-2', originalName: 'plan.pdf' }))
    api.on(documentsApi.get, () => ({ ...approved, index: anIndex({ state: 'ready', percent: 100 }) }))
    const page = visit()
    const button = within(await findRow('handbook.pdf')).getByRole('button', { name: 'Approve' })
    await approve(page)
    await within(await findNotice()).findByRole('link', { name: 'Open channel' })
    expect(document.activeElement).toBe(button)
  })

  it('begins with the focus on the first decision if the link asked for it', async () => {
    serveDocuments(aDocument())
    const page = visit('?channelId=channel-1&focus=decision')
    const button = within(await findRow('handbook.pdf')).getByRole('button', { name: 'Approve' })
    await waitFor(() => expect(document.activeElement).toBe(button))
    expect(page.address()).toBe('/admin/documents?channelId=channel-1')
  })

  it('names documents whose indexing failed, and links to no channel that the user cannot open', async () => {
    api.on(channelsApi.list, () => [aChannel({ isMember: false })])
    serveDocuments(aDocument())
    api.on(documentsApi.get, () => ({
      ...approved,
      index: anIndex({ state: 'failed', reason: 'It is damaged.' }),
    }))
    const page = visit()
    await approve(page)
    const notice = within(await findNotice())
    expect(await notice.findAllByText('Indexing failed for 1 of 1 approved document')).toHaveLength(2)
    expect(notice.queryByRole('link')).toBeNull()
    await page.user.click(notice.getByRole('button', { name: 'Dismiss' }))
    expect(notice.queryByText(/approved/)).toBeNull()
  })
})

describe('rejected documents', () => {
  it('have a view of their own beside the two tabs', async () => {
    const { user, address } = visit('?channelId=channel-2')
    expect((await screen.findAllByRole('tab')).map(({ textContent }) => textContent)).toEqual([
      'Pending Approval',
      'Approved Documents',
    ])
    serveDocuments(aDocument({ status: 'rejected', originalName: 'draft.pdf' }))
    await user.click(screen.getByRole('button', { name: 'Rejected documents' }))
    expect(address()).toBe('/admin/documents?status=rejected&channelId=channel-2')
    screen.getByRole('heading', { name: 'Rejected documents' })
    const row = within(await findRow('draft.pdf'))
    row.getByRole('button', { name: 'Preview' })
    expect(row.queryByRole('button', { name: 'Approve' })).toBeNull()
    expect(row.queryByRole('button', { name: 'Reject' })).toBeNull()
    expect(api.calls(documentsApi.list).at(-1)?.query).toMatchObject({ status: 'rejected' })
    serveDocuments()
    await user.click(screen.getByRole('button', { name: 'Back to review' }))
    await screen.findByText('No pending documents in the selected channel to review.')
  })

  it('say when there are none', async () => {
    visit('?status=rejected')
    await screen.findByText('No rejected documents in the selected channel to review.')
  })
})
