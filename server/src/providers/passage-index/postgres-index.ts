import type { Db } from '#db/client.ts'
import { findPgvectorSchema } from './pgvector.ts'
import type { PassageIndex } from './port.ts'
import { createPostgresReader } from './postgres-reader.ts'
import { prepareTables } from './postgres-schema.ts'
import { createPostgresWriter } from './postgres-writer.ts'

/** Small, so that splitting a batch into words does not block the event loop, and a killed server repeats little. */
const passagesPerAdd = 16

/** A search index in the tables of PostgreSQL, which all servers share. It uses pgvector, but does not need it. */
export async function createPostgresIndex(db: Db): Promise<PassageIndex> {
  await prepareTables(db)
  const writer = createPostgresWriter(db)
  const pgvectorSchema = await findPgvectorSchema(db)
  const reader = createPostgresReader(db, pgvectorSchema)
  const searches = new Set<Promise<unknown>>()
  let isClosed = false

  function requireOpen(): void {
    if (isClosed) throw new Error('the search index is closed')
  }

  async function addInBatches<T>(
    all: readonly T[],
    store: (batch: readonly T[]) => Promise<void>,
  ): Promise<void> {
    for (let at = 0; at === 0 || at < all.length; at += passagesPerAdd) {
      requireOpen()
      await store(all.slice(at, at + passagesPerAdd))
    }
    reader.clearCache()
  }

  return {
    engine: pgvectorSchema === null ? 'PostgreSQL' : 'PostgreSQL with pgvector',
    add: (generation, passages) => addInBatches(passages, (batch) => writer.add(generation, batch)),
    addVectors: (space, vectors) => addInBatches(vectors, (batch) => writer.addVectors(space, batch)),
    async dropVectors(space) {
      do requireOpen()
      while (await writer.dropVectors(space))
    },
    async drop(ids) {
      await writer.drop(ids)
      reader.clearCache()
    },
    async dropChannel(channelId) {
      await writer.dropChannel(channelId)
      reader.clearCache()
    },
    async search(query) {
      requireOpen()
      const running = reader.search(query)
      searches.add(running)
      try {
        return await running
      } finally {
        searches.delete(running)
      }
    },
    generations: reader.generations,
    generationsWithoutVectors: reader.generationsWithoutVectors,
    size: reader.size,
    async close() {
      isClosed = true
      await Promise.allSettled(searches)
    },
  }
}
