import { sql } from 'kysely'
import type { Db } from '../client.ts'
import { readIndexPosition } from './index-file.ts'
import type { MessageSearch } from './port.ts'
import { SearchThread } from './search-thread.ts'

/** Milliseconds between checks for changes. Each check reads one number. */
const pollInterval = 700
/** Milliseconds without checks after one failed, because the disk is full, for example. */
const failurePause = 10_000
/** Milliseconds without work after which the thread is stopped to free its memory. */
const idleTimeout = 30_000
/** How many indexed changes are deleted at once. Fewer than that stay until the thread is idle. */
const clearBatch = 1000

export interface SqliteSearchOptions {
  db: Db
  databasePath: string
  /** The index file. It may be deleted while the server is stopped. */
  path: string
  warn: (error: unknown) => void
}

export function createSqliteSearch(options: SqliteSearchOptions): MessageSearch {
  const { db, path, databasePath, warn } = options
  const thread = new SearchThread({ path, databasePath })
  let position = readIndexPosition(path)
  let cleared = 0
  let lastUse = performance.now()
  let isClosing = false
  let isBuilding = position < 0
  let indexing: Promise<void> | null = null

  async function newestChange(): Promise<number> {
    const counter = sql<{ n: number }>`select seq as n from sqlite_sequence where name = 'message_changes'`
    return (await counter.execute(db)).rows[0]?.n ?? 0
  }

  /** Deletes in small batches, because all requests share the one writer. */
  async function deleteIndexedChanges(): Promise<void> {
    while (cleared < position && !isClosing) {
      const upTo = Math.min(position, cleared + clearBatch)
      const { numDeletedRows } = await db
        .deleteFrom('message_changes')
        .where('n', '<=', upTo)
        .executeTakeFirst()
      cleared = numDeletedRows > 0n || upTo === position ? upTo : await skipGap(upTo)
    }
  }

  /** Skips gaps in the sequence in one step. */
  async function skipGap(upTo: number): Promise<number> {
    const { oldest } = await db
      .selectFrom('message_changes')
      .select((eb) => eb.fn.min('n').as('oldest'))
      .executeTakeFirstOrThrow()
    return Math.min(position, Math.max(upTo, (oldest ?? position) - 1))
  }

  async function indexPending(): Promise<void> {
    for (let isBehind = true; isBehind && !isClosing; ) {
      const step = await thread.call('step')
      position = step.position
      isBehind = step.isBehind
      isBuilding = isBehind
    }
    if (position - cleared > clearBatch) await deleteIndexedChanges()
  }

  function catchUp(): Promise<void> {
    indexing ??= indexPending().finally(() => {
      indexing = null
      lastUse = performance.now()
    })
    return indexing
  }

  async function stopIfIdle(): Promise<void> {
    if (!thread.isIdle || indexing || performance.now() - lastUse < idleTimeout) return
    await deleteIndexedChanges()
    await thread.stop()
  }

  let polling: Promise<void> | null = null
  async function poll(): Promise<void> {
    const newest = await newestChange()
    if (newest === 0 && position < 0) return
    // Any other number, not only a higher one: the database may have been restored from a backup.
    if (newest !== position) await catchUp()
    else if (!isClosing) await stopIfIdle()
  }
  let resumesAt = 0
  const timer = setInterval(() => {
    if (performance.now() < resumesAt) return
    polling ??= poll()
      .catch((error: unknown) => {
        resumesAt = performance.now() + failurePause
        if (!isClosing) warn(error)
      })
      .finally(() => {
        polling = null
      })
  }, pollInterval)
  timer.unref()

  /**
   * Continues indexing at once if the search reports an incomplete index, for example because its file was lost.
   * Otherwise the rebuild would wait for the next change.
   */
  async function search<R extends { isBuilding: boolean }>(answer: Promise<R>): Promise<R> {
    lastUse = performance.now()
    const found = await answer
    if (found.isBuilding && !isClosing)
      catchUp().catch((error: unknown) => {
        if (!isClosing) warn(error)
      })
    return found
  }

  return {
    findChats: (words, filters) => search(thread.call('chats', words, filters)),
    findOwnMessages: (query) => search(thread.call('own', query)),
    async getBacklog() {
      const newest = await newestChange()
      return { changes: Math.max(0, newest - Math.max(0, position)), isBuilding: isBuilding && newest > 0 }
    },
    async waitUntilIndexed() {
      const newest = await newestChange()
      do await catchUp()
      while (position < newest && !isClosing)
    },
    async close() {
      isClosing = true
      clearInterval(timer)
      await polling
      await indexing?.catch(() => undefined)
      await thread.stop()
    },
  }
}
