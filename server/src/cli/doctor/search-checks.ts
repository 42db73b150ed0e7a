import type { BaseDeps } from '../../start.ts'
import { formatCount } from '../format-count.ts'
import { type Check, ok } from './finding.ts'

/** Other indexes are part of the data folder or of the database, which have checks of their own. */
export function searchChecks({ env }: BaseDeps): Check[] {
  const { OPENSEARCH_URL: url, OPENSEARCH_INDEX: alias } = env
  if (url === undefined) return []
  return [
    {
      about: 'document search',
      async run() {
        const { readOpenSearchSize } = await import('#providers/passage-index/opensearch-index.ts')
        const { generations } = await readOpenSearchSize(url, alias)
        return ok(`OpenSearch answers, with ${formatCount(generations, 'document')} in its index`)
      },
    },
  ]
}
