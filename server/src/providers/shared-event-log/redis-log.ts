import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { askRedis } from '#providers/redis/client.ts'
import type { Frame, SharedEventLog } from './port.ts'

/** How long batches can be read while others follow, in milliseconds. */
const retention = 30_000
/** Redis deletes the log of a server that has pushed nothing for this long, in milliseconds. */
const idleRetention = 600_000
/** How long Redis waits for something new, in milliseconds. A reply that is followed from now on waits as long. */
export const blockMs = 100
/** Batches in one answer. With 2,000 replies, each can have 85 kB. */
const answerSize = 50
/** Time between two attempts to read, in milliseconds. */
const retryPause = 500
/** Attempts to read the log of a server that has ended, before its text counts as lost. */
const readAttempts = 4
/**
 * How long the log counts as failing after a failure, in milliseconds: longer than it takes until snapshots contain what
 * it lacks. A server that was replaced by an empty one lacks everything.
 */
const failurePeriod = 1500
/** Where a log begins. */
const start = '0-0'

interface Options {
  node: string
  prefix: string
  commands: Redis
  /** Used for nothing but waiting for text. */
  reader: Redis
  /** Deletes what a server shared before Redis was configured. */
  forgetEarlier: (node: string) => Promise<void>
  log: Logger
}

/** A reader of a reply. */
interface Follower {
  messageId: string
  /** The last batch that was read. */
  readTo: string
  onContents: (contents: readonly string[]) => void
}

/** The id of a batch, and its frames as alternating message ids and contents. */
type Batch = [id: string, fields: string[]]

/** Ids have the form `<milliseconds>-<number>`. */
function isAfter(id: string, other: string): boolean {
  const [time = 0, number = 0] = id.split('-').map(Number)
  const [otherTime = 0, otherNumber = 0] = other.split('-').map(Number)
  return time === otherTime ? number > otherNumber : time > otherTime
}

function* listFrames([, fields]: Batch): Generator<Frame> {
  for (let at = 0; at < fields.length; at += 2)
    yield { messageId: fields[at] ?? '', content: fields[at + 1] ?? '' }
}

/** Passes batches on to those who have not read them. */
function deliver(followers: readonly Follower[], batches: readonly Batch[]): void {
  const last = batches.at(-1)?.[0] ?? start
  const contentsOf = new Map<Follower, string[]>()
  const followersOf = Map.groupBy(followers, ({ messageId }) => messageId)
  for (const batch of batches)
    for (const { messageId, content } of listFrames(batch))
      for (const follower of followersOf.get(messageId) ?? []) {
        if (!isAfter(batch[0], follower.readTo)) continue
        const contents = contentsOf.get(follower)
        if (contents) contents.push(content)
        else contentsOf.set(follower, [content])
      }
  for (const follower of followers) if (isAfter(last, follower.readTo)) follower.readTo = last
  for (const [follower, contents] of contentsOf) follower.onContents(contents)
}

/** A log in a stream of Redis, with one entry for each batch. */
export function createRedisLog({
  node,
  prefix,
  commands,
  reader,
  forgetEarlier,
  log,
}: Options): SharedEventLog {
  const followed = new Map<string, Set<Follower>>()
  /** The time of Redis when it stored the last batch, in milliseconds; 0 if it may be another one by now. */
  let storedAt = 0
  let failingUntil = Number.NEGATIVE_INFINITY
  let wasLost = false
  let isReading = false
  let isClosed = false

  function keyOf(name: string): string {
    return `${prefix}:log:${name}`
  }

  function fail(): void {
    failingUntil = performance.now() + failurePeriod
  }

  commands.on('close', () => {
    storedAt = 0
    wasLost = true
  })
  commands.on('ready', () => {
    // Redis may be back without what it had.
    if (wasLost) fail()
    wasLost = false
  })

  /** The last batch that all followers have read. */
  function findPosition(followers: readonly Follower[]): string {
    const [first, ...others] = followers.map(({ readTo }) => readTo)
    return others.reduce((earliest, id) => (isAfter(earliest, id) ? id : earliest), first ?? start)
  }

  async function readNew(): Promise<void> {
    // Those who join in the meantime read from the start with the next command.
    const logs = [...followed].map(([name, followers]) => [name, [...followers]] as const)
    const streams = await askRedis(
      reader.xread(
        'COUNT',
        answerSize,
        'BLOCK',
        blockMs,
        'STREAMS',
        ...logs.map(([name]) => keyOf(name)),
        ...logs.map(([, followers]) => findPosition(followers)),
      ),
    )
    const batchesOf = new Map(streams)
    for (const [name, followers] of logs) {
      const present = followers.filter((follower) => followed.get(name)?.has(follower))
      deliver(present, batchesOf.get(keyOf(name)) ?? [])
    }
  }

  /** Runs while something is followed. */
  async function read(): Promise<void> {
    if (isReading) return
    isReading = true
    let isFailing = false
    while (followed.size > 0 && !isClosed)
      try {
        await readNew()
        isFailing = false
      } catch (error) {
        if (!isFailing) log.warn({ err: error }, 'could not read the shared event log of another server')
        isFailing = true
        // A server that was replaced gives batches other ids.
        for (const followers of followed.values()) for (const follower of followers) follower.readTo = start
        await sleep(retryPause, undefined, { ref: false })
      }
    isReading = false
  }

  async function readOnce(name: string, messageIds: ReadonlySet<string>): Promise<Frame[]> {
    const frames: Frame[] = []
    for (let after = start; ; ) {
      const batches = await askRedis(commands.xrange(keyOf(name), `(${after}`, '+', 'COUNT', answerSize))
      for (const batch of batches)
        frames.push(...[...listFrames(batch)].filter(({ messageId }) => messageIds.has(messageId)))
      const last = batches.at(-1)
      if (!last) return frames
      after = last[0]
    }
  }

  return {
    get isFailing() {
      return commands.status !== 'ready' || performance.now() < failingUntil
    },
    async push(frames) {
      const fields = frames.flatMap(({ messageId, content }) => [messageId, content])
      const key = keyOf(node)
      try {
        const [id] = await askRedis(
          Promise.all([
            commands.xadd(key, 'MINID', '~', Math.max(0, storedAt - retention), '*', ...fields),
            commands.pexpire(key, idleRetention),
          ]),
        )
        storedAt = Number(id?.split('-')[0])
      } catch (error) {
        fail()
        throw error
      }
    },
    /** Without Redis, returns nothing, because the replies of a dead server must end. */
    async read(name, messageIds) {
      for (let attempt = 1; ; attempt += 1)
        try {
          return await readOnce(name, new Set(messageIds))
        } catch (error) {
          if (attempt < readAttempts) {
            await sleep(retryPause)
            continue
          }
          log.warn({ err: error }, 'the last text of interrupted replies is lost with the shared event log')
          return []
        }
    },
    follow(name, messageId, onContents) {
      const followers = followed.get(name) ?? new Set()
      followed.set(name, followers)
      const follower = { messageId, readTo: start, onContents }
      followers.add(follower)
      void read()
      return () => {
        followers.delete(follower)
        if (followers.size === 0 && followed.get(name) === followers) followed.delete(name)
      }
    },
    async forget(name) {
      // Without this, Redis deletes the log later.
      await askRedis(commands.unlink(keyOf(name))).catch(() => undefined)
      await forgetEarlier(name)
    },
    async close() {
      isClosed = true
      followed.clear()
    },
  }
}
