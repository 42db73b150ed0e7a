import { writeFile } from 'node:fs/promises'
import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { type Document, documentsApi } from '@lyceum/contract/documents'
import { invitationsApi } from '@lyceum/contract/invitations'
import { expect, type Page } from '@playwright/test'
import { createHttpClient, type HttpClient } from '../server/src/testing/http-client.ts'
import {
  createReadyChannel,
  expectAccessible,
  expectNoHorizontalScroll,
  getDocumentPath,
  type Installation,
  phone,
  signIn,
  test,
  watchConsole,
} from './installation.ts'

const member = { email: 'mina@example.org', fullName: 'Mina Member', password: 'a member of 12 clubs' }

/** Invites and registers a member of the given channels through the API. */
async function addMember(installation: Installation, client: HttpClient, channels: readonly string[]) {
  const { link = '' } = await client.call(invitationsApi.create, {
    body: {
      email: member.email,
      fullName: member.fullName,
      allowedChannels: [...channels],
      twoFactorExpiryDays: 30,
      twoFactorExpiryEnabled: false,
    },
  })
  const token = new URL(link).searchParams.get('token') ?? ''
  await createHttpClient(installation.url, '').call(authApi.register, { body: { ...member, token } })
}

async function uploadText(
  client: HttpClient,
  channelId: string,
  name: string,
  content: string,
): Promise<string> {
  const response = await client.upload(documentsApi.upload, { channelId, title: name }, { name, content })
  const { _id } = (await response.json()) as Document
  return _id
}

function findRow(page: Page, name: string) {
  return page.getByRole('listitem').filter({ hasText: name }).first()
}

test('documents are approved in bulk, and decisions that another user made first are reported', async ({
  page,
  installation,
}) => {
  const consoleErrors = watchConsole(page)
  const client = await installation.setUp()
  const channelId = await createReadyChannel(client, { documents: [] })
  const ids: string[] = []
  for (const [name, text] of [
    ['keys.txt', 'Keys are handed out at the desk.'],
    ['doors.txt', 'Doors close at eight in the evening.'],
    ['bikes.txt', 'Bicycles stand in the yard.'],
  ] as const)
    ids.push(await uploadText(client, channelId, name, text))
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/admin/documents`)
  await expect(findRow(page, 'keys.txt')).toBeVisible()
  await page.getByLabel('Select all on this page').check()
  await expectAccessible(page)
  await client.call(documentsApi.reject, { params: { id: ids[2] ?? '' } })
  const bar = page.getByRole('region', { name: 'Selection' })
  await bar.getByRole('button', { name: 'Approve' }).click()
  const refused = page.getByRole('dialog', { name: 'The action failed for some documents' })
  await expect(refused.getByRole('list', { name: 'Failed' })).toContainText('bikes.txt')
  await expect(refused).toContainText('Olu Owner')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Approved Documents' }).click()
  for (const name of ['keys.txt', 'doors.txt']) await expect(findRow(page, name)).toContainText('Indexed')
  await page.setViewportSize(phone)
  await expectNoHorizontalScroll(page)
  expect(consoleErrors.filter((text) => !text.includes('409'))).toEqual([])
})

test('a new version replaces a document once it is approved, and the earlier one answers until then', async ({
  page,
  installation,
}, info) => {
  const client = await installation.setUp()
  const channelId = await createReadyChannel(client, { documents: [] })
  const id = await uploadText(
    client,
    channelId,
    'hours.txt',
    'The library opens at nine o’clock in the morning.',
  )
  await client.call(documentsApi.approve, { params: { id } })
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/admin/documents`)
  await page.getByRole('tab', { name: 'Approved Documents' }).click()
  await expect(findRow(page, 'hours.txt')).toContainText('Indexed')
  await findRow(page, 'hours.txt').getByRole('button', { name: 'More actions for hours.txt' }).click()
  await page.getByRole('menuitem', { name: 'Replace' }).click()
  const replace = page.getByRole('dialog', { name: 'Replace with a new version' })
  const newer = info.outputPath('hours-2027.txt')
  await writeFile(newer, 'The library opens at eleven o’clock in the morning.')
  await replace.locator('input[type=file]').setInputFiles(newer)
  const confirm = replace.getByRole('button', { name: /^(Replace|Upload)/ })
  if (await confirm.count()) await confirm.first().click()
  await expect(replace).toBeHidden()
  await page.getByRole('tab', { name: 'Pending Approval' }).click()
  const waiting = findRow(page, 'hours-2027.txt')
  await expect(waiting).toContainText(/version 1/i)

  async function ask(question: string): Promise<void> {
    await page.goto(`${installation.url}/channels/${channelId}`)
    await page.getByLabel('Message', { exact: true }).fill(question)
    await page.keyboard.press('Enter')
  }
  const last = page.locator('[role=log] > div > ol > li').last()
  await ask('When does the library open?')
  await expect(last).toContainText('nine')

  await page.goto(`${installation.url}/admin/documents`)
  await waiting.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('tab', { name: 'Approved Documents' }).click()
  await expect(waiting).toContainText('Indexed')
  await ask('When does the library open?')
  await expect(last).toContainText('eleven')
})

