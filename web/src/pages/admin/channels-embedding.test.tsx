import { assistantsApi } from '@lyceum/contract/assistants'
import { channelsApi } from '@lyceum/contract/channels'
import { type Embedding, embeddingApi } from '@lyceum/contract/embedding'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { anAssistantStatus } from '#testing/assistant-samples.ts'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel, aPage } from '#testing/samples.ts'
import { signInAdminWithout } from '#testing/users.ts'
import { ChannelsPage } from './channels.tsx'

const saved: Embedding = {
  sites: ['https://www.example.com'],
  allowsVisitors: false,
  visitorMessagesPerDay: 20,
  channelVisitorMessagesPerDay: 1000,
  visitorMessagesToday: 12,
}

let api: FakeApi
let channel = aChannel()
beforeEach(() => {
  channel = aChannel()
  api = fakeApi()
    .on(assistantsApi.status, () => anAssistantStatus())
    .on(channelsApi.list, () => aPage([channel]))
    .on(embeddingApi.get, () => saved)
    .on(embeddingApi.set, ({ body }) => ({ ...body, visitorMessagesToday: 12 }))
})

async function openDialog() {
  signInAdminWithout(api)
  const page = renderPage(<ChannelsPage />, { at: '/admin/channels' })
  await page.user.click(await screen.findByRole('button', { name: 'More actions for Physics' }))
  await page.user.click(await screen.findByRole('menuitem', { name: 'Embed on other sites' }))
  return page
}

