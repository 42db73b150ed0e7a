import { authApi } from '@lyceum/contract/auth'
import { documentsApi, type StorageUse } from '@lyceum/contract/documents'
import { getPermissions } from '@lyceum/contract/permissions'
import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { type RenderedPage, renderPage } from '#testing/render-page.tsx'
import { anAdmin, signIn } from '#testing/users.ts'
import { MaintenanceDialog } from './MaintenanceDialog.tsx'

let api: FakeApi

function aStorageRow(name: string, bytes: number): StorageUse['channels'][number] {
  return {
    channel: { _id: name, name },
    documents: 3,
    versions: 4,
    bytes,
    passages: 1200,
  }
}

function serveStorage(...channels: StorageUse['channels']): void {
  api.on(documentsApi.storage, () => ({
    channels,
    total: { documents: 30, bytes: 5 * 1024 * 1024, passages: 12_000 },
  }))
}

function open(): RenderedPage {
  return renderPage(<MaintenanceDialog open onClose={() => undefined} />)
}

beforeEach(() => {
  api = fakeApi().on(authApi.me, () => anAdmin())
  signIn(anAdmin())
  serveStorage()
})

describe('Cleanup Orphaned', () => {
  it('shows what was removed and refreshes the disk usage', async () => {
    api.on(documentsApi.cleanupOrphaned, () => ({ message: 'ok', passages: 12, files: 3, bytes: 2048 }))
    const { user } = open()
    await screen.findByText('There are no documents yet.')
    serveStorage(aStorageRow('Physics', 2048))
    await user.click(screen.getByRole('button', { name: 'Cleanup Orphaned' }))
    await screen.findByText('Orphaned documents cleanup completed successfully')
    const figures = screen.getAllByRole('definition').map(({ textContent }) => textContent)
    expect(figures).toEqual(['12', '3', '2.00 KB'])
    await screen.findByRole('rowheader', { name: /Physics/ })
  })

  it('reports a failure', async () => {
    api.on(documentsApi.cleanupOrphaned, () => refuse('internal'))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Cleanup Orphaned' }))
    await screen.findByText('Failed to cleanup orphaned documents')
  })

  it('disables the clean-up and hides the disk usage without canManageDocuments', async () => {
    const permissions = getPermissions({
      role: 'admin',
      isSystemAdmin: false,
      overrides: { canManageDocuments: false },
    })
    api.on(authApi.me, () => anAdmin({ permissions }))
    signIn(anAdmin({ permissions }))
    open()
    expect(screen.getByRole('button', { name: 'Cleanup Orphaned' })).toHaveProperty('disabled', true)
    screen.getByText('You need permission to manage documents.')
    expect(screen.queryByRole('region', { name: 'Disk usage' })).toBeNull()
    expect(api.calls(documentsApi.storage)).toHaveLength(0)
  })
})

describe('Disk usage', () => {
  it('shows the disk usage per channel and in total', async () => {
    const empty = { ...aStorageRow('Empty', 0), documents: 0, versions: 0, passages: 0 }
    serveStorage(aStorageRow('Physics', 3 * 1024 * 1024), aStorageRow('Law', 512), empty)
    open()
    const rows = within(await screen.findByRole('table', { name: 'Disk usage of each channel' }))
      .getAllByRole('row')
      .slice(1)
    const cells = rows.map((row) =>
      [...row.querySelectorAll('th, td')].map((cell) => cell.lastElementChild?.textContent),
    )
    expect(cells).toEqual([
      ['Physics', '3', '4', '1,200', '3.00 MB'],
      ['Law', '3', '4', '1,200', '512 B'],
    ])
    const region = screen.getByRole('region', { name: 'Disk usage' })
    expect(region.textContent).toContain('5.00 MB in total: 30 documents with 12,000 indexed passages.')
    expect(within(region).queryByRole('button')).toBeNull()
  })

  it('shows the ten largest channels first and all on request', async () => {
    serveStorage(...Array.from({ length: 200 }, (_, at) => aStorageRow(`Channel ${at}`, 1000 - at)))
    const { user } = open()
    await screen.findByRole('table')
    expect(screen.getAllByRole('rowheader')).toHaveLength(10)
    await user.click(screen.getByRole('button', { name: 'Show all 200 channels' }))
    expect(screen.getAllByRole('rowheader')).toHaveLength(200)
    expect(screen.queryByRole('button', { name: /Show all/ })).toBeNull()
  })

  it('reports a failed load and offers a retry', async () => {
    api.on(documentsApi.storage, () => refuse('internal'))
    const { user } = open()
    await screen.findByText('The disk usage could not be loaded.')
    serveStorage()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('There are no documents yet.')
  })
})
