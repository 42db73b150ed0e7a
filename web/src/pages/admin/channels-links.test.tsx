import { assistantsApi } from '@lyceum/contract/assistants'
import { authApi } from '@lyceum/contract/auth'
import { type Channel, channelsApi } from '@lyceum/contract/channels'
import { documentsApi } from '@lyceum/contract/documents'
import { testQuestionsApi } from '@lyceum/contract/test-questions'
import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { uploads } from '#features/documents/upload/upload-queue.ts'
import { anAssistantStatus } from '#testing/assistant-samples.ts'
import { takeConsoleOutput } from '#testing/console-output.ts'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { type RenderedPage, renderPage } from '#testing/render-page.tsx'
import { aChannel, aDocument, aPage } from '#testing/samples.ts'
import { anAdmin, signIn, signInAdminWithout } from '#testing/users.ts'
import { ChannelsPage } from './channels.tsx'

let api: FakeApi

function serveChannels(...channels: Channel[]): void {
  api.on(channelsApi.list, () => aPage(channels))
}
function visit(): RenderedPage {
  return renderPage(<ChannelsPage />, { at: '/admin/channels' })
}
async function findCard(name: string): Promise<HTMLElement> {
  return (await screen.findByRole('heading', { name })).closest('article') as HTMLElement
}

beforeEach(() => {
  uploads.clear()
  api = fakeApi()
    .on(assistantsApi.status, () => anAssistantStatus())
    .on(assistantsApi.presets, () => [])
  signInAdminWithout(api)
})

describe('the link to a channel', () => {
  it('is on the cards of the user’s own channels only', async () => {
    serveChannels(aChannel(), aChannel({ _id: 'channel-2', name: 'Law', isMember: false }))
    visit()
    const link = within(await findCard('Physics')).getByRole('link', { name: 'Open channel' })
    expect(link.getAttribute('href')).toBe('/channels/channel-1')
    const name = within(await findCard('Physics')).getByRole('link', { name: 'Physics' })
    expect(name.getAttribute('href')).toBe('/channels/channel-1')
    expect(within(await findCard('Law')).queryByRole('link')).toBeNull()
  })
})

describe('/admin/channels?upload', () => {
  function follow(): RenderedPage {
    serveChannels(aChannel())
    api.on(channelsApi.get, () => aChannel())
    return renderPage(<ChannelsPage />, { at: '/admin/channels?upload=channel-1' })
  }

  it('opens nothing without canUploadDocuments', async () => {
    signInAdminWithout(api, 'canUploadDocuments')
    follow()
    await findCard('Physics')
    await waitFor(() => expect(location.search).toBe(''))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(api.calls(channelsApi.get)).toEqual([])
  })

  it('opens the upload to the channel', async () => {
    follow()
    const dialog = await screen.findByRole('dialog', { name: 'Upload documents' })
    within(dialog).getByText('Physics')
  })

  it('returns the focus to the card of the channel', async () => {
    const { user } = follow()
    await screen.findByRole('dialog', { name: 'Upload documents' })
    await user.keyboard('{Escape}')
    const card = await findCard('Physics')
    await waitFor(() => expect(card.contains(document.activeElement)).toBe(true))
  })
})

async function openMenu(user: UserEvent, channel: string): Promise<void> {
  const card = within(await findCard(channel))
  await user.click(card.getByRole('button', { name: `More actions for ${channel}` }))
  await screen.findByRole('menu')
}

it('the focus returns to a control that stays on the card when documents are added', async () => {
  serveChannels(aChannel({ answerableDocumentCount: 0, strictDocumentsOnly: true, isMember: false }))
  const { user } = visit()
  const card = within(await findCard('Physics'))
  await user.click(await card.findByRole('button', { name: 'Add documents' }))
  await screen.findByRole('dialog', { name: 'Upload documents' })
  await user.keyboard('{Escape}')
  await waitFor(() =>
    expect(document.activeElement).toBe(card.getByRole('button', { name: /documents?$/, expanded: false })),
  )
})

