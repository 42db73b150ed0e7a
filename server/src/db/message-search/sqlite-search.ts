import { sql } from 'kysely'
import type { Db } from '../client.ts'
import { progressOf } from './index-file.ts'
import type { MessageSearch } from './port.ts'
import { SearchThread } from './search-thread.ts'

/** How often the records are asked for changes: one look at one number. */
const lookEvery = 700
/** A thread without work is given up, and its memory with it. */
const idleFor = 30_000
/** Changes that were seen to are cleared away so many at a time, and not each time anew. */
const clearedAtOnce = 1000

export interface SqliteSearchOptions {
  db: Db
  recordsPath: string
  /** The index's own file: it can be deleted while the server is stopped. */
  path: string
  warn: (error: unknown) => void
}

export function createSqliteSearch(options: SqliteSearchOptions): MessageSearch {
  const { db, path, recordsPath, warn } = options
  const thread = new SearchThread({ path, recordsPath })
  let position = progressOf(path)
  let cleared = 0
  let lastUse = performance.now()
  let isClosing = false
  let isBuilding = position < 0
  let following: Promise<void> | null = null

  async function newestChange(): Promise<number> {
    const counter = sql<{ n: number }>`select seq as n from sqlite_sequence where name = 'message_changes'`
    return (await counter.execute(db)).rows[0]?.n ?? 0
  }

  /** In small pieces: it shares the one writer with everybody. */
  async function clear(): Promise<void> {
    while (cleared < position && !isClosing) {
      const upTo = Math.min(position, cleared + clearedAtOnce)
      const { numDeletedRows } = await db
        .deleteFrom('message_changes')
        .where('n', '<=', upTo)
        .executeTakeFirst()
      cleared = numDeletedRows > 0n || upTo === position ? upTo : await oldestBefore(upTo)
    }
  }

  /** Numbers that nothing stands at are passed over in one step. */
  async function oldestBefore(upTo: number): Promise<number> {
    const { oldest } = await db
      .selectFrom('message_changes')
      .select((eb) => eb.fn.min('n').as('oldest'))
      .executeTakeFirstOrThrow()
    return Math.min(position, Math.max(upTo, (oldest ?? position) - 1))
  }

  async function follow(): Promise<void> {
    for (let isBehind = true; isBehind && !isClosing; ) {
      const step = await thread.call('step')
      position = step.position
      isBehind = step.isBehind
      isBuilding = isBehind
    }
    if (position - cleared > clearedAtOnce) await clear()
  }

  function catchUp(): Promise<void> {
    following ??= follow().finally(() => {
      following = null
      lastUse = performance.now()
    })
    return following
  }

  async function rest(): Promise<void> {
    if (!thread.isIdle || following || performance.now() - lastUse < idleFor) return
    await clear()
    await thread.stop()
  }

  let looking: Promise<void> | null = null
  async function look(): Promise<void> {
    const newest = await newestChange()
    if (newest === 0 && position < 0) return
    // Another number, not only a higher one: the records may have been brought back from a backup.
    if (newest !== position) await catchUp()
    else if (!isClosing) await rest()
  }
  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => {
        if (!isClosing) warn(error)
      })
      .finally(() => {
        looking = null
      })
  }, lookEvery)
  timer.unref()

  /** An index that is not whole was lost since it was last followed: no further change may come to say so. */
  async function asked<R extends { isBuilding: boolean }>(answer: Promise<R>): Promise<R> {
    lastUse = performance.now()
    const found = await answer
    if (found.isBuilding && !isClosing)
      catchUp().catch((error: unknown) => {
        if (!isClosing) warn(error)
      })
    return found
  }

  return {
    chats: (words, filters) => asked(thread.call('chats', words, filters)),
    own: (query) => asked(thread.call('own', query)),
    async backlog() {
      const newest = await newestChange()
      return { changes: Math.max(0, newest - Math.max(0, position)), isBuilding: isBuilding && newest > 0 }
    },
    async caughtUp() {
      const newest = await newestChange()
      do await catchUp()
      while (position < newest && !isClosing)
    },
    async close() {
      isClosing = true
      clearInterval(timer)
      await looking
      await following?.catch(() => undefined)
      await thread.stop()
    },
  }
}