describe('Embed on other sites', () => {
  it('is not offered without canEditChannels', async () => {
    signInAdminWithout(api, 'canEditChannels')
    const { user } = renderPage(<ChannelsPage />, { at: '/admin/channels' })
    await user.click(await screen.findByRole('button', { name: 'More actions for Physics' }))
    await screen.findByRole('menuitem', { name: 'Duplicate' })
    expect(screen.queryByRole('menuitem', { name: 'Embed on other sites' })).toBeNull()
  })

  it('says why the sites could not be loaded', async () => {
    api.on(embeddingApi.get, () => refuse('permission.denied'))
    const { user } = await openDialog()
    await screen.findByText('You do not have permission to do this')
    api.on(embeddingApi.get, () => saved)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByLabelText('Sites')).toHaveProperty('value', 'https://www.example.com')
  })

  it('can only be read about in an archived channel', async () => {
    channel = aChannel({ isArchived: true })
    await openDialog()
    await screen.findByText(/This channel is archived, so the chat is not available on other sites/)
    expect(screen.queryByLabelText('Sites')).toBeNull()
  })

  it('shows which sites the server refuses, each in a line', async () => {
    const problems = ['“*.a.example” is not a site.', '“http://www.example.com” must begin with https://.']
    api.on(embeddingApi.set, () => refuse('validation.failed', { sites: problems.join('\n') }))
    const { user } = await openDialog()
    const field = await screen.findByLabelText('Sites')
    await user.clear(field)
    await user.type(field, 'http://www.example.com')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    for (const problem of problems) await screen.findByText(problem)
    expect(document.activeElement).toBe(field)
  })

  it.each([
    ['0', 'Messages a day for each visitor', 'Enter a whole number from 1 to 1,000'],
    ['1.5', 'Messages a day for all visitors', 'Enter a whole number from 1 to 100,000'],
  ])('refuses %s for %s', async (text, label, problem) => {
    const { user } = await openDialog()
    await user.click(await screen.findByRole('checkbox', { name: /^Visitors can chat/ }))
    await user.clear(screen.getByLabelText(label))
    await user.type(screen.getByLabelText(label), text)
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText(problem)
    expect(api.calls(embeddingApi.set)).toEqual([])
  })

  it('warns what visitors can do, and shows how much they wrote today', async () => {
    const { user } = await openDialog()
    const visitors = await screen.findByRole('checkbox', { name: /^Visitors can chat/ })
    expect(screen.queryByText(/Anyone who opens one of these sites/)).toBeNull()
    await user.click(visitors)
    screen.getByText(/Anyone who opens one of these sites can ask questions/)
    screen.getByText(/Today: 12 messages/)
  })

  it('saves the sites, one per line, and the limits', async () => {
    const { user } = await openDialog()
    const field = await screen.findByLabelText('Sites')
    await user.type(field, '{End}\n\n  https://blog.example.com  \n')
    await user.click(screen.getByRole('checkbox', { name: /^Visitors can chat/ }))
    await user.clear(screen.getByLabelText('Messages a day for each visitor'))
    await user.type(screen.getByLabelText('Messages a day for each visitor'), '5')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText('Sites saved')
    expect(api.calls(embeddingApi.set)[0]?.body).toEqual({
      sites: ['https://www.example.com', 'https://blog.example.com'],
      allowsVisitors: true,
      visitorMessagesPerDay: 5,
      channelVisitorMessagesPerDay: 1000,
    })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('completes hosts', async () => {
    const { user } = await openDialog()
    const field = await screen.findByLabelText('Sites')
    await user.clear(field)
    await user.type(
      field,
      'www.example.com\nlocalhost:3000\nhttps://blog.example.com\nlocalhost.example\n*.a.example',
    )
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText('Sites saved')
    expect(api.calls(embeddingApi.set)[0]?.body.sites).toEqual([
      'https://www.example.com',
      'http://localhost:3000',
      'https://blog.example.com',
      'https://localhost.example',
      '*.a.example',
    ])
  })

  it('shows on the card that the channel is used on other sites', async () => {
    channel = aChannel({ embeddedSiteCount: 2, allowsVisitors: true })
    signInAdminWithout(api)
    renderPage(<ChannelsPage />, { at: '/admin/channels' })
    await screen.findByText('Used on 2 sites')
    screen.getByText('Visitors allowed')
  })

  it('gives no code before a site is saved', async () => {
    api.on(embeddingApi.get, () => ({ ...saved, sites: [] }))
    await openDialog()
    await screen.findByText(/Save at least one site first/)
    expect(screen.queryByRole('button', { name: /^Copy the code/ })).toBeNull()
  })

  it('leads to the code after the first site, without asking about changes', async () => {
    api.on(embeddingApi.get, () => ({ ...saved, sites: [] }))
    const { user } = await openDialog()
    await user.type(await screen.findByLabelText('Sites'), 'www.example.com')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByRole('button', { name: 'Copy the code: Button that opens the chat' })
    await screen.findByText('Sites saved. Copy one of these into your page.')
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Code for the page' }))
    expect(screen.getByLabelText('Sites')).toHaveProperty('value', 'https://www.example.com')
    const dialog = within(screen.getByRole('dialog'))
    await user.click(dialog.getAllByRole('button', { name: 'Close' })[0] as HTMLElement)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('gives the code for the page', async () => {
    await openDialog()
    await screen.findByText(
      `<script src="${location.origin}/embed.js" data-channel="channel-1" async></script>`,
    )
    screen.getByRole('button', { name: 'Copy the code: Button that opens the chat' })
    screen.getByText(new RegExp(`<iframe src="${location.origin}/embed/channel-1"`))
  })

  it('puts the chosen colors into the code, which needs no saving', async () => {
    const { user } = await openDialog()
    const colors = await screen.findByLabelText('Colors of the chat')
    expect(colors).toHaveProperty('value', 'auto')
    await user.selectOptions(colors, 'Dark')
    screen.getByText(
      `<script src="${location.origin}/embed.js" data-channel="channel-1" data-theme="dark" async></script>`,
    )
    screen.getByText(new RegExp(`<iframe src="${location.origin}/embed/channel-1\\?theme=dark"`))
    await user.selectOptions(colors, 'Same as the user’s system')
    screen.getByText(`<script src="${location.origin}/embed.js" data-channel="channel-1" async></script>`)
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })
})
