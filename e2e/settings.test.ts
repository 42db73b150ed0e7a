import { expect, type Page } from '@playwright/test'
import { readCode, type TestMailServer } from '../server/src/testing/mail-server.ts'
import {
  expectAccessible,
  expectNoHorizontalScroll,
  owner,
  phone,
  test,
  watchConsole,
} from './installation.ts'

const sections = [
  'General',
  'Connections',
  'Sign-in',
  'Events',
  'Conversations',
  'Assistants',
  'Limits',
  'Status',
] as const

/** Checks the light and the dark theme, on a desktop and on a phone. */
async function checkScreen(page: Page): Promise<void> {
  const size = page.viewportSize()
  await expectAccessible(page)
  await page.setViewportSize(phone)
  await expectNoHorizontalScroll(page)
  await expectAccessible(page)
  if (size) await page.setViewportSize(size)
}

async function signInWithCode(page: Page, url: string, mail: TestMailServer): Promise<void> {
  await page.goto(`${url}/login`)
  const before = mail.received.length
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/verify-2fa')
  function codes(): string[] {
    return mail.received.slice(before).map(readCode).filter(Boolean)
  }
  await expect.poll(codes).not.toEqual([])
  await page.getByLabel('Verification code').fill(codes().at(-1) ?? '')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin')
}

/** Creates a channel, opens it and returns its address. */
async function createChannel(page: Page, url: string): Promise<string> {
  await page.goto(`${url}/admin/channels`)
  await page.getByRole('button', { name: 'New Channel' }).click()
  const dialog = page.getByRole('dialog', { name: 'New Channel' })
  await dialog.getByLabel('Name').fill('Staff handbook')
  await dialog.getByLabel('Description').fill('Rules for all employees')
  await dialog.getByRole('button', { name: 'Create Channel' }).click()
  await expect(page.getByText('Channel created successfully')).toBeVisible()
  await page.goto(`${url}/dashboard`)
  await page.getByRole('link', { name: /Staff handbook/ }).click()
  await page.waitForURL('**/channels/*')
  return page.url().split('?')[0] ?? ''
}

test.describe('with a mail server', () => {
  test.use({ withMail: true, viewport: { width: 1280, height: 800 } })

  test('an administrator manages an installation from its settings, without a shell', async ({
    page,
    installation,
    mail,
  }) => {
    page.setDefaultTimeout(20_000)
    const consoleErrors = watchConsole(page)
    await installation.setUp()
    await signInWithCode(page, installation.url, mail)
    const settings = `${installation.url}/admin/settings`
    const channelUrl = await createChannel(page, installation.url)
    await expect(page.getByText('Conversations may be reviewed by administrators')).toBeVisible()

    await page.goto(settings)
    for (const name of sections) {
      await page.getByRole('tab', { name }).click()
      await expect(page.getByRole('tabpanel').getByRole('heading', { level: 2 }).first()).toBeVisible()
      await expect(page.getByText(/^Loading/)).toHaveCount(0)
      await checkScreen(page)
    }

    await page.getByRole('tab', { name: 'Conversations' }).click()
    await page.getByLabel('Notice', { exact: true }).fill('The works council may read this chat')
    await page.getByRole('button', { name: 'Save notice' }).click()
    await expect(page.getByText('Settings updated successfully')).toBeVisible()
    await page.getByLabel('Keep chats for (days)').fill('90')
    await page.getByRole('button', { name: 'Save retention' }).click()
    const confirmation = page.getByRole('alertdialog', { name: 'Keep chats for only 90 days?' })
    await expect(confirmation).toContainText('would not delete any chats yet')
    await expectAccessible(page)
    await confirmation.getByRole('button', { name: 'Shorten retention' }).click()
    await expect(confirmation).toBeHidden()
    await page.goto(channelUrl)
    await expect(page.getByText('The works council may read this chat')).toBeVisible()
    await expect(page.getByText('Chats are kept for 90 days')).toBeVisible()
    await checkScreen(page)

    await page.goto(`${settings}?section=assistants`)
    await page.getByRole('checkbox', { name: 'Offer gpt-4o', exact: true }).uncheck()
    await page.getByRole('button', { name: 'Save Models' }).click()
    await expect(page.getByText('Language models updated')).toBeVisible()
    await page.goto(`${installation.url}/admin/channels`)
    await page.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Channel' })
    await expect(dialog.getByText('This model is no longer offered.', { exact: false })).toBeVisible()
    await dialog.getByLabel('Keep chats for (days, optional)').fill('30')
    await checkScreen(page)
    await dialog.getByRole('button', { name: 'Save Changes' }).click()
    await page.getByRole('button', { name: 'Shorten retention' }).click()
    await expect(page.getByText('Channel updated successfully')).toBeVisible()
    await page.goto(channelUrl)
    await expect(page.getByText('Chats are kept for 30 days')).toBeVisible()

    await page.goto(`${settings}?section=state`)
    const email = page.getByRole('region', { name: 'Email' })
    await email.getByRole('button', { name: 'Send test email' }).click()
    await expect(email.getByText(`accepted an email to ${owner.email}`, { exact: false })).toBeVisible()
    expect(mail.received.at(-1)).toMatchObject({ to: owner.email, subject: 'Test email from Lyceum' })
    await expect(email.getByText('OK', { exact: true })).toBeVisible()
    mail.behavior = 'refuses'
    await email.getByRole('button', { name: 'Send test email' }).click()
    await expect(email.getByText('The email could not be sent:', { exact: false })).toBeVisible()
    await expect(email.getByText('Not working')).toBeVisible()
    for (const [part, result] of [
      ['Search', 'Both indexes answered a query.'],
      ['Storage', 'A file was written, read back and deleted.'],
      ['Database', 'A row was written and rolled back'],
      ['Backups', 'The backup folder is writable.'],
    ] as const) {
      const card = page.getByRole('region', { name: part, exact: true })
      await card.getByRole('button').click()
      await expect(card.getByText(result, { exact: false })).toBeVisible()
    }
    await checkScreen(page)
    expect(consoleErrors).toEqual([])
  })
})
