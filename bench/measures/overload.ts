import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { channelsApi } from '@lyceum/contract/channels'
import { buildPath } from '../../server/src/testing/build-path.ts'
import { createTestChannel, createUser } from '../../server/src/testing/factories.ts'
import { type Figure, type Measure, percentile } from '../figures.ts'
import { type Answer, send } from '../overload/send.ts'
import { withPostgres } from '../postgres.ts'
import { type Process, startServerOn, withFolder } from '../server-process.ts'
import { type ChatTarget, createChatTargets } from '../streams/chat-targets.ts'
import { startModel } from '../streams/processes.ts'
import { withDeps } from '../with-deps.ts'

const usualMinutes = 1
const factor = 3
const chats = 600
/** Senders that together find the capacity: each sends its next message when its reply has ended. */
const senders = 60
const calibrationMs = 8000
const readIntervalMs = 200
/** The load ends here whatever the capacity is. */
const maxSends = 30_000
const retryMs = 1000
const settleMs = 2000
const maxRecoveryMs = 60_000
/** Consecutive good answers after which the server counts as recovered. */
const goodAnswers = 5
const goodReadMs = 250

/** Hands out chats that have no running reply, longest unused first. */
function createChatPool(targets: readonly ChatTarget[], url: string) {
  const free = [...targets]
  return async function sendInFreeChat(): Promise<Answer | null> {
    const target = free.shift()
    if (!target) return null
    const { path, headers } = target
    const answer = await send({ method: 'POST', url: url + path, headers, body: '{"message":"Hello"}' })
    free.push(target)
    return answer
  }
}

type SendInFreeChat = ReturnType<typeof createChatPool>

/** Replies per second when a few users send one message after another. */
async function measureCapacity(sendMessage: SendInFreeChat): Promise<number> {
  const end = performance.now() + calibrationMs
  let replies = 0
  async function keepSending(): Promise<void> {
    while (performance.now() < end)
      if ((await sendMessage())?.status === 200) replies += 1
      else await sleep(retryMs)
  }
  await Promise.all(Array.from({ length: senders }, keepSending))
  return replies / (calibrationMs / 1000)
}

/** Calls `begin` at fixed intervals, whether or not the earlier calls have ended. */
async function repeatAtRate(perSecond: number, ms: number, begin: () => void): Promise<void> {
  const begun = performance.now()
  let count = 0
  for (let age = 0; age < ms; age = performance.now() - begun) {
    for (; count < Math.min(maxSends, (age / 1000) * perSecond); count += 1) begin()
    await sleep(5)
  }
}

interface Answers {
  sends: Answer[]
  reads: Answer[]
  /** Sends that were not made because a reply was running in every chat. */
  omitted: number
}

interface Clients {
  sendMessage: SendInFreeChat
  /** A user who only lists their channels. */
  read: () => Promise<Answer>
}

/** Returns when the load ends. The returned function waits for the answers. */
async function sendTooMuch({ sendMessage, read }: Clients, perSecond: number, seconds: number) {
  const sends: Promise<Answer | null>[] = []
  const reads: Promise<Answer>[] = []
  const ms = seconds * 1000
  await Promise.all([
    repeatAtRate(perSecond, ms, () => sends.push(sendMessage())),
    repeatAtRate(1000 / readIntervalMs, ms, () => reads.push(read())),
  ])
  return async (): Promise<Answers> => {
    const answers = await Promise.all(sends)
    const sent = answers.filter((answer) => answer !== null)
    return { sends: sent, reads: await Promise.all(reads), omitted: answers.length - sent.length }
  }
}

/** Seconds until reads and messages are answered as before, several times in a row. */
async function measureRecovery({ sendMessage, read }: Clients): Promise<number> {
  const begun = performance.now()
  let recoveredAfter = 0
  for (let good = 0; good < goodAnswers; ) {
    const age = performance.now() - begun
    if (age > maxRecoveryMs) return Number.POSITIVE_INFINITY
    const [{ status, after }, sent] = await Promise.all([read(), sendMessage()])
    const isGood = status === 200 && after < goodReadMs && sent?.status === 200
    if (isGood && good === 0) recoveredAfter = age
    good = isGood ? good + 1 : 0
  }
  return recoveredAfter / 1000
}

