import { authApi } from '@lyceum/contract/auth'
import { imageMaxBytes } from '@lyceum/contract/channels'
import { permissionsOf } from '@lyceum/contract/permissions'
import { settingsApi } from '@lyceum/contract/settings'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeApi, NoNetwork, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { anAdmin, signIn } from '#testing/users.ts'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { DashboardBackground } from './DashboardBackground.tsx'

function aPicture(size = 2048, type = 'image/png', name = 'sea.png'): File {
  const file = new File(['picture'], name, { type })
  Object.defineProperty(file, 'size', { value: size })
  return file
}

let api: FakeApi
let held: Blob
beforeEach(() => {
  held = new Blob([])
  api = fakeApi()
    .on(authApi.me, () => anAdmin())
    .on(settingsApi.background, () => held)
    .on(settingsApi.get, () => refuse('internal'))
  signIn(anAdmin())
})

function open() {
  return renderPage(
    <>
      <ResultBanner className="" />
      <DashboardBackground />
    </>,
  ).user
}
function field(): HTMLElement {
  return screen.getByLabelText(/Drop a picture here/)
}
/** As dropped: the window's own chooser would have filtered it. */
function drop(file: File): void {
  const place = field().closest('label')
  if (place !== null) fireEvent.drop(place, { dataTransfer: { files: [file] } })
}

describe('the dashboard’s background', () => {
  it.each([
    ['a document', aPicture(2048, 'application/pdf', 'sea.pdf')],
    ['an SVG', aPicture(2048, 'image/svg+xml', 'sea.svg')],
    ['a picture of another kind', aPicture(2048, 'image/avif', 'sea.avif')],
  ])('refuses %s before anything is sent', async (_, file) => {
    open()
    drop(file)
    await screen.findByText('Only JPEG, PNG, GIF, or WebP images are allowed.')
    expect(screen.queryByText(file.name)).toBeNull()
    expect(api.unanswered).toEqual([])
  })

  it('refuses 5 MB and takes one byte less', async () => {
    const user = open()
    await user.upload(field(), aPicture(imageMaxBytes))
    await screen.findByText('File size must be less than 5MB.')
    await user.upload(field(), aPicture(imageMaxBytes - 1))
    await screen.findByText('5.00 MB')
    expect(screen.queryByText('File size must be less than 5MB.')).toBeNull()
  })

  it('shows what was chosen before it is sent, and lets it go', async () => {
    const user = open()
    await user.upload(field(), aPicture(2048))
    await screen.findByText('sea.png')
    screen.getByText('2.00 KB')
    screen.getByRole('img', { name: 'What you chose' })
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    screen.getByText('The dashboard has no background image.')
    expect(api.unanswered).toEqual([])
  })

  it('says what the server says, and its own words where that says nothing', async () => {
    api.on(settingsApi.setBackground, () => refuse('image.unreadable'))
    const user = open()
    await user.upload(field(), aPicture())
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

  it('shows how far it is, then the new picture', async () => {
    const finish = vi.fn()
    api.on(settingsApi.setBackground, async () => {
      await new Promise<void>((resolve) => finish.mockImplementation(resolve))
      held = new Blob(['picture'], { type: 'image/webp' })
      return { dashboardBackgroundImage: '/x', message: 'Background image uploaded' }
    })
    const user = open()
    await user.upload(field(), aPicture())
    await user.click(screen.getByRole('button', { name: 'Upload background' }))
    await screen.findByRole('progressbar', { name: 'Uploading' })
    await waitFor(() => expect(api.calls(settingsApi.setBackground)).toHaveLength(1))
    finish()
    await screen.findByText('Background image uploaded')
    await screen.findByRole('img', { name: 'The present background of the dashboard' })
    expect(api.calls(settingsApi.setBackground)[0]?.file?.name).toBe('sea.png')
  })

  it('is removed after a question, and says when it was not', async () => {
    held = new Blob(['picture'], { type: 'image/webp' })
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
      held = new Blob([])
      return { message: 'Background image removed' }
    })
    await remove()
    await screen.findByText('Background image removed')
    await screen.findByText('The dashboard has no background image.')
  })

  it('is only for looking without the right to manage settings', async () => {
    const overrides = { canManageSettings: false }
    const admin = anAdmin({ permissions: permissionsOf({ role: 'admin', isSystemAdmin: false, overrides }) })
    api.on(authApi.me, () => admin)
    signIn(admin)
    held = new Blob(['picture'], { type: 'image/webp' })
    const user = open()
    await screen.findByRole('img', { name: 'The present background of the dashboard' })
    expect(field()).toHaveProperty('disabled', true)
    drop(aPicture())
    expect(screen.queryByText('sea.png')).toBeNull()
    const words = 'You do not have permission to manage settings'
    expect(screen.getAllByText(words)).toHaveLength(1)
    await user.click(screen.getByRole('button', { name: 'Upload background' }))
    expect(await screen.findAllByText(words)).toHaveLength(2)
    await user.click(screen.getByRole('button', { name: 'Remove background' }))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(api.unanswered).toEqual([])
  })
})
