import { readFile } from 'node:fs/promises'
import { authApi, type User } from '@lyceum/contract/auth'
import { chatsApi } from '@lyceum/contract/chats'
import { invitationsApi } from '@lyceum/contract/invitations'
import { usersApi } from '@lyceum/contract/users'
import { expect, type Page } from '@playwright/test'
import { createHttpClient, type HttpClient } from '../server/src/testing/http-client.ts'
import {
  createReadyChannel,
  expectAccessible,
  expectNoHorizontalScroll,
  type Installation,
  phone,
  signIn,
  test,
  watchConsole,
} from './installation.ts'

const member = { email: 'mina@example.org', fullName: 'Mina Member', password: 'a member of 12 clubs' }
const desktop = { width: 1280, height: 800 }
const question = 'What is for lunch on Friday?'

async function addMember({ url }: Installation, owner: HttpClient, channels: string[]) {
  const { link = '' } = await owner.call(invitationsApi.create, {
    body: {
      email: member.email,
      fullName: member.fullName,
      allowedChannels: channels,
      twoFactorExpiryDays: 30,
      twoFactorExpiryEnabled: false,
    },
  })
  const token = new URL(link).searchParams.get('token') ?? ''
  await createHttpClient(url, '').call(authApi.register, { body: { ...member, token } })
  const { token: session = '' } = await createHttpClient(url, '').call(authApi.login, { body: member })
  return createHttpClient(url, session)
}

async function ask(client: HttpClient, channelId: string, ...messages: string[]): Promise<string> {
  const { _id: chatId } = await client.call(chatsApi.create, { params: { channelId }, body: {} })
  for (const message of messages) {
    await client.call(chatsApi.send, { params: { channelId, chatId }, body: { message } })
  }
  return chatId
}

async function checkScreen(page: Page): Promise<void> {
  await expectAccessible(page)
  await page.setViewportSize(phone)
  await expectNoHorizontalScroll(page)
  await expectAccessible(page)
  await page.setViewportSize(desktop)
}

function findRow(page: Page, text: string) {
  return page.getByRole('row').filter({ hasText: text }).first()
}

