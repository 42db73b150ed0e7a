import type { BaseDeps } from '../../start.ts'
import { formatCount } from '../format-count.ts'
import { type Check, ok } from './finding.ts'

const about = 'document search'

function postgresCheck({ db }: BaseDeps): Check {
  return {
    about,
    async run() {
      const { findPgvectorSchema, isPgvectorAvailable } = await import('#providers/passage-index/pgvector.ts')
      if ((await findPgvectorSchema(db)) !== null) return ok('PostgreSQL searches the passages with pgvector')
      return ok(
        (await isPgvectorAvailable(db))
          ? 'PostgreSQL searches the passages. It has pgvector, which is faster, but not in this database: create extension vector'
          : 'PostgreSQL searches the passages',
      )
    },
  }
}

/** The index of SQLite is part of the data folder, which has checks of its own. */
export function searchChecks(deps: BaseDeps): Check[] {
  const { OPENSEARCH_URL: url, OPENSEARCH_INDEX: alias, SEARCH } = deps.env
  if (url === undefined) return SEARCH === undefined ? [] : [postgresCheck(deps)]
  return [
    {
      about,
      async run() {
        const { readOpenSearchSize } = await import('#providers/passage-index/opensearch-index.ts')
        const { generations } = await readOpenSearchSize(url, alias)
        return ok(`OpenSearch answers, with ${formatCount(generations, 'document')} in its index`)
      },
    },
  ]
}
