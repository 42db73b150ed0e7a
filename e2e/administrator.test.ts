import { writeFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import {
  expectAccessible,
  expectNoHorizontalScroll,
  getDocumentPath,
  phone,
  signIn,
  test,
  watchConsole,
} from './installation.ts'

async function createChannel(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New Channel' }).click()
  const dialog = page.getByRole('dialog', { name: 'New Channel' })
  await dialog.getByLabel('Name').fill('Staff handbook')
  await dialog.getByLabel('Description').fill('Rules for all employees')
  await dialog.getByLabel('Language model').selectOption('gpt-4o')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create Channel' }).click()
  await expect(page.getByText('Channel created successfully')).toBeVisible()
  await expect(dialog).toBeHidden()
}

/** It has the marks of a Word document, but nothing that can be read. */
function createBrokenDoc(): Buffer {
  const signature = Buffer.from('d0cf11e0a1b11ae1', 'hex')
  return Buffer.concat([signature, Buffer.alloc(2048), Buffer.from('WordDocument', 'utf16le')])
}

test('an administrator creates a channel, uploads documents of all four types and approves them', async ({
  page,
  installation,
}, info) => {
  const consoleErrors = watchConsole(page)
  const brokenPdf = info.outputPath('broken.pdf')
  await writeFile(brokenPdf, '%PDF-1.7\nthis is not what it says\n')
  const brokenDoc = info.outputPath('broken.doc')
  await writeFile(brokenDoc, createBrokenDoc())
  await installation.setUp()
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/admin`)
  await expectAccessible(page)
  await page
    .getByRole('link', { name: /Manage Channels/ })
    .first()
    .click()
  await createChannel(page)

  const card = page.getByRole('article').filter({ hasText: 'Staff handbook' })
  await card.getByRole('button', { name: 'Upload' }).click()
  const upload = page.getByRole('dialog', { name: 'Upload documents' })
  const names = ['handbook.pdf', 'travel-policy.docx', 'safety.doc', 'menu.txt']
  await upload
    .locator('input[type=file]')
    .setInputFiles([...names.map(getDocumentPath), brokenDoc, brokenPdf])
  const preview = page.getByRole('dialog', { name: 'handbook.pdf' })
  await expect(preview.locator('canvas').first()).toBeVisible()
  await expect(preview.getByText('of 7', { exact: true })).toBeVisible()
  await preview.getByRole('button', { name: 'Next file' }).click()
  const brokenPreview = page.getByRole('dialog', { name: 'broken.pdf' })
  await expect(brokenPreview).toContainText('This PDF is damaged')
  await brokenPreview.getByRole('button', { name: 'Skip' }).click()
  await preview.getByRole('button', { name: 'Upload', exact: true }).click()
  for (const name of [...names, 'broken.doc'])
    await expect(upload.getByRole('listitem').filter({ hasText: name })).toContainText(/uploaded/i)
  await upload.getByRole('button', { name: 'Close' }).last().click()

  await page.getByRole('link', { name: 'Manage Documents' }).click()
  await expect(page.getByRole('tab', { name: 'Pending Approval' })).toHaveAttribute('aria-selected', 'true')
  await expectAccessible(page)
  const pending = page.getByRole('listitem').filter({ hasText: 'travel-policy.docx' })
  await pending.getByRole('button', { name: 'Preview' }).click()
  await expect(page.getByRole('dialog', { name: 'travel-policy.docx' })).toContainText('Norway')
  await page.keyboard.press('Escape')
  for (const name of [...names, 'broken.doc']) {
    await page
      .getByRole('listitem')
      .filter({ hasText: name })
      .getByRole('button', { name: 'Approve' })
      .click()
    await expect(page.getByText('Document approved successfully').first()).toBeVisible()
  }
  await page.getByRole('tab', { name: 'Approved Documents' }).click()
  for (const name of names)
    await expect(page.getByRole('listitem').filter({ hasText: name })).toContainText('Indexed')
  await expect(page.getByRole('listitem').filter({ hasText: 'broken.doc' })).toContainText(/damaged/)

  const row = page.getByRole('listitem').filter({ hasText: 'handbook.pdf' })
  await row.getByRole('button', { name: 'handbook.pdf', exact: true }).click()
  await expect(row).toContainText('Olu Owner')
  await row.getByRole('button', { name: 'Preview' }).click()
  await expect(page.getByRole('dialog').locator('canvas').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expectAccessible(page)
  await page.setViewportSize(phone)
  await expectNoHorizontalScroll(page)
  expect(consoleErrors).toEqual([])
})
