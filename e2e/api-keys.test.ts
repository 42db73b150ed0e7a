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

/** Presses Tab until a control has the focus. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible()
  await expect(async () => {
    await page.keyboard.press('Tab')
    expect(await control.evaluate((element) => element === document.activeElement)).toBe(true)
  }).toPass({ intervals: [0] })
}

test('users create, copy and revoke an API key with the keyboard', async ({
  page,
  context,
  installation,
}) => {
  const consoleErrors = watchConsole(page)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const client = await installation.setUp()
  await createReadyChannel(client, { documents: [] })
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/profile`)
  await expect(page.getByText('No API keys yet.')).toBeVisible()
  await expectAccessible(page)

  const createButton = page.getByRole('button', { name: 'Create API key' })
  await tabTo(page, createButton)
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'Create API key' })
  await expect(form.getByLabel('Name')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(form.getByText('Name is required')).toBeVisible()
  await expect(form.getByText('Choose what the key can do')).toBeVisible()
  await page.keyboard.type('Nightly report')
  await tabTo(page, form.getByRole('checkbox', { name: 'Search and read documents' }))
  await page.keyboard.press('Space')
  await tabTo(page, form.getByRole('radio', { name: 'All your channels' }))
  await page.keyboard.press('ArrowDown')
  await tabTo(page, form.getByRole('checkbox', { name: 'Staff handbook' }))
  await page.keyboard.press('Space')
  await expectAccessible(page)
  await page.setViewportSize(phone)
  await expectNoHorizontalScroll(page)
  await page.keyboard.press('Enter')

  const created = page.getByRole('dialog', { name: 'API key created' })
  await expect(created.getByText('Copy this key now. You won’t see it again.')).toBeVisible()
  const key = await created.getByLabel('API key').inputValue()
  expect(key).toMatch(/^lyceum_[\w-]{43}$/)
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await page.keyboard.press('Escape')
  const question = page.getByRole('alertdialog', { name: 'Close without copying the key?' })
  await expect(question.getByRole('button', { name: 'Back' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
  await tabTo(page, created.getByRole('button', { name: 'Copy the key' }))
  await page.keyboard.press('Enter')
  await expect(created.getByRole('status').filter({ hasText: 'Copied' })).toBeAttached()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
  await page.keyboard.press('Escape')
  await expect(created).toBeHidden()
  await expect(createButton).toBeFocused()

  const list = page.getByRole('list', { name: 'API keys' })
  await expect(list).toContainText(`${key.slice(0, 13)}…`)
  await expect(list).toContainText('Channel: Staff handbook')
  await expectNoHorizontalScroll(page)
  await expectAccessible(page)
  await page.reload()
  await expect(list).toContainText('Nightly report')
  expect(await page.content()).not.toContain(key)

  await tabTo(page, list.getByRole('button', { name: 'Revoke Nightly report' }))
  await page.keyboard.press('Enter')
  const confirmation = page.getByRole('alertdialog', { name: 'Revoke this API key?' })
  await expect(confirmation).toContainText('Nightly report')
  await expectAccessible(page)
  await tabTo(page, confirmation.getByRole('button', { name: 'Revoke' }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('API key revoked')).toBeVisible()
  await expect(page.getByText('No API keys yet.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'API keys' })).toBeFocused()
  expect(consoleErrors).toEqual([])
})
