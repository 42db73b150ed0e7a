import { createOpenSearchIndex } from '../../server/src/providers/passage-index/opensearch-index.ts'
import { startOpenSearch } from '../peers/opensearch.ts'

let stopServer: () => Promise<void> = async () => {}

/** The first requests take seconds, in which a server would give up a search. */
async function warmUp(url: string): Promise<void> {
  const index = createOpenSearchIndex({ url, alias: 'warm-up', searchLimitMs: 60_000 })
  const embedding = Float32Array.of(1, 2)
  await index.add({ id: 'g', documentId: 'd', channelId: 'c' }, [
    { id: 'p', title: '', headingPath: [], text: 'anchor' },
  ])
  await index.addVectors('s', [{ passageId: 'p', embedding }])
  const question = { space: 's', vector: embedding }
  await index.search({ channelId: 'c', generations: ['g'], text: 'anchor', embedding: question, limit: 1 })
  await index.drop(['g'])
}

/** Runs once before the tests on OpenSearch. Uses the server named by TEST_OPENSEARCH_URL; without it, starts one. */
export async function setup(): Promise<void> {
  if (process.env['TEST_OPENSEARCH_URL']) return
  try {
    const { url, stop } = await startOpenSearch()
    await warmUp(url)
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
