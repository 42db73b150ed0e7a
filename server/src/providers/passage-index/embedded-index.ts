import { IndexWorker } from './index-worker.ts'
import type { PassageIndex } from './port.ts'

export interface EmbeddedIndexOptions {
  /** The index file. It can be deleted while the server is stopped. */
  path: string
  /** Called if the file had to be recreated after startup, so that all passages must be added again. */
  onRebuilt?: () => void
}

export interface EmbeddedIndex extends PassageIndex {
  /** True if the index started empty, because it is new or the old file was unusable. Add all passages again. */
  readonly wasRebuilt: boolean
}

/** Small, so that concurrent searches wait only briefly. */
const passagesPerAdd = 16

/** Creates a search index without an external service: a SQLite file, used by a worker thread. */
export async function createEmbeddedIndex(options: EmbeddedIndexOptions): Promise<EmbeddedIndex> {
  let wasRebuilt = false
  const worker = new IndexWorker(options.path, () => {
    wasRebuilt = true
    options.onRebuilt?.()
  })
  wasRebuilt = await worker.start()
  let isClosing = false
  let lastAdd: Promise<unknown> = Promise.resolve()
  let hasDropped = false
  let sweeping: Promise<void> | null = null

  /** Sends one batch at a time, so that a search never waits behind more than one. */
  async function addInBatches<T>(
    all: readonly T[],
    send: (batch: readonly T[]) => Promise<void>,
  ): Promise<void> {
    for (let at = 0; at === 0 || at < all.length; at += passagesPerAdd) {
      if (isClosing) throw new Error('the search index is closed')
      await send(all.slice(at, at + passagesPerAdd))
    }
  }

  async function addAfterOthers<T>(
    all: readonly T[],
    send: (batch: readonly T[]) => Promise<void>,
  ): Promise<void> {
    const work = lastAdd.then(() => addInBatches(all, send))
    lastAdd = work.catch(() => undefined)
    await work
  }

  async function sweepAll(): Promise<void> {
    while (hasDropped && !isClosing) {
      hasDropped = false
      while (!isClosing && (await worker.call('sweep')));
    }
  }

  /** Deletes dropped passages in the background. They are already invisible; the next start cleans up after a crash. */
  function sweep(): void {
    hasDropped = true
    sweeping ??= sweepAll()
      .catch(() => undefined)
      .finally(() => {
        sweeping = null
      })
  }
  sweep()

  return {
    engine: 'SQLite',
    get wasRebuilt() {
      return wasRebuilt
    },
    add: (generation, passages) => addAfterOthers(passages, (batch) => worker.call('add', generation, batch)),
    addVectors: (space, vectors) =>
      addAfterOthers(vectors, (batch) => worker.call('addVectors', space, batch)),
    dropVectors: async (space) => {
      while (!isClosing && (await worker.call('dropVectors', space)));
    },
    drop: async (ids) => {
      await worker.call('drop', ids)
      sweep()
    },
    dropChannel: async (channelId) => {
      await worker.call('dropChannel', channelId)
      sweep()
    },
    search: (query) => worker.call('search', query),
    generations: (after, limit) => worker.call('generations', after, limit),
    generationsWithoutVectors: (space, limit) => worker.call('generationsWithoutVectors', space, limit),
    size: (space) => worker.call('size', space),
    close: async () => {
      isClosing = true
      await lastAdd
      await sweeping
      await worker.close()
    },
  }
}
