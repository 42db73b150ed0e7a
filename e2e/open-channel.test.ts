import { channelsApi } from '@lyceum/contract/channels'
import { type Document, documentsApi } from '@lyceum/contract/documents'
import { expect } from '@playwright/test'
import { createReadyChannel, expectAccessible, phone, signIn, test } from './installation.ts'

test('an open channel shows that a source was deleted, and that it was archived and restored', async ({
  page,
  installation,
}) => {
  const client = await installation.setUp()
  const channelId = await createReadyChannel(client, { documents: ['handbook.pdf'] })
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/channels/${channelId}`)
  const field = page.getByLabel('Message', { exact: true })
  await field.fill('How many days of annual leave do employees get?')
  await page.keyboard.press('Enter')
  const source = page
    .getByRole('log')
    .getByRole('button', { name: /^Source 1: handbook/ })
    .first()
  await expect(source).toBeVisible()
  await expect(source).not.toHaveAccessibleName(/deleted$/)
  const [document] = (await client.call(documentsApi.list, { query: { channelId } })) as Document[]
  await client.call(documentsApi.remove, { params: { id: document?._id ?? '' } })
  await expect(source).toHaveAccessibleName(/deleted$/)

  await page.setViewportSize(phone)
  await field.fill('And how many sick days?')
  await client.call(channelsApi.archive, { params: { id: channelId }, body: { isArchived: true } })
  await expect(page.getByRole('alert').getByText(/^An administrator archived this channel/)).toBeVisible()
  await expect(page.getByLabel('Your text', { exact: true })).toHaveValue('And how many sick days?')
  await expectAccessible(page)
  await client.call(channelsApi.archive, { params: { id: channelId }, body: { isArchived: false } })
  await expect(field).toHaveValue('And how many sick days?')
})
