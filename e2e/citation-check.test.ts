import { expect } from '@playwright/test'
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

/** The words are in the document, but 8.90 euros are the price for guests. */
const price = 'A main dish costs 8.90 euros for staff'

test('an administrator lets the model confirm citations, and reads what that took', async ({
  page,
  installation,
  model,
}) => {
  const consoleErrors = watchConsole(page)
  const client = await installation.setUp()
  const channelId = await createReadyChannel(client, { documents: ['menu.txt'] })
  await page.setViewportSize(phone)
  await signIn(page, installation.url)

  await page.goto(`${installation.url}/admin/channels?edit=${channelId}`)
  const form = page.getByRole('dialog', { name: 'Edit Channel' })
  const choice = form.getByRole('checkbox', { name: /^Check citations with the model/ })
  await expect(form.getByText(/one or a few more calls.*not used in the last 30 days/)).toBeVisible()
  await choice.focus()
  await page.keyboard.press('Space')
  await expect(choice).toBeChecked()
  await expectNoHorizontalScroll(page)
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Channel updated successfully')).toBeVisible()

  model.always({ on: 'checks', rejects: '' })
  model.script({ text: `${price} [1].` })
  await page.goto(`${installation.url}/channels/${channelId}`)
  await page.getByLabel('Message', { exact: true }).fill('What does a main dish cost for staff?')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/1 citation was removed because its passage does not support/)).toBeVisible()
  await expect(page.getByRole('log', { name: 'Messages' }).getByText(`${price}.`)).toBeVisible()

  model.always({ on: 'checks', fault: { kind: 'status', status: 400 } })
  model.script({ text: `${price} [1].` })
  await page.getByLabel('Message', { exact: true }).fill('And what does a main dish cost for staff today?')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/The model did not check 1 citation/)).toBeVisible()

  await page.goto(`${installation.url}/admin/channels?edit=${channelId}`)
  await expect(
    form.getByText(/^In the last 30 days: 2 calls with \d+ tokens\. The model rejected 1 of 1 citation/),
  ).toBeVisible()
  await expect(form.getByText(/no answer about 1 more/)).toBeVisible()
  await expectNoHorizontalScroll(page)
  expect(consoleErrors).toEqual([])
})
