import { createOpenSearchClient, IndexMissing } from './opensearch-client.ts'
import { createOpenSearchListing } from './opensearch-listing.ts'
import { createOpenSearchSearch } from './opensearch-reader.ts'
import { prepareIndex } from './opensearch-schema.ts'
import { createOpenSearchWriter } from './opensearch-writer.ts'
import { type IndexSize, type PassageIndex, SearchUnavailable } from './port.ts'

/** Passages in one request. */
const passagesPerAdd = 200

export interface OpenSearchIndexOptions {
  /** May contain a user name and a password. */
  url: string
  /** The alias under which the index is used. */
  alias: string
  /** How long a user waits for a search, in milliseconds. */
  searchLimitMs?: number
  /** Called if the index had to be created while in use, so that all passages must be added again. */
  onRebuilt?: () => void
}

/** Waits no longer than the signal allows. */
function waitUntil<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return Promise.race([
    work,
    new Promise<never>((_, reject) => {
      signal.addEventListener(
        'abort',
        () => reject(new SearchUnavailable('OpenSearch did not answer in time.')),
        { once: true },
      )
    }),
  ])
}

/** Reads the size of an index without creating it, as a check from outside the server does. */
export function readOpenSearchSize(url: string, alias: string): Promise<IndexSize> {
  return createOpenSearchListing(createOpenSearchClient(url), alias).size(null)
}

/** A search index in OpenSearch, which all servers share. OpenSearch may be away, also when this is called. */
export function createOpenSearchIndex({
  url,
  alias,
  searchLimitMs = 2_000,
  onRebuilt,
}: OpenSearchIndexOptions): PassageIndex {
  const call = createOpenSearchClient(url)
  const writer = createOpenSearchWriter(call, alias)
  const search = createOpenSearchSearch(call, alias)
  const listing = createOpenSearchListing(call, alias)
  const searches = new Set<Promise<unknown>>()
  let isClosed = false
  let wasUsed = false
  let ready: Promise<void> | null = null

  async function prepare(): Promise<void> {
    const isNew = await prepareIndex(call, alias)
    writer.forgetFields()
    if (isNew && wasUsed) onRebuilt?.()
    wasUsed = true
  }

  /** Creates the index if necessary; again if it is found missing. */
  async function use<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (isClosed) throw new Error('the search index is closed')
    ready ??= prepare().catch((error: unknown) => {
      ready = null
      throw error
    })
    await (signal ? waitUntil(ready, signal) : ready)
    try {
      return await work()
    } catch (error) {
      if (error instanceof IndexMissing) ready = null
      throw error
    }
  }

  async function addInBatches<T>(
    all: readonly T[],
    store: (batch: readonly T[]) => Promise<void>,
  ): Promise<void> {
    for (let at = 0; at === 0 || at < all.length; at += passagesPerAdd)
      await use(() => store(all.slice(at, at + passagesPerAdd)))
  }

  return {
    engine: 'OpenSearch',
    add: (generation, passages) => addInBatches(passages, (batch) => writer.add(generation, batch)),
    addVectors: (space, vectors) => addInBatches(vectors, (batch) => writer.addVectors(space, batch)),
    async dropVectors(space) {
      while (await use(() => writer.dropVectors(space)));
    },
    drop: (ids) => use(() => writer.drop(ids)),
    dropChannel: (channelId) => use(() => writer.dropChannel(channelId)),
    async search(query) {
      const signal = AbortSignal.timeout(searchLimitMs)
      const running = use(() => search(query, signal), signal)
      searches.add(running)
      try {
        return await running
      } finally {
        searches.delete(running)
      }
    },
    generations: (after, limit) => use(() => listing.generations(after, limit)),
    generationsWithoutVectors: (space, limit) => use(() => listing.generationsWithoutVectors(space, limit)),
    size: (space) => use(() => listing.size(space)),
    async close() {
      isClosed = true
      await Promise.allSettled(searches)
    },
  }
}
