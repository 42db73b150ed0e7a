// The thread that owns the message index. It reads the main database while the server uses it, and never writes to it.
import { parentPort, workerData } from 'node:worker_threads'
import { findChats, findOwn } from './find.ts'
import { isCorruption, openIndexFile, removeIndexFile } from './index-file.ts'
import { createIndexWriter } from './index-writer.ts'
import { createSqliteSearchRecords } from './sqlite-search-records.ts'
import type { AnswerMessage, CallMessage, WorkerCalls } from './worker-protocol.ts'

const { path, databasePath } = workerData as { path: string; databasePath: string }
function post(message: AnswerMessage): void {
  parentPort?.postMessage(message)
}

function open(): { calls: WorkerCalls; close: () => void } {
  const db = openIndexFile(path, databasePath)
  const writer = createIndexWriter(db)
  const records = createSqliteSearchRecords(db, writer.isBuilding)
  return {
    calls: {
      step: writer.step,
      chats: (words, filters) => findChats(records, words, filters),
      own: (query) => findOwn(records, query),
    },
    close: () => db.close(),
  }
}

let index = open()

async function answer({ call, name, args }: CallMessage): Promise<void> {
  try {
    const run = index.calls[name] as (...own: unknown[]) => unknown
    post({ call, value: await run(...args) })
  } catch (error) {
    if (isCorruption(error)) {
      index.close()
      removeIndexFile(path)
      index = open()
    }
    post({ call, error })
  }
}

// Calls run one at a time, because the index must not change between the steps of a search.
let last = Promise.resolve()
parentPort?.on('message', (message: CallMessage | 'close') => {
  last = last.then(async () => {
    if (message !== 'close') {
      await answer(message)
      return
    }
    index.close()
    parentPort?.close()
  })
})
