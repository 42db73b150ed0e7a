import { documentsApi } from '@lyceum/contract/documents'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aDocument } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { UploadDialog } from './UploadDialog.tsx'
import { uploads } from './upload-queue.ts'

// Opening a PDF needs a browser.
vi.mock('#ui/PdfView.tsx', () => ({ PdfView: ({ label }: { label: string }) => <p>{label}</p> }))
vi.mock('#ui/pdf/pdf-fault.ts', () => ({
  findPdfFault: async (file: File) => (file.name === 'bad.pdf' ? 'This file is not a PDF.' : null),
}))

beforeEach(() => signIn(anAdmin()))
afterEach(() => uploads.clear())

describe('a broken PDF', () => {
  async function choose(...names: string[]) {
    const api = fakeApi().on(documentsApi.upload, () => aDocument())
    const { user } = renderPage(<UploadDialog channel={{ _id: 'c1', name: 'Physics' }} onClose={vi.fn()} />)
    const input = document.querySelector('input[type=file]') as HTMLInputElement
    await user.upload(
      input,
      names.map((name) => new File(['some text'], name)),
    )
    const preview = await screen.findByRole('dialog', { name: 'bad.pdf' })
    const skip = await within(preview).findByRole('button', { name: 'Skip' })
    return { api, user, preview, skip }
  }

  it('can only be skipped', async () => {
    const { api, user, preview, skip } = await choose('bad.pdf')
    for (const name of ['Upload', 'Cancel'])
      expect(within(preview).queryByRole('button', { name })).toBeNull()
    await user.click(skip)
    await waitFor(() => expect(screen.queryByText('bad.pdf')).toBeNull())
    expect(api.calls(documentsApi.upload)).toHaveLength(0)
  })

  it('says why in the list, which offers no preview of it', async () => {
    const { user } = await choose('bad.pdf')
    await user.keyboard('{Escape}')
    await screen.findByText('This file is not a PDF.')
    screen.getByRole('button', { name: 'Skip' })
    expect(screen.queryByRole('button', { name: /Preview/ })).toBeNull()
  })

  it('is replaced by another file, in the list and in the preview', async () => {
    const { api, user, preview } = await choose('bad.pdf')
    function pick(root: HTMLElement, name: string): Promise<void> {
      const [input] = [...root.querySelectorAll<HTMLInputElement>('input[type=file][hidden]')]
      if (input === undefined) throw new Error('there is no file input')
      return user.upload(input, new File(['some text'], name))
    }
    within(preview).getByRole('button', { name: 'Choose another file' })
    await pick(preview, 'good.pdf')
    const good = await screen.findByRole('dialog', { name: 'good.pdf' })
    expect(screen.queryByText('bad.pdf')).toBeNull()
    await user.click(within(good).getByRole('button', { name: 'Upload' }))
    await expect
      .poll(() => api.calls(documentsApi.upload).map(({ file }) => file?.name))
      .toEqual(['good.pdf'])
    api.on(documentsApi.upload, () => refuse('document.type'))
    const drop = document.querySelector('input[type=file]') as HTMLInputElement
    await user.upload(drop, new File(['x'], 'a.txt'))
    const list = await screen.findByRole('list', { name: 'Uploads' })
    await within(list).findByRole('button', { name: 'Choose another file' })
    api.on(documentsApi.upload, () => aDocument())
    await pick(list, 'notes.txt')
    await within(list).findByText('notes.txt')
    expect(screen.queryByText('a.txt')).toBeNull()
  })

  it('is left out when all are uploaded', async () => {
    const { api, user, preview } = await choose('bad.pdf', 'b.pdf', 'c.pdf')
    await user.click(within(preview).getByRole('button', { name: 'Upload all 2' }))
    await expect
      .poll(() => api.calls(documentsApi.upload).map(({ file }) => file?.name))
      .toEqual(['b.pdf', 'c.pdf'])
    await within(preview).findByRole('button', { name: 'Skip' })
  })
})

describe('the list of uploads', () => {
  const scrolled = vi.fn<(row: Element) => void>()
  beforeEach(() => {
    vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
      scrolled(this)
    })
  })
  afterEach(() => {
    vi.restoreAllMocks()
    scrolled.mockReset()
  })

  function open() {
    renderPage(<UploadDialog channel={{ _id: 'c1', name: 'Physics' }} onClose={vi.fn()} />)
    const drop = document.querySelector('input[type=file]') as HTMLInputElement
    const user = userEvent.setup({ applyAccept: false })
    return {
      drop,
      upload: (...names: string[]) =>
        user.upload(
          drop,
          names.map((name) => new File(['x'], name)),
        ),
    }
  }
  function lastScrolled(): string {
    return scrolled.mock.lastCall?.[0].textContent ?? ''
  }

  it('scrolls to the last new file, and to an error that appears later, without moving the focus', async () => {
    const gate = Promise.withResolvers<void>()
    fakeApi().on(documentsApi.upload, async () => {
      await gate.promise
      return refuse('document.duplicate')
    })
    const { upload, drop } = open()
    drop.focus()
    await upload('a.txt', 'b.txt', 'c.txt')
    await waitFor(() => expect(lastScrolled()).toContain('c.txt'))
    expect(scrolled).toHaveBeenCalledOnce()
    gate.resolve()
    await waitFor(() => expect(lastScrolled()).toContain('already'))
    expect(document.activeElement).toBe(drop)
  })

  it('prefers the first of several new files that cannot be uploaded', async () => {
    fakeApi().on(documentsApi.upload, () => new Promise<never>(() => undefined))
    await open().upload('a.txt', 'photo.png', 'sound.mp3', 'b.txt')
    await waitFor(() => expect(lastScrolled()).toContain('photo.png'))
    expect(scrolled).toHaveBeenCalledOnce()
  })

  it('does not scroll when it is opened', async () => {
    fakeApi().on(documentsApi.upload, () => new Promise<never>(() => undefined))
    uploads.add('c1', [new File(['x'], 'photo.png')])
    open()
    await screen.findByText('photo.png')
    expect(scrolled).not.toHaveBeenCalled()
  })
})
