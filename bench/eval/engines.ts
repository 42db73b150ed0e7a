import * as openSearch from '../../tools/suites/opensearch.ts'
import * as postgres from '../../tools/suites/postgres.ts'

/** A search engine that the evaluation can use. */
interface Engine {
  /** Returns the settings of a server that uses it. */
  start(): Promise<Record<string, string>>
  stop(): Promise<void>
}

export const engines: Readonly<Record<string, Engine>> = {
  sqlite: { start: async () => ({}), stop: async () => undefined },
  postgres: {
    async start() {
      await postgres.setup()
      process.env['TEST_DATABASE'] = 'postgres'
      return { SEARCH: 'postgres' }
    },
    stop: postgres.teardown,
  },
  opensearch: {
    async start() {
      await openSearch.setup()
      const { TEST_OPENSEARCH_URL: url, TEST_OPENSEARCH_FAULT: fault } = process.env
      if (!url) throw new Error(fault)
      return { OPENSEARCH_URL: url, OPENSEARCH_INDEX: `eval-${Date.now()}` }
    },
    stop: openSearch.teardown,
  },
}
