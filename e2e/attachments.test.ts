import { expect, type Locator, type Page } from '@playwright/test'
import {
  createReadyChannel,
  expectAccessible,
  expectNoHorizontalScroll,
  phone,
  signIn,
  test,
  watchConsole,
} from './installation.ts'

const lease =
  'The lease of the bakery ends on 14 May 2031.\n\nThe rent is paid on the first day of each month.'

async function attach(page: Page, name: string, text: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  const button = page.getByRole('button', { name: 'Attach files' })
  // Pressing a key does not wait for it.
  await expect(button).toBeEnabled()
  await button.press('Enter')
  await (await chooser).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
  await expect(page.getByRole('button', { name: `Remove ${name}` })).toBeVisible()
}

test('a question with attached files is answered from them, and they stay in their chat', async ({
  page,
  installation,
}) => {
  const consoleErrors = watchConsole(page)
  const client = await installation.setUp()
  const channelId = await createReadyChannel(client, { documents: ['handbook.pdf'] })
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/channels/${channelId}`)
  await attach(page, 'notes.txt', 'Nothing of interest.')
  await attach(page, 'lease.txt', lease)
  await page.getByRole('button', { name: 'Remove notes.txt' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Remove notes.txt' })).toBeHidden()
  await page.reload()
  const draft = page.getByRole('list', { name: 'Files for this message' })
  await expect(draft).toHaveText(/lease\.txt/)
  await expectAccessible(page)

  await page.getByLabel('Message', { exact: true }).fill('When does the lease of the bakery end?')
  await page.keyboard.press('Enter')
  const log = page.getByRole('log')
  await expect(log.getByText('closest passages in your files')).toBeVisible()
  await expect(draft).toBeHidden()
  await log
    .getByRole('button', { name: /^Source 1: lease\.txt/ })
    .first()
    .press('Enter')
  const source = page.getByRole('complementary', { name: 'lease.txt' })
  await expect(source.locator('mark').first()).toContainText('14 May 2031')
  await page.keyboard.press('Escape')

  await page.setViewportSize(phone)
  await page
    .getByRole('list', { name: 'Attached files' })
    .getByRole('button', { name: /lease\.txt/ })
    .press('Enter')
  const dialog = page.getByRole('dialog', { name: 'lease.txt' })
  await expect(dialog.getByText('The rent is paid on the first day')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expectNoHorizontalScroll(page)

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'New chat' }).click()
  await expect(page.getByText('No messages yet. Start the conversation!')).toBeVisible()
  await page.getByLabel('Message', { exact: true }).fill('When does the lease of the bakery end?')
  await page.keyboard.press('Enter')
  await expect(log.getByText('I couldn’t find this in the approved documents of this channel.')).toBeVisible()
  await expect(log).not.toContainText('14 May 2031')
  expect(consoleErrors).toEqual([])
})

test('on a phone, a refused file is reported above the message field and covers no button', async ({
  page,
  installation,
}) => {
  await page.setViewportSize(phone)
  const client = await installation.setUp()
  const channelId = await createReadyChannel(client, { documents: ['handbook.pdf'] })
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/channels/${channelId}`)
  const field = page.getByLabel('Message', { exact: true })
  await field.fill('How many days of leave do employees have?')
  await page.keyboard.press('Enter')
  const copy = page.getByRole('log').getByRole('button', { name: 'Copy reply' }).last()
  await expect(copy).toBeInViewport()
  await page.getByRole('log').evaluate((log) => log.scrollTo(0, log.scrollHeight))

  await page.getByLabel('Files to attach').setInputFiles([
    { name: 'sign.heic', mimeType: 'image/heic', buffer: Buffer.from('picture') },
    { name: 'lease.txt', mimeType: 'text/plain', buffer: Buffer.from(lease) },
  ])
  const toast = page.getByRole('alert').getByText(/^sign\.heic was not attached\./)
  await expect(toast).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove lease.txt' })).toBeInViewport()
  async function expectAbove(upper: Locator, lower: Locator): Promise<void> {
    const bottom = await upper.evaluate((element) => element.getBoundingClientRect().bottom)
    const top = await lower.evaluate((element) => element.getBoundingClientRect().top)
    expect(bottom).toBeLessThan(top)
  }
  await expect(copy).toBeInViewport({ ratio: 1 })
  await expectAbove(copy, toast)
  await expectAbove(toast, field)
  await field.fill('When does the lease end?')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('log').getByText('closest passages in your files')).toBeVisible()
})
