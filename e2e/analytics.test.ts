import { authApi } from '@lyceum/contract/auth'
import { chatsApi } from '@lyceum/contract/chats'
import { invitationsApi } from '@lyceum/contract/invitations'
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
const unanswered = 'Which wavelengths does the telescope in Potsdam observe?'

async function addMember({ url }: Installation, client: HttpClient, channelId: string) {
  const { link = '' } = await client.call(invitationsApi.create, {
    body: {
      email: member.email,
      fullName: member.fullName,
      allowedChannels: [channelId],
      twoFactorExpiryDays: 30,
      twoFactorExpiryEnabled: false,
    },
  })
  const token = new URL(link).searchParams.get('token') ?? ''
  await createHttpClient(url, '').call(authApi.register, { body: { ...member, token } })
  const { token: session = '' } = await createHttpClient(url, '').call(authApi.login, { body: member })
  return createHttpClient(url, session)
}

async function ask(client: HttpClient, channelId: string, message: string): Promise<void> {
  const { _id: chatId } = await client.call(chatsApi.create, { params: { channelId }, body: {} })
  await client.call(chatsApi.send, { params: { channelId, chatId }, body: { message } })
}

async function checkScreen(page: Page): Promise<void> {
  const size = page.viewportSize() ?? phone
  await expectAccessible(page)
  await page.setViewportSize(phone)
  await expectNoHorizontalScroll(page)
  await expectAccessible(page)
  await page.setViewportSize(size)
}

test('questions are counted, an unanswered one is resolved, and a limit takes effect', async ({
  page,
  browser,
  installation,
}) => {
  const consoleErrors = watchConsole(page)
  const owner = await installation.setUp()
  const channelId = await createReadyChannel(owner, { strict: true, documents: ['handbook.pdf'] })
  const mina = await addMember(installation, owner, channelId)
  await ask(mina, channelId, 'How many days of vacation do I have?')
  await ask(mina, channelId, unanswered)

  await signIn(page, installation.url)
  await page.goto(`${installation.url}/admin`)
  await page.getByRole('link', { name: /^Analytics ?, ?1 waiting Usage/ }).click()
  // The count leads to what it counts.
  await expect(page.getByText(unanswered)).toBeVisible()
  await page.getByRole('tab', { name: 'Overview' }).click()
  await expect(page.getByText('2 replies')).toBeVisible()
  await expect(page.getByRole('img', { name: /^Messages from .*2 in total/ })).toBeVisible()
  await page.getByRole('button', { name: 'Show as table' }).first().click()
  await checkScreen(page)

  await page.getByRole('tab', { name: 'Documents' }).click()
  await expect(page.getByRole('row', { name: /handbook\.pdf/ })).toBeVisible()
  await page.getByRole('tab', { name: 'Unanswered questions' }).click()
  await expect(page.getByText(unanswered)).toBeVisible()
  await expect(page.getByText(member.fullName)).toHaveCount(0)
  await checkScreen(page)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export unanswered questions as CSV' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/^questions-.*\.csv$/)
  await page.getByRole('button', { name: 'Mark as resolved' }).click()
  await expect(page.getByText('No unanswered questions.')).toBeVisible()

  await page.goto(`${installation.url}/admin/users`)
  await page.getByRole('button', { name: `Actions for ${member.fullName}` }).click()
  await page.getByRole('menuitem', { name: 'Limits' }).click()
  await expect(page.getByText('Used: 2 today')).toBeVisible()
  await page.getByRole('radio', { name: 'Custom' }).check()
  await page.getByLabel('Messages a day').fill('3')
  await checkScreen(page)
  await page.getByRole('button', { name: 'Save limits' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goto(`${installation.url}/admin/settings?section=limits`)
  await expect(page.getByRole('heading', { name: 'Limits' })).toBeVisible()
  expect(consoleErrors).toEqual([])

  const { _id: chatId } = await mina.call(chatsApi.create, { params: { channelId }, body: {} })
  const context = await browser.newContext()
  const memberPage = await context.newPage()
  await memberPage.goto(`${installation.url}/login`)
  await memberPage.getByLabel('Email').fill(member.email)
  await memberPage.getByLabel('Password', { exact: true }).fill(member.password)
  await memberPage.getByRole('button', { name: 'Sign in', exact: true }).click()
  await memberPage.waitForURL('**/dashboard')
  await memberPage.goto(`${installation.url}/channels/${channelId}?chat=${chatId}`)
  const field = memberPage.getByRole('textbox', { name: 'Message' })
  await field.fill('How many days of vacation do I have?')
  await field.press('Enter')
  await expect(memberPage.getByText('You have used all your messages')).toBeVisible()
  await expect(memberPage.getByText(/You can continue (today|tomorrow) at/)).toBeVisible()
  await expect(field).toHaveCount(0)
  await checkScreen(memberPage)
  await context.close()
})
