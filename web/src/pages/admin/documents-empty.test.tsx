import { channelsApi } from '@lyceum/contract/channels'
import { documentsApi } from '@lyceum/contract/documents'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { FakeApi } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel, aPage } from '#testing/samples.ts'
import { signInAdminWithout } from '#testing/users.ts'
import { DocumentsPage } from './documents.tsx'

let api: FakeApi
beforeEach(() => {
  api = fakeApi()
    .on(channelsApi.list, () => [
      aChannel({ _id: 'law', name: 'Law' }),
      aChannel({ _id: 'old', name: 'Old', isArchived: true }),
      aChannel({ _id: 'guide', name: 'Guide', useAssistant: true }),
    ])
    .on(documentsApi.list, () => aPage([]))
  signInAdminWithout(api)
})

function visit(query = '') {
  return renderPage(<DocumentsPage />, { at: `/admin/documents${query}`, path: '/admin/documents' })
}

function findSentence(status = 'pending') {
  return screen.findByText(`No ${status} documents in the selected channel to review.`)
}

describe('uploading from the empty list of documents', () => {
  it('leads to the channels while none is selected', async () => {
    visit()
    const link = await screen.findByRole('link', { name: 'Upload documents' })
    expect(link.getAttribute('href')).toBe('/admin/channels')
  })

  it('opens the upload to the selected channel', async () => {
    const { user } = visit('?channelId=law')
    await user.click(await screen.findByRole('button', { name: 'Upload documents' }))
    const dialog = await screen.findByRole('dialog', { name: 'Upload documents' })
    expect(dialog.textContent).toContain('Law')
  })

  it.each(['canUploadDocuments', 'canManageChannels'] as const)(
    'is not offered without %s',
    async (missing) => {
      signInAdminWithout(api, missing)
      visit()
      await findSentence()
      await waitFor(() => expect(api.calls(channelsApi.list)).not.toHaveLength(0))
      expect(screen.queryByText('Upload documents')).toBeNull()
    },
  )

  it.each([
    ['in an archived channel', '?channelId=old', 'pending'],
    ['in a channel with a ready-made assistant', '?channelId=guide', 'pending'],
    ['among rejected documents', '?status=rejected', 'rejected'],
    ['for a search', '?search=report', 'pending'],
  ])('is not offered %s', async (_, query, status) => {
    visit(query)
    await findSentence(status)
    await screen.findByRole('option', { name: 'Law' })
    expect(screen.queryByText('Upload documents')).toBeNull()
  })
})

describe('the documents that have no vectors', () => {
  it('are listed whatever their newest version is, until the filter is removed', async () => {
    const { user, address } = visit('?status=approved&index=without-vectors')
    await screen.findByText('All documents in use can be found by meaning.')
    expect(api.calls(documentsApi.list)[0]?.query).toEqual({ index: 'without-vectors', limit: 20, skip: 0 })
    await user.click(screen.getByRole('button', { name: 'Found by keywords only' }))
    expect(address()).toBe('/admin/documents?status=approved')
    expect(screen.queryByRole('button', { name: 'Found by keywords only' })).toBeNull()
  })
})

describe('the documents that could not be indexed', () => {
  it('are a filter of the approved documents that other views drop', async () => {
    const { user, address } = visit('?status=approved&index=failed')
    await screen.findByText('All approved documents could be indexed.')
    expect(api.calls(documentsApi.list)[0]?.query).toEqual({
      status: 'approved',
      index: 'failed',
      limit: 20,
      skip: 0,
    })
    await user.click(screen.getByRole('checkbox', { name: 'Could not be indexed' }))
    expect(address()).toBe('/admin/documents?status=approved')
    await user.click(screen.getByRole('checkbox', { name: 'Could not be indexed' }))
    expect(address()).toBe('/admin/documents?status=approved&index=failed')
    await user.click(screen.getByRole('tab', { name: 'Pending Approval' }))
    expect(address()).toBe('/admin/documents')
    expect(screen.queryByRole('checkbox', { name: 'Could not be indexed' })).toBeNull()
  })
})