test('a channel’s members are managed from its card, and members propose documents', async ({
  page,
  browser,
  installation,
}) => {
  const consoleErrors = watchConsole(page)
  const client = await installation.setUp()
  await createReadyChannel(client, { documents: [] })
  await addMember(installation, client, [])
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/admin/channels`)
  const card = page.getByRole('article').filter({ hasText: 'Staff handbook' })
  await card.getByRole('button', { name: /Members/ }).click()
  const members = page.getByRole('dialog', { name: 'Members' })
  await members.getByRole('tab', { name: /Add/ }).click()
  await members.getByLabel('Search by name or email').fill('mina')
  await members.getByRole('button', { name: /Add/ }).last().click()
  await expect(page.getByText('Channel permissions updated successfully')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  await card.getByRole('button', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Channel' })
  await edit.getByLabel('Members may propose documents').check()
  await edit.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Channel updated successfully')).toBeVisible()

  const memberContext = await browser.newContext()
  const other = await memberContext.newPage()
  await other.goto(`${installation.url}/login`)
  await other.getByLabel('Email').fill(member.email)
  await other.getByLabel('Password', { exact: true }).fill(member.password)
  await other.keyboard.press('Enter')
  await other.waitForURL('**/dashboard')
  await other.getByRole('link', { name: /Staff handbook/ }).click()
  const chat = other.getByRole('region', { name: 'Chat' })
  await chat.getByRole('button', { name: 'Propose a document' }).click()
  const propose = other.getByRole('dialog', { name: 'Propose a document' })
  await propose.locator('input[type=file]').setInputFiles(getDocumentPath('menu.txt'))
  const own = propose.getByRole('list', { name: 'Your proposals' })
  await expect(own).toContainText('menu.txt')
  await expect(own).toContainText(/pending/i)
  await expectAccessible(other)
  await other.setViewportSize(phone)
  await expectNoHorizontalScroll(other)

  await page.goto(`${installation.url}/admin/documents`)
  await expect(findRow(page, 'menu.txt')).toContainText(/Mina Member/)
  const reject = page.getByRole('dialog', { name: 'Reject this document?' })
  const reason = 'This is the menu of last week.'
  await findRow(page, 'menu.txt').getByRole('button', { name: 'Reject' }).click()
  await reject.getByLabel('Reason (optional)').fill('A slip of the mouse')
  await expectAccessible(page)
  await reject.getByRole('button', { name: 'Reject document' }).click()
  await expect(findRow(page, 'menu.txt')).toContainText('A slip of the mouse')
  await expectAccessible(page)
  await findRow(page, 'menu.txt').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Rejection undone')).toBeVisible()
  await expect(findRow(page, 'menu.txt')).toContainText('Pending')
  // By keyboard, the focus is then on the button that would undo it.
  await findRow(page, 'menu.txt').getByRole('button', { name: 'Reject' }).press('Enter')
  await reject.getByLabel('Reason (optional)').pressSequentially(reason)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused()
  await expectAccessible(page)
  await other.reload()
  await other.getByRole('button', { name: 'More actions', exact: true }).click()
  await other.getByRole('menuitem', { name: 'Propose a document' }).click()
  await expect(own).toContainText(/rejected/i)
  await expect(own).toContainText(`Reason: ${reason}`)
  await expectAccessible(other)

  await propose.locator('input[type=file]').setInputFiles(getDocumentPath('travel-policy.docx'))
  await expect(own).toContainText('travel-policy.docx')
  await page.goto(`${installation.url}/admin/documents`)
  await findRow(page, 'travel-policy.docx').getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('Document approved successfully')).toBeVisible()
  await expect(own).toContainText(/approved/i)
  await memberContext.close()

  await page.goto(`${installation.url}/admin/channels`)
  await page.getByRole('button', { name: 'Maintenance' }).click()
  await expect(page.getByRole('dialog', { name: 'Maintenance' })).toContainText('Staff handbook')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Cleanup Orphaned' }).click()
  await expect(page.getByText('Orphaned documents cleanup completed successfully').first()).toBeVisible()
  expect(consoleErrors).toEqual([])
})

test('a test bench reports whether the documents answer the test questions', async ({
  page,
  installation,
}) => {
  const consoleErrors = watchConsole(page)
  const client = await installation.setUp()
  await createReadyChannel(client, { documents: ['handbook.pdf'] })
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/admin/channels`)
  await page
    .getByRole('article')
    .filter({ hasText: 'Staff handbook' })
    .getByRole('button', { name: 'More actions for Staff handbook' })
    .click()
  await page.getByRole('menuitem', { name: 'Test bench' }).click()
  const bench = page.getByRole('dialog', { name: 'Test Bench' })
  await bench.getByRole('tab', { name: /^Questions/ }).click()
  await bench.getByRole('button', { name: /Add/ }).first().click()
  const form = page.getByRole('dialog').last()
  await form.getByLabel('Question', { exact: true }).fill('How many days of vacation does everybody have?')
  await form.getByRole('checkbox', { name: /handbook\.pdf/ }).check()
  await form.getByRole('button', { name: /^(Add|Save)/ }).click()
  await bench.getByRole('button', { name: /^Run/ }).click()
  await expect(bench.getByRole('region', { name: 'Score' })).toContainText('1 of 1')
  await expectAccessible(page)
  await page.setViewportSize(phone)
  await expectNoHorizontalScroll(page)
  expect(consoleErrors).toEqual([])
})

