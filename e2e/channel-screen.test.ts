import { channelsApi } from '@lyceum/contract/channels'
import { type Chat, type ChatMessage, chatsApi } from '@lyceum/contract/chats'
import { expect, type Page } from '@playwright/test'
import type { HttpClient } from '../server/src/testing/http-client.ts'
import {
  createReadyChannel,
  expectAccessible,
  expectNoHorizontalScroll,
  phone,
  signIn,
  test,
} from './installation.ts'

async function createChannel(client: HttpClient): Promise<string> {
  return createReadyChannel(client, { name: 'Staff handbook', documents: [] })
}

function createChat(client: HttpClient, channelId: string): Promise<Chat> {
  return client.call(chatsApi.create, { params: { channelId }, body: {} })
}

/** Sends a message in a chat; the built-in assistant answers. */
async function ask(client: HttpClient, channelId: string, chatId: string, message: string): Promise<void> {
  await client.call(chatsApi.send, { params: { channelId, chatId }, body: { message } })
}

function getMessageField(page: Page) {
  return page.getByRole('textbox', { name: 'Message' })
}

test('a search result in another channel’s chat opens, scrolled into view and focused', async ({
  page,
  installation,
}) => {
  const client = await installation.setUp()
  const first = await createChannel(client)
  const { _id: second } = await client.call(channelsApi.create, {
    body: { name: 'Workshop', description: 'Machines', llmModel: 'gpt-4o', strictDocumentsOnly: false },
  })
  const chat = await createChat(client, second)
  await ask(client, second, chat._id, 'Where is the zanzibar lathe?')
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/channels/${first}`)
  await expect(getMessageField(page)).toBeEnabled()

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search your chats' }).fill('zanzibar')
  const option = page.getByRole('option').filter({ hasText: 'You:' })
  await expect(option.locator('mark')).toHaveText('zanzibar')
  await expect(page.getByRole('listbox', { name: 'Search results' })).toContainText('in Workshop')
  await expectAccessible(page)
  await option.click()

  await page.waitForURL(`**/channels/${second}?chat=${chat._id}`)
  const message = page.getByRole('log').getByText('Where is the zanzibar lathe?')
  await expect(message).toBeInViewport()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent ?? ''))
    .toContain('Where is the zanzibar lathe?')
})

test('the message field grows with pasted lines up to a limit, and sends them as they are', async ({
  page,
  installation,
}) => {
  const client = await installation.setUp()
  const channelId = await createChannel(client)
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/channels/${channelId}`)
  const field = getMessageField(page)
  await expect(field).toBeEnabled()
  async function measureHeight(text: string): Promise<number> {
    await field.fill(text)
    return field.evaluate((element) => element.getBoundingClientRect().height)
  }
  const empty = await measureHeight('')
  const oneRow = await measureHeight('One row')
  const fourRows = await measureHeight('one\n  two\nthree\nfour')
  const limit = await measureHeight('row\n'.repeat(100))
  expect(oneRow).toBe(empty)
  expect(fourRows).toBeGreaterThan(2 * oneRow)
  expect(limit).toBeGreaterThan(fourRows)
  expect(await measureHeight('row\n'.repeat(200))).toBe(limit)
  expect(await field.evaluate((element) => element.scrollHeight)).toBeGreaterThan(limit)

  await field.fill('one\n  two')
  await page.keyboard.press('Enter')
  const sent = page.getByRole('log').getByText('one two')
  await expect(sent).toBeVisible()
  expect(await sent.textContent()).toBe('one\n  two')
  await expect(field).toHaveValue('')
})

test('a chat is renamed and deleted by keyboard, and the other window shows it', async ({
  page,
  context,
  installation,
}) => {
  const client = await installation.setUp()
  const channelId = await createChannel(client)
  const one = await createChat(client, channelId)
  await ask(client, channelId, one._id, 'The first question')
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/channels/${channelId}`)
  const other = await context.newPage()
  await other.goto(`${installation.url}/channels/${channelId}?chat=${one._id}`)
  await expect(other.getByRole('log').getByText('The first question')).toBeVisible()

  await page.bringToFront()
  await page.getByRole('log').focus()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.getByRole('log').focus()
  await page.keyboard.press('r')
  await page.getByRole('textbox', { name: 'Title' }).fill('Days of leave')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: /^Days of leave/ })).toBeVisible()
  await expect(other.getByRole('link', { name: /^Days of leave/ })).toBeVisible()

  await page.getByRole('log').focus()
  await page.keyboard.press('d')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Chat deleted successfully')).toBeVisible()
  await expect(other.getByText('This chat was deleted in another window')).toBeVisible()
  await expect(other.getByText('Failed to load messages')).toHaveCount(0)
})

test('a draft survives a reload, appears in another window and is gone after signing out', async ({
  page,
  context,
  installation,
}) => {
  const client = await installation.setUp()
  const channelId = await createChannel(client)
  await createChat(client, channelId)
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/channels/${channelId}`)
  await getMessageField(page).fill('half a thought')
  await page.reload()
  await expect(getMessageField(page)).toHaveValue('half a thought')
  const other = await context.newPage()
  await other.goto(`${installation.url}/channels/${channelId}`)
  await expect(getMessageField(other)).toHaveValue('half a thought')
  await other.close()
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await page.waitForURL('**/login')
  const draftKeys = await page.evaluate(() =>
    Object.keys(localStorage).filter((key) => key.includes('draft')),
  )
  expect(draftKeys).toEqual([])
})

