import { expect, type Page } from '@playwright/test'
import { test } from './installation.ts'

/** Counts how often the page itself is requested. */
function countLoads(page: Page): () => number {
  let loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1
  })
  return () => loads
}

/** Answers as a server of another version does that does not have the code of the page. */
async function removeCode(page: Page, isGone: () => boolean): Promise<void> {
  await page.route(/\/assets\/forgot-password-[^/]+\.js$/, (route) => {
    const url = new URL(isGone() ? '/assets/gone.js' : '', route.request().url())
    return route.continue({ url: url.href })
  })
}

test.beforeEach(({ installation }) => installation.setUp())

test('a page from before an upgrade loads again when the server no longer has its code', async ({
  page,
  installation,
}) => {
  const loads = countLoads(page)
  await removeCode(page, () => loads() < 2)
  await page.goto(`${installation.url}/login`)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  expect(loads()).toBe(2)
})

test('a page whose code is gone for good loads again only once', async ({ page, installation }) => {
  const loads = countLoads(page)
  await removeCode(page, () => true)
  await page.goto(`${installation.url}/login`)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible()
  expect(loads()).toBe(2)
})
