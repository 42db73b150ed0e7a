import { writeFile } from 'node:fs/promises'
import { expect, type Locator, type Page } from '@playwright/test'
import {
  expectAccessible,
  expectNoHorizontalScroll,
  owner,
  phone,
  test,
  watchConsole,
} from './installation.ts'

/** Adds up the time between the user's action and what they wait for. It is printed, and never asserted. */
function createStopwatch() {
  const waits: [string, number][] = []
  return {
    async wait(what: string, act: () => Promise<void>, shown: Locator): Promise<void> {
      const startedAt = performance.now()
      await act()
      await expect(shown).toBeVisible()
      waits.push([what, performance.now() - startedAt])
    },
    print(): void {
      const total = waits.reduce((sum, [, milliseconds]) => sum + milliseconds, 0)
      const lines = [...waits, ['total', total] as const].map(
        ([what, milliseconds]) => `    ${(milliseconds / 1000).toFixed(1).padStart(6)} s  ${what}`,
      )
      process.stdout.write(`  Time spent waiting for the product:\n${lines.join('\n')}\n`)
    },
  }
}

async function fillRegistration(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Full name').fill(owner.fullName)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByLabel('Confirm password').fill(owner.password)
}

test('the first user gets from the printed link to a cited answer by using only what is on the screen', async ({
  page,
  installation,
}, info) => {
  const consoleErrors = watchConsole(page)
  const { wait, print } = createStopwatch()
  const ownDocument = info.outputPath('garden-rules.txt')
  await writeFile(ownDocument, 'The garden gate opens at seven in the morning and is locked at dusk.\n')

  await wait(
    'the setup page',
    async () => void (await page.goto(`${installation.url}/register?token=${installation.setupToken}`)),
    page.getByRole('heading', { name: 'Set up Lyceum' }),
  )
  await fillRegistration(page)
  const steps = page.getByRole('region', { name: 'Get started' })
  await wait(
    'the dashboard',
    () => page.getByRole('button', { name: 'Complete registration' }).click(),
    steps.getByText('0 of 6 done'),
  )
  await expect(page.getByText('No channels available.')).toBeVisible()
  await expectAccessible(page)

  const form = page.getByRole('dialog', { name: 'New Channel' })
  await wait(
    'the form for the first channel',
    () => steps.getByRole('link', { name: 'Create a channel' }).click(),
    form,
  )
  await form.getByLabel('Name').fill('Garden')
  await form.getByLabel('Description').fill('All about the garden')
  await form.getByLabel('Language model').selectOption('gpt-4o')
  const card = page.getByRole('article').filter({ hasText: 'Garden' })
  await wait(
    'the new channel',
    () => form.getByRole('button', { name: 'Create Channel' }).click(),
    card.getByRole('link', { name: 'Open channel' }),
  )

  await card.getByRole('button', { name: 'Upload' }).click()
  const upload = page.getByRole('dialog', { name: 'Upload documents' })
  const approveNow = upload.getByRole('link', { name: 'Approve now' })
  await expect(upload).toBeVisible()
  await wait('the upload', () => upload.locator('input[type=file]').setInputFiles(ownDocument), approveNow)
  await expectAccessible(page)
  const row = page.getByRole('listitem').filter({ hasText: 'garden-rules.txt' })
  await wait('the review', () => approveNow.click(), row.getByRole('button', { name: 'Approve' }))
  const notice = page.getByRole('region', { name: 'Approved just now' })
  await wait(
    'the approval and the index',
    () => row.getByRole('button', { name: 'Approve' }).click(),
    notice.getByText('1 approved document indexed').last(),
  )
  await expectAccessible(page)

  const message = page.getByLabel('Message', { exact: true })
  await wait('the chat', () => notice.getByRole('link', { name: 'Open channel' }).click(), message)
  await expect(message).toBeEnabled()
  await message.fill('When does the garden gate open?')
  const reply = page.locator('[role=log] > div > ol > li').last()
  const citation = reply.getByRole('button', { name: /garden-rules\.txt/ }).first()
  await wait('the answer and its source', () => message.press('Enter'), citation)
  await expect(reply).toContainText('seven in the morning')
  await citation.click()
  const source = page.getByRole('complementary', { name: 'garden-rules.txt' })
  await expect(source.locator('mark').first()).toContainText('seven in the morning')
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(steps.getByText('3 of 6 done')).toBeVisible()
  await page.setViewportSize(phone)
  await expectNoHorizontalScroll(page)
  await expectAccessible(page)
  await steps.getByRole('button', { name: 'Dismiss “Get started”' }).click()
  await expect(steps).toBeHidden()
  await page.reload()
  await expect(page.getByRole('link', { name: /^Garden/ })).toBeVisible()
  await expect(steps).toBeHidden()
  expect(consoleErrors).toEqual([])
  print()
})
