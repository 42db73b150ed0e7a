import { invitationsApi } from '@lyceum/contract/invitations'
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

test('a system administrator connects a model and a mail server, and both work at once', async ({
  page,
  installation,
  model,
  mail,
}) => {
  const consoleErrors = watchConsole(page)
  const client = await installation.setUp()
  const channelId = await createReadyChannel(client, { documents: ['menu.txt'] })
  await signIn(page, installation.url)
  await page.getByRole('link', { name: /Connect a model/ }).click()

  const modelCard = page.getByRole('region', { name: 'Model', exact: true })
  await expect(modelCard.getByRole('heading', { name: 'Model' })).toBeFocused()
  await modelCard.getByLabel('Address').fill(model.url)
  await modelCard.getByLabel('API key', { exact: true }).fill('a-key')
  await modelCard.getByLabel('Model', { exact: true }).fill('local')
  await modelCard.getByRole('button', { name: 'Test model' }).click()
  await expect(modelCard.getByText(/^local answered in/)).toBeVisible()
  await modelCard.getByRole('button', { name: 'Save model' }).click()
  await expect(modelCard.getByText('Working')).toBeVisible()

  const mailCard = page.getByRole('region', { name: 'Mail', exact: true })
  const { hostname, port } = new URL(mail.url)
  await mailCard.getByLabel('Host').fill(hostname)
  await mailCard.getByLabel('Port').fill(port)
  await mailCard.getByRole('button', { name: 'Send test email' }).click()
  await expect(mailCard.getByText(/may expect another encryption/)).toBeVisible()
  await mailCard.getByLabel('Encryption').selectOption('optional')
  await mailCard.getByRole('button', { name: 'Send test email' }).click()
  await expect(mailCard.getByText(/accepted an email to/)).toBeVisible()
  await mailCard.getByRole('button', { name: 'Save mail server' }).click()
  await expect(mailCard.getByText('Working')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize(phone)
  await expectNoHorizontalScroll(page)

  await client.call(invitationsApi.create, {
    body: {
      email: 'guest@example.org',
      fullName: 'A Guest',
      allowedChannels: [channelId],
      twoFactorExpiryEnabled: false,
      twoFactorExpiryDays: 30,
    },
  })
  await expect.poll(() => mail.received.map(({ to }) => to)).toContain('guest@example.org')

  await page.goto(`${installation.url}/channels/${channelId}`)
  await page.getByLabel('Message', { exact: true }).fill('What is on the menu?')
  await page.keyboard.press('Enter')
  await expect.poll(() => model.requests.at(-1)?.body).toMatchObject({ model: 'local', stream: true })
  await expect(
    page.locator('[role=log] > div > ol > li').last().getByRole('button', { name: 'Copy reply' }),
  ).toBeVisible()
  expect(consoleErrors).toEqual([])
})
