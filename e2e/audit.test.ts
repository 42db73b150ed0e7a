import { readFile } from 'node:fs/promises'
import { authApi, type User } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { invitationsApi } from '@lyceum/contract/invitations'
import { settingsApi } from '@lyceum/contract/settings'
import { usersApi } from '@lyceum/contract/users'
import { expect, type Page } from '@playwright/test'
import { createHttpClient, type HttpClient } from '../server/src/testing/http-client.ts'
import {
  expectAccessible,
  expectNoHorizontalScroll,
  type Installation,
  phone,
  signIn,
  test,
  watchConsole,
} from './installation.ts'

const helper = { email: 'hal@example.org', fullName: 'Hal Helper', password: 'a helper of 12 clubs' }

/** Creates an administrator with the default permissions through the API. */
async function addAdministrator({ url }: Installation, owner: HttpClient): Promise<HttpClient> {
  const { link = '' } = await owner.call(invitationsApi.create, {
    body: {
      email: helper.email,
      fullName: helper.fullName,
      allowedChannels: [],
      twoFactorExpiryDays: 30,
      twoFactorExpiryEnabled: false,
    },
  })
  const token = new URL(link).searchParams.get('token') ?? ''
  const visitor = createHttpClient(url, '')
  await visitor.call(authApi.register, { body: { ...helper, token } })
  const users = (await owner.call(usersApi.list, {})) as User[]
  const id = users.find(({ email }) => email === helper.email)?._id ?? ''
  await owner.call(usersApi.update, { params: { id }, body: { role: 'admin' } })
  const session = await visitor.call(authApi.login, {
    body: { email: helper.email, password: helper.password },
  })
  return createHttpClient(url, session.token ?? '')
}

function findRow(page: Page, text: string) {
  return page.getByRole('row').filter({ hasText: text }).first()
}

test('the system administrator reads the audit log and exports it', async ({ page, installation }) => {
  const consoleErrors = watchConsole(page)
  const owner = await installation.setUp()
  const admin = await addAdministrator(installation, owner)
  await admin.call(channelsApi.create, {
    body: { name: 'Hall rules', description: 'Rules for the hall', llmModel: 'gpt-4o' },
  })
  await admin.call(settingsApi.update, { body: { twoFactorExpiryDays: 7, twoFactorExpiryEnabled: true } })
  await admin.call(channelsApi.get, { params: { id: 'unknown' } }).catch(() => undefined)
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/admin`)
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Audit Log/ })
    .click()
  const created = findRow(page, 'Channel created')
  await expect(created).toContainText('Hal Helper')
  await expect(created).toContainText('Hall rules')
  await expect(created).toContainText('Done')
  await expect(findRow(page, 'GET /channels/:id')).toContainText('Denied')
  const settings = findRow(page, 'Settings changed')
  await settings.getByRole('button', { name: /^Details/ }).click()
  await expect(page.getByRole('definition').filter({ hasText: 'after: 7' })).toContainText('Before: 30')
  await expectAccessible(page)

  await page.getByLabel('Action', { exact: true }).selectOption('Channels')
  await expect(findRow(page, 'Settings changed')).toBeHidden()
  expect(page.url()).toContain('area=channels')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as CSV' }).click()
  const lines = (await readFile(await (await saved).path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain('Hal Helper,hal@example.org,channel.created,channel,')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(findRow(page, 'Audit log exported')).toBeHidden()
  // Not check(), because the box follows the address, which is shown a little later.
  const showsOwnReading = page.getByLabel('Show what I viewed')
  await showsOwnReading.click()
  await expect(showsOwnReading).toBeChecked()
  await expect(findRow(page, 'Audit log exported')).toContainText('Olu Owner')

  await page.setViewportSize(phone)
  await page
    .getByRole('button', { name: /^Details/ })
    .first()
    .click()
  await expectNoHorizontalScroll(page)
  await expectAccessible(page)
  expect(consoleErrors).toEqual([])
})

test('an administrator without the permission is redirected from the audit log', async ({
  page,
  installation,
}) => {
  const owner = await installation.setUp()
  await addAdministrator(installation, owner)
  await page.goto(`${installation.url}/admin/login`)
  await page.getByLabel('Email').fill(helper.email)
  await page.getByLabel('Password', { exact: true }).fill(helper.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/admin')
  await expect(page.getByRole('link', { name: /Audit Log/ })).toHaveCount(0)
  await page.goto(`${installation.url}/admin/audit-log`)
  await page.waitForURL(/\/admin$/)
  await expect(page.getByText(/^You do not have permission to view the audit log\./)).toBeVisible()
})
