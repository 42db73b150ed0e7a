import { afterAll } from 'vitest'
import { describePassageIndex } from '#testing/passage-index-compliance.ts'
import { createAlias, deleteIndex, requireOpenSearch } from '#testing/test-opensearch.ts'
import { createOpenSearchIndex } from './opensearch-index.ts'
import type { PassageIndex } from './port.ts'

const aliases: string[] = []
function newAlias(): string {
  const alias = createAlias()
  aliases.push(alias)
  return alias
}
afterAll(async () => {
  for (const alias of aliases) await deleteIndex(alias)
})

/** The machine may be busy. */
const searchLimitMs = 60_000

async function openIndex(): Promise<PassageIndex> {
  return createOpenSearchIndex({ url: requireOpenSearch(), alias: newAlias(), searchLimitMs })
}

describePassageIndex('OpenSearch', openIndex)
