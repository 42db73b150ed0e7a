import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { embeddingApi } from '@lyceum/contract/embedding'
import { expect, type Page } from '@playwright/test'
import type { HttpClient } from '../server/src/testing/http-client.ts'
import {
  createReadyChannel,
  expectAccessible,
  expectNoHorizontalScroll,
  type Installation,
  owner,
  phone,
  signIn,
  test,
  watchConsole,
} from './installation.ts'

const question = 'How many days of vacation does everybody have?'

/** Serves one page of another origin. Its policy forbids inline styles and scripts, as that of a strict site does. */
async function startSite(host: string, render: () => string, policy: string) {
  const server: Server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader('content-security-policy', policy)
    response.end(render())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

type Site = Awaited<ReturnType<typeof startSite>>

interface Fixtures {
  /** The elements of the page that the sites serve. */
  content: { html: string; direction: 'ltr' | 'rtl' }
  /** A page of another site: the browser gives a frame in it storage of its own. */
  site: Site
  /** A page of another origin on the same site: a frame in it has the storage of the application. */
  neighbor: Site
}

const siteTest = test.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires the pattern
  content: async ({}, use) => {
    await use({ html: '', direction: 'ltr' })
  },
  site: async ({ installation, content }, use) => {
    const site = await startSite('localhost', () => renderPage(content), createPolicy(installation))
    await use(site)
    await site.close()
  },
  neighbor: async ({ installation, content }, use) => {
    const site = await startSite('127.0.0.1', () => renderPage(content), createPolicy(installation))
    await use(site)
    await site.close()
  },
})

function renderPage({ html, direction }: Fixtures['content']): string {
  return `<!doctype html><html lang="en" dir="${direction}"><head><meta name="viewport" content="width=device-width"><title>Site</title>
<link rel="icon" href="data:,"></head><body><main><h1>Our site</h1></main>${html}</body></html>`
}

function createPolicy({ url }: Installation): string {
  return `default-src 'none'; img-src data:; script-src ${url}; frame-src ${url}`
}

function scriptFor({ url }: Installation, attributes: string): string {
  return `<script src="${url}/embed.js" ${attributes} async></script>`
}

function embed(client: HttpClient, id: string, sites: string[], allowsVisitors = false) {
  return client.call(embeddingApi.set, {
    params: { id },
    body: { sites, allowsVisitors, visitorMessagesPerDay: 1, channelVisitorMessagesPerDay: 100 },
  })
}

async function ask(page: Page): Promise<void> {
  const chat = page.frameLocator('iframe')
  await chat.getByLabel('Message', { exact: true }).fill(question)
  await chat.getByLabel('Message', { exact: true }).press('Enter')
  await expect(chat.getByRole('log')).toContainText('28')
}

siteTest(
  'a member signs in, asks on another site, and is signed out with the site',
  async ({ page, context, installation, content, site }) => {
    const consoleErrors = watchConsole(page)
    const client = await installation.setUp()
    const channelId = await createReadyChannel(client, { documents: ['handbook.pdf'] })
    await embed(client, channelId, [site.url])
    content.html = scriptFor(installation, `data-channel="${channelId}"`)
    await page.goto(site.url)
    await expect(page.locator('iframe')).toHaveCount(0)
    const opener = page.getByRole('button', { name: 'Chat', exact: true })
    await opener.press('Enter')
    await expect(opener).toHaveAttribute('aria-expanded', 'true')
    await expect(page.getByRole('dialog', { name: 'Chat' })).toBeVisible()
    const chat = page.frameLocator('iframe')
    // The keyboard goes on in the frame that has just been loaded.
    await expect(chat.getByRole('button', { name: 'Sign in' })).toBeVisible()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(chat.getByRole('button', { name: 'Sign in' })).toBeFocused()

    const popupEvent = context.waitForEvent('page')
    await chat.getByRole('button', { name: 'Sign in' }).click()
    const popup = await popupEvent
    await popup.getByLabel('Email').fill(owner.email)
    await popup.getByLabel('Password', { exact: true }).fill(owner.password)
    await popup.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(
      popup.getByRole('heading', { name: `Use Staff handbook on ${new URL(site.url).host}?` }),
    ).toBeVisible()
    await expectAccessible(popup)
    await popup.setViewportSize(phone)
    await expectNoHorizontalScroll(popup)
    await popup.getByRole('button', { name: 'Allow' }).click()
    await ask(page)
    await expectAccessible(page)

    // The source leads to the application in a new tab.
    await chat
      .getByRole('button', { name: /^Source 1/ })
      .first()
      .click()
    const source = chat.getByRole('dialog')
    await expect(source).toContainText('28')
    const tabEvent = context.waitForEvent('page')
    await source.getByRole('link', { name: /^Open in Lyceum/ }).click()
    const tab = await tabEvent
    await expect(tab.locator('mark').first()).toBeVisible()
    await tab.close()

    // Escape closes first the source, then the panel, and the focus returns to the button.
    await page.keyboard.press('Escape')
    await expect(source).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name: 'Chat' })).toBeHidden()
    await expect(opener).toBeFocused()

    // On a phone, the chat fills the screen, and its own button closes it.
    await page.setViewportSize(phone)
    await opener.press('Enter')
    await expect(chat.getByLabel('Message', { exact: true })).toBeFocused()
    await expect.poll(() => page.locator('iframe').boundingBox()).toEqual({ x: 0, y: 0, ...phone })
    await expectNoHorizontalScroll(page)
    await chat.getByRole('button', { name: 'Close the chat' }).click()
    await expect(opener).toBeFocused()

    expect(consoleErrors).toEqual([])
    await opener.click()
    await expect(chat.getByRole('log')).toContainText('28')
    await embed(client, channelId, ['https://www.example.com'])
    await expect(chat.getByText('Your session has ended.')).toBeVisible()
  },
)

