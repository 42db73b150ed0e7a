// The thread that owns the index of messages: it reads the records beside the server, and never writes them.
import { parentPort, workerData } from 'node:worker_threads'
import { findChats, findOwn } from './find.ts'
import { isCorruption, openIndexFile, removeIndexFile } from './index-file.ts'
import { createWriter } from './index-writer.ts'
import { createSqliteShelf } from './sqlite-shelf.ts'
import type { AnswerMessage, CallMessage, WorkerCalls } from './worker-protocol.ts'

const { path, recordsPath } = workerData as { path: string; recordsPath: string }
function say(message: AnswerMessage): void {
  parentPort?.postMessage(message)
}

function open(): { calls: WorkerCalls; close: () => void } {
  const db = openIndexFile(path, recordsPath)
  const writer = createWriter(db)
  const shelf = createSqliteShelf(db, writer.isBuilding)
  return {
    calls: {
      step: writer.step,
      chats: (words, filters) => findChats(shelf, words, filters),
      own: (query) => findOwn(shelf, query),
    },
    close: () => db.close(),
  }
}

let index = open()

async function answer({ call, name, args }: CallMessage): Promise<void> {
  try {
    const run = index.calls[name] as (...own: unknown[]) => unknown
    say({ call, value: await run(...args) })
  } catch (error) {
    if (isCorruption(error)) {
      index.close()
      removeIndexFile(path)
      index = open()
    }
    say({ call, error })
  }
}

// One after the other: a search runs in several steps, and the index must not change between them.
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
