import { channelsApi } from '@lyceum/contract/channels'
import { groupsApi } from '@lyceum/contract/groups'
import { expect } from '@playwright/test'
import {
  expectAccessible,
  expectNoHorizontalScroll,
  owner,
  phone,
  signIn,
  test,
  watchConsole,
} from './installation.ts'

test('an administrator gives a group a channel on a phone, and sees where access comes from', async ({
  page,
  installation,
}) => {
  const consoleErrors = watchConsole(page)
  const client = await installation.setUp()
  await client.call(channelsApi.create, {
    body: { name: 'Handbook', description: 'Rules', llmModel: 'gpt-4o' },
  })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize(phone)
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/admin/groups`)
  await expect(page.getByText('There are no groups yet.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'New group' }).first().focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Name').fill('A team with a rather long name that does not fit on the screen')
  await expectAccessible(page)
  await page.keyboard.press('Enter')

  await page.getByRole('button', { name: 'Add members' }).click()
  const members = page.getByRole('dialog', { name: 'Add members' })
  await members.getByRole('checkbox', { name: owner.fullName }).press('Space')
  await expectNoHorizontalScroll(page)
  await members.getByRole('button', { name: 'Add 1 user' }).click()
  await page.getByRole('button', { name: 'Add channels' }).click()
  const channels = page.getByRole('dialog', { name: 'Add channels' })
  await channels.getByRole('checkbox', { name: 'Handbook' }).press('Space')
  await channels.getByRole('button', { name: 'Add 1 channel' }).click()
  await expect(page.getByRole('heading', { name: '1 channel' })).toBeVisible()
  await page.getByRole('button', { name: 'Edit permissions' }).click()
  await page.getByRole('checkbox', { name: 'View the audit log' }).press('Space')
  await page.getByRole('button', { name: 'Save permissions' }).click()
  await expect(page.getByText('For members who are administrators: View the audit log')).toBeVisible()
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)

  const { items } = await client.call(groupsApi.members, {
    params: { id: page.url().split('/').at(-1) ?? '' },
  })
  await page.goto(`${installation.url}/admin/users/${items[0]?._id}`)
  await expect(page.getByRole('region', { name: 'Channels' })).toContainText('Added manually · Group A team')
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await page.getByRole('region', { name: 'Groups' }).getByRole('link').click()
  await page.getByRole('button', { name: 'Delete group' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Delete this group?' })
  await expect(dialog.getByText('Nobody loses access.')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Delete group' }).click()
  await expect(page.getByText('There are no groups yet.')).toBeVisible()
  expect(consoleErrors).toEqual([])
})
