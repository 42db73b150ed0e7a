import { expect, type Page } from '@playwright/test'
import {
  createReadyChannel,
  expectAccessible,
  expectNoHorizontalScroll,
  phone,
  signIn,
  test,
  watchConsole,
} from './installation.ts'

async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(question)
  await page.keyboard.press('Enter')
}

/** The messages of the chat, without list items inside a reply. */
function getMessages(page: Page) {
  return page.locator('[role=log] > div > ol > li')
}

test('the form on the dashboard is as wide as the channels below it', async ({ page, installation }) => {
  const client = await installation.setUp()
  await createReadyChannel(client, { documents: ['handbook.pdf'] })
  await signIn(page, installation.url)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${installation.url}/dashboard`)
  const form = await page.getByRole('region', { name: 'Ask a question' }).boundingBox()
  const channels = page.getByRole('list').filter({ has: page.getByRole('link', { name: /Open channel/ }) })
  const grid = await channels.boundingBox()
  expect([form?.x, form?.width]).toEqual([grid?.x, grid?.width])
})

test.describe('without a model', () => {
  test('a member gets the closest passages, and a citation opens its page with the passage highlighted', async ({
    page,
    installation,
  }) => {
    const consoleErrors = watchConsole(page)
    const client = await installation.setUp()
    await createReadyChannel(client, { documents: ['handbook.pdf', 'travel-policy.docx'] })
    await signIn(page, installation.url)
    await page.getByRole('link', { name: /Staff handbook/ }).click()
    await expect(page.getByText('No messages yet. Start the conversation!')).toBeVisible()
    await expectAccessible(page)

    await ask(page, 'How many days of vacation does everybody have?')
    const reply = getMessages(page).last()
    await expect(reply).toContainText('28')
    await expect(reply).toContainText('closest passages')
    await expectAccessible(page)

    const citation = reply.getByRole('button', { name: /handbook\.pdf/ }).first()
    await citation.click()
    const source = page.getByRole('complementary', { name: 'handbook.pdf' })
    await expect(source.locator('canvas').first()).toBeVisible()
    await expect(source.locator('mark').first()).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(source).toBeHidden()
    await expect(citation).toBeFocused()

    await ask(page, 'What is the daily allowance for Japan?')
    const second = getMessages(page).last()
    await expect(second).toContainText('66')
    await second
      .getByRole('button', { name: /travel-policy/ })
      .first()
      .click()
    const policy = page.getByRole('complementary', { name: 'travel-policy.docx' })
    await expect(policy.getByRole('columnheader', { name: 'Daily allowance' })).toBeVisible()
    await expect(policy.getByRole('cell').locator('mark', { hasText: '66' })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.setViewportSize(phone)
    await expectNoHorizontalScroll(page)
    await expectAccessible(page)
    expect(consoleErrors).toEqual([])
  })

  test('a strict channel refuses questions that its documents do not answer, even after answered ones', async ({
    page,
    installation,
  }) => {
    const client = await installation.setUp()
    const channelId = await createReadyChannel(client, { strict: true, documents: ['handbook.pdf'] })
    await signIn(page, installation.url)
    await page.goto(`${installation.url}/channels/${channelId}`)
    const refused = 'I couldn’t find this in the approved documents of this channel.'
    await ask(page, 'Who painted the Mona Lisa?')
    await expect(getMessages(page).last()).toContainText(refused)
    for (const question of [
      'How many days of vacation does everybody have?',
      'How long is the notice period?',
    ]) {
      await ask(page, question)
      await expect(getMessages(page).last()).toContainText('closest passages')
    }
    await ask(page, 'And who painted the Mona Lisa?')
    await expect(getMessages(page).last()).toContainText(refused)
  })
})

test.describe('with a model', () => {
  test.use({ withModel: true })

  const question = 'When do the doors close?'
  const answer = 'The doors close at eight in the evening, and nobody is locked in, because there is a bell.'

  test.beforeEach(async ({ page, installation, model }) => {
    model.always({ text: answer })
    model.pause(4)
    const channelId = await createReadyChannel(await installation.setUp(), { documents: [] })
    await signIn(page, installation.url)
    await page.goto(`${installation.url}/channels/${channelId}`)
    await ask(page, question)
    await expect(getMessages(page).last()).toContainText('The doors')
  })

  test('a reply continues through a reload', async ({ page, model }) => {
    await page.reload()
    await expect(getMessages(page).last()).toContainText('The doors')
    model.resume()
    await expect(getMessages(page).last()).toContainText(answer)
    await expect(getMessages(page)).toHaveCount(2)
  })

  test('a reply continues when the user leaves the page, and shows in a second tab', async ({
    context,
    page,
    model,
  }) => {
    const other = await context.newPage()
    await other.goto(page.url())
    await expect(getMessages(other).last()).toContainText('The doors')
    await page.goto(`${new URL(page.url()).origin}/dashboard`)
    model.resume()
    await expect(getMessages(other).last()).toContainText(answer)
  })

  test('a reply interrupted by a crash says so and can be regenerated', async ({
    page,
    model,
    installation,
  }) => {
    await installation.crash()
    model.resume()
    await page.reload()
    await expect(getMessages(page).last()).toContainText('This reply was interrupted.')
    await expect(getMessages(page).first()).toContainText(question)
    await getMessages(page).last().getByRole('button', { name: 'Regenerate' }).click()
    await expect(getMessages(page).last()).toContainText(answer)
  })

  test('the Stop button ends a reply and keeps its text', async ({ page, model }) => {
    await page.getByRole('button', { name: 'Stop the reply' }).click()
    await expect(getMessages(page).last()).toContainText('You stopped this reply.')
    await expect(getMessages(page).last()).toContainText('The doors')
    model.resume()
  })
})
