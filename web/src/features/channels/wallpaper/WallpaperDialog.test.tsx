import { authApi } from '@lyceum/contract/auth'
import { channelsApi, imageMaxBytes } from '@lyceum/contract/channels'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeApi, NoNetwork, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel } from '#testing/samples.ts'
import { aUser, signIn } from '#testing/users.ts'
import { WallpaperDialog } from './WallpaperDialog.tsx'

function aPicture(size = 2048, type = 'image/png', name = 'sea.png'): File {
  const file = new File(['picture'], name, { type })
  Object.defineProperty(file, 'size', { value: size })
  return file
}

let api: FakeApi
beforeEach(() => {
  api = fakeApi().on(authApi.me, () => aUser())
  signIn(aUser())
})

function open(wallpaper: string | null = null) {
  const [onUploaded, onClose] = [vi.fn(), vi.fn()]
  const channel = aChannel({ wallpaper })
  const { user } = renderPage(<WallpaperDialog channel={channel} onUploaded={onUploaded} onClose={onClose} />)
  return { user, onUploaded, onClose }
}
function field(): HTMLElement {
  return screen.getByLabelText(/Drop an image here/)
}
function getUploadButton() {
  return screen.getByRole('button', { name: 'Upload' })
}

describe('uploading a wallpaper', () => {
  it('refuses a dropped file that is not an image', async () => {
    open()
    const label = field().closest('label')
    const files = [aPicture(2048, 'text/plain', 'sea.txt')]
    if (label !== null) fireEvent.drop(label, { dataTransfer: { files } })
    await screen.findByText('Please select an image file')
    expect(screen.queryByRole('button', { name: 'Upload' })).toBeNull()
    expect(api.unhandledCalls).toEqual([])
  })

  it('rejects a file of 5 MB and accepts one that is a byte smaller', async () => {
    const { user } = open()
    await user.upload(field(), aPicture(imageMaxBytes))
    await screen.findByText('File size must be less than 5MB')
    expect(screen.queryByRole('button', { name: 'Upload' })).toBeNull()
    await user.upload(field(), aPicture(imageMaxBytes - 1))
    await screen.findByText('5.00 MB')
  })

  it('recommends a size and shows the chosen image', async () => {
    const { user, onClose } = open()
    screen.getByText(/1920x1080/)
    await user.upload(field(), aPicture(700))
    await screen.findByText('sea.png')
    screen.getByText('700 B')
    screen.getByRole('img', { name: 'Selected file' })
    await user.click(screen.getByRole('button', { name: 'Choose another image' }))
    await user.upload(field(), aPicture(2048, 'image/png', 'hills.png'))
    await screen.findByText('hills.png')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(onClose).toHaveBeenCalledTimes(1)
    expect(api.unhandledCalls).toEqual([])
  })

  it('shows why it failed, keeps the image and sends it again', async () => {
    api.on(channelsApi.setWallpaper, () => refuse('permission.denied'))
    const { user, onUploaded, onClose } = open()
    await user.upload(field(), aPicture())
    await user.click(getUploadButton())
    await screen.findByText('You do not have permission to upload to this channel.')
    api.on(channelsApi.setWallpaper, () => {
      throw new NoNetwork()
    })
    await user.click(getUploadButton())
    await screen.findByText('Network error. Please check your connection and try again.')
    api.on(channelsApi.setWallpaper, () => refuse('image.type'))
    await user.click(getUploadButton())
    await screen.findByText('Only JPEG, PNG, GIF, or WebP images are allowed.')
    expect([onUploaded.mock.calls, onClose.mock.calls]).toEqual([[], []])
    api.on(channelsApi.setWallpaper, () => ({ wallpaper: '/w', message: 'Set' }))
    await user.click(getUploadButton())
    await screen.findByText('Document uploaded: sea.png')
    expect(onUploaded.mock.calls).toEqual([['sea.png']])
    expect(onClose).toHaveBeenCalledTimes(1)
  })

  it('ignores clicks outside the dialog once an image is chosen', async () => {
    const { user, onClose } = open()
    function clickOutside() {
      const backdrop = document.querySelector('[class*="bg-slate-950"]')
      if (backdrop === null) throw new Error('The dialog has no backdrop')
      return user.click(backdrop)
    }
    await user.upload(field(), aPicture())
    await screen.findByText('sea.png')
    await clickOutside()
    expect(onClose).not.toHaveBeenCalled()
    await user.click(screen.getByRole('button', { name: 'Choose another image' }))
    await clickOutside()
    expect(onClose).toHaveBeenCalledTimes(1)
  })

  it('shows the progress', async () => {
    api.on(channelsApi.setWallpaper, () => new Promise<never>(() => undefined))
    const { user } = open()
    await user.upload(field(), aPicture())
    await user.click(getUploadButton())
    const bar = await screen.findByRole('progressbar', { name: 'Uploading' })
    expect(bar.getAttribute('value')).toBe('0.5')
    expect(getUploadButton().getAttribute('aria-disabled')).toBe('true')
  })
})

describe('removing a wallpaper', () => {
  it('is not offered if there is none', () => {
    open()
    expect(screen.queryByRole('button', { name: 'Remove wallpaper' })).toBeNull()
  })

  it('asks for confirmation and reports the outcome', async () => {
    api.on(channelsApi.removeWallpaper, () => refuse('internal'))
    const { user, onClose } = open('/api/channels/channel-1/wallpaper?v=1')
    await user.click(screen.getByRole('button', { name: 'Remove wallpaper' }))
    const confirm = await screen.findByRole('alertdialog', { name: 'Remove the wallpaper?' })
    expect(api.calls(channelsApi.removeWallpaper)).toEqual([])
    function press() {
      const [button] = [...confirm.querySelectorAll('button')].slice(-1)
      return user.click(button as HTMLElement)
    }
    await press()
    await screen.findByText('Failed to remove the wallpaper')
    expect(onClose).not.toHaveBeenCalled()
    api.on(channelsApi.removeWallpaper, () => ({ message: 'Gone' }))
    await press()
    await screen.findByText('Wallpaper removed')
    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1))
  })
})