test.describe('with a model', () => {
  test.use({ withModel: true })

  test('a ready-made assistant is created in the settings and answers in its channel', async ({
    page,
    installation,
    model,
  }) => {
    model.always({ text: 'Welcome aboard. The canteen is on the ground floor.' })
    const client = await installation.setUp()
    await signIn(page, installation.url)
    await page.goto(`${installation.url}/admin/settings?section=assistants`)
    await page.getByRole('button', { name: /New assistant/i }).click()
    const preset = page.getByRole('dialog')
    await preset.getByLabel('Name').fill('Welcome guide')
    await preset.getByLabel('Instructions').fill('Greet newcomers and show them around.')
    await preset.getByLabel('Language model').selectOption('gpt-4o')
    await preset.getByLabel('Message').fill('Hello')
    await preset.getByRole('button', { name: 'Ask', exact: true }).click()
    await expect(preset).toContainText('Welcome aboard')
    await expectAccessible(page)
    await preset.getByRole('button', { name: /^(Create|Save)/ }).click()
    await expect(page.getByRole('list', { name: 'Ready-made assistants' })).toContainText('Welcome guide')

    await page.goto(`${installation.url}/admin/channels`)
    await page.getByRole('button', { name: 'New Channel' }).click()
    const dialog = page.getByRole('dialog', { name: 'New Channel' })
    await dialog.getByLabel('Name').fill('First days')
    await dialog.getByLabel('Description').fill('For everybody who is new')
    await dialog.getByRole('radio', { name: /Ready-made/ }).check()
    await dialog.getByLabel('Assistant', { exact: true }).selectOption({ value: 'welcome-guide' })
    await dialog.getByRole('button', { name: 'Create Channel' }).click()
    await expect(page.getByText('Channel created successfully')).toBeVisible()

    const listed = await client.call(channelsApi.list, {})
    const channels = Array.isArray(listed) ? listed : listed.items
    await page.goto(`${installation.url}/channels/${channels[0]?._id}`)
    await page.getByLabel('Message', { exact: true }).fill('Where is the canteen?')
    await page.keyboard.press('Enter')
    await expect(page.locator('[role=log] > div > ol > li').last()).toContainText('ground floor')
  })
})
