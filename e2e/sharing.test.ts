import { authApi } from '@lyceum/contract/auth'
import { invitationsApi } from '@lyceum/contract/invitations'
import { expect, type Page } from '@playwright/test'
import { createHttpClient, type HttpClient } from '../server/src/testing/http-client.ts'
import {
  createReadyChannel,
  expectAccessible,
  expectNoHorizontalScroll,
  phone,
  signIn,
  test,
  watchConsole,
} from './installation.ts'

const member = { email: 'ada@example.org', fullName: 'Ada Lovelace', password: 'analytical engine 7' }

/** Invites a user without two-factor authentication and accepts the invitation. */
async function addMember(client: HttpClient, url: string, channelId: string): Promise<void> {
  const { link = '' } = await client.call(invitationsApi.create, {
    body: {
      email: member.email,
      fullName: member.fullName,
      allowedChannels: [channelId],
      twoFactorExpiryDays: 30,
      twoFactorExpiryEnabled: false,
    },
  })
  const token = new URL(link).searchParams.get('token') ?? link.split('/').at(-1) ?? ''
  await createHttpClient(url, '').call(authApi.register, { body: { ...member, token } })
}

async function signInAsMember(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login`)
  await page.getByLabel('Email').fill(member.email)
  await page.getByLabel('Password', { exact: true }).fill(member.password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')
}

async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(question)
  await page.keyboard.press('Enter')
  await expect(page.locator('[role=log]').getByText('closest passages').last()).toBeVisible()
}

async function openChatMenu(page: Page, item: string): Promise<void> {
  const chats = page.getByRole('group', { name: 'Chats' })
  await chats.getByRole('link').first().focus()
  await chats
    .getByRole('button', { name: /^More actions for/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('a member reads a shared chat up to the moment of sharing, until it is no longer shared', async ({
  page,
  browser,
  installation,
}) => {
  const client = await installation.setUp()
  const channelId = await createReadyChannel(client, { documents: ['handbook.pdf'] })
  await addMember(client, installation.url, channelId)
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/channels/${channelId}`)
  await ask(page, 'How many days of vacation does everybody have?')

  await openChatMenu(page, 'Share')
  await page.getByRole('button', { name: 'Create link' }).click()
  const link = await page.getByLabel('Link', { exact: true }).inputValue()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Done' }).click()
  await ask(page, 'How long is the notice period?')

  const context = await browser.newContext()
  const reader = await context.newPage()
  const consoleErrors = watchConsole(reader)
  await signInAsMember(reader, installation.url)
  await reader.goto(link)
  await expect(reader.getByRole('heading', { level: 1 })).toContainText('How many days of vacation')
  await expect(reader.getByText(/^Shared by/)).toContainText('Olu Owner')
  await expect(reader.getByText('closest passages')).toHaveCount(1)
  await expect(reader.getByText('notice period')).toHaveCount(0)
  await expectAccessible(reader)
  await reader
    .getByRole('button', { name: /handbook\.pdf/ })
    .first()
    .click()
  await expect(reader.getByRole('complementary').locator('canvas').first()).toBeVisible()
  await reader.keyboard.press('Escape')
  await reader.setViewportSize(phone)
  await expectNoHorizontalScroll(reader)

  await openChatMenu(page, 'Share')
  await expect(page.getByText('The chat has changed since then')).toBeVisible()
  await page.getByRole('button', { name: 'Stop sharing' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stop sharing' }).click()
  await expect(page.getByText('The chat is no longer shared')).toBeVisible()
  await reader.reload()
  await expect(reader.getByText('This chat can’t be opened.')).toBeVisible()
  expect(consoleErrors.filter((text) => !text.includes('404'))).toEqual([])
  await context.close()
})

test('a pinned chat stays above newer ones', async ({ page, installation }) => {
  const channelId = await createReadyChannel(await installation.setUp(), { documents: ['handbook.pdf'] })
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/channels/${channelId}`)
  await ask(page, 'How many days of vacation does everybody have?')
  await openChatMenu(page, 'Pin')
  const chats = page.getByRole('group', { name: 'Chats' })
  await expect(chats.getByRole('heading')).toHaveText(['Pinned'])
  await page.getByRole('button', { name: 'New chat' }).click()
  await expect(page.getByText('No messages yet. Start the conversation!')).toBeVisible()
  await ask(page, 'How long is the notice period?')
  await expect(chats.getByRole('heading')).toHaveText(['Pinned', 'Today'])
  await expect(chats.getByRole('link').first()).toContainText('How many days')
  await page.goto(`${installation.url}/channels/${channelId}`)
  await expect(chats.getByRole('link', { name: /notice period/ })).toHaveAttribute('aria-current', 'true')
})
