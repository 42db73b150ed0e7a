import { authApi } from '@lyceum/contract/auth'
import { imageMaxBytes } from '@lyceum/contract/channels'
import { getPermissions } from '@lyceum/contract/permissions'
import { settingsApi } from '@lyceum/contract/settings'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeApi, NoNetwork, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { anAdmin, signIn } from '#testing/users.ts'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { DashboardBackground } from './DashboardBackground.tsx'

function anImage(size = 2048, type = 'image/png', name = 'sea.png'): File {
  const file = new File(['picture'], name, { type })
  Object.defineProperty(file, 'size', { value: size })
  return file
}

let api: FakeApi
let stored: Blob
beforeEach(() => {
  stored = new Blob([])
  api = fakeApi()
    .on(authApi.me, () => anAdmin())
    .on(settingsApi.background, () => stored)
    .on(settingsApi.get, () => refuse('internal'))
  signIn(anAdmin())
})

function open() {
  return renderPage(
    <>
      <ResultBanner />
      <DashboardBackground />
    </>,
  ).user
}
function field(): HTMLElement {
  return screen.getByLabelText(/Drop an image here/)
}
/** Drops the file, because a file chooser would filter it by type. */
function drop(file: File): void {
  const label = field().closest('label')
  if (label !== null) fireEvent.drop(label, { dataTransfer: { files: [file] } })
}

describe('dashboard background', () => {
  it.each([
    ['a document', anImage(2048, 'application/pdf', 'sea.pdf')],
    ['an SVG', anImage(2048, 'image/svg+xml', 'sea.svg')],
    ['an image of another type', anImage(2048, 'image/avif', 'sea.avif')],
  ])('rejects %s without sending a request', async (_, file) => {
    open()
    drop(file)
    await screen.findByText('Only JPEG, PNG, GIF, or WebP images are allowed.')
    expect(screen.queryByText(file.name)).toBeNull()
    expect(api.unhandledCalls).toEqual([])
  })

  it('rejects 5 MB and accepts one byte less', async () => {
    const user = open()
    await user.upload(field(), anImage(imageMaxBytes))
    await screen.findByText('File size must be less than 5MB.')
    await user.upload(field(), anImage(imageMaxBytes - 1))
    await screen.findByText('5.00 MB')
    expect(screen.queryByText('File size must be less than 5MB.')).toBeNull()
  })

  it('previews the chosen image, and Cancel discards it', async () => {
    const user = open()
    await user.upload(field(), anImage(2048))
    await screen.findByText('sea.png')
    screen.getByText('2.00 KB')
    screen.getByRole('img', { name: 'Selected file' })
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    screen.getByText('The dashboard has no background image.')
    expect(api.unhandledCalls).toEqual([])
  })

  it('shows the server’s message, or a fallback when there is none', async () => {
    api.on(settingsApi.setBackground, () => refuse('image.unreadable'))
    const user = open()
    await user.upload(field(), anImage())
    function send() {
      return user.click(screen.getByRole('button', { name: 'Upload background' }))
    }
    await send()
    await screen.findByText('This image could not be read. Please choose another one.')
    api.on(settingsApi.setBackground, () => {
      throw new NoNetwork()
    })
    await send()
    await screen.findByText('Failed to upload background image')
    screen.getByText('sea.png')
  })

  it('shows upload progress, then the new image', async () => {
    const finish = vi.fn()
    api.on(settingsApi.setBackground, async () => {
      await new Promise<void>((resolve) => finish.mockImplementation(resolve))
      stored = new Blob(['picture'], { type: 'image/webp' })
      return { dashboardBackgroundImage: '/x', message: 'Background image uploaded' }
    })
    const user = open()
    await user.upload(field(), anImage())
    await user.click(screen.getByRole('button', { name: 'Upload background' }))
    await screen.findByRole('progressbar', { name: 'Uploading' })
    await waitFor(() => expect(api.calls(settingsApi.setBackground)).toHaveLength(1))
    finish()
    await screen.findByText('Background image uploaded')
    await screen.findByRole('img', { name: 'Current dashboard background' })
    expect(api.calls(settingsApi.setBackground)[0]?.file?.name).toBe('sea.png')
  })

  it('removes the image after confirmation, and shows an error when that fails', async () => {
    stored = new Blob(['picture'], { type: 'image/webp' })
    api.on(settingsApi.removeBackground, () => refuse('internal'))
    const user = open()
    async function remove() {
      await user.click(await screen.findByRole('button', { name: 'Remove background' }))
      await user.click(await screen.findByRole('button', { name: 'Remove background' }))
    }
    await user.click(await screen.findByRole('button', { name: 'Remove background' }))
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(api.calls(settingsApi.removeBackground)).toEqual([])
    await remove()
    await screen.findByText('Failed to remove background image')
    api.on(settingsApi.removeBackground, () => {
      stored = new Blob([])
      return { message: 'Background image removed' }
    })
    await remove()
    await screen.findByText('Background image removed')
    await screen.findByText('The dashboard has no background image.')
  })

  it('is read-only without canManageSettings', async () => {
    const overrides = { canManageSettings: false }
    const admin = anAdmin({ permissions: getPermissions({ role: 'admin', isSystemAdmin: false, overrides }) })
    api.on(authApi.me, () => admin)
    signIn(admin)
    stored = new Blob(['picture'], { type: 'image/webp' })
    const user = open()
    await screen.findByRole('img', { name: 'Current dashboard background' })
    expect(field()).toHaveProperty('disabled', true)
    drop(anImage())
    expect(screen.queryByText('sea.png')).toBeNull()
    const refusal = 'You do not have permission to manage settings'
    await user.click(screen.getByRole('button', { name: 'Upload background' }))
    await screen.findByText(refusal)
    await user.click(screen.getByRole('button', { name: 'Remove background' }))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(api.unhandledCalls).toEqual([])
  })
})
