import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import {
  createReadyChannel,
  expectAccessible,
  expectNoHorizontalScroll,
  phone,
  signIn,
  test,
  watchConsole,
} from './installation.ts'

const desktop = { width: 1280, height: 800 }

function getMessages(page: Page) {
  return page.locator('[role=log] > div > ol > li')
}
function getButton(scope: Page | Locator, name: string) {
  return scope.getByRole('button', { name, exact: true })
}

async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(question)
  await page.keyboard.press('Enter')
}

/** Waits until the reply has ended; before that, the conversation cannot be changed. */
async function waitForReply(page: Page, text: string): Promise<void> {
  await expect(getMessages(page).last()).toContainText(text)
  await expect(getButton(getMessages(page).last(), 'Copy reply')).toBeVisible()
}

function listMessageTexts(page: Page): Promise<string[]> {
  return getMessages(page).locator('h3 ~ p[dir], h3 ~ div p[dir]').allTextContents()
}

/** Presses Tab until a button has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('Tab does not reach the button')
}

async function checkScreen(page: Page): Promise<void> {
  for (const size of [desktop, phone]) {
    await page.setViewportSize(size)
    // In a narrow window the sidebar disappears only after the page has noticed the resize.
    await expect(page.locator('aside[aria-label="Channels and chats"]')).toHaveCount(size === phone ? 0 : 1)
    await expectNoHorizontalScroll(page)
    await expectAccessible(page)
  }
  await page.setViewportSize(desktop)
}

async function openSecondTab(context: BrowserContext, page: Page): Promise<Page> {
  const other = await context.newPage()
  await other.goto(page.url())
  await expect(getMessages(other).first()).toBeVisible()
  return other
}

test.use({ withModel: true, viewport: desktop })

test.beforeEach(async ({ page, installation, model }) => {
  model.always({ text: 'First answer.' })
  const channelId = await createReadyChannel(await installation.setUp(), { documents: [] })
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/channels/${channelId}`)
  await ask(page, 'One?')
  await waitForReply(page, 'First answer.')
})

test('a message is edited and sent again, and its versions are switched, by keyboard only', async ({
  page,
  model,
}) => {
  // The accessibility checker runs eight times here, which is slow on a busy machine.
  test.slow()
  const consoleErrors = watchConsole(page)
  model.always({ text: 'Second answer.' })
  await ask(page, 'Two?')
  await waitForReply(page, 'Second answer.')

  const pencil = getButton(getMessages(page).first(), 'Edit message')
  await page.getByRole('log').focus()
  await tabTo(page, pencil)
  await page.keyboard.press('Enter')
  const editor = page.getByRole('textbox', { name: 'Edit message' })
  await expect(editor).toBeFocused()
  await checkScreen(page)
  await page.keyboard.press('Escape')
  await expect(pencil).toBeFocused()

  model.always({ text: 'Third answer.' })
  await page.keyboard.press('Enter')
  await expect(editor).toBeFocused()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('One, in other words?')
  await page.keyboard.press('Control+Enter')
  await waitForReply(page, 'Third answer.')
  await expect.poll(() => listMessageTexts(page)).toEqual(['One, in other words?', 'Third answer.'])
  await expect(page.getByLabel('Message', { exact: true })).toBeFocused()

  const earlier = getButton(getMessages(page).first(), 'Earlier version')
  await page.getByRole('log').focus()
  await tabTo(page, earlier)
  await page.keyboard.press('Enter')
  await expect.poll(() => listMessageTexts(page)).toEqual(['One?', 'First answer.', 'Two?', 'Second answer.'])
  await expect(earlier).toBeFocused()
  await expect(getMessages(page).first()).toContainText('Version 1 of 2')
  await checkScreen(page)
  await page.reload()
  await expect.poll(() => listMessageTexts(page)).toEqual(['One?', 'First answer.', 'Two?', 'Second answer.'])
  expect(consoleErrors).toEqual([])
})

test('regenerating an earlier reply hides later messages, and its first version shows them again, in both tabs', async ({
  context,
  page,
  model,
}) => {
  const long = Array.from({ length: 40 }, (_, n) => `Line ${n} of a long answer.`).join('\n\n')
  model.always({ text: long })
  await ask(page, 'Two?')
  await waitForReply(page, 'Line 39')
  const other = await openSecondTab(context, page)
  model.always({ text: 'Another first answer.' })
  await getButton(getMessages(page).nth(1), 'Regenerate').click()
  await waitForReply(page, 'Another first answer.')
  await expect(getMessages(page)).toHaveCount(2)
  await expect(getMessages(other)).toHaveCount(2)
  await expect(getMessages(other).last()).toContainText('2 / 2')

  const switched = getMessages(page).nth(1)
  const top = (await switched.boundingBox())?.y
  await getButton(switched, 'Earlier version').click()
  await expect(getMessages(page)).toHaveCount(4)
  // The later messages are longer than the window, and the message is still in the same place.
  expect((await switched.boundingBox())?.y).toBeCloseTo(top ?? 0, 0)
  await expect(getMessages(other)).toHaveCount(4)
  await expect(getMessages(other).nth(1)).toContainText('First answer.')
})

test('a stopped reply continues where it ended, even after a reload', async ({ page, model }) => {
  model.always({ text: ['The doors ', 'close ', 'at eight.'] })
  model.pause(1)
  await ask(page, 'When do the doors close?')
  await expect(getMessages(page).last()).toContainText('The doors')
  await getButton(page, 'Stop the reply').click()
  await expect(getMessages(page).last()).toContainText('You stopped this reply.')
  model.resume()
  await checkScreen(page)

  model.always({ text: ['close ', 'at eight.'] })
  model.pause(1)
  await getButton(getMessages(page).last(), 'Continue').click()
  await expect(getMessages(page).last()).toContainText('The doors close')
  await page.reload()
  await expect(getMessages(page).last()).toContainText('The doors close')
  await expect.poll(async () => (await listMessageTexts(page)).at(-1)).toMatch(/^The doors close\s*$/)
  model.resume()
  await waitForReply(page, 'The doors close at eight.')
  await expect(getMessages(page).last()).toContainText('2 / 2')
  await expect(getMessages(page).last().getByRole('button', { name: 'Continue' })).toHaveCount(0)
})

test('a reply is rated with a reason, and the rating is removed', async ({ page }) => {
  const reply = getMessages(page).last()
  const bad = getButton(reply, 'Bad reply')
  await bad.click()
  const dialog = page.getByRole('dialog', { name: 'What went wrong?' })
  await expect(dialog).toBeVisible()
  await checkScreen(page)
  await dialog.getByLabel('Incomplete').check()
  await dialog.getByLabel('Comment (optional)').fill('The page is not named.')
  await getButton(dialog, 'Send').click()
  await expect(page.getByText('Thank you for your feedback')).toBeVisible()
  await expect(bad).toBeFocused()
  await page.reload()
  await expect(bad).toHaveAttribute('aria-pressed', 'true')
  await bad.click()
  await expect(page.getByText('Feedback removed')).toBeVisible()
  await page.reload()
  await expect(bad).toHaveAttribute('aria-pressed', 'false')
})
