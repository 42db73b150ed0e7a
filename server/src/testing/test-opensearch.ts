import { randomBytes } from 'node:crypto'

// biome-ignore lint/style/noProcessEnv: the test run starts the server and sets these
const { TEST_OPENSEARCH_URL, TEST_OPENSEARCH_FAULT } = process.env

export function requireOpenSearch(): string {
  if (TEST_OPENSEARCH_URL) return TEST_OPENSEARCH_URL
  throw new Error(
    TEST_OPENSEARCH_FAULT ?? 'TEST_OPENSEARCH_URL is not set. The test runner starts OpenSearch and sets it.',
  )
}

/** A name for an index that no other test uses. */
export function createAlias(): string {
  return `test-${randomBytes(6).toString('hex')}`
}

/** Deletes an index behind the back of the server that uses it. Does nothing if there is none. */
export async function deleteIndex(alias: string): Promise<void> {
  await fetch(`${requireOpenSearch()}/${alias}-*`, { method: 'DELETE' })
}
