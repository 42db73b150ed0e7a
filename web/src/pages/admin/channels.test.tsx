import { assistantsApi } from '@lyceum/contract/assistants'
import { type Channel, channelsApi, languageModels } from '@lyceum/contract/channels'
import { documentsApi } from '@lyceum/contract/documents'
import { getRefusalText } from '@lyceum/contract/permissions'
import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { uploads } from '#features/documents/upload/upload-queue.ts'
import { anAssistantStatus } from '#testing/assistant-samples.ts'
import { takeConsoleOutput } from '#testing/console-output.ts'
import { type FakeApi, NoNetwork, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { type RenderedPage, renderPage } from '#testing/render-page.tsx'
import { aChannel, aDocument, anApprovedDocument, anIndex, aPage, aSavedChannel } from '#testing/samples.ts'
import { signInAdminWithout } from '#testing/users.ts'
import { ChannelsPage } from './channels.tsx'

// PdfView has its own tests and needs a canvas, which jsdom lacks.
vi.mock('#ui/PdfView.tsx', () => ({ PdfView: ({ label }: { label: string }) => <p>{label}</p> }))
vi.mock('#ui/pdf/pdf-fault.ts', () => ({ findPdfFault: async () => null }))

let api: FakeApi

function serveChannels(...channels: Channel[]): void {
  api.on(channelsApi.list, () => aPage(channels))
}

function visit(query = ''): RenderedPage {
  return renderPage(<ChannelsPage />, { at: `/admin/channels${query}`, path: '/admin/channels' })
}

async function findCard(name: string): Promise<HTMLElement> {
  return (await screen.findByRole('heading', { name })).closest('article') as HTMLElement
}

beforeEach(() => {
  uploads.clear()
  api = fakeApi().on(assistantsApi.status, () =>
    anAssistantStatus({
      models: languageModels.map((label) => ({
        label,
        answeredBy: label === 'o1' ? 'newer-model' : label,
        offered: true,
        note: label === 'o1' ? 'Retired by the provider.' : null,
      })),
    }),
  )
  api.on(assistantsApi.presets, () => [])
  signInAdminWithout(api)
  serveChannels()
})

describe('the channel cards', () => {
  it('describe each channel', async () => {
    serveChannels(
      aChannel({ warning: 'Retired by the provider.', strictDocumentsOnly: true, documentCount: 1 }),
      aChannel({
        _id: 'channel-2',
        name: 'Law',
        useAssistant: true,
        openaiAssistantId: 'asst_1',
        systemPrompt: '',
        llmModel: '',
      }),
    )
    visit()
    const custom = await findCard('Physics')
    within(custom).getByText('Custom System Prompt')
    within(custom).getByText('gpt-4o')
    within(custom).getByText('Questions about motion')
    within(custom).getByText('Retired by the provider.')
    expect(screen.queryByText('No model is connected.')).toBeNull()
    expect(within(custom).getByText('Answer briefly.').className).toContain('line-clamp-3')
    const buttons = within(custom).getAllByRole('button')
    expect(buttons.map(({ textContent }) => textContent?.trim()).slice(0, 4)).toEqual([
      ...['1 document', 'Upload', 'Members 3', 'Edit'],
    ])
    const readyMade = await findCard('Law')
    within(readyMade).getByText('Ready-made Assistant')
    within(readyMade).getByText('asst_1')
    within(readyMade).getByRole('button', { name: 'Edit' })
    expect(within(readyMade).queryByRole('button', { name: 'Upload' })).toBeNull()
    expect(screen.queryByText('Restricted')).toBeNull()
  })

  it.each([
    ['canEditChannels', 'Edit'],
    ['canUploadDocuments', 'Upload'],
    ['canManageUsers', 'Members 3'],
  ] as const)('hide the action that requires %s and show a Restricted label', async (permission, button) => {
    signInAdminWithout(api, permission)
    serveChannels(aChannel())
    visit()
    const card = await findCard('Physics')
    within(card).getByText('Restricted')
    within(card).getByText(`${getRefusalText(permission)}.`)
    expect(within(card).queryByRole('button', { name: button })).toBeNull()
  })

  it('do not expand the document list without canManageDocuments', async () => {
    signInAdminWithout(api, 'canManageDocuments')
    serveChannels(aChannel({ documentCount: 4 }))
    visit()
    const card = await findCard('Physics')
    within(card).getByText('4 documents')
    expect(within(card).queryByRole('button', { name: '4 documents' })).toBeNull()
  })

  it('show an empty state', async () => {
    visit()
    await screen.findByText('There are no channels yet.')
  })

  it('report a failed load and offer a retry', async () => {
    api.on(channelsApi.list, () => refuse('server.busy'))
    const { user } = visit()
    await screen.findByText('The channels could not be loaded.')
    serveChannels(aChannel())
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await findCard('Physics')
  })

  it('are searched and paged on the server', async () => {
    api.on(channelsApi.list, ({ query }) =>
      aPage(query.search === 'zzz' ? [] : [aChannel()], query.search ? 0 : 41),
    )
    const { user, address } = visit('?page=2')
    await findCard('Physics')
    expect(api.calls(channelsApi.list)[0]?.query).toEqual({ limit: 20, skip: 20, archived: 'exclude' })
    await user.type(screen.getByRole('searchbox'), 'zzz')
    await screen.findByText('No channel matches “zzz”.')
    expect(address()).toBe('/admin/channels?search=zzz')
  })
})

describe('the header', () => {
  it('lists the user’s permissions, read-only', async () => {
    signInAdminWithout(api, 'canDeleteChannels', 'canManageUsers')
    const { user } = visit()
    await user.click(screen.getByRole('button', { name: 'Permissions' }))
    const shown = await screen.findByRole('dialog', { name: 'Admin Permissions' })
    expect(
      within(shown)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'Manage ChannelsAllowed',
      'Create ChannelsAllowed',
      'Edit ChannelsAllowed',
      'Delete ChannelsDenied',
      'Manage UsersDenied',
      'Upload DocumentsAllowed',
    ])
    expect(shown.textContent).toContain('system administrator')
  })

  it('disables New Channel without canCreateChannels', async () => {
    signInAdminWithout(api, 'canCreateChannels')
    visit()
    const button = screen.getByRole('button', { name: 'New Channel' })
    expect(button).toHaveProperty('disabled', true)
    expect(button.title).toBe('You do not have permission to create channels')
    await screen.findByText('There are no channels yet.')
  })
})