siteTest(
  'the sign-in on a neighboring site is separate from the session',
  async ({ page, context, installation, content, neighbor }) => {
    const client = await installation.setUp()
    const channelId = await createReadyChannel(client, { documents: [] })
    await embed(client, channelId, [neighbor.url])
    await signIn(page, installation.url)
    async function readSession(): Promise<unknown> {
      await page.goto(`${installation.url}/healthz`)
      return page.evaluate(() => [localStorage.getItem('lyceum.token'), localStorage.getItem('lyceum.user')])
    }
    const session = await readSession()
    content.html = scriptFor(installation, `data-channel="${channelId}"`)
    await page.goto(neighbor.url)
    const opener = page.getByRole('button', { name: 'Chat', exact: true })
    const chat = page.frameLocator('iframe')
    await opener.click()

    // The session does not sign in the frame, but its user only has to allow it.
    const popupEvent = context.waitForEvent('page')
    await chat.getByRole('button', { name: 'Sign in' }).click()
    await (await popupEvent).getByRole('button', { name: 'Allow' }).click()
    await expect(chat.getByLabel('Message', { exact: true })).toBeEnabled()
    await page.reload()
    await opener.click()
    await expect(chat.getByLabel('Message', { exact: true })).toBeEnabled()

    await chat.getByRole('button', { name: `Menu, signed in as ${owner.fullName}` }).click()
    await chat.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(chat.getByRole('button', { name: 'Sign in' })).toBeVisible()
    expect(await readSession()).toEqual(session)
  },
)

siteTest(
  'a visitor asks until the limit, in an element of the page',
  async ({ page, installation, content, site }) => {
    const client = await installation.setUp()
    const channelId = await createReadyChannel(client, { documents: ['handbook.pdf'] })
    await embed(client, channelId, [site.url], true)
    content.html = `<div id="chat"></div>${scriptFor(installation, `data-channel="${channelId}" data-target="#chat"`)}`
    await page.goto(site.url)
    const chat = page.frameLocator('iframe')
    await expect(chat.getByText(/An AI answers/)).toBeVisible()
    await chat.getByRole('button', { name: 'Start chat' }).click()
    await ask(page)
    await chat
      .getByRole('button', { name: /^Source 1/ })
      .first()
      .click()
    await expect(chat.getByRole('dialog')).toContainText('28')
    await expect(chat.getByRole('dialog').getByRole('link')).toHaveCount(0)
    await chat.getByRole('button', { name: 'Close', exact: true }).click()
    await expect(chat.getByText('You have used all your messages')).toBeVisible()
    await expect(chat.getByText(/You can continue (?:today|tomorrow) at/)).toBeVisible()
    await expect(chat.getByRole('button', { name: 'Sign in to continue' })).toBeVisible()
    await expect(chat.getByRole('textbox')).toHaveCount(0)
    await expectAccessible(page)
  },
)

