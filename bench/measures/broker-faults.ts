import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReplyEvent } from '@lyceum/contract/chats'
import { readServerEvents } from '../../server/src/providers/assistant/server-events.ts'
import { createTestChannel } from '../../server/src/testing/factories.ts'
import type { TestRedis } from '../../server/src/testing/test-redis.ts'
import * as redisSuite from '../../tools/suites/redis.ts'
import * as s3 from '../../tools/suites/s3.ts'
import { type Figure, type Measure, median, percentile } from '../figures.ts'
import { withPostgres } from '../postgres.ts'
import { type Process, startServerOn, withFolder } from '../server-process.ts'
import { type ChatTarget, createChatTargets } from '../streams/chat-targets.ts'
import { startModel } from '../streams/processes.ts'
import { withDeps } from '../with-deps.ts'

const replies = 50
const tokens = 300
const tokenIntervalMs = 50
/** The fault comes once all replies run, and ends before the first of them. */
const [beforeMs, awayMs] = [4000, 5000]
const usualRounds = 3

interface Fault {
  name: string
  begin(redis: TestRedis): Promise<void> | void
  end(redis: TestRedis): Promise<void> | void
}

const faults: readonly Fault[] = [
  { name: 'Redis works', begin: () => undefined, end: () => undefined },
  { name: 'Redis stopped', begin: (redis) => redis.stop(), end: (redis) => redis.start() },
  { name: 'Redis killed and back empty', begin: (redis) => redis.kill(), end: (redis) => redis.start() },
  { name: 'Redis suspended', begin: (redis) => redis.pause(), end: (redis) => redis.resume() },
  { name: 'Redis full', begin: (redis) => redis.setFull(true), end: (redis) => redis.setFull(false) },
]

interface Reading {
  text: string
  /** The longest time between two pieces of text, in milliseconds. */
  pause: number
  /** Whether the stream reached the end of the reply. */
  isDone: boolean
}

/** Tries again while the server says that it is busy, as the client does. */
async function request(url: string, init: RequestInit): Promise<Response> {
  for (;;) {
    const response = await fetch(url, init)
    if (response.status !== 503) return response
    await response.body?.cancel()
    await sleep(Number(response.headers.get('retry-after') ?? 1) * 1000)
  }
}

/** Reads a stream of events to its end. `onAccepted` is told the id of the reply. */
async function read(
  url: string,
  init: RequestInit,
  onAccepted: (replyId: string) => void = () => undefined,
): Promise<Reading> {
  const response = await request(url, init)
  if (!response.ok || !response.body) throw new Error(`The server answered ${response.status}.`)
  const reading: Reading = { text: '', pause: 0, isDone: false }
  let before: number | null = null
  for await (const { data } of readServerEvents(response.body)) {
    const event = JSON.parse(data) as ReplyEvent
    if (event.type === 'accepted') onAccepted(event.reply._id)
    // Contains the complete text. A reader that comes late may get nothing else.
    if (event.type === 'done') Object.assign(reading, { isDone: true, text: event.reply.content })
    if (event.type !== 'delta') continue
    const now = performance.now()
    reading.pause = Math.max(reading.pause, before === null ? 0 : now - before)
    before = now
    reading.text += event.text
  }
  return reading
}

interface Readings {
  own: Reading
  /** On the other server, from the first event on. */
  remote: Reading
}

/** Sends a message to one server, and reads its reply there and on the other one. */
async function readOnBoth(writer: Process, other: Process, target: ChatTarget): Promise<Readings> {
  const { path, chatPath, headers } = target
  const accepted = Promise.withResolvers<string>()
  const own = read(
    writer.url + path,
    {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Count' }),
    },
    accepted.resolve,
  )
  own.catch(accepted.reject)
  const replyId = await accepted.promise
  const remote = read(`${other.url}${chatPath}/messages/${replyId}/events?after=0`, { headers })
  return { own: await own, remote: await remote }
}

async function measureFault(
  { begin, end }: Fault,
  [writer, other]: [Process, Process],
  redis: TestRedis,
  targets: readonly ChatTarget[],
): Promise<Readings[]> {
  const reading = Promise.all(targets.map((target) => readOnBoth(writer, other, target)))
  // Reported by the `await` below.
  reading.catch(() => undefined)
  await sleep(beforeMs)
  await begin(redis)
  await sleep(awayMs)
  await end(redis)
  return reading
}

function isComplete({ text, isDone }: Reading): boolean {
  return isDone && text.split('token').length === tokens
}

function toFigures({ name }: Fault, readings: readonly Readings[]): Figure[] {
  const own = readings.map((reading) => reading.own)
  const remote = readings.map((reading) => reading.remote)
  function pauses(label: string, of: readonly Reading[]): Figure {
    const values = of.map(({ pause }) => pause)
    const note = `median ${median(values).toFixed(0)}, longest ${Math.max(...values).toFixed(0)}`
    return { label: `${name}: ${label}, p95`, value: percentile(values, 95), unit: 'ms', note }
  }
  return [
    pauses('longest pause of a reply where it is written', own),
    pauses('on the other server', remote),
    {
      label: `${name}: replies that a reader did not get completely`,
      value: [...own, ...remote].filter((reading) => !isComplete(reading)).length,
      unit: '',
      max: 0,
      note: `of ${own.length + remote.length} read`,
    },
  ]
}

export const brokerFaults: Measure = {
  name: 'broker-faults',
  title: `${replies} replies at once in a cluster of two while Redis fails for ${awayMs / 1000} s`,
  isLong: true,
  run: (logStep, { rounds }) =>
    withFolder((folder) =>
      withPostgres(
        async (createDatabase) => {
          await s3.setup()
          redisSuite.setup()
          const { createTestBucket } = await import('../../server/src/testing/test-bucket.ts')
          const { startTestRedis } = await import('../../server/src/testing/test-redis.ts')
          const model = await startModel({ tokens, delayMs: tokenIntervalMs })
          const redis = await startTestRedis()
          const servers: Process[] = []
          try {
            const common = {
              DATABASE_URL: await createDatabase(),
              SECRETS_FILE: join(folder, 'secrets.json'),
              OPENAI_BASE_URL: `${model.url}/v1`,
              EMBEDDING_MODEL: 'none',
            }
            const settings = {
              ...common,
              CLUSTER: 'true',
              SMTP_URL: 'smtp://127.0.0.1:1',
              REDIS_URL: redis.url,
              ...(await createTestBucket()).env,
            }
            const runs = Array.from({ length: rounds ?? usualRounds }, () => faults).flat()
            logStep('creating users and chats')
            const chats = await withDeps(
              join(folder, 'setup'),
              async (deps) =>
                createChatTargets(deps, await createTestChannel(deps), replies, runs.length + 1),
              common,
            )
            const writer = await startServerOn(join(folder, 'writer'), settings)
            servers.push(writer)
            const other = await startServerOn(join(folder, 'other'), settings)
            servers.push(other)
            const readings = new Map<Fault, Readings[]>()
            logStep('warming up')
            await Promise.all((chats[runs.length] ?? []).map((target) => readOnBoth(writer, other, target)))
            for (const [run, fault] of runs.entries()) {
              logStep(fault.name)
              const measured = await measureFault(fault, [writer, other], redis, chats[run] ?? [])
              readings.set(fault, [...(readings.get(fault) ?? []), ...measured])
            }
            return [...readings].flatMap(([fault, measured]) => toFigures(fault, measured))
          } finally {
            for (const server of servers) await server.stop()
            await redis.close()
            await model.stop()
            await s3.teardown()
          }
        },
        { isDurable: true },
      ),
    ),
}
