import { attachmentsApi } from '@lyceum/contract/attachments'
import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { errors } from '@lyceum/contract/errors'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { acceptedEvent, aQuestion, aReply, openEventStream } from '#testing/chat-samples.ts'
import { streamOf } from '#testing/fake-api.ts'
import { renderChat, renderChatAs, renderChatIn, renderChatOf } from '#testing/render-chat.tsx'
import { aChannel } from '#testing/samples.ts'
import { anAdmin } from '#testing/users.ts'

function button(name: string) {
  return screen.findByRole('button', { name })
}
function readAnnouncements() {
  return screen.getAllByRole('status').map(({ textContent }) => textContent)
}

describe('a reply that failed because the channel cannot answer', () => {
  it('cannot be tried again by a member', async () => {
    renderChat(
      aQuestion('q1'),
      aReply('r1', { content: '', state: 'failed', error: 'Not configured', setupProblem: 'not-configured' }),
    )
    expect(await screen.findByText('The assistant could not answer.')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  })

  it.each([
    [
      'gone',
      'The assistant of this channel does not exist.',
      'Edit the channel',
      '/admin/channels?edit=c1&field=assistant',
    ],
    [
      'no-model',
      'No model is connected, so this assistant cannot answer.',
      'Connect a model',
      '/admin/settings?section=connections&channel=c1#model',
    ],
    [
      'not-configured',
      'This assistant is not configured.',
      'Set up the assistant',
      '/admin/settings?section=assistants',
    ],
    [
      'no-documents',
      'This assistant needs documents to answer from.',
      'Add documents',
      '/admin/channels?upload=c1',
    ],
  ] as const)(
    'links a user who can mend it to where that is done: %s',
    async (setupProblem, text, label, path) => {
      renderChatAs(
        anAdmin({ isSystemAdmin: true }),
        aQuestion('q1'),
        aReply('r1', {
          content: '',
          state: 'failed',
          error: text,
          setupProblem,
        }),
      )
      const link = await screen.findByRole('link', { name: label })
      expect(link.getAttribute('href')).toBe(path)
      expect(link.closest('p')?.textContent).toBe(`${text} ${label} `)
      expect(screen.queryByText(/administrator/i)).toBeNull()
    },
  )

  it('asks a system administrator to connect a model', async () => {
    const reply = { content: '', state: 'failed', error: 'Not configured', setupProblem: 'no-model' } as const
    renderChatAs(anAdmin(), aQuestion('q1'), aReply('r1', reply))
    await screen.findByText(/A system administrator has to connect one/)
    expect(screen.queryByRole('link', { name: 'Connect a model' })).toBeNull()
  })

  it('offers both remedies where a model or documents would help', async () => {
    const reply = { content: '', state: 'failed', error: '', setupProblem: 'no-documents-or-model' } as const
    renderChatAs(anAdmin({ isSystemAdmin: true }), aQuestion('q1'), aReply('r1', reply))
    const link = await screen.findByRole('link', { name: 'Connect a model' })
    expect(link.closest('p')?.textContent).toBe(
      'No model is connected. This assistant needs documents to answer from. Add documents Connect a model ',
    )
  })

  it('announces to an administrator what the reply says', async () => {
    const error = errors['assistant.not_configured'].message
    const failed = aReply('r2', { content: '', state: 'failed', error, setupProblem: 'no-model' })
    const chat = renderChatAs(
      anAdmin({ isSystemAdmin: true }),
      aQuestion('q1'),
      aReply('r1', { content: '', state: 'failed', error: 'Out of order' }),
    )
    const stream = openEventStream()
    chat.api.on(chatsApi.regenerate, () => streamOf(chatsApi.regenerate, stream.events))
    await chat.user.click(await button('Try again'))
    chat.state.messages = [aQuestion('q1'), failed]
    const code = 'assistant.not_configured'
    stream.send(acceptedEvent('r2'), { seq: 2, type: 'error', code, message: error, reply: failed })
    await waitFor(() =>
      expect(readAnnouncements()).toContain('No model is connected, so this assistant cannot answer.'),
    )
    expect(readAnnouncements()).not.toContain(error)
  })

  it.each(['gone', 'no-model', 'not-configured'] as const)(
    'tells members the same whatever is missing: %s',
    async (setupProblem) => {
      renderChat(aQuestion('q1'), aReply('r1', { content: '', state: 'failed', error: 'Gone', setupProblem }))
      expect(await screen.findByText(/An administrator has to set it up\./)).toBeDefined()
      expect(screen.queryByText('Gone')).toBeNull()
      expect(screen.queryByRole('link')).toBeNull()
    },
  )

  it.each([
    ['no-documents', 'An administrator has to add or approve documents before this assistant can answer.'],
    [
      'no-documents-or-model',
      'This assistant cannot answer at the moment. An administrator has to set it up.',
    ],
  ] as const)('tells members what they wait for: %s', async (setupProblem, text) => {
    renderChat(aQuestion('q1'), aReply('r1', { content: '', state: 'failed', error: '', setupProblem }))
    expect(await screen.findByText(text)).toBeDefined()
    expect(screen.queryByRole('link')).toBeNull()
  })

  it('says that files can be asked about, until one is attached', async () => {
    const channel = aChannel({ setupProblem: 'no-documents', allowAttachments: true })
    const file = { _id: 'f1', name: 'lease.txt', fileType: 'txt', fileSize: 20, pages: null } as const
    const { api, unmount } = renderChatIn(channel)
    api.on(attachmentsApi.list, () => ({ attachments: [] }))
    await screen.findByText(/You can attach a file and ask about it\./)
    unmount()
    renderChatIn(channel, aQuestion('q1', { attachments: [file] }), aReply('r1')).api.on(
      attachmentsApi.list,
      () => ({ attachments: [] }),
    )
    await screen.findByText('Reply r1')
    expect(screen.queryByText(/add or approve documents/)).toBeNull()
  })

  it('is learnt by a screen that was opened before', async () => {
    const chat = renderChat(aQuestion('q1'), aReply('r1'))
    await screen.findByText('Reply r1')
    chat.api.on(channelsApi.get, () => aChannel({ _id: 'c1', setupProblem: 'no-documents' }))
    const failed = aReply('r2', { content: 'No documents', mode: 'refusal', setupProblem: 'no-documents' })
    const stream = openEventStream()
    chat.api.on(chatsApi.regenerate, () => streamOf(chatsApi.regenerate, stream.events))
    const before = chat.api.calls(channelsApi.get).length
    await chat.user.click(await button('Regenerate'))
    chat.state.messages = [aQuestion('q1'), failed]
    stream.send(acceptedEvent('r2'), { seq: 2, type: 'done', reply: failed })
    await screen.findByText(/An administrator has to add or approve documents/)
    // From now on it asks again until the channel is mended.
    await waitFor(() => expect(chat.api.calls(channelsApi.get).length).toBeGreaterThan(before))
  })

  it('leads to the approved documents that could not be indexed', async () => {
    renderChatOf(
      anAdmin(),
      aChannel({ documentCount: 1, failedDocumentCount: 1, setupProblem: 'no-documents' }),
      [],
    )
    const link = await screen.findByRole('link', { name: 'Show failed documents' })
    expect(link.getAttribute('href')).toBe('/admin/documents?status=approved&index=failed&channelId=c1')
    screen.getByText(/Approved documents of this channel could not be indexed\./)
  })

  it('leads those who review documents to the ones of the channel', async () => {
    renderChatOf(
      anAdmin(),
      aChannel({ documentCount: 2, pendingDocumentCount: 1, setupProblem: 'no-documents' }),
      [],
    )
    const link = await screen.findByRole('link', { name: 'Review documents' })
    expect(link.getAttribute('href')).toBe('/admin/documents?channelId=c1&focus=decision')
    screen.getByText(/None of this channel’s documents is approved and ready yet\./)
  })

  it('is a refusal that cannot be rated, and can be tried again once there are documents', async () => {
    const refused = { content: 'No documents yet', mode: 'refusal' } as const
    renderChat(
      aQuestion('q1'),
      aReply('r1', { ...refused, isMended: true }),
      aQuestion('q2'),
      aReply('r2', { ...refused, setupProblem: 'no-documents' }),
    )
    expect(await screen.findAllByText('No documents yet')).toHaveLength(1)
    screen.getByText('This assistant could not answer at that time.')
    expect(await button('Try again')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Regenerate' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Good reply' })).toBeNull()
    // Only of the text that is shown.
    expect(screen.getAllByRole('button', { name: 'Copy reply' })).toHaveLength(1)
  })

  it('is asked again at the end of the chat, so that later messages stay', async () => {
    const chat = renderChat(
      aQuestion('q1'),
      aReply('r1', { content: 'No documents yet', mode: 'refusal', isMended: true }),
      aQuestion('q2'),
      aReply('r2'),
    )
    chat.api.on(chatsApi.send, () => streamOf(chatsApi.send, openEventStream().events))
    await chat.user.click(await button('Try again'))
    await waitFor(() =>
      expect(chat.api.calls(chatsApi.send).map(({ body }) => body.message)).toEqual(['Question q1']),
    )
    screen.getByText('Reply r2')
    expect(chat.api.calls(chatsApi.regenerate)).toEqual([])
    // With a mouse, the message field has it.
    expect(document.activeElement).toBe(screen.getByRole('log'))
  })

  it('is not offered again once it was asked again', async () => {
    renderChat(
      aQuestion('q1'),
      aReply('r1', { content: 'No documents yet', mode: 'refusal', isMended: true }),
      aQuestion('q2', { content: 'Question q1' }),
      aReply('r2'),
    )
    await screen.findByText('This assistant could not answer at that time.')
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  })

  it('links to the mending of several failures once', async () => {
    const failed = { content: '', state: 'failed', error: 'Gone', setupProblem: 'gone' } as const
    renderChatAs(anAdmin(), aQuestion('q1'), aReply('r1', failed), aQuestion('q2'), aReply('r2', failed))
    expect(await screen.findAllByRole('link', { name: 'Edit the channel' })).toHaveLength(1)
  })
})