test('offline, nothing is sent and the text stays in the field, which sends it once online', async ({
  page,
  context,
  installation,
}) => {
  const client = await installation.setUp()
  const channelId = await createChannel(client)
  await createChat(client, channelId)
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/channels/${channelId}`)
  await expect(getMessageField(page)).toBeEnabled()
  await context.setOffline(true)
  await expect(page.getByText('No connection.')).toBeVisible()
  await getMessageField(page).fill('Is anybody there?')
  await page.keyboard.press('Enter')
  await expect(page.getByText('You can send this message once you’re connected.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send message' })).toBeDisabled()
  await expect(getMessageField(page)).toHaveValue('Is anybody there?')
  await expect(page.getByText('(Failed to send)')).toHaveCount(0)
  await context.setOffline(false)
  await expect(page.getByText('No connection.')).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Copy reply' })).toBeVisible()
})

test('a message that is lost on its way survives a reload and can be sent again', async ({
  page,
  installation,
}) => {
  const client = await installation.setUp()
  const channelId = await createChannel(client)
  await createChat(client, channelId)
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/channels/${channelId}`)
  await expect(getMessageField(page)).toBeEnabled()
  await page.route('**/messages', (route) => route.abort('internetdisconnected'))
  await getMessageField(page).fill('Is anybody there?')
  await page.keyboard.press('Enter')
  // The request is repeated for a few seconds.
  await expect(page.getByText('(Failed to send)')).toBeVisible({ timeout: 20_000 })
  await page.unroute('**/messages')
  await page.reload()
  await expect(page.getByText('Is anybody there? (Failed to send)')).toBeVisible()
  await expect(getMessageField(page)).toHaveValue('')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('(Failed to send)')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Copy reply' })).toBeVisible()
})

test('on a phone the drawer traps the focus, and everything works by keyboard', async ({
  page,
  installation,
}) => {
  await page.setViewportSize(phone)
  const client = await installation.setUp()
  const channelId = await createChannel(client)
  await createChat(client, channelId)
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/channels/${channelId}`)
  await expect(getMessageField(page)).toBeEnabled()
  await expectNoHorizontalScroll(page)
  await expectAccessible(page)

  const opener = page.getByRole('button', { name: 'Channels and chats' })
  await opener.focus()
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Channels and chats' })
  await expect(drawer).toBeVisible()
  await expectAccessible(page)
  for (let press = 0; press < 15; press += 1) {
    await page.keyboard.press('Tab')
    const isInside = await drawer.evaluate((element) => element.contains(document.activeElement))
    if (!isInside) {
      // Tab also leaves the page for the browser's own controls.
      expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(false)
    }
  }
  const more = drawer.getByRole('button', { name: /^More actions for Chat/ })
  await more.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(more).toBeFocused()
  await expect(drawer).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await expect(opener).toBeFocused()
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoHorizontalScroll(page)
  // The size of a 1280 × 1024 window at 400% zoom.
  await page.setViewportSize({ width: 320, height: 256 })
  await expectNoHorizontalScroll(page)
  await expect
    .poll(() => page.getByText('No messages yet.').evaluate((text) => text.getBoundingClientRect().height))
    .toBeGreaterThan(0)
  const height = await page
    .getByRole('region', { name: 'Chat' })
    .evaluate((chat) => chat.getBoundingClientRect().height)
  expect(height).toBeGreaterThan(300)
})

test('on a phone, deleting a chat closes the drawer, which would cover the result and the focus', async ({
  page,
  installation,
}) => {
  await page.setViewportSize(phone)
  const client = await installation.setUp()
  const channelId = await createChannel(client)
  await createChat(client, channelId)
  await createChat(client, channelId)
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/channels/${channelId}`)
  await page.getByRole('button', { name: 'Channels and chats' }).click()
  const drawer = page.getByRole('dialog', { name: 'Channels and chats' })
  await drawer
    .getByRole('button', { name: /^Delete Chat/ })
    .first()
    .focus()
  await page.keyboard.press('Enter')
  const question = page.getByRole('alertdialog', { name: 'Delete this chat?' })
  await question.getByRole('button', { name: 'Delete' }).focus()
  await page.keyboard.press('Enter')
  await expect(drawer).toHaveCount(0)
  await expect(page.getByText('Chat deleted successfully')).toBeInViewport()
  await expect(getMessageField(page)).toBeFocused()
})

