import { expect, type Page } from '@playwright/test'
import { createReadyChannel, signIn, test } from './installation.ts'

const answer = [
  '# Opening hours\n\nThe doors **close** at ',
  'eight, see `hours.txt` and\n\n- Monday\n',
  '- Tuesday\n\n',
  'The end of the *answer*.',
]

function getMessages(page: Page) {
  return page.locator('[role=log] > div > ol > li')
}

function getField(page: Page) {
  return page.getByLabel('Message', { exact: true })
}

/** Translates as browsers do: every text becomes an element of its own, also when it is added later. */
function translatePage(): void {
  function translate(root: Node): void {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const nodes: Node[] = []
    while (walker.nextNode()) nodes.push(walker.currentNode)
    for (const node of nodes) {
      const parent = node.parentElement
      const text = node.nodeValue ?? ''
      if (parent === null || text.trim() === '' || parent.closest('font, [translate=no], script, style'))
        continue
      const font = document.createElement('font')
      font.textContent = `«${text}»`
      parent.replaceChild(font, node)
    }
  }
  document.documentElement.classList.add('translated-ltr')
  translate(document.body)
  new MutationObserver((records) => {
    for (const { target, addedNodes } of records)
      for (const node of addedNodes) translate(node.nodeType === Node.TEXT_NODE ? target : node)
  }).observe(document.body, { childList: true, subtree: true })
}

test.use({ withModel: true })

test.beforeEach(async ({ page, installation, model }) => {
  model.always({ text: answer })
  const channelId = await createReadyChannel(await installation.setUp(), { documents: [] })
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/channels/${channelId}`)
  await expect(getField(page)).toBeEnabled()
})

async function ask(page: Page, question: string): Promise<void> {
  await getField(page).fill(question)
  await page.keyboard.press('Enter')
}

test.afterEach(async ({ page }) => {
  await expect(page.getByText('Unexpected Application Error!')).toHaveCount(0)
  await expect(page.getByText('could not be shown')).toHaveCount(0)
})

test('chatting works while an extension translates the page', async ({ page, context, model }) => {
  await page.evaluate(translatePage)
  for (const question of ['When?', 'And when again?']) {
    model.pause(2)
    await ask(page, question)
    const reply = getMessages(page).last()
    await expect(reply).toContainText('Monday')
    await getField(page).fill('A draft')
    await context.setOffline(true)
    await expect(page.getByText('No connection')).toBeVisible()
    await expect(page.getByText('You’re offline')).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByText('You’re offline')).toHaveCount(0)
    model.resume()
    await expect(reply.getByRole('button', { name: 'Copy reply' })).toBeVisible()
    // Complete, translated except for code, and shown once.
    await expect(reply).toContainText('«The doors »«close»« at eight, see »hours.txt« and»')
    await expect(reply).toContainText('«The end of the »«answer»«.»')
    await expect(reply.getByText('Tuesday')).toHaveCount(1)
    await expect(getField(page)).toHaveValue('A draft')
  }
  await page.getByRole('button', { name: 'New chat' }).first().click()
  await expect(page.getByText('No messages yet')).toBeVisible()
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByRole('heading', { name: 'Your Channels' })).toBeVisible()
})

test('a message recovers when an extension has removed its nodes, and the draft is kept', async ({
  page,
  model,
}) => {
  model.pause(0)
  await ask(page, 'When?')
  const reply = getMessages(page).last()
  await expect(reply).toContainText('Writing the answer…')
  await getField(page).fill('A draft')
  await page.evaluate(() => {
    document.querySelector('[role=log] li:last-child p')?.remove()
    document.querySelector('button[aria-label="Stop the reply"]')?.remove()
    document.getElementById('message-field')?.before(document.createElement('password-manager'))
  })
  model.resume()
  await expect(reply).toContainText('The end of the answer.')
  await expect(reply.getByRole('button', { name: 'Copy reply' })).toBeVisible()
  await expect(getField(page)).toHaveValue('A draft')
  model.always({ text: 'Another answer.' })
  await getField(page).press('Enter')
  await expect(getMessages(page).last()).toContainText('Another answer.')
  await expect(getMessages(page)).toHaveCount(4)
})
