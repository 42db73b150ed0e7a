import { type Attachment, attachmentsApi } from '@lyceum/contract/attachments'
import { channelsApi } from '@lyceum/contract/channels'
import { type ChatMessage, chatsApi } from '@lyceum/contract/chats'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeApi, NoNetwork, refuse, streamOf } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel } from '#testing/samples.ts'
import { aUser, signIn } from '#testing/users.ts'
import { ChannelPage } from './channel.tsx'

const timestamp = '2026-11-20T10:00:00.000Z'
const channel = aChannel({ _id: 'c1', allowAttachments: true })
const chat = {
  ...{ _id: 'a', title: null, messages: [], messageCount: 0 },
  ...{ createdAt: timestamp, updatedAt: timestamp },
}

function aFile(name = 'lease.txt', id = name): Attachment {
  return { _id: id, name, fileType: 'txt', fileSize: 2048, pages: null }
}

let api: FakeApi
let unsent: Attachment[]
let messages: ChatMessage[]
beforeEach(() => {
  signIn(aUser())
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = () => undefined
      disconnect = () => undefined
    },
  )
  // A wide window, so that a source opens beside the chat.
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }))
  Element.prototype.scrollIntoView = vi.fn()
  unsent = []
  messages = []
  api = fakeApi()
    .on(channelsApi.list, () => [channel])
    .on(channelsApi.get, () => channel)
    .on(chatsApi.list, () => ({ chats: [chat], total: 1, totalPages: 1 }))
    .on(chatsApi.get, () => ({ chatId: 'a', title: null, messages, before: null, total: messages.length }))
    .on(attachmentsApi.list, () => ({ attachments: unsent }))
    .on(attachmentsApi.upload, ({ file }) => {
      const stored = aFile(file?.name)
      unsent = [...unsent, stored]
      return stored
    })
})

async function open() {
  const { user } = renderPage(<ChannelPage />, { at: '/channels/c1', path: '/channels/:id' })
  await waitFor(() =>
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' }).disabled).toBe(false),
  )
  return user
}

async function choose(...names: string[]) {
  await screen.findByRole('button', { name: 'Attach files' })
  const input = screen.getByLabelText('Files to attach')
  fireEvent.change(input, { target: { files: names.map((name) => new File(['words'], name)) } })
}

function findFiles() {
  return screen.findByRole('list', { name: 'Files for this message' })
}
function listUploads() {
  return api.calls(attachmentsApi.upload).map(({ file }) => file?.name)
}

