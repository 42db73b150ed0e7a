import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '#db/client.ts'
import { databaseNow } from '#db/dialect.ts'
import type { Frame, SharedEventLog } from './port.ts'

/** How long frames can be read, in milliseconds. A browser that lost its connection resumes within this time. */
const retention = 30_000
const trimInterval = 5000
/** How often the followed logs are read although nobody announced anything: a notification may have been lost. */
const pollInterval = 1000

interface Options {
  node: string
  /** Used for nothing but `push`, so that no request delays the text of a reply. The caller destroys it. */
  writer: Db
  reader: Db
  /** The channel on which servers announce what they have added, in the form `log <node> <number>`. */
  channel: string
  log: Logger
}

export interface PostgresEventLog extends SharedEventLog {
  /** Another server has announced the batch with this number. */
  added(node: string, n: number): void
  /** Announcements may have been lost. */
  poll(): void
}

/** A reader of a reply. */
interface Follower {
  messageId: string
  /** The number of the last batch that was read. */
  readTo: number
  onContents: (contents: readonly string[]) => void
}

/** The log of another server, while one of its replies is followed. */
interface FollowedLog {
  followers: Set<Follower>
  /** The number of the last batch that was announced. */
  announced: number
  isReading: boolean
  mustReadAgain: boolean
}

interface FrameRow extends Frame {
  n: number
  follower: number
}

/** Reads, for each of the replies, what was added after a batch. `follower` is the position of the reply in the lists. */
async function readFrames(
  db: Db,
  node: string,
  messageIds: readonly string[],
  readTo: readonly number[],
): Promise<FrameRow[]> {
  const { rows } = await sql<FrameRow>`
    select log.n, wanted.follower::integer - 1 as follower, frame.message_id as "messageId", frame.content
    from shared_event_log as log
    cross join lateral unnest(log.message_ids, log.frames) with ordinality as frame (message_id, content, position)
    join unnest(${[...messageIds]}::text[], ${[...readTo]}::bigint[]) with ordinality as wanted (message_id, read_to, follower)
      on wanted.message_id = frame.message_id
    where log.node = ${node} and log.n > ${Math.min(...readTo)} and log.n > wanted.read_to
    order by log.n, frame.position`.execute(db)
  return rows
}

export async function forgetPostgresLog(db: Db, node: string): Promise<void> {
  // A server that was suspended may have added a batch after its log was deleted.
  await sql`delete from shared_event_log
    where node = ${node} or node not in (select id from nodes)`.execute(db)
}

/** A log in an unlogged table, with one row for each batch. The statement that adds a row also announces it. */
export function createPostgresLog({ node, writer, reader, channel, log }: Options): PostgresEventLog {
  const followed = new Map<string, FollowedLog>()
  let n = 0
  let isFailing = false
  let pushedAt = 0
  let trimTimer: NodeJS.Timeout | undefined
  let pollTimer: NodeJS.Timeout | undefined
  let isClosed = false

  async function trim(): Promise<void> {
    try {
      await sql`delete from shared_event_log
        where node = ${node} and at < ${databaseNow(reader, 0)} - ${retention}`.execute(reader)
    } catch (error) {
      log.warn({ err: error }, 'could not delete what has expired in the shared event log')
    }
    trimTimer = undefined
    if (performance.now() - pushedAt < retention + trimInterval) startTrimTimer()
  }

  function startTrimTimer(): void {
    if (!isClosed) trimTimer ??= setTimeout(() => void trim(), trimInterval).unref()
  }

  async function readNew(name: string, { followers, announced }: FollowedLog): Promise<void> {
    const readers = [...followers]
    const rows = await readFrames(
      reader,
      name,
      readers.map(({ messageId }) => messageId),
      readers.map(({ readTo }) => readTo),
    )
    const rowsOf = Map.groupBy(rows, ({ follower }) => follower)
    for (const [index, follower] of readers.entries()) {
      const own = rowsOf.get(index) ?? []
      // What was announced before the statement began is visible to it.
      follower.readTo = Math.max(follower.readTo, announced, own.at(-1)?.n ?? 0)
      if (own.length > 0 && followers.has(follower)) follower.onContents(own.map(({ content }) => content))
    }
  }

  /** Reads for all followers with one statement at a time, so that everything arrives in order. */
  async function read(name: string): Promise<void> {
    const state = followed.get(name)
    if (!state) return
    state.mustReadAgain = true
    if (state.isReading) return
    state.isReading = true
    try {
      while (state.mustReadAgain && state.followers.size > 0) {
        state.mustReadAgain = false
        await readNew(name, state)
      }
    } catch (error) {
      log.warn({ err: error }, 'could not read the shared event log of another server')
    } finally {
      state.isReading = false
    }
  }

  function poll(): void {
    for (const name of followed.keys()) void read(name)
  }

  function unfollow(name: string, follower: Follower): void {
    const followers = followed.get(name)?.followers
    followers?.delete(follower)
    if (followers?.size === 0) followed.delete(name)
    if (followed.size > 0) return
    clearInterval(pollTimer)
    pollTimer = undefined
  }

  return {
    get isFailing() {
      return isFailing
    },
    async push(frames) {
      n += 1
      pushedAt = performance.now()
      const messageIds = frames.map(({ messageId }) => messageId)
      const contents = frames.map(({ content }) => content)
      try {
        await sql`insert into shared_event_log (node, n, at, message_ids, frames)
          values (${node}, ${n}, ${databaseNow(writer, 0)}, ${messageIds}::text[], ${contents}::text[])
          returning pg_notify(${channel}, ${`log ${node} ${n}`})`.execute(writer)
        isFailing = false
      } catch (error) {
        isFailing = true
        throw error
      }
      startTrimTimer()
    },
    async read(name, messageIds) {
      const fromStart = messageIds.map(() => 0)
      const rows = await readFrames(reader, name, messageIds, fromStart)
      return rows.map(({ messageId, content }) => ({ messageId, content }))
    },
    follow(name, messageId, onContents) {
      const state = followed.get(name) ?? {
        followers: new Set(),
        announced: 0,
        isReading: false,
        mustReadAgain: false,
      }
      followed.set(name, state)
      const follower = { messageId, readTo: 0, onContents }
      state.followers.add(follower)
      pollTimer ??= setInterval(poll, pollInterval).unref()
      void read(name)
      return () => unfollow(name, follower)
    },
    added(name, number) {
      const state = followed.get(name)
      if (!state) return
      state.announced = Math.max(state.announced, number)
      void read(name)
    },
    poll,
    forget: (name) => forgetPostgresLog(reader, name),
    async close() {
      isClosed = true
      clearTimeout(trimTimer)
      clearInterval(pollTimer)
      followed.clear()
    },
  }
}
