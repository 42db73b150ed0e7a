import { type ChatMessage, chatsApi } from '@lyceum/contract/chats'
import { expect, type Page } from '@playwright/test'
import { createReadyChannel, expectAccessible, phone, signIn, test } from './installation.ts'

function getLog(page: Page) {
  return page.getByRole('log')
}

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(question)
  await page.keyboard.press('Enter')
}

async function waitForReplies(page: Page, count: number): Promise<void> {
  await expect(getLog(page).getByRole('button', { name: 'Copy reply' })).toHaveCount(count)
}

/** Pixels from the top of the view to the last question. */
function measureQuestion(page: Page): Promise<number> {
  return getLog(page).evaluate((view) => {
    const question = [...view.querySelectorAll('[data-question]')].at(-1)
    return (question?.getBoundingClientRect().top ?? 0) - view.getBoundingClientRect().top
  })
}

/** Pixels from the bottom of the view to the end of the messages. */
function measureBelow(page: Page): Promise<number> {
  return getLog(page).evaluate((view) => view.scrollHeight - view.scrollTop - view.clientHeight)
}

test.use({ withModel: true })

const rows = Array.from({ length: 80 }, (_, row) => `Row ${row} of the answer.\n\n`).join('')

const windows = [
  { name: 'a desktop', size: { width: 1280, height: 800 } },
  { name: 'a phone', size: phone },
]

for (const { name, size } of windows)
  test(`on ${name} a new question goes to the top, and the view follows an answer that is longer`, async ({
    page,
    installation,
    model,
  }) => {
    const client = await installation.setUp()
    const channelId = await createReadyChannel(client, { name: 'Staff handbook', documents: [] })
    await page.setViewportSize(size)
    await signIn(page, installation.url)
    await page.goto(`${installation.url}/channels/${channelId}`)
    model.script({ text: rows }, { text: ['The beginning. ', rows] }, { text: 'Short.' })
    await ask(page, 'One?')
    await waitForReplies(page, 1)

    model.pause(1)
    await ask(page, 'Two?')
    await expect(getLog(page).getByText('The beginning.')).toBeInViewport()
    await expect.poll(() => measureQuestion(page)).toBeLessThan(40)
    expect(await measureQuestion(page)).toBeGreaterThanOrEqual(0)
    model.resume()
    await waitForReplies(page, 2)
    await expect.poll(() => measureBelow(page)).toBeLessThanOrEqual(100)
    await expect(getLog(page).getByText('Row 79 of the answer.').last()).toBeInViewport()

    await ask(page, 'Three?')
    await waitForReplies(page, 3)
    await expect.poll(() => measureQuestion(page)).toBeLessThan(40)
    await expect(getLog(page).getByText('Short.')).toBeInViewport()
    await expectAccessible(page)
  })

for (const { name, size } of windows)
  test(`on ${name} a new question stays at the top while earlier messages are rendered above it`, async ({
    page,
    installation,
    model,
  }) => {
    const client = await installation.setUp()
    const channelId = await createReadyChannel(client, { name: 'Staff handbook', documents: [] })
    await page.setViewportSize(size)
    await signIn(page, installation.url)
    await page.goto(`${installation.url}/channels/${channelId}`)
    model.script({ text: rows }, { text: rows }, { text: rows }, { text: rows }, { text: 'Short.' })
    for (const turn of [1, 2, 3, 4]) {
      await ask(page, `Question ${turn}?`)
      await waitForReplies(page, turn)
    }
    await page.reload()
    await expect(getLog(page).getByText('Row 79 of the answer.').last()).toBeInViewport()

    model.pause(0)
    await ask(page, 'The last question?')
    await expect(getLog(page).locator('[data-id]')).toHaveCount(10)
    await expect.poll(() => measureQuestion(page)).toBeLessThan(40)
    expect(await measureQuestion(page)).toBeGreaterThanOrEqual(0)
    model.resume()
    await waitForReplies(page, 5)
    await expect.poll(() => measureQuestion(page)).toBeLessThan(40)
  })

test('the wheel scrolls over “Jump to latest”, and the button shows the last question again', async ({
  page,
  installation,
  model,
}) => {
  const client = await installation.setUp()
  const channelId = await createReadyChannel(client, { name: 'Staff handbook', documents: [] })
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/channels/${channelId}`)
  model.script({ text: rows }, { text: 'Short.' })
  await ask(page, 'One?')
  await waitForReplies(page, 1)
  await ask(page, 'Two?')
  await waitForReplies(page, 2)

  await getLog(page).hover()
  await page.mouse.wheel(0, -600)
  const latest = page.getByRole('button', { name: 'Jump to latest' })
  await latest.hover()
  const before = await measureBelow(page)
  await page.mouse.wheel(0, -300)
  await expect.poll(() => measureBelow(page)).toBeGreaterThan(before + 200)
  await latest.click()
  await expect(latest).toHaveCount(0)
  await expect.poll(() => measureQuestion(page)).toBeLessThan(40)
})

/** Presses Page Up and returns by how many pixels the first visible message has moved, once everything rests. */
async function pressPageUp(page: Page): Promise<number> {
  const row = await getLog(page).evaluateHandle((view) =>
    [...view.querySelectorAll('[data-id]')].find(
      (element) => element.getBoundingClientRect().bottom > view.getBoundingClientRect().top,
    ),
  )
  /** A top that differs from `other`, after it has not changed for 12 frames. */
  function waitForRest(other: number | null): Promise<number> {
    return row.evaluate(
      (element, moved) =>
        new Promise<number>((resolve) => {
          let last: number | undefined
          let stillFrames = 0
          function track(): void {
            const top = element?.getBoundingClientRect().top ?? Number.NaN
            stillFrames = top === last ? stillFrames + 1 : 0
            last = top
            if (stillFrames === 12 && top !== moved) resolve(top)
            else requestAnimationFrame(track)
          }
          track()
        }),
      other,
    )
  }
  const start = await waitForRest(null)
  await page.keyboard.press('PageUp')
  return Math.round((await waitForRest(start)) - start)
}

test('Page Up moves by a page while earlier messages are rendered above', async ({ page, installation }) => {
  const client = await installation.setUp()
  const channelId = await createReadyChannel(client, { documents: [] })
  const chat = await client.call(chatsApi.create, { params: { channelId }, body: {} })
  const messages: ChatMessage[] = Array.from({ length: 200 }, (_, index) => ({
    _id: `m${index + 1}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `Message ${index + 1}. ${'More words to read. '.repeat(index % 40)}`,
    timestamp: chat.createdAt,
    ...(index % 2 === 0 ? { status: 'read' } : { state: 'complete' }),
  }))
  const json = { chatId: chat._id, title: null, messages, before: null, total: messages.length }
  await page.route(`**/api/chat/${channelId}/chats/${chat._id}?*`, (route) => route.fulfill({ json }))
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/channels/${channelId}?chat=${chat._id}`)
  const rows = getLog(page).locator('[data-id]')
  await expect(page.getByText('Message 200.')).toBeInViewport()
  await getLog(page).focus()
  // Away from the end, which the view would follow.
  await getLog(page).evaluate((view) => view.scrollBy(0, -300))
  const renderedCount = await rows.count()
  const moves: number[] = []
  for (let press = 0; press < 14; press += 1) moves.push(await pressPageUp(page))
  const pagePx = await getLog(page).evaluate((view) => Math.floor(view.clientHeight * 0.8))
  expect(moves).toEqual(moves.map(() => moves[0]))
  expect(moves[0]).toBeGreaterThan(pagePx)
  expect(await rows.count()).toBeGreaterThan(renderedCount)
})