siteTest('the page chooses the colors of the chat', async ({ page, installation, content, site }) => {
  const client = await installation.setUp()
  const channelId = await createReadyChannel(client, { documents: [] })
  await embed(client, channelId, [site.url], true)
  const problems = watchConsole(page)
  const chat = page.frameLocator('iframe')
  async function expectTheme(
    colorScheme: 'light' | 'dark',
    attributes: string,
    theme: 'light' | 'dark',
  ): Promise<void> {
    await page.emulateMedia({ colorScheme })
    content.html = scriptFor(installation, `data-channel="${channelId}" ${attributes}`)
    await page.goto(site.url)
    await page.getByRole('button', { name: 'Chat', exact: true }).click()
    await expect(chat.locator('html')).toHaveAttribute('data-theme', theme)
    const colors = { light: 'rgb(255, 255, 255)', dark: 'rgb(22, 24, 29)' }
    await expect(page.getByRole('dialog', { name: 'Chat' })).toHaveCSS('background-color', colors[theme])
    await expect(chat.getByRole('button', { name: 'Start chat' })).toBeVisible()
    await expectAccessible(page)
  }

  await expectTheme('dark', '', 'dark')
  await expectTheme('dark', 'data-theme="auto"', 'dark')
  await expectTheme('dark', 'data-theme="light"', 'light')
  await expectTheme('light', 'data-theme="dark"', 'dark')
  expect(problems).toEqual([])
  await expectTheme('light', 'data-theme="sepia"', 'light')
  expect(problems).toEqual(['Lyceum chat: data-theme="sepia" is none of light, dark and auto.'])
})

siteTest('a site that is not allowed shows no chat', async ({ page, installation, content, site }) => {
  const client = await installation.setUp()
  const channelId = await createReadyChannel(client, { documents: [] })
  await embed(client, channelId, ['https://www.example.com'])
  content.html = scriptFor(installation, `data-channel="${channelId}"`)
  const refusal = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
  await page.clock.install()
  await page.goto(site.url)
  await page.getByRole('button', { name: 'Chat', exact: true }).click()
  await refusal
  await expect(page.frameLocator('iframe').getByRole('heading')).toHaveCount(0)
  const notice = page.getByText('This chat is not available on this page.')
  await expect(async () => {
    await page.clock.fastForward(10_000)
    await expect(notice).toBeVisible({ timeout: 100 })
  }).toPass()
  // Without a frame that could close it, the panel has a button of its own.
  await page.getByRole('button', { name: 'Close the chat' }).click()
  await expect(page.getByRole('dialog', { name: 'Chat' })).toBeHidden()
})

siteTest(
  'the script names its mistakes, and shows each chat once',
  async ({ page, installation, content, site }) => {
    const client = await installation.setUp()
    const first = await createReadyChannel(client, { documents: [] })
    const second = await createReadyChannel(client, { name: 'Workshop', documents: [] })
    for (const id of [first, second]) await embed(client, id, [site.url])
    const problems = watchConsole(page)
    content.direction = 'rtl'
    content.html = [
      scriptFor(installation, ''),
      scriptFor(installation, 'data-channel="../../api"'),
      scriptFor(installation, `data-channel="${first}" data-target="#none"`),
      scriptFor(installation, `data-channel="${first}" data-label="Ask us"`),
      scriptFor(installation, `data-channel="${first}" data-label="Ask us"`),
      scriptFor(installation, `data-channel="${second}" data-label="Ask the workshop" data-position="right"`),
    ].join('')
    await page.goto(site.url)
    const one = page.getByRole('button', { name: 'Ask us' })
    const other = page.getByRole('button', { name: 'Ask the workshop' })
    await expect(one).toHaveCount(1)
    await expect(other).toHaveCount(1)
    await expect.poll(() => problems.length).toBe(3)
    for (const text of problems) expect(text).toMatch(/^Lyceum chat: /)
    await expectAccessible(page)

    // The first follows the direction of the page, and the second its attribute.
    const width = page.viewportSize()?.width ?? 0
    expect((await one.boundingBox())?.x).toBeLessThan(width / 2)
    expect((await other.boundingBox())?.x).toBeGreaterThan(width / 2)
    await one.click()
    await other.click()
    await expect(one).toHaveAttribute('aria-expanded', 'false')
    await expect(other).toHaveAttribute('aria-expanded', 'true')
  },
)
