import { startOpenSearch } from '../peers/opensearch.ts'

let stopServer: () => Promise<void> = async () => {}

/** Runs once before the tests on OpenSearch. Uses the server named by TEST_OPENSEARCH_URL; without it, starts one. */
export async function setup(): Promise<void> {
  if (process.env['TEST_OPENSEARCH_URL']) return
  try {
    const { url, stop } = await startOpenSearch()
    process.env['TEST_OPENSEARCH_URL'] = url
    stopServer = async () => {
      delete process.env['TEST_OPENSEARCH_URL']
      stopServer = async () => {}
      await stop()
    }
  } catch (error) {
    // Only the tests on OpenSearch fail then, and say why.
    process.env['TEST_OPENSEARCH_FAULT'] = (error as Error).message
  }
}

export async function teardown(): Promise<void> {
  await stopServer()
}