test('a chat of two thousand messages scrolls upwards without jumping', async ({ page, installation }) => {
  const client = await installation.setUp()
  const channelId = await createChannel(client)
  const chat = await createChat(client, channelId)
  const all: ChatMessage[] = Array.from({ length: 2000 }, (_, index) => ({
    _id: `m${index + 1}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `Message ${index + 1}. ${'More words to read. '.repeat(index % 7)}`,
    timestamp: chat.createdAt,
    ...(index % 2 === 0 ? { status: 'read' } : { state: 'complete' }),
  }))
  await page.route(`**/api/chat/${channelId}/chats/${chat._id}?*`, async (route) => {
    const query = new URL(route.request().url()).searchParams
    const end = query.has('before') ? Number(query.get('before')) : all.length
    const start = Math.max(0, end - Number(query.get('limit')))
    await route.fulfill({
      json: {
        chatId: chat._id,
        title: null,
        messages: all.slice(start, end),
        before: start === 0 ? null : String(start),
        total: all.length,
      },
    })
  })
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/channels/${channelId}?chat=${chat._id}`)
  await expect(page.getByText('Message 2000.')).toBeInViewport()
  const latest = page.getByRole('button', { name: 'Jump to latest' })
  await expect(latest).toHaveCount(0)

  const log = page.getByRole('log')
  await log.hover()
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, -1500)
      return page.getByText(/^Message 17\d\d\./).count()
    })
    .toBeGreaterThan(0)
  await expect(latest).toBeVisible()
  expect(await log.locator('[data-id]').count()).toBeLessThan(250)
  await latest.click()
  await expect(page.getByText('Message 2000.')).toBeInViewport()
  await expect(latest).toHaveCount(0)

  await page.goto(`${installation.url}/channels/${channelId}?chat=${chat._id}&message=m31`)
  await expect(page.getByText('Message 31.')).toBeInViewport()
  await expect(latest).toBeVisible()

  // Only part of the chat is rendered, and the printed page says so; the menu prints all of it.
  const note = page.getByText('This printout shows only part of the chat.', { exact: false })
  await expect(note).toBeHidden()
  await page.emulateMedia({ media: 'print' })
  await expect(note).toBeVisible()
  await expect(getMessageField(page)).toBeHidden()
  await page.emulateMedia({ media: null })
  await page.evaluate(() => {
    window.print = () => document.documentElement.toggleAttribute('data-asked', true)
  })
  await page.getByRole('button', { name: 'More actions for the current chat' }).click()
  await page.getByRole('menuitem', { name: 'Print' }).click()
  await expect(page.locator('html[data-asked]')).toHaveCount(1, { timeout: 60_000 })
  await page.emulateMedia({ media: 'print' })
  const paper = page.locator('body > [data-printed]')
  await expect(paper.getByText('Message 1.')).toBeVisible()
  await expect(paper.locator('li')).toHaveCount(2000)
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.emulateMedia({ media: null })
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  await expect(paper).toHaveCount(0)
})

test('a channel that cannot be loaded redirects to the dashboard, even if its chats can be loaded', async ({
  page,
  installation,
}) => {
  const client = await installation.setUp()
  const channelId = await createChannel(client)
  await createChat(client, channelId)
  await signIn(page, installation.url)
  await page.route(`**/api/channels/${channelId}`, (route) => route.fulfill({ status: 500, body: '' }))
  await page.goto(`${installation.url}/channels/${channelId}`)
  await expect(page.getByText('Failed to load channel information')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Your Channels' })).toBeVisible()
})

test('a chat requests its messages once, before the code of the page has loaded', async ({
  page,
  installation,
}) => {
  const client = await installation.setUp()
  const channelId = await createChannel(client)
  const { _id: chatId } = await createChat(client, channelId)
  await ask(client, channelId, chatId, 'Is it open?')
  await signIn(page, installation.url)

  const requests: string[] = []
  page.on('request', (request) => {
    if (request.url().includes(`/chats/${chatId}?`)) requests.push(request.url())
  })
  const { promise: isRequested, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await isRequested
    await route.continue()
  })
  const request = page.waitForRequest(`**/chats/${chatId}?*`)
  await page.goto(`${installation.url}/channels/${channelId}?chat=${chatId}`, { waitUntil: 'commit' })
  await request
  release()
  await expect(page.getByRole('log').getByText('Is it open?')).toBeVisible()
  expect(requests).toHaveLength(1)
})
