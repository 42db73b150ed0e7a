import { expect } from '@playwright/test'
import { readMessages } from '../server/src/testing/model-stand-in/conversation.ts'
import { createPicture } from '../server/src/testing/pictures.ts'
import {
  createReadyChannel,
  expectAccessible,
  expectNoHorizontalScroll,
  phone,
  signIn,
  test,
  watchConsole,
} from './installation.ts'

test.use({ withModel: true })

test('pictures are pasted, shown, and sent to the model', async ({ page, installation, model }) => {
  const consoleErrors = watchConsole(page)
  const client = await installation.setUp()
  const channelId = await createReadyChannel(client, { documents: [] })
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/channels/${channelId}`)
  const field = page.getByLabel('Message', { exact: true })
  await expect(page.getByRole('button', { name: 'Attach files' })).toBeEnabled()
  const bytes = [...(await createPicture('#33aa66'))]
  await field.evaluate((element, content) => {
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File([new Uint8Array(content)], 'sign.png', { type: 'image/png' }))
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, bytes)
  const draft = page.getByRole('list', { name: 'Files for this message' })
  await expect(draft.getByRole('img', { name: 'sign.png' })).toBeVisible()
  await expectAccessible(page)

  await field.fill('What does this sign say?')
  await field.press('Enter')
  const sent = page.getByRole('log').getByRole('list', { name: 'Attached files' })
  await expect(sent.getByRole('img', { name: 'sign.png' })).toBeVisible()
  await expect(draft).toBeHidden()
  await expect.poll(() => model.requests.length).toBeGreaterThan(0)
  const pictures = readMessages(model.requests.at(-1)?.body ?? {}).flatMap((turn) => turn.pictures ?? [])
  expect(pictures).toEqual([expect.stringMatching(/^data:image\/png;base64,iVBORw0KGgo/)])

  await page.setViewportSize(phone)
  await sent.getByRole('button', { name: 'Open sign.png' }).press('Enter')
  await expect(page.getByRole('dialog', { name: 'sign.png' }).getByRole('img')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expectNoHorizontalScroll(page)
  expect(consoleErrors).toEqual([])
})
