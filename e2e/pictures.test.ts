import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { invitationsApi } from '@lyceum/contract/invitations'
import { expect, type Page } from '@playwright/test'
import { createHttpClient, type HttpClient } from '../server/src/testing/http-client.ts'
import { createPicture } from '../server/src/testing/pictures.ts'
import {
  createReadyChannel,
  expectAccessible,
  expectNoHorizontalScroll,
  type Installation,
  phone,
  signIn,
  test,
  watchConsole,
} from './installation.ts'

const desktop = { width: 1280, height: 800 }
const channelAdmin = { email: 'kit@example.org', fullName: 'Kit Keeper', password: 'a keeper of 12 keys' }

/** Creates an ordinary user who administers one channel, through the API. */
async function addChannelAdmin({ url }: Installation, client: HttpClient, channelId: string) {
  const { email, fullName } = channelAdmin
  const secondFactor = { twoFactorExpiryDays: 30, twoFactorExpiryEnabled: false }
  const { link = '' } = await client.call(invitationsApi.create, {
    body: { email, fullName, allowedChannels: [channelId], ...secondFactor },
  })
  const token = new URL(link).searchParams.get('token') ?? ''
  const guest = createHttpClient(url, '')
  await guest.call(authApi.register, { body: { ...channelAdmin, token } })
  const { user } = await guest.call(authApi.login, { body: channelAdmin })
  const params = { id: channelId, userId: user?._id ?? '' }
  await client.call(channelsApi.setChannelAdmin, { params, body: { isAdmin: true } })
}

async function signInAsChannelAdmin(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login`)
  await page.getByLabel('Email').fill(channelAdmin.email)
  await page.getByLabel('Password', { exact: true }).fill(channelAdmin.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/dashboard')
}

/** Counts the elements with an uploaded picture as background. */
function countPictures(page: Page): Promise<number> {
  return page.locator('[style*="blob:"]').count()
}

async function pictureFile(name: string, color: string) {
  return {
    name,
    mimeType: 'image/png',
    buffer: await createPicture(color),
  }
}

test('a channel administrator sets a wallpaper, sees it behind the chat, and removes it', async ({
  page,
  installation,
}) => {
  const consoleErrors = watchConsole(page)
  const client = await installation.setUp()
  const channelId = await createReadyChannel(client, { documents: [] })
  await addChannelAdmin(installation, client, channelId)
  await page.setViewportSize(desktop)
  await signInAsChannelAdmin(page, installation.url)
  await page.getByRole('link', { name: /Staff handbook/ }).click()
  await expect(page.getByText('No messages yet. Start the conversation!')).toBeVisible()

  /** On a phone, the action is in the menu of the bar. */
  async function openDialog() {
    if (page.viewportSize()?.width !== phone.width)
      return page.getByRole('button', { name: 'Upload wallpaper' }).click()
    await page.getByRole('button', { name: 'More actions', exact: true }).click()
    return page.getByRole('menuitem', { name: 'Upload wallpaper' }).click()
  }
  const dialog = page.getByRole('dialog', { name: 'Upload wallpaper' })
  async function upload(name: string, color: string): Promise<void> {
    await openDialog()
    await dialog.locator('input[type=file]').setInputFiles(await pictureFile(name, color))
    await expect(dialog.getByRole('img', { name: 'Selected file' })).toBeVisible()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
    await expect(page.getByText(`Document uploaded: ${name}`)).toBeVisible()
    await expect(dialog).toBeHidden()
    await expect(page.getByText(`Uploaded document: ${name}`)).toBeVisible()
    await expect.poll(() => countPictures(page)).toBe(1)
    await expectAccessible(page)
  }
  await upload('blue.png', '#1133aa')
  await page.setViewportSize(phone)
  await upload('red.png', '#aa1133')
  await expectNoHorizontalScroll(page)

  await page.reload()
  await expect.poll(() => countPictures(page)).toBe(1)
  await expect(page.getByText('Uploaded document: red.png')).toHaveCount(0)
  await page.goto(`${installation.url}/embedded-chat.html`)
  await expect.poll(() => countPictures(page)).toBe(1)
  await expectAccessible(page)
  await page.goBack()
  await expect.poll(() => countPictures(page)).toBe(1)
  await openDialog()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Remove wallpaper' }).click()
  const confirmation = page.getByRole('alertdialog', { name: 'Remove the wallpaper?' })
  await confirmation.getByRole('button', { name: 'Remove wallpaper' }).click()
  await expect(page.getByText('Wallpaper removed')).toBeVisible()
  await expect.poll(() => countPictures(page)).toBe(0)
  expect(consoleErrors).toEqual([])
})

test('pressing Upload twice keeps the chosen file', async ({ page, installation }) => {
  const client = await installation.setUp()
  const channelId = await createReadyChannel(client, { documents: [] })
  await signIn(page, installation.url)
  await page.setViewportSize(desktop)
  await page.goto(`${installation.url}/channels/${channelId}`)
  await page.getByRole('button', { name: 'Upload wallpaper' }).click()
  const dialog = page.getByRole('dialog', { name: 'Upload wallpaper' })
  const send = dialog.getByRole('button', { name: 'Upload', exact: true })
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'sea.png', mimeType: 'image/png', buffer: Buffer.from('no picture at all') })
  await send.click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await send.dblclick()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await expect(dialog.getByText('sea.png')).toBeVisible()
})

test('an administrator sets and removes the dashboard background', async ({ page, installation }) => {
  const consoleErrors = watchConsole(page)
  await installation.setUp()
  await signIn(page, installation.url)
  expect(await countPictures(page)).toBe(0)
  await page.goto(`${installation.url}/admin/settings`)
  const section = page.getByRole('region', { name: 'Dashboard background' })
  await expect(section.getByText('The dashboard has no background image.')).toBeVisible()
  await section.locator('input[type=file]').setInputFiles({
    name: 'drawing.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  })
  await expect(section.getByText('Only JPEG, PNG, GIF, or WebP images are allowed.')).toBeVisible()
  await section.locator('input[type=file]').setInputFiles(await pictureFile('green.png', '#117733'))
  await expect(section.getByText('green.png')).toBeVisible()
  await expectAccessible(page)
  await section.getByRole('button', { name: 'Upload background' }).click()
  await expect(page.getByText('Background image uploaded')).toBeVisible()
  await expect(section.getByRole('img', { name: 'Current dashboard background' })).toBeVisible()
  await expectAccessible(page)

  await page.goto(`${installation.url}/dashboard`)
  await expect.poll(() => countPictures(page)).toBe(1)
  await expectAccessible(page)
  await page.goto(`${installation.url}/admin/settings`)
  await section.getByRole('button', { name: 'Remove background' }).click()
  const confirmation = page.getByRole('alertdialog', { name: 'Remove the background image?' })
  await confirmation.getByRole('button', { name: 'Remove background' }).click()
  await expect(page.getByText('Background image removed')).toBeVisible()
  await expect(section.getByText('The dashboard has no background image.')).toBeVisible()
  await page.goto(`${installation.url}/dashboard`)
  await page.setViewportSize(phone)
  await expectNoHorizontalScroll(page)
  expect(await countPictures(page)).toBe(0)
  expect(consoleErrors).toEqual([])
})
