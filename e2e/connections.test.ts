import { expect, type Page } from '@playwright/test'
import { startTcpProxy, type TcpProxy } from '../server/src/testing/tcp-proxy.ts'
import { createReadyChannel, signIn, test } from './installation.ts'

const pieces = ['The doors ', 'close ', 'at eight ', 'in the evening.']
const answer = pieces.join('')

/** The end of the first line of the request that sends a message and streams its reply. */
const sendRequest = '/messages HTTP/1.1'

const offlineText = 'No connection. Trying to reconnect…'
const unreachableText = 'The server cannot be reached. Trying again…'

function getMessages(page: Page) {
  return page.locator('[role=log] > div > ol > li')
}

async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(question)
  await page.keyboard.press('Enter')
}

async function expectFinishedReply(page: Page): Promise<void> {
  await expect(getMessages(page).last()).toContainText(answer)
  await expect(getMessages(page).last().getByRole('button', { name: 'Copy reply' })).toBeVisible()
}

test.use({ withModel: true })

let proxy: TcpProxy

test.beforeEach(async ({ page, installation, model }) => {
  model.always({ text: pieces })
  const channelId = await createReadyChannel(await installation.setUp(), { documents: [] })
  proxy = await startTcpProxy(installation.url)
  const { origin } = new URL(proxy.throughProxy(installation.url))
  await signIn(page, origin)
  await page.goto(`${origin}/channels/${channelId}`)
  await expect(page.getByLabel('Message', { exact: true })).toBeEnabled()
})

test.afterEach(() => proxy.close())

test('a reply continues within seconds after the computer slept', async ({ page, model }) => {
  model.pause(2)
  await page.clock.install()
  await ask(page, 'When do the doors close?')
  await expect(getMessages(page).last()).toContainText('The doors close')
  // While a computer sleeps, its clock goes on, its timers do not, and its connections die without a sign.
  // Pausing runs the timers up to that moment, so it must be near.
  const sleepAt = (await page.evaluate(() => Date.now())) + 5000
  await page.clock.pauseAt(sleepAt)
  proxy.muteAll(sendRequest)
  model.resume()
  const resumed = page.waitForRequest(/\/events\?after=/, { timeout: 60_000 })
  await page.clock.setSystemTime(sleepAt + 3_600_000)
  for (let step = 0; step < 25; step += 1) await page.clock.runFor(200)
  await resumed
  await page.clock.resume()
  await expectFinishedReply(page)
})

test('a reply is complete after the page was frozen', async ({ page, model, context }) => {
  model.pause(2)
  await ask(page, 'When do the doors close?')
  await expect(getMessages(page).last()).toContainText('The doors close')
  const session = await context.newCDPSession(page)
  await session.send('Page.setWebLifecycleState', { state: 'frozen' })
  proxy.cutAll()
  model.resume()
  await session.send('Page.setWebLifecycleState', { state: 'active' })
  await expectFinishedReply(page)
  await expect(page.getByText(unreachableText)).toHaveCount(0)
})

test('a reply continues when the network is back, and the notice goes away', async ({
  page,
  model,
  context,
}) => {
  model.pause(2)
  await ask(page, 'When do the doors close?')
  await expect(getMessages(page).last()).toContainText('The doors close')
  await context.setOffline(true)
  await expect(page.getByText(offlineText)).toBeVisible()
  // Another network: the old connection is not closed, it only becomes silent.
  proxy.muteAll(sendRequest)
  model.resume()
  await page.getByLabel('Message', { exact: true }).fill('Typed while offline')
  await context.setOffline(false)
  await expectFinishedReply(page)
  await expect(page.getByText(offlineText)).toHaveCount(0)
  await expect(page.getByLabel('Message', { exact: true })).toHaveValue('Typed while offline')
})

test('a message whose network is lost on its way is kept and sent once', async ({ page, context }) => {
  await page.route('**/messages', async (route) => {
    await context.setOffline(true)
    await route.abort('internetdisconnected')
  })
  await ask(page, 'When do the doors close?')
  await expect(getMessages(page).last()).toContainText('(Failed to send)')
  await expect(page.getByText(offlineText)).toBeVisible()
  await page.unroute('**/messages')
  await context.setOffline(false)
  await expect(page.getByText(offlineText)).toHaveCount(0)
  await page.reload()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expectFinishedReply(page)
  await page.reload()
  await expectFinishedReply(page)
  await expect(getMessages(page)).toHaveCount(2)
})

test('a message whose answer is lost is stored and shown once, and its reply appears', async ({
  page,
  model,
}) => {
  // The browser itself repeats a request twice when its connection was not new.
  const lost = proxy.loseNextAnswers('cut', sendRequest, 3)
  await ask(page, 'When do the doors close?')
  await lost
  await expectFinishedReply(page)
  await expect(getMessages(page)).toHaveCount(2)
  await page.reload()
  await expectFinishedReply(page)
  await expect(getMessages(page)).toHaveCount(2)
  expect(model.requests).toHaveLength(1)
})