async function openForm(user: UserEvent): Promise<void> {
  await user.click(screen.getByRole('button', { name: 'New Channel' }))
  await screen.findByRole('dialog', { name: 'New Channel' })
}
async function fill(user: UserEvent, label: string, text: string): Promise<void> {
  await user.type(screen.getByLabelText(label), text)
}

describe('the channel form', () => {
  it('creates a custom channel', async () => {
    api.on(channelsApi.create, ({ body }) => aSavedChannel(body))
    const { user } = visit()
    await openForm(user)
    await fill(user, 'Name', 'Chemistry')
    await fill(user, 'Description', 'About matter')
    await user.selectOptions(screen.getByLabelText('Language model'), 'o3-mini')
    await user.click(screen.getByRole('checkbox', { name: /Strict documents only/ }))
    await user.click(screen.getByRole('checkbox', { name: /Members may propose documents/ }))
    serveChannels(aChannel({ name: 'Chemistry' }))
    await user.click(screen.getByRole('button', { name: 'Create Channel' }))
    await screen.findByText('Channel created successfully')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await findCard('Chemistry')
    expect(api.calls(channelsApi.create)[0]?.body).toEqual({
      name: 'Chemistry',
      description: 'About matter',
      systemPrompt: '',
      llmModel: 'o3-mini',
      strictDocumentsOnly: true,
      starterQuestions: [],
      retentionDays: null,
      ...{ checkCitations: false, allowAttachments: true, allowProposals: true, useAssistant: false },
      openaiAssistantId: '',
    })
  })

  it('asks only for the assistant ID when a ready-made assistant is chosen', async () => {
    api.on(channelsApi.create, ({ body }) => aSavedChannel(body))
    const { user } = visit()
    await openForm(user)
    await user.click(screen.getByRole('radio', { name: 'Ready-made assistant' }))
    expect(screen.queryByLabelText('System prompt (optional)')).toBeNull()
    expect(screen.queryByLabelText('Language model')).toBeNull()
    expect(screen.queryByRole('checkbox')).toBeNull()
    await screen.findByLabelText('Assistant ID')
    await user.click(screen.getByRole('button', { name: 'Create Channel' }))
    screen.getByText('Name is required')
    screen.getByText('Description is required')
    screen.getByText('Assistant ID is required')
    await fill(user, 'Name', 'Law')
    await fill(user, 'Description', 'About law')
    await user.type(await screen.findByLabelText('Assistant ID'), 'asst_1')
    await user.click(screen.getByRole('button', { name: 'Create Channel' }))
    await screen.findByText('Channel created successfully')
    expect(api.calls(channelsApi.create)[0]?.body).toMatchObject({
      useAssistant: true,
      openaiAssistantId: 'asst_1',
    })
  })

  it('shows the model that replaces a label', async () => {
    const { user } = visit()
    await openForm(user)
    await screen.findByRole('option', { name: 'o1 (answered by newer-model)' })
    expect(screen.getAllByRole('option')).toHaveLength(7)
    await user.selectOptions(screen.getByLabelText('Language model'), 'o1')
    screen.getByText('Retired by the provider.')
  })

  it('updates a channel', async () => {
    serveChannels(aChannel())
    api.on(channelsApi.update, ({ body }) => aSavedChannel(body))
    const { user } = visit()
    await user.click(within(await findCard('Physics')).getByRole('button', { name: 'Edit' }))
    await screen.findByRole('dialog', { name: 'Edit Channel' })
    expect(screen.getByLabelText('System prompt (optional)')).toHaveProperty('value', 'Answer briefly.')
    await fill(user, 'Name', ' II')
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    await screen.findByText('Channel updated successfully')
    expect(api.calls(channelsApi.update)[0]).toMatchObject({
      params: { id: 'channel-1' },
      body: { name: 'Physics II', systemPrompt: 'Answer briefly.' },
    })
  })

  it('keeps the entries when saving fails and shows the server’s or a generic message', async () => {
    api.on(channelsApi.create, () => refuse('internal'))
    const { user } = visit()
    await openForm(user)
    await fill(user, 'Name', 'Chemistry')
    await fill(user, 'Description', 'About matter')
    await user.click(screen.getByRole('button', { name: 'Create Channel' }))
    await screen.findByText('Failed to save channel')
    api.on(channelsApi.create, () => refuse('validation.failed', { name: 'At most 500 characters' }))
    await user.click(screen.getByRole('button', { name: 'Create Channel' }))
    await screen.findByText('At most 500 characters')
    expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Chemistry')
  })

  it('asks for confirmation before it discards changes', async () => {
    const { user } = visit()
    await openForm(user)
    await fill(user, 'Name', 'Chemistry')
    await user.keyboard('{Escape}')
    await user.click(await screen.findByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await openForm(user)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('deleting a channel', () => {
  async function openDeleteDialog(
    counted?: () => Response,
  ): Promise<{ user: UserEvent; dialog: HTMLElement }> {
    const channel = aChannel({ documentCount: 24, memberCount: 1 })
    serveChannels(channel)
    api.on(channelsApi.get, counted ?? (() => ({ ...channel, documentCount: 25, chatCount: 1200 })))
    const { user } = visit()
    const card = within(await findCard('Physics'))
    await user.click(card.getByRole('button', { name: 'More actions for Physics' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete this channel?' })
    await within(dialog).findByText('This will permanently delete:')
    return { user, dialog }
  }

  it('lists what will be deleted and removes the card', async () => {
    api.on(channelsApi.remove, () => ({ message: 'gone' }))
    const { user, dialog } = await openDeleteDialog()
    expect(dialog.textContent).toContain('Physics')
    expect(dialog.textContent).toContain('25 documents')
    expect(dialog.textContent).toContain('1,200 chats')
    expect(dialog.textContent).toContain('1 member')
    expect(api.calls(channelsApi.remove)).toHaveLength(0)
    serveChannels()
    await user.click(within(dialog).getByRole('button', { name: 'Delete channel' }))
    await screen.findByText('Channel deleted successfully')
    await screen.findByText('There are no channels yet.')
    expect(api.calls(channelsApi.remove)[0]?.params).toEqual({ id: 'channel-1' })
  })

  it('shows the counts from the list if counting fails', async () => {
    const { dialog } = await openDeleteDialog(() => refuse('server.busy'))
    expect(dialog.textContent).toContain('24 documents')
    expect(dialog.textContent).toContain('all chats of current and former members')
    takeConsoleOutput('warn')
  })

  it('does nothing on Cancel', async () => {
    const { user, dialog } = await openDeleteDialog()
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(api.unhandledCalls).toEqual([])
  })

  it('reports a failure', async () => {
    api.on(channelsApi.remove, () => refuse('internal'))
    const { user, dialog } = await openDeleteDialog()
    await user.click(within(dialog).getByRole('button', { name: 'Delete channel' }))
    await screen.findByText('Failed to delete channel')
    await findCard('Physics')
  })
})

describe('uploading', () => {
  function aFile(name: string): File {
    return new File(['some text'], name)
  }

  async function openUpload(): Promise<RenderedPage> {
    serveChannels(aChannel())
    const page = visit()
    await page.user.click(within(await findCard('Physics')).getByRole('button', { name: 'Upload' }))
    await screen.findByRole('dialog', { name: 'Upload documents' })
    return page
  }
  function choose(user: UserEvent, ...files: File[]): Promise<void> {
    return user.upload(document.querySelector('input[type=file]') as HTMLInputElement, files)
  }
  function readSentFiles(): (string | undefined)[] {
    return api.calls(documentsApi.upload).map(({ file }) => file?.name)
  }

  it('sends text files at once and previews PDFs', async () => {
    api.on(documentsApi.upload, () => aDocument())
    const { user } = await openUpload()
    await choose(user, aFile('a.txt'), aFile('b.pdf'))
    const preview = await screen.findByRole('dialog', { name: 'b.pdf' })
    within(preview).getByText('Page of b.pdf')
    await expect.poll(readSentFiles).toEqual(['a.txt'])
    await user.click(within(preview).getByRole('button', { name: 'Upload' }))
    await expect.poll(readSentFiles).toEqual(['a.txt', 'b.pdf'])
    await screen.findByText('Document uploaded successfully')
    await waitFor(() => expect(screen.getAllByText('Uploaded, pending approval')).toHaveLength(2))
    expect(api.calls(documentsApi.upload)[1]?.fields).toEqual({
      channelId: 'channel-1',
      title: 'b.pdf',
      description: 'Uploaded from channel management by admin',
    })
    // The counts and lists are refetched.
    await expect.poll(() => api.calls(channelsApi.list).length).toBeGreaterThan(1)
  })

  it('does not send a PDF that was cancelled', async () => {
    const { user } = await openUpload()
    await choose(user, aFile('b.pdf'))
    const preview = await screen.findByRole('dialog', { name: 'b.pdf' })
    await user.click(within(preview).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByText('b.pdf')).toBeNull())
    expect(readSentFiles()).toEqual([])
  })

  it('previews several PDFs and uploads them one by one or all at once', async () => {
    api.on(documentsApi.upload, () => aDocument())
    const { user } = await openUpload()
    await choose(user, aFile('a.pdf'), aFile('b.pdf'), aFile('c.pdf'))
    await screen.findByRole('dialog', { name: 'a.pdf' })
    await user.click(screen.getByRole('button', { name: 'Next file' }))
    const second = await screen.findByRole('dialog', { name: 'b.pdf' })
    within(second).getByText(/^2 of 3/)
    await user.click(within(second).getByRole('button', { name: 'Upload' }))
    await expect.poll(readSentFiles).toEqual(['b.pdf'])
    await user.click(await screen.findByRole('button', { name: 'Upload all 2' }))
    await expect.poll(readSentFiles).toEqual(['b.pdf', 'a.pdf', 'c.pdf'])
  })

  it('keeps a PDF in the queue when its preview is closed', async () => {
    const { user } = await openUpload()
    await choose(user, aFile('b.pdf'))
    await screen.findByRole('dialog', { name: 'b.pdf' })
    await user.keyboard('{Escape}')
    await screen.findByText('Waiting for your preview')
    await user.click(screen.getByRole('button', { name: 'Preview 1 PDF' }))
    await screen.findByRole('dialog', { name: 'b.pdf' })
    expect(readSentFiles()).toEqual([])
  })

  it('shows the progress and can be cancelled', async () => {
    api.on(documentsApi.upload, () => new Promise<never>(() => undefined))
    const { user } = await openUpload()
    await choose(user, aFile('a.txt'))
    expect(await screen.findByRole('progressbar', { name: 'Uploading' })).toHaveProperty('value', 0.5)
    await user.click(screen.getByRole('button', { name: 'Cancel upload' }))
    await waitFor(() => expect(screen.queryByText('a.txt')).toBeNull())
  })

  it('continues when the dialog is closed', async () => {
    api.on(documentsApi.upload, () => new Promise<never>(() => undefined))
    const { user } = await openUpload()
    await choose(user, aFile('a.txt'))
    await screen.findByRole('progressbar', { name: 'Uploading' })
    await user.click(screen.getByRole('button', { name: 'Done' }))
    const card = await findCard('Physics')
    await user.click(await within(card).findByRole('button', { name: 'Uploads: 1 uploading' }))
    await screen.findByRole('progressbar', { name: 'Uploading' })
  })

  it('shows why an upload failed', async () => {
    api.on(documentsApi.upload, () => refuse('document.duplicate'))
    const { user } = await openUpload()
    await choose(user, aFile('a.txt'))
    const shown = await screen.findByText('This channel already has a document with the same content.')
    expect(shown.closest('li')).not.toBeNull()
    expect(shown.role).toBe('alert')
    expect(takeConsoleOutput('warn').join()).toContain('An upload failed')
  })

  it('reports a failure by the banner when the dialog is closed', async () => {
    const response = Promise.withResolvers<never>()
    api.on(documentsApi.upload, () => response.promise)
    const { user } = await openUpload()
    await choose(user, aFile('a.txt'))
    await screen.findByRole('progressbar', { name: 'Uploading' })
    await user.click(screen.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    response.reject(new NoNetwork())
    await within(screen.getByRole('region', { name: 'Result' })).findByText('Failed to upload document')
  })
})

describe('the documents of a channel', () => {
  async function openList(): Promise<RenderedPage> {
    serveChannels(aChannel({ documentCount: 2 }))
    const page = visit()
    await page.user.click(within(await findCard('Physics')).getByRole('button', { name: '2 documents' }))
    return page
  }

  it('are listed with their state', async () => {
    const ready = anApprovedDocument({ _id: '2', originalName: 'b.txt', index: anIndex({ state: 'ready' }) })
    api.on(documentsApi.list, () => aPage([aDocument(), ready]))
    await openList()
    const list = await screen.findByRole('list', { name: 'Documents in Physics' })
    within(list).getByText('Pending')
    within(list).getByText('Indexed')
    expect(api.calls(documentsApi.list)[0]?.query).toEqual({ channelId: 'channel-1', limit: 20, skip: 0 })
  })

  it('can be approved, with failures reported', async () => {
    api.on(documentsApi.list, () => aPage([aDocument()]))
    api.on(documentsApi.approve, () => refuse('internal'))
    const { user } = await openList()
    await user.click(await screen.findByRole('button', { name: 'Approve' }))
    await screen.findByText('Failed to approve document')
    api.on(documentsApi.approve, () => anApprovedDocument({ index: anIndex({ state: 'ready' }) }))
    await user.click(screen.getByRole('button', { name: 'Approve' }))
    await screen.findByText('Document approved successfully')
    await screen.findByText('Indexed')
    expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
  })

  it('report a failed preview', async () => {
    api.on(documentsApi.list, () => aPage([aDocument()]))
    api.on(documentsApi.download, () => refuse('internal'))
    const { user } = await openList()
    await user.click(await screen.findByRole('button', { name: 'Preview' }))
    await screen.findByText('Failed to preview document')
  })

  it('report a failed load', async () => {
    api.on(documentsApi.list, () => refuse('internal'))
    await openList()
    await screen.findByText('The documents could not be loaded.')
  })

  it('show an empty state', async () => {
    api.on(documentsApi.list, () => aPage([]))
    await openList()
    await screen.findByText('No documents in this channel yet.')
  })
})
