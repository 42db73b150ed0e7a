import { chatsApi } from '@lyceum/contract/chats'
import { expect, type Request } from '@playwright/test'
import { createReadyChannel, signIn, test } from './installation.ts'

test('a script that requests the messages early, but loads late, does not hide a new reply', async ({
  page,
  installation,
}) => {
  const client = await installation.setUp()
  const channelId = await createReadyChannel(client, { documents: ['handbook.pdf'] })
  const { _id: chatId } = await client.call(chatsApi.create, { params: { channelId }, body: {} })
  await signIn(page, installation.url)

  const requests: Request[] = []
  function isThread(request: Request): boolean {
    return request.method() === 'GET' && new URL(request.url()).pathname.endsWith(`/chats/${chatId}`)
  }
  page.on('request', (request) => {
    if (isThread(request)) requests.push(request)
  })
  const applicationRequest = page.waitForRequest(isThread)
  await page.route('**/early-work.js', async (route) => {
    await applicationRequest
    await route.continue()
  })
  // Waits for the load event, and so until the script has run.
  await page.goto(`${installation.url}/channels/${channelId}?chat=${chatId}`)
  await page.getByLabel('Message', { exact: true }).fill('How many days of annual leave do employees get?')
  // Requested together with the messages once the reply has ended.
  const refresh = page.waitForResponse((response) => response.url().endsWith(`/chat/${channelId}/quota`))
  await page.keyboard.press('Enter')
  await refresh
  const log = page.getByRole('log')
  await expect(log.getByRole('button', { name: 'Copy reply' })).toBeVisible()
  await expect(log).toContainText('How many days of annual leave do employees get?')
  expect(requests).toHaveLength(2)
})
