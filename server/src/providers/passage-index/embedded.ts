import { IndexWorker } from './index-worker.ts'
import type { Generation, IndexedPassage, PassageIndex } from './port.ts'

export interface EmbeddedIndexOptions {
  /** The index's own file; it can be deleted while the server is stopped. */
  path: string
  /** Called when the file had to be made anew after the start: everything must be added again. */
  onRebuilt?: () => void
}

export interface EmbeddedIndex extends PassageIndex {
  /** True when the index began empty, because it is new or what was there could not be used: add everything again. */
  readonly wasRebuilt: boolean
}

/** Small enough that a question asked meanwhile waits a moment only. */
const passagesPerAdd = 16

/** Search without a service: SQLite in a file of its own, in a thread of its own. */
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

  async function addInBatches(generation: Generation, passages: readonly IndexedPassage[]): Promise<void> {
    for (let at = 0; at === 0 || at < passages.length; at += passagesPerAdd) {
      if (isClosing) throw new Error('The search index is closed')
      await worker.call('add', generation, passages.slice(at, at + passagesPerAdd))
    }
  }

  async function sweepAll(): Promise<void> {
    while (hasDropped && !isClosing) {
      hasDropped = false
      while (!isClosing && (await worker.call('sweep')));
    }
  }

  /** In the background: what is dropped is already invisible. What a crash leaves over, the next start removes. */
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
    get wasRebuilt() {
      return wasRebuilt
    },
    // One batch at a time reaches the thread, so that a question never stands behind more than one.
    add: async (generation, passages) => {
      const work = lastAdd.then(() => addInBatches(generation, passages))
      lastAdd = work.catch(() => undefined)
      await work
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
    size: () => worker.call('size'),
    close: async () => {
      isClosing = true
      await lastAdd
      await sweeping
      await worker.close()
    },
  }
}
