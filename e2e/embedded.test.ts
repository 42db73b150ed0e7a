import { expect } from '@playwright/test'
import {
  createReadyChannel,
  expectAccessible,
  expectNoHorizontalScroll,
  owner,
  phone,
  signIn,
  test,
  watchConsole,
} from './installation.ts'

test('the chat in a frame uses the session, answers, and shows its source', async ({
  page,
  installation,
}) => {
  const consoleErrors = watchConsole(page)
  const client = await installation.setUp()
  await createReadyChannel(client, { documents: ['handbook.pdf'] })
  await createReadyChannel(client, { name: 'Workshop', documents: [] })
  await page.goto(`${installation.url}/chatbot`)
  await page.waitForURL('**/login')

  await signIn(page, installation.url)
  await page.goto(`${installation.url}/chatbot`)
  const frame = page.locator('iframe')
  expect(await frame.evaluate((element) => element.getBoundingClientRect().height)).toBeCloseTo(600, 0)
  const chat = page.frameLocator('iframe')
  await chat.getByLabel('Channel').selectOption('Workshop')
  await chat.getByLabel('Message', { exact: true }).fill('half a thought')
  // Another channel has its own chat, and the draft in the first channel is still there afterwards.
  await chat.getByLabel('Channel').selectOption('Staff handbook')
  await expect(chat.getByLabel('Message', { exact: true })).toHaveValue('')
  await chat.getByLabel('Channel').selectOption('Workshop')
  await expect(chat.getByLabel('Message', { exact: true })).toHaveValue('half a thought')
  await chat.getByLabel('Channel').selectOption('Staff handbook')
  await expect(chat.getByText(`Signed in as ${owner.fullName}`)).toBeVisible()
  await chat.getByLabel('Message', { exact: true }).fill('How many days of vacation does everybody have?')
  await chat.getByLabel('Message', { exact: true }).press('Enter')
  await expect(chat.getByRole('log')).toContainText('28')
  await expectAccessible(page)

  await chat
    .getByRole('button', { name: /handbook\.pdf/ })
    .first()
    .click()
  await expect(chat.getByRole('dialog').locator('mark').first()).toBeVisible()
  await chat.getByRole('dialog').press('Escape')

  await page.setViewportSize(phone)
  await expectNoHorizontalScroll(page)
  await expectAccessible(page)

  // After a sign-out in another tab, the embedded chat offers a sign-in link instead of failing.
  await page.goto(`${installation.url}/embedded-chat.html`)
  await expect(page.getByLabel('Message', { exact: true })).toBeVisible()
  // While no page runs that could still make a call.
  await page.goto(`${installation.url}/healthz`)
  await page.evaluate(() => localStorage.clear())
  await page.goto(`${installation.url}/embedded-chat.html`)
  await expect(page.getByRole('link', { name: 'Sign in to chat' })).toBeVisible()
  expect(consoleErrors).toEqual([])
})

test('the theme page needs no session', async ({ page, installation }) => {
  const consoleErrors = watchConsole(page)
  await page.goto(`${installation.url}/test-theme`)
  for (const heading of ['Shades', 'Logos', 'Buttons', 'Fields', 'States', 'Surfaces'])
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
  await expect(page.getByText('500 primary')).toBeVisible()
  await page.getByRole('button', { name: 'Primary', exact: true }).click()
  await expect(page.getByText('This is what success looks like.')).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expectAccessible(page)
  await page.setViewportSize(phone)
  await expectNoHorizontalScroll(page)
  await expectAccessible(page)
  expect(consoleErrors).toEqual([])
})