describe('files for a message', () => {
  it('cannot be attached where the channel does not allow it', async () => {
    api.on(channelsApi.get, () => aChannel({ _id: 'c1', allowAttachments: false }))
    await open()
    expect(screen.queryByRole('button', { name: 'Attach files' })).toBeNull()
    fireEvent.drop(window, { dataTransfer: { types: ['Files'], files: [new File(['words'], 'a.txt')] } })
    expect(api.calls(attachmentsApi.list)).toEqual([])
    expect(listUploads()).toEqual([])
  })

  it('are refused at once if their type is not supported, while the others are attached', async () => {
    await open()
    await choose('notes.zip', 'lease.txt')
    await screen.findByText('notes.zip was not attached. Attach a PDF, DOC, DOCX or TXT file.')
    await choose('a.zip', 'b.zip')
    await screen.findByText('2 files were not attached. Attach a PDF, DOC, DOCX or TXT file.')
    await waitFor(() => expect(unsent).toHaveLength(1))
    expect(listUploads()).toEqual(['lease.txt'])
    within(await findFiles()).getByText('lease.txt')
    expect(screen.queryByText('notes.zip')).toBeNull()
  })

  it('give the focus back to the field when the last of them is removed', async () => {
    unsent = [aFile()]
    api.on(attachmentsApi.remove, () => ({ message: '' }))
    const user = await open()
    await findFiles()
    await user.click(screen.getByRole('button', { name: 'Remove lease.txt' }))
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Files for this message' })).toBeNull())
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Message' }))
  })

  it('are not attached twice', async () => {
    unsent = [{ ...aFile('lease.txt'), fileSize: 5 }]
    await open()
    await findFiles()
    await choose('lease.txt', 'other.txt')
    await screen.findByText('lease.txt is attached already.')
    await waitFor(() => expect(listUploads()).toEqual(['other.txt']))
  })

  it('are refused if they are pictures that the channel does not take, which does not hold the message back', async () => {
    api.on(chatsApi.send, () => refuse('internal'))
    const user = await open()
    expect(screen.getByLabelText<HTMLInputElement>('Files to attach').accept).not.toContain('image')
    fireEvent.drop(window, {
      dataTransfer: { types: ['Files'], files: [new File(['x'], 'photo.png', { type: 'image/png' })] },
    })
    await screen.findByText(
      'photo.png was not attached. This channel does not take pictures. Attach a PDF, DOC, DOCX or TXT file.',
    )
    expect(listUploads()).toEqual([])
    await user.type(screen.getByRole('textbox', { name: 'Message' }), 'What is this?{Enter}')
    await waitFor(() => expect(api.calls(chatsApi.send)[0]?.body).toEqual({ message: 'What is this?' }))
  })

  it('hold the message back with the good files while others in the list failed', async () => {
    api
      .on(chatsApi.send, () => refuse('internal'))
      .on(attachmentsApi.upload, ({ file }) => {
        if (file?.name !== 'a.txt') return refuse('attachment.too_long')
        unsent = [aFile('a.txt')]
        return aFile('a.txt')
      })
    const user = await open()
    await choose('a.txt', 'b.txt', 'c.txt')
    const hint = await screen.findByText('2 files could not be attached. Remove them to send.')
    expect(hint.className).toContain('text-danger')
    await user.type(screen.getByRole('textbox', { name: 'Message' }), 'What is this?{Enter}')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send message' }).disabled).toBe(true)
    expect(api.calls(chatsApi.send)).toHaveLength(0)
    await user.click(screen.getByRole('button', { name: 'Remove b.txt' }))
    screen.getByText('1 file could not be attached. Remove it to send.')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove c.txt' }))
    await user.keyboard('{Enter}')
    expect(screen.queryByText(/could not be attached\. Remove/)).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove a.txt' }))
    await user.type(screen.getByRole('textbox', { name: 'Message' }), '{Enter}')
    await waitFor(() => expect(api.calls(chatsApi.send)[0]?.body.attachmentIds).toEqual(['a.txt']))
  })

  it.each([
    ['attachment.too_long', () => refuse('attachment.too_long'), /too much text/, false],
    [
      'a lost connection',
      () => {
        throw new NoNetwork()
      },
      /could not be attached/,
      true,
    ],
  ] as const)('show why they could not be attached: %s', async (_case, respond, text, canRetry) => {
    api.on(attachmentsApi.upload, respond)
    await open()
    await choose('lease.txt')
    const list = await findFiles()
    await within(list).findByText(text)
    within(list).getByRole('button', { name: 'Remove lease.txt' })
    expect(within(list).queryAllByRole('button', { name: /^Try again/ })).toHaveLength(canRetry ? 1 : 0)
  })

  it('fade out at the edge of a phone, where there are more', async () => {
    unsent = [aFile()]
    await open()
    expect((await findFiles()).classList).toContain('fading-edges')
  })

  it('are not announced again after an upload that fails', async () => {
    await open()
    await choose('lease.txt')
    await screen.findByText('lease.txt is attached')
    api.on(attachmentsApi.upload, () => refuse('attachment.unreadable'))
    await choose('other.txt')
    await screen.findByText('other.txt: This file could not be read.')
    expect(screen.queryByText('Attaching files')).toBeNull()
    expect(screen.queryByText('lease.txt is attached')).toBeNull()
  })

  it('can be tried again where that may help, and keep the focus', async () => {
    api.on(attachmentsApi.upload, () => {
      throw new NoNetwork()
    })
    const user = await open()
    await choose('lease.txt', 'other.txt')
    const retry = await screen.findByRole('button', { name: 'Try again to attach lease.txt' })
    await screen.findByRole('button', { name: 'Try again to attach other.txt' })
    const uploaded = Promise.withResolvers<Attachment>()
    api.on(attachmentsApi.upload, () => uploaded.promise)
    await user.click(retry)
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel lease.txt' }))
    await waitFor(() => expect(listUploads()).toEqual(['lease.txt']))
    unsent = [aFile()]
    uploaded.resolve(aFile())
    await screen.findByRole('button', { name: 'Remove lease.txt' })
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Cancel lease.txt' })).toBeNull())
    expect(document.activeElement).not.toBe(document.body)
  })

  it('can be tried again only while there is room for them', async () => {
    unsent = [aFile('1.txt'), aFile('2.txt'), aFile('3.txt'), aFile('4.txt')]
    const user = await open()
    await findFiles()
    api.on(attachmentsApi.upload, () => {
      throw new NoNetwork()
    })
    await choose('5.txt')
    const retry = await screen.findByRole('button', { name: 'Try again to attach 5.txt' })
    api.on(attachmentsApi.upload, ({ file }) => aFile(file?.name))
    await choose('6.txt')
    await screen.findByRole('button', { name: 'Remove 6.txt' })
    await user.click(retry)
    await screen.findByText('5.txt was not attached. You can attach up to 5 files to a message.')
    expect(listUploads()).toEqual(['6.txt'])
  })

  it('are limited to five', async () => {
    api.on(chatsApi.send, () => refuse('internal'))
    const user = await open()
    await choose('1.txt', '2.txt', '3.txt', '4.txt', '5.txt', '6.txt')
    await screen.findByText('6.txt was not attached. You can attach up to 5 files to a message.')
    await waitFor(() => expect(listUploads()).toEqual(['1.txt', '2.txt', '3.txt', '4.txt', '5.txt']))
    await waitFor(() => expect(screen.queryByText('Attaching files')).toBeNull())
    await choose('7.txt', '8.txt')
    await screen.findByText('2 files were not attached. You can attach up to 5 files to a message.')
    await user.type(screen.getByRole('textbox', { name: 'Message' }), 'Compare them{Enter}')
    expect(screen.queryByText(/not attached\. You can attach up to/)).toBeNull()
  })

  it('hold up sending until they are attached, and say so', async () => {
    const uploaded = Promise.withResolvers<Attachment>()
    api.on(attachmentsApi.upload, () => uploaded.promise)
    const user = await open()
    await choose('lease.txt')
    await user.type(screen.getByRole('textbox', { name: 'Message' }), 'When does it end?{Enter}')
    await screen.findByText('You can send this once the files are attached.')
    expect(api.calls(chatsApi.send)).toEqual([])
    await waitFor(() => expect(listUploads()).toHaveLength(1))
    uploaded.resolve(aFile())
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send message' }).disabled).toBe(false),
    )
    expect(screen.queryByText('You can send this once the files are attached.')).toBeNull()
  })

  it('can be dropped, and removed again', async () => {
    api.on(attachmentsApi.remove, () => refuse('attachment.sent'))
    const user = await open()
    await screen.findByRole('button', { name: 'Attach files' })
    const dataTransfer = { types: ['Files'], files: [new File(['words'], 'lease.txt')] }
    fireEvent.dragOver(window, { dataTransfer })
    await screen.findByText('Drop the files to attach them')
    fireEvent.drop(window, { dataTransfer })
    await user.click(await screen.findByRole('button', { name: 'Remove lease.txt' }))
    await screen.findByText('This file was already sent. It is deleted with its chat.')
    api.on(attachmentsApi.remove, () => ({ message: '' }))
    await user.click(screen.getByRole('button', { name: 'Remove lease.txt' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove lease.txt' })).toBeNull())
    screen.getByText('lease.txt was removed')
  })

  it('stay with a message that could not be sent', async () => {
    unsent = [aFile()]
    api.on(chatsApi.send, () => refuse('attachment.unknown'))
    const user = await open()
    await findFiles()
    await user.type(screen.getByRole('textbox', { name: 'Message' }), 'When does it end?{Enter}')
    await screen.findByRole('button', { name: 'Try again' })
    within(screen.getByRole('list', { name: 'Attached files' })).getByText('lease.txt')
    expect(screen.queryByRole('list', { name: 'Files for this message' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    within(await findFiles()).getByText('lease.txt')
  })

  it('are sent with it, shown below it and opened beside the chat', async () => {
    const file = aFile()
    unsent = [file]
    const question: ChatMessage = {
      ...{ _id: 'q1', role: 'user', content: 'When does it end?', timestamp, status: 'delivered' },
      attachments: [file],
    }
    const reply: ChatMessage = {
      _id: 'r1',
      role: 'assistant',
      content: 'In May.',
      timestamp,
      state: 'complete',
    }
    api
      .on(chatsApi.send, () => {
        unsent = []
        messages = [question, reply]
        return streamOf(chatsApi.send, [
          {
            seq: 1,
            type: 'accepted',
            message: question,
            reply: { ...reply, content: '', state: 'streaming' },
          },
          { seq: 2, type: 'delta', text: 'In May.' },
          { seq: 3, type: 'done', reply },
        ])
      })
      .on(attachmentsApi.text, () => ({
        title: 'lease.txt',
        fileType: 'txt' as const,
        total: 11,
        pages: [{ page: null, start: 0, text: 'Ends in May' }],
      }))
    const user = await open()
    await findFiles()
    await user.type(screen.getByRole('textbox', { name: 'Message' }), 'When does it end?{Enter}')
    await screen.findByText('In May.')
    expect(api.calls(chatsApi.send)[0]?.body).toEqual({
      message: 'When does it end?',
      attachmentIds: ['lease.txt'],
    })
    expect(screen.queryByRole('list', { name: 'Files for this message' })).toBeNull()
    const attached = screen.getByRole('list', { name: 'Attached files' })
    await user.click(within(attached).getByRole('button', { name: /lease\.txt/ }))
    const panel = await screen.findByRole('complementary', { name: 'lease.txt' })
    within(panel).getByText('Attached file')
    await within(panel).findByText('Ends in May')
    expect(api.calls(attachmentsApi.text)[0]?.params).toEqual({
      ...{ channelId: 'c1', chatId: 'a', attachmentId: 'lease.txt' },
    })
  })
})

describe('pictures for a message', () => {
  const picture: Attachment = { ...aFile('sign.png'), fileType: 'png' }
  beforeEach(() => {
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:sign', revokeObjectURL: vi.fn() }))
    api
      .on(channelsApi.get, () => ({ ...channel, allowPictures: true }))
      .on(attachmentsApi.download, () => new Blob(['picture'], { type: 'image/png' }))
      .on(attachmentsApi.upload, () => {
        unsent = [...unsent, picture]
        return picture
      })
  })

  it('are offered where the model takes them, and refused as other kinds of files are', async () => {
    await open()
    await choose('drawing.svg')
    await screen.findByText(/^drawing\.svg was not attached\. .* or a PNG, JPEG, WebP or GIF picture\.$/)
    expect(screen.getByLabelText<HTMLInputElement>('Files to attach').accept).toContain('image/png')
    expect(listUploads()).toEqual([])
  })

  it('can be pasted, open in a dialog, and are removed again', async () => {
    api.on(attachmentsApi.remove, () => ({ message: '' }))
    const user = await open()
    await screen.findByRole('button', { name: 'Attach files' })
    const files = [new File(['picture'], 'sign.png', { type: 'image/png' })]
    fireEvent.paste(screen.getByRole('textbox', { name: 'Message' }), {
      clipboardData: { files, types: ['Files'] },
    })
    const thumbnail = await screen.findByRole('img', { name: 'sign.png' })
    await user.click(thumbnail)
    const dialog = await screen.findByRole('dialog', { name: 'sign.png' })
    within(dialog).getByRole('img', { name: 'sign.png' })
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Remove sign.png' }))
    await waitFor(() => expect(screen.queryByRole('img', { name: 'sign.png' })).toBeNull())
  })

  it('are shown below the message that they were sent with', async () => {
    messages = [
      {
        ...{ _id: 'q1', role: 'user', content: 'What does it say?', timestamp, status: 'delivered' },
        attachments: [picture],
      },
    ]
    await open()
    const attached = await screen.findByRole('list', { name: 'Attached files' })
    await within(attached).findByRole('img', { name: 'sign.png' })
    expect(api.calls(attachmentsApi.download)[0]?.params).toEqual({
      ...{ channelId: 'c1', chatId: 'a', attachmentId: 'sign.png' },
    })
  })
})
