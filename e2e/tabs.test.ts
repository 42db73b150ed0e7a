import { authApi } from '@lyceum/contract/auth'
import { type BrowserContext, expect, type Page } from '@playwright/test'
import { createHttpClient } from '../server/src/testing/http-client.ts'
import { createReadyChannel, owner, signIn, test } from './installation.ts'

function getMessages(page: Page) {
  return page.locator('[role=log] > div > ol > li')
}

function getField(page: Page) {
  return page.getByLabel('Message', { exact: true })
}

async function ask(page: Page, question: string): Promise<void> {
  await getField(page).fill(question)
  await getField(page).press('Enter')
}

async function waitForReply(page: Page, text: string): Promise<void> {
  await expect(getMessages(page).last()).toContainText(text)
  await expect(getMessages(page).last().getByRole('button', { name: 'Copy reply' })).toBeVisible()
}

async function openSecondTab(context: BrowserContext, page: Page): Promise<Page> {
  const other = await context.newPage()
  await other.goto(page.url())
  await waitForReply(other, 'First answer.')
  return other
}

/** Holds the first messages back until there are two, so that neither tab knows of the other's. */
async function sendInPairs(context: BrowserContext): Promise<void> {
  let sent = 0
  const both = Promise.withResolvers<void>()
  await context.route('**/messages', async (route) => {
    if (route.request().method() === 'POST') {
      sent += 1
      if (sent === 2) both.resolve()
      await both.promise
    }
    await route.continue()
  })
}

function countRefused(page: Page): Promise<number> {
  return page.getByText('(Failed to send)').count()
}

test.use({ withModel: true })

test.beforeEach(async ({ page, installation, model }) => {
  model.always({ text: ['First ', 'answer.'] })
  const channelId = await createReadyChannel(await installation.setUp(), { documents: [] })
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/channels/${channelId}`)
  await ask(page, 'One?')
  await waitForReply(page, 'First answer.')
})

test('a message sent in one tab and its growing reply appear in the other', async ({
  page,
  context,
  model,
}) => {
  const other = await openSecondTab(context, page)
  await getField(other).fill('A draft')
  model.always({ text: ['Second ', 'long ', 'answer.'] })
  model.pause(2)
  await ask(page, 'Two?')
  for (const tab of [page, other]) await expect(getMessages(tab).last()).toContainText('Second long')
  model.resume()
  for (const tab of [page, other]) {
    await waitForReply(tab, 'Second long answer.')
    await expect(getMessages(tab)).toHaveCount(4)
  }
  await expect(getField(other)).toHaveValue('A draft')
})

test('of two messages sent at once, both are stored once and neither is lost', async ({
  page,
  context,
  model,
}) => {
  const other = await openSecondTab(context, page)
  model.always({ text: ['Second ', 'answer.'] })
  model.pause(1)
  await sendInPairs(context)
  await getField(page).fill('From the first tab')
  await getField(other).fill('From the second tab')
  await Promise.all([getField(page).press('Enter'), getField(other).press('Enter')])
  await model.whenPaused()
  await expect.poll(async () => (await countRefused(page)) + (await countRefused(other))).toBe(1)
  const loser = (await countRefused(page)) === 1 ? page : other
  await expect(loser.getByText('The assistant is still answering in this chat').first()).toBeVisible()
  // Sending again would be refused while the reply to the other message is running.
  const retry = loser.getByRole('button', { name: 'Try again' })
  await expect(retry).toBeDisabled()
  model.resume()
  await expect(retry).toBeEnabled()
  await retry.click()
  for (const tab of [page, other]) {
    await expect(getMessages(tab)).toHaveCount(6)
    await waitForReply(tab, 'Second answer.')
    await expect(tab.getByText('(Failed to send)')).toHaveCount(0)
    for (const text of ['From the first tab', 'From the second tab'])
      await expect(getMessages(tab).getByText(text, { exact: true })).toHaveCount(1)
  }
})

test('a chat that is renamed or deleted in one tab changes in the other', async ({ page, context }) => {
  const other = await openSecondTab(context, page)
  await getField(other).fill('A draft')
  const menu = page.getByRole('button', { name: 'More actions for the current chat' })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('Opening hours')
  await page.keyboard.press('Enter')
  await expect(other.getByText('Opening hours').first()).toBeVisible()
  await expect(getField(other)).toHaveValue('A draft')

  await page.getByRole('button', { name: 'Delete current chat' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Chat deleted successfully')).toBeVisible()
  await expect(other.getByText('This chat was deleted in another window or on another device.')).toBeVisible()
  await expect(other.getByText('Opening hours')).toHaveCount(0)
})

test('signing out in one tab signs out the other and deletes its draft', async ({ page, context }) => {
  const other = await openSecondTab(context, page)
  await getField(other).fill('A draft')
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await other.waitForURL('**/login')
  const stored = await other.evaluate(() => JSON.stringify(localStorage))
  expect(stored).not.toContain('A draft')
})

test('a draft outlives a session that was ended elsewhere', async ({ page, context, installation }) => {
  const other = await openSecondTab(context, page)
  await getField(other).fill('A draft')
  const url = page.url()
  const { token = '' } = await createHttpClient(installation.url, '').call(authApi.login, { body: owner })
  await createHttpClient(installation.url, token).call(authApi.endOtherSessions, {})
  await page.reload()
  for (const tab of [page, other]) await tab.waitForURL('**/login')
  await signIn(page, installation.url)
  await page.goto(url)
  await expect(getField(page)).toHaveValue('A draft')
})
