import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { documentsApi, type Proposal } from '@lyceum/contract/documents'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel } from '#testing/samples.ts'
import { aUser, signIn } from '#testing/users.ts'
import { ChannelPage } from './channel.tsx'

const decidedAt = new Date(Date.now() - 60_000).toISOString()

function aProposal(change: Partial<Proposal> = {}): Proposal {
  return {
    _id: 'document-1',
    title: 'Bus',
    originalName: 'bus.txt',
    fileSize: 20,
    status: 'pending',
    createdAt: decidedAt,
    decidedAt: null,
    isInUse: false,
    ...change,
  }
}
const approved = aProposal({ status: 'approved', decidedAt, isInUse: true })
const rejected = aProposal({
  _id: 'document-2',
  originalName: 'menu.txt',
  status: 'rejected',
  decidedAt,
  rejectionReason: 'We have a newer menu.',
})

let api: FakeApi
let proposals: Proposal[]
let allowProposals: boolean
beforeEach(() => {
  signIn(aUser())
  proposals = []
  allowProposals = true
  // A wide window with a mouse.
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }))
  api = fakeApi()
    .on(channelsApi.list, () => [])
    .on(channelsApi.get, () => aChannel({ _id: 'c1', isAdmin: false, allowProposals }))
    .on(chatsApi.list, () => ({ chats: [aChat], total: 1, totalPages: 1 }))
    .on(chatsApi.get, () => ({ chatId: 'a', title: 'Leave', messages: [], before: null, total: 0 }))
    .on(documentsApi.proposals, () => proposals)
})

const aChat = {
  _id: 'a',
  title: 'Leave',
  messages: [],
  messageCount: 0,
  createdAt: decidedAt,
  updatedAt: decidedAt,
}

async function open() {
  const page = renderPage(<ChannelPage />, { at: '/channels/c1', path: '/channels/:id' })
  await screen.findByText('No messages yet. Start the conversation!')
  return page
}
function findDecisions(): HTMLElement {
  return screen.getByRole('status', { name: 'Decisions about your proposals' })
}
async function settle(): Promise<void> {
  await expect.poll(() => api.calls(documentsApi.proposals).length).toBe(1)
}

describe('the decision about a proposal', () => {
  it('is not asked for where members may not propose documents', async () => {
    allowProposals = false
    await open()
    expect(api.calls(documentsApi.proposals)).toEqual([])
    expect(screen.queryByRole('status', { name: 'Decisions about your proposals' })).toBeNull()
  })

  it('is not shown before it is made, before the document is in use, or long after', async () => {
    proposals = [
      aProposal(),
      aProposal({ _id: '2', status: 'approved', decidedAt }),
      { ...rejected, decidedAt: '2020-01-01T00:00:00.000Z' },
    ]
    await open()
    await settle()
    expect(findDecisions().textContent).toBe('')
  })

  it('is not shown if the proposals cannot be loaded', async () => {
    api.on(documentsApi.proposals, () => refuse('internal'))
    await open()
    await settle()
    expect(findDecisions().textContent).toBe('')
  })

  it('is shown with its reason, and once dismissed, never again in this browser', async () => {
    proposals = [approved, rejected]
    const { user, unmount } = await open()
    await screen.findByText('Your document “bus.txt” was approved. Answers now use it.')
    within(findDecisions()).getByText('Your document “menu.txt” was rejected.')
    within(findDecisions()).getByText('We have a newer menu.')
    await user.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(findDecisions().textContent).toBe('')
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Message' }))
    unmount()
    proposals = [aProposal({ _id: '3', originalName: 'tram.txt', status: 'rejected', decidedAt }), approved]
    await open()
    await screen.findByText('Your document “tram.txt” was rejected.')
    expect(findDecisions().textContent).not.toContain('bus.txt')
    unmount()
  })

  it('counts those that do not fit', async () => {
    proposals = ['1', '2', '3', '4', '5'].map((_id) => ({ ...rejected, _id }))
    await open()
    await screen.findByText('2 more of your proposals were decided.')
  })

  it('counts as seen once the list of proposals was open', async () => {
    proposals = [approved]
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'Show your proposals' }))
    const dialog = await screen.findByRole('dialog', { name: 'Propose a document' })
    await within(dialog).findByText('· in use')
    await user.click(within(dialog).getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(findDecisions().textContent).toBe('')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Message' })))
  })

  it('appears while the channel is open', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    proposals = [aProposal()]
    await open()
    await settle()
    proposals = [approved]
    await vi.advanceTimersByTimeAsync(60_000)
    await screen.findByText(/“bus.txt” was approved/)
  })
})