function toShares(answers: readonly Answer[]): string {
  const counts = new Map<number, number>()
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status || 'none'} ${((count / answers.length) * 100).toFixed(1)} %`)
    .join(', ')
}

function isProperAnswer({ status, hasRetryAfter }: Answer): boolean {
  return status === 200 || ((status === 429 || status === 503) && hasRetryAfter)
}

interface Result {
  /** Replies a second. */
  capacity: number
  answers: Answers
  /** Seconds. */
  recovery: number
  seconds: number
}

function toFigures(database: string, { capacity, answers, recovery, seconds }: Result): Figure[] {
  const { sends, reads, omitted } = answers
  const sendTimes = sends.map(({ after }) => after)
  const readTimes = reads.map(({ after }) => after)
  const figures: Figure[] = [
    { label: 'capacity', value: capacity, unit: 'replies/s' },
    { label: 'messages sent', value: sends.length / seconds, unit: '/s', note: `${omitted} omitted` },
    {
      label: 'messages answered with 200',
      value: sends.filter(({ status }) => status === 200).length / seconds,
      unit: '/s',
      note: toShares(sends),
    },
    {
      label: 'answers other than 200, 429, 503 with Retry-After',
      value: [...sends, ...reads].filter((answer) => !isProperAnswer(answer)).length,
      unit: '',
      max: 0,
    },
    { label: 'answer to a message, p50', value: percentile(sendTimes, 50), unit: 'ms' },
    { label: 'answer to a message, p99', value: percentile(sendTimes, 99), unit: 'ms', max: 1000 },
    { label: 'answer to a message, slowest', value: Math.max(...sendTimes), unit: 'ms' },
    { label: 'answer to a reader, p50', value: percentile(readTimes, 50), unit: 'ms', note: toShares(reads) },
    { label: 'answer to a reader, p99', value: percentile(readTimes, 99), unit: 'ms', max: 1000 },
    { label: 'answer to a reader, slowest', value: Math.max(...readTimes), unit: 'ms' },
    { label: 'back to normal after', value: recovery, unit: 's', max: 10 },
  ]
  return figures.map((figure) => ({ ...figure, label: `${database}: ${figure.label}` }))
}

async function measure(
  server: Process,
  { targets, token }: { targets: ChatTarget[]; token: string },
  seconds: number,
  logStep: (step: string) => void,
): Promise<Result> {
  const url = server.url + buildPath(channelsApi.list)
  const clients: Clients = {
    sendMessage: createChatPool(targets, server.url),
    read: () => send({ method: 'GET', url, headers: { authorization: `Bearer ${token}` } }),
  }
  logStep('finding the capacity')
  const capacity = await measureCapacity(clients.sendMessage)
  // The senders of the last seconds have left replies behind.
  await sleep(settleMs)
  logStep(`sending ${Math.round(factor * capacity)} messages a second for ${seconds} s`)
  const collect = await sendTooMuch(clients, factor * capacity, seconds)
  const recovery = await measureRecovery(clients)
  return { capacity, answers: await collect(), recovery, seconds }
}

async function measureOn(
  folder: string,
  databaseEnv: Record<string, string>,
  seconds: number,
  logStep: (step: string) => void,
): Promise<Result> {
  const model = await startModel({ tokens: 20, delayMs: 20 })
  const env = { OPENAI_BASE_URL: `${model.url}/v1`, EMBEDDING_MODEL: 'none', ...databaseEnv }
  try {
    logStep('creating users and chats')
    const users = await withDeps(
      folder,
      async (deps) => {
        const channelId = await createTestChannel(deps)
        const [targets = []] = await createChatTargets(deps, channelId, chats, 1)
        return { targets, token: (await createUser(deps, { channels: [channelId] })).token }
      },
      env,
    )
    const server = await startServerOn(folder, env)
    try {
      return await measure(server, users, seconds, logStep)
    } finally {
      await server.stop()
    }
  } finally {
    await model.stop()
  }
}

export const overload: Measure = {
  name: 'overload',
  title: `${factor} times as many messages as the server can answer, each over a new connection`,
  isLong: true,
  run: (logStep, { minutes }) =>
    withFolder((folder) =>
      withPostgres(async (createDatabase) => {
        const seconds = Math.round((minutes ?? usualMinutes) * 60)
        const sqlite = await measureOn(join(folder, 'sqlite'), {}, seconds, logStep)
        const database = { DATABASE_URL: await createDatabase() }
        const postgres = await measureOn(join(folder, 'postgres'), database, seconds, logStep)
        return [...toFigures('SQLite', sqlite), ...toFigures('PostgreSQL', postgres)]
      }),
    ),
}