describe('the list', () => {
  it('appears when it is unknown which model answers', async () => {
    api.on(assistantsApi.status, () => refuse('internal'))
    serveChannels(aChannel())
    visit()
    const card = await findCard('Physics')
    await waitFor(() => expect(api.calls(assistantsApi.status)).toHaveLength(2))
    expect(card.isConnected).toBe(true)
    takeConsoleOutput('warn')
  })
})

describe('the actions of a card', () => {
  it('include no deletion without canDeleteChannels', async () => {
    signInAdminWithout(api, 'canDeleteChannels')
    serveChannels(aChannel())
    const { user } = visit()
    const card = within(await findCard('Physics'))
    card.getByText('Restricted')
    await user.click(card.getByRole('button', { name: 'More actions for Physics' }))
    const items = await screen.findAllByRole('menuitem')
    expect(items.map(({ textContent }) => textContent)).toEqual([
      'Test bench',
      'Limits',
      'Embed on other sites',
      'Duplicate',
      'Archive',
    ])
  })

  it('open the test bench of custom channels with canManageDocuments', async () => {
    serveChannels(aChannel(), aChannel({ _id: 'channel-2', name: 'Law', useAssistant: true }))
    api.on(testQuestionsApi.list, () => ({ questions: [], runs: [], minMatch: null }))
    const { user, unmount } = visit()
    await openMenu(user, 'Law')
    expect(screen.queryByRole('menuitem', { name: 'Test bench' })).toBeNull()
    await user.keyboard('{Escape}')
    await openMenu(user, 'Physics')
    await user.click(await screen.findByRole('menuitem', { name: 'Test bench' }))
    await screen.findByText('There are no test questions yet.')
    expect(api.calls(testQuestionsApi.list).map(({ params }) => params.id)).toEqual(['channel-1'])
    unmount()
    signInAdminWithout(api, 'canManageDocuments')
    await openMenu(visit().user, 'Physics')
    expect(screen.queryByRole('menuitem', { name: 'Test bench' })).toBeNull()
  })

  it('are in one menu on phones', async () => {
    vi.stubGlobal('matchMedia', (query: string) =>
      Object.assign(new EventTarget(), { matches: query.includes('max-width') }),
    )
    serveChannels(aChannel())
    const { user, address } = visit()
    const card = within(await findCard('Physics'))
    expect(card.queryByRole('button', { name: 'Edit' })).toBeNull()
    card.getByText('Custom System Prompt · gpt-4o')
    await user.click(card.getByRole('button', { name: 'More actions for Physics' }))
    const items = await screen.findAllByRole('menuitem')
    expect(items.map(({ textContent }) => textContent)).toEqual([
      ...['Open channel', 'Upload', 'Test bench', 'Members', 'Limits', 'Edit'],
      ...['Embed on other sites', 'Duplicate', 'Archive', 'Delete'],
    ])
    await user.click(await screen.findByRole('menuitem', { name: 'Upload' }))
    await user.click(
      within(await screen.findByRole('dialog', { name: 'Upload documents' })).getByRole('button', {
        name: 'Done',
      }),
    )
    await user.click(card.getByRole('button', { name: 'More actions for Physics' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Open channel' }))
    expect(address()).toBe('/channels/channel-1')
  })
})

describe('the facts on a card', () => {
  it('count no documents of a ready-made assistant', async () => {
    serveChannels(aChannel({ useAssistant: true, openaiAssistantId: 'guide', documentCount: 0 }))
    visit()
    expect(within(await findCard('Physics')).queryByText('0 documents')).toBeNull()
  })

  it('warn that a channel without a model has no documents, but not one with a model', async () => {
    const text = 'This channel has no documents to answer from yet.'
    serveChannels(
      aChannel({ answerableDocumentCount: 0 }),
      aChannel({ _id: 'channel-2', name: 'Law', answerableDocumentCount: 0, strictDocumentsOnly: true }),
      aChannel({
        _id: 'channel-3',
        name: 'Music',
        documentCount: 2,
        pendingDocumentCount: 1,
        answerableDocumentCount: 0,
        strictDocumentsOnly: true,
      }),
      aChannel({
        _id: 'channel-4',
        name: 'Art',
        documentCount: 1,
        failedDocumentCount: 1,
        answerableDocumentCount: 0,
        strictDocumentsOnly: true,
      }),
    )
    const { user, unmount } = visit()
    await within(await findCard('Law')).findByText(text)
    await user.click(within(await findCard('Law')).getByRole('button', { name: 'Add documents' }))
    within(await screen.findByRole('dialog', { name: 'Upload documents' })).getByText('Law')
    await user.keyboard('{Escape}')
    const music = within(await findCard('Music'))
    music.getByText(/^None of this channel’s documents is approved/)
    expect(music.getByRole('link', { name: 'Review documents' }).getAttribute('href')).toBe(
      '/admin/documents?channelId=channel-3&focus=decision',
    )
    const art = within(await findCard('Art'))
    art.getByText(/^Approved documents of this channel could not be indexed\./)
    expect(art.getByRole('link', { name: 'Show failed documents' }).getAttribute('href')).toBe(
      '/admin/documents?status=approved&index=failed&channelId=channel-4',
    )
    expect(within(await findCard('Physics')).queryByText(text)).toBeNull()
    unmount()
    api.on(assistantsApi.status, () => anAssistantStatus({ mode: 'extractive' }))
    visit()
    await within(await findCard('Physics')).findByText(text)
  })

  it('say that no model is connected instead of naming the chosen one', async () => {
    api.on(assistantsApi.status, () => anAssistantStatus({ mode: 'extractive' }))
    serveChannels(aChannel({ llmModel: 'gpt-4o' }))
    visit()
    await within(await findCard('Physics')).findByText('No model is connected')
    expect(screen.queryByText('gpt-4o')).toBeNull()
  })

  it('say what is missing to those who can mend it', async () => {
    api.on(assistantsApi.status, () => anAssistantStatus({ mode: 'extractive' }))
    serveChannels(
      aChannel({ answerableDocumentCount: 0 }),
      aChannel({ _id: 'channel-2', name: 'Law', answerableDocumentCount: 0, strictDocumentsOnly: true }),
    )
    const { unmount } = visit()
    await within(await findCard('Physics')).findByText(/^This channel has no documents/)
    expect(within(await findCard('Physics')).queryByText('Connect a model')).toBeNull()
    unmount()
    const system = anAdmin({ isSystemAdmin: true })
    api.on(authApi.me, () => system)
    signIn(system)
    visit()
    const physics = within(await findCard('Physics'))
    await physics.findByText(/^No model is connected. This channel has no documents to answer from yet/)
    physics.getByRole('button', { name: 'Add documents' })
    expect(physics.getByRole('link', { name: 'Connect a model' }).getAttribute('href')).toBe(
      '/admin/settings?section=connections#model',
    )
    // It would answer nothing without documents.
    expect(within(await findCard('Law')).queryByText('Connect a model')).toBeNull()
  })
})

describe('a finished upload', () => {
  it.each([
    ['Approve now', []],
    ['Review now', ['canApproveDocuments']],
    [null, ['canManageDocuments']],
  ] as const)('leads to the review with the link %s', async (name, denied) => {
    signInAdminWithout(api, ...denied)
    api.on(documentsApi.upload, () => aDocument())
    serveChannels(aChannel())
    const { user } = visit()
    await user.click(within(await findCard('Physics')).getByRole('button', { name: 'Upload' }))
    await screen.findByRole('dialog', { name: 'Upload documents' })
    expect(screen.queryByRole('link', { name: / now$/ })).toBeNull()
    await user.upload(
      document.querySelector('input[type=file]') as HTMLInputElement,
      new File(['text'], 'notes.txt'),
    )
    await screen.findByText('Uploaded, pending approval')
    const link = screen.queryByRole('link', { name: / now$/ })
    expect(link?.textContent ?? null).toBe(name)
    if (link !== null)
      expect(link.getAttribute('href')).toBe('/admin/documents?channelId=channel-1&focus=decision')
  })
})
