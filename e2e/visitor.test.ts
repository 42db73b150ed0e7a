import { expect } from '@playwright/test'
import {
  expectAccessible,
  expectNoHorizontalScroll,
  owner,
  phone,
  signIn,
  test,
  watchConsole,
} from './installation.ts'

test.describe('a newcomer', () => {
  test('completes the setup from the printed link and arrives at the dashboard', async ({
    page,
    installation,
  }) => {
    const consoleErrors = watchConsole(page)
    await page.goto(installation.url)
    await expect(page.getByRole('heading', { name: 'Lyceum is not set up yet' })).toBeVisible()
    await expect(page.getByText('npx lyceum admin setup-link')).toBeVisible()
    await expectAccessible(page)
    await page.goto(`${installation.url}/register?token=${installation.setupToken}`)
    await expect(page.getByRole('heading', { name: 'Set up Lyceum' })).toBeVisible()
    // The link's secret is removed from the address bar.
    await expect(page).toHaveURL(`${installation.url}/register`)
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Complete registration' }).click()
    await expect(page.getByText('Full name is required')).toBeVisible()
    await expect(page.getByText('Invalid email address')).toBeVisible()
    await page.getByLabel('Email').fill(owner.email)
    await page.getByLabel('Full name').fill(owner.fullName)
    await page.getByLabel('Password', { exact: true }).fill(owner.password)
    await page.getByLabel('Confirm password').fill('another password')
    await page.getByRole('button', { name: 'Complete registration' }).click()
    await expect(page.getByText("Passwords don't match")).toBeVisible()
    await page.getByLabel('Confirm password').fill(owner.password)
    await page.keyboard.press('Enter')

    await page.waitForURL('**/dashboard')
    await expect(page.getByRole('heading', { name: 'Your Channels' })).toBeVisible()
    await expect(page.getByText('No channels available.')).toBeVisible()
    await expectAccessible(page)
    expect(consoleErrors).toEqual([])
  })

  test('sees that a link is invalid, and is redirected to the sign-in page', async ({
    page,
    installation,
  }) => {
    await page.clock.install()
    await page.goto(`${installation.url}/invite/${'a'.repeat(43)}`)
    await expect(page.getByText('Invalid or expired invitation')).toBeVisible()
    await page.clock.fastForward(3000)
    await page.waitForURL('**/login')
  })
})

test.describe('a visitor', () => {
  test('is redirected to the matching sign-in page', async ({ page, installation }) => {
    for (const [path, signInPath] of [
      ['/', '/login'],
      ['/dashboard', '/login'],
      ['/channels/none', '/login'],
      ['/admin', '/admin/login'],
      ['/admin/channels', '/admin/login'],
    ]) {
      await page.goto(installation.url + path)
      await page.waitForURL(installation.url + signInPath)
    }
  })

  test('sees validation errors on the sign-in pages', async ({ page, installation }) => {
    await installation.setUp()
    for (const signInPath of ['/login', '/admin/login']) {
      await page.goto(installation.url + signInPath)
      const submit = page.getByRole('button', { name: 'Sign in', exact: true })
      await submit.click()
      await expect(page.getByText('Invalid email address')).toBeVisible()
      await expect(page.getByText('Password must be at least 8 characters')).toBeVisible()
      await page.getByLabel('Email').fill(owner.email)
      await page.getByLabel('Password', { exact: true }).fill('not the password')
      await submit.click()
      await expect(page.getByText('Invalid email or password')).toBeVisible()
      await expect(page).toHaveURL(installation.url + signInPath)
      await page.setViewportSize(phone)
      await expectNoHorizontalScroll(page)
      await expectAccessible(page)
    }
  })

  test('stays signed in after a reload, and is signed out in every tab after a logout', async ({
    context,
    page,
    installation,
  }) => {
    await installation.setUp()
    await signIn(page, installation.url)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Your Channels' })).toBeVisible()
    await page.goto(`${installation.url}/login`)
    await page.waitForURL('**/admin')

    const other = await context.newPage()
    await other.goto(`${installation.url}/dashboard`)
    await expect(other.getByRole('heading', { name: 'Your Channels' })).toBeVisible()
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL('**/login')
    await other.waitForURL('**/login')
  })

  test('sees a not-found page at an unknown address', async ({ page, installation }) => {
    await page.goto(`${installation.url}/nowhere`)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(/not found/i)
    await expectAccessible(page)
  })
})