test('the system administrator finds, reads and exports a member’s chat', async ({ page, installation }) => {
  // Every screen is checked four times.
  test.slow()
  const consoleErrors = watchConsole(page)
  const owner = await installation.setUp()
  const channelId = await createReadyChannel(owner, { name: 'Canteen', documents: ['menu.txt'] })
  const mina = await addMember(installation, owner, [channelId])
  await ask(owner, channelId, 'When is the canteen open?')
  const chatId = await ask(mina, channelId, question, 'And on Monday?')
  await page.setViewportSize(desktop)
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/admin`)
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Chat History/ })
    .click()
  await expect(page.getByRole('heading', { name: 'Chats 2 chats in total' })).toBeVisible()
  await expect(findRow(page, 'Olu Owner')).toContainText('Canteen')

  await page.getByRole('button', { name: 'Filters' }).press('Enter')
  await page.getByRole('combobox', { name: 'User' }).click()
  await page.keyboard.type('Mina')
  await expect(page.getByRole('listbox', { name: 'User' }).getByRole('option')).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Chats 1 chat found' })).toBeVisible()
  await expect(page.getByText('Olu Owner')).toHaveCount(0)
  await page.getByLabel('Sort by').selectOption('Messages, most first')
  await page.waitForURL(/sort=messageCount/)
  await checkScreen(page)
  const list = page.url()

  const view = page.getByRole('button', { name: /^View the chat of Mina Member/ })
  await view.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('list', { name: 'Messages' }).getByText(question)).toBeVisible()
  await checkScreen(page)
  await page.keyboard.press('Escape')
  await expect(view).toBeFocused()
  await view.press('Enter')
  await dialog.getByRole('link', { name: 'View Full Chat' }).click()
  await page.waitForURL(`**/admin/chat-history/${chatId}`)
  const messages = page.getByRole('region', { name: 'Messages' })
  await expect(messages.getByText('And on Monday?')).toBeInViewport()
  await expect(messages.getByText(question)).toHaveCount(1)
  await expect(page.getByRole('definition').filter({ hasText: 'mina@example.org' })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(desktop.height)
  await checkScreen(page)
  await messages
    .getByRole('button', { name: /^Source 1/ })
    .first()
    .click()
  await expect(page.getByRole('dialog', { name: 'menu.txt' })).toContainText('pancakes')
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'Back to the list' }).click()
  await expect(page.getByRole('heading', { name: 'Chats 1 chat found' })).toBeVisible()
  expect(page.url()).toBe(list)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Filters (1)' })).toHaveAttribute('aria-expanded', 'true')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as CSV' }).click()
  const text = await readFile(await (await saved).path(), 'utf8')
  await expect(page.getByText('Chat histories exported')).toBeVisible()
  expect(text).toContain(question)
  expect(text).toContain(member.email)
  expect(text).not.toContain('When is the canteen open?')

  await page.getByRole('tab', { name: 'Chats' }).press('ArrowRight')
  await expect(findRow(page, 'Mina Member')).toContainText('4')
  await checkScreen(page)
  await page.keyboard.press('ArrowRight')
  await page.getByRole('button', { name: 'Show chats of Canteen' }).click()
  await expect(page.getByRole('heading', { name: 'Chats 2 chats found' })).toBeVisible()

  await page.goto(`${installation.url}/admin/audit-log?area=reading&own=show`)
  for (const action of ['Chat histories listed', 'Chat history viewed', 'Chat histories exported']) {
    await expect(findRow(page, action)).toContainText('Olu Owner')
  }
  expect(consoleErrors).toEqual([])
})

test('rows of chats have one height and open the full chat', async ({ page, installation }) => {
  const owner = await installation.setUp()
  for (const name of ['Bar', 'Canteen of the northern campus and its terrace on the roof']) {
    await ask(owner, await createReadyChannel(owner, { name, documents: [] }), question.repeat(4))
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/admin/chat-history`)
  const row = findRow(page, 'Canteen')
  for (const width of [1440, 768]) {
    await page.setViewportSize({ width, height: 900 })
    const [short, long] = [await findRow(page, 'Bar').boundingBox(), await row.boundingBox()]
    // The last row has a border less.
    expect(Math.abs((short?.height ?? 0) - (long?.height ?? Number.NaN))).toBeLessThan(1)
  }
  for (const name of ['Olu Owner', 'Canteen']) {
    await row.getByText(name).click({ force: true })
    await page.waitForURL(/\/admin\/chat-history\/./)
    await page.goBack()
  }
  await row.getByText(/@example\.org/).click()
  await row.getByRole('button', { name: /^View/ }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(page.url()).toMatch(/chat-history$/)
})

test('each permission for other users’ chats is separate', async ({ page, installation }) => {
  const owner = await installation.setUp()
  const channelId = await createReadyChannel(owner, { name: 'Canteen', documents: [] })
  await addMember(installation, owner, [channelId])
  await ask(owner, channelId, 'When is the canteen open?')
  const users = (await owner.call(usersApi.list, {})) as User[]
  const id = users.find(({ email }) => email === member.email)?._id ?? ''
  await owner.call(usersApi.update, { params: { id }, body: { role: 'admin' } })

  await page.goto(`${installation.url}/admin/login`)
  await page.getByLabel('Email').fill(member.email)
  await page.getByLabel('Password', { exact: true }).fill(member.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/admin')
  await expect(page.getByRole('link', { name: /^Audit Log|^Chat History/ })).toHaveCount(0)
  for (const path of ['/admin/chat-history', '/admin/chat-history/any']) {
    await page.goto(installation.url + path)
    await page.waitForURL(/\/admin$/)
  }

  const permissions = await owner.call(usersApi.permissions, { params: { id } })
  await owner.call(usersApi.setPermissions, {
    params: { id },
    body: { ...permissions, canViewChatHistory: true },
  })
  await page.goto(`${installation.url}/admin/chat-history?search=canteen`)
  await expect(page.getByRole('heading', { name: 'Chats 1 chat in total' })).toBeVisible()
  await expect(page.getByRole('searchbox')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Export/ })).toHaveCount(0)
})
