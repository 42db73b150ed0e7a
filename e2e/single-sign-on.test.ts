import { settingsApi } from '@lyceum/contract/settings'
import { getLogoutPath, getRedirectPath, singleSignOnApi } from '@lyceum/contract/single-sign-on'
import { expect, type Page } from '@playwright/test'
import { oidcClient, startOidcProvider } from '../server/src/testing/oidc-provider.ts'
import {
  expectAccessible,
  expectNoHorizontalScroll,
  phone,
  signIn,
  test,
  watchConsole,
} from './installation.ts'

/** Fills in the provider's own pages. */
async function continueAtProvider(page: Page, login: string): Promise<void> {
  await page.waitForURL('**/interaction/**')
  await page.locator('input[name=login]').fill(login)
  await page.locator('input[name=password]').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('an administrator adds an issuer, a user signs in with it and is signed out by it', async ({
  page,
  browser,
  installation,
}) => {
  const consoleErrors = watchConsole(page)
  const client = await installation.setUp()
  await client.call(settingsApi.update, { body: { twoFactorExpiryDays: 30, twoFactorExpiryEnabled: false } })
  // The issuer sends browsers back to this address, so the journey takes place there.
  const { publicUrl } = await client.call(singleSignOnApi.get, {})
  const provider = await startOidcProvider({
    redirectUri: `${publicUrl}${getRedirectPath('acme')}`,
    logoutUri: `${publicUrl}${getLogoutPath('acme')}`,
  })
  provider.accounts.set('ada', { email: 'ada@example.org', email_verified: true, name: 'Ada Lovelace' })
  provider.accounts.set('eve', { email: 'owner@example.org', email_verified: true, name: 'Eve' })

  await signIn(page, publicUrl)
  await page.goto(`${publicUrl}/admin/settings?section=sign-in`)
  await page.getByRole('button', { name: 'Add issuer' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add issuer' })
  await dialog.getByLabel('Name', { exact: true }).fill('Acme')
  await dialog.getByLabel('Short name').fill('acme')
  await dialog.getByLabel('Issuer', { exact: true }).fill(provider.issuer)
  await dialog.getByRole('button', { name: 'Test connection' }).click()
  await expect(dialog.getByText('The issuer answered and has 1 key.')).toBeVisible()
  await dialog.getByLabel('Client ID').fill(oidcClient.clientId)
  await dialog.getByRole('textbox', { name: 'Client secret' }).fill(oidcClient.clientSecret)
  await dialog.getByLabel('Create users').check()
  await expectAccessible(page)
  await page.setViewportSize(phone)
  await expectNoHorizontalScroll(page)
  await dialog.getByRole('button', { name: 'Add issuer' }).click()
  await expect(page.getByRole('button', { name: 'Edit Acme' })).toBeVisible()
  await expectAccessible(page)
  expect(consoleErrors).toEqual([])

  const visitor = await browser.newContext()
  const visit = await visitor.newPage()
  await visit.goto(`${publicUrl}/login`)
  await expect(visit.getByRole('button', { name: 'Continue with Acme' })).toBeVisible()
  await expectAccessible(visit)
  await visit.getByRole('button', { name: 'Continue with Acme' }).click()
  await continueAtProvider(visit, 'ada')
  await visit.waitForURL('**/dashboard')
  await expect(visit.getByText('No channels available.')).toBeVisible()
  await visit.goto(`${publicUrl}/profile`)
  await expect(visit.getByText('You sign in with single sign-on and have no password here.')).toBeVisible()

  const atProvider = await visitor.newPage()
  await atProvider.goto(`${provider.issuer}/session/end`)
  await atProvider.getByRole('button', { name: 'Yes, sign me out' }).click()
  await expect(atProvider.getByText('Sign-out Success')).toBeVisible()
  await visit.reload()
  await visit.waitForURL('**/login')
  await visitor.close()

  // The provider confirms the address of an administrator, which is not enough.
  const other = await browser.newContext()
  const attempt = await other.newPage()
  await attempt.goto(`${publicUrl}/admin/login`)
  await attempt.getByRole('button', { name: 'Continue with Acme' }).click()
  await continueAtProvider(attempt, 'eve')
  await expect(attempt.getByText(/A system administrator must connect the account/)).toBeVisible()
  await expectAccessible(attempt)
  await attempt.getByRole('link', { name: 'Back to sign in' }).click()
  await attempt.waitForURL('**/login')
  await other.close()
  const { issuers } = await client.call(singleSignOnApi.get, {})
  expect(issuers.map(({ userCount }) => userCount)).toEqual([1])
  await provider.close()
})
