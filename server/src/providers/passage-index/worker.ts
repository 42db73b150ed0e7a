// The worker thread that owns the index file. SQLite is synchronous and must not block the server's event loop.
import { parentPort, workerData } from 'node:worker_threads'
import { isCorruption, openIndexFile, removeIndexFile } from './index-file.ts'
import { createReader } from './index-reader.ts'
import { createWriter } from './index-writer.ts'
import type { CallMessage, WorkerCalls, WorkerMessage } from './worker-protocol.ts'

const { path } = workerData as { path: string }
function post(message: WorkerMessage): void {
  parentPort?.postMessage(message)
}

function open(): { calls: WorkerCalls; isNew: boolean; close: () => void } {
  const { db, isNew } = openIndexFile(path)
  const writer = createWriter(db)
  const reader = createReader(db)
  function withCacheCleared<A extends unknown[], R>(work: (...args: A) => R) {
    return (...args: A): R => {
      reader.clearCache()
      return work(...args)
    }
  }
  const calls: WorkerCalls = {
    add: withCacheCleared(writer.add),
    addVectors: withCacheCleared(writer.addVectors),
    dropVectors: withCacheCleared(writer.dropVectors),
    drop: withCacheCleared(writer.drop),
    dropChannel: withCacheCleared(writer.dropChannel),
    sweep: withCacheCleared(writer.sweep),
    search: reader.search,
    generations: reader.generations,
    generationsWithoutVectors: reader.generationsWithoutVectors,
    size: reader.size,
    close: () => db.close(),
  }
  return { calls, isNew, close: () => db.close() }
}

let index = open()

function handleCall({ call, name, args }: CallMessage): void {
  try {
    const run = index.calls[name] as (...own: unknown[]) => unknown
    post({ type: 'answer', call, value: run(...args) })
  } catch (error) {
    if (isCorruption(error)) {
      index.close()
      removeIndexFile(path)
      index = open()
      post({ type: 'rebuilt' })
    }
    post({ type: 'failure', call, error })
  }
  if (name === 'close') parentPort?.close()
}

parentPort?.on('message', handleCall)
post({ type: 'ready', isNew: index.isNew })
