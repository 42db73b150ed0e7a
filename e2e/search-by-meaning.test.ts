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

test('a system administrator sets up search by meaning without a language model', async ({
  page,
  installation,
  model,
}) => {
  const consoleErrors = watchConsole(page)
  const client = await installation.setUp()
  await createReadyChannel(client, { documents: ['menu.txt'] })
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/admin/settings?section=connections#embeddings`)

  const embeddings = page.getByRole('region', { name: 'Embedding server' })
  await expect(embeddings.getByRole('heading', { name: 'Embedding server' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.type(model.url)
  await embeddings.getByLabel('Embedding model').fill('bge-m3')
  await embeddings.getByLabel('Query prefix').fill('query:')
  model.script({ on: 'embeddings', fault: { kind: 'status', status: 401 } })
  await embeddings.getByRole('button', { name: 'Test embeddings' }).click()
  await expect(embeddings.getByText(/refused the API key/)).toBeVisible()
  await embeddings.getByRole('button', { name: 'Save embedding server' }).click()
  await expect(embeddings.getByText(/^bge-m3 answered in .* \(256 dimensions\)/)).toBeVisible()

  const reranker = page.getByRole('region', { name: 'Reranker' })
  await reranker.getByLabel('Address').fill(`${model.url}/rerank`)
  await reranker.getByRole('button', { name: 'Save reranker' }).click()
  await expect(reranker.getByText(/^The reranker answered in/)).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize(phone)
  await expectNoHorizontalScroll(page)

  await page.goto(`${installation.url}/admin/settings?section=state`)
  const status = page.getByRole('region', { name: 'Embeddings' })
  await expect(status.getByText('OK')).toBeVisible()
  model.always({ on: 'embeddings', fault: { kind: 'status', status: 501 } })
  await status.getByRole('button', { name: 'Test embeddings' }).click()
  await expect(
    status.getByText(/^bge-m3 failed\. The server at .* answered with an error \(501\)\./),
  ).toBeVisible()
  await page.reload()
  await expect(status.getByText(/Until it answers again, passages are found by keywords only/)).toBeVisible()
  await expectNoHorizontalScroll(page)
  expect(consoleErrors).toEqual([])
})
