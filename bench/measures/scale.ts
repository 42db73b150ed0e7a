import { join } from 'node:path'
import { createTestChannel } from '../../server/src/testing/factories.ts'
import * as s3 from '../../tools/suites/s3.ts'
import { type Figure, type Measure, percentile } from '../figures.ts'
import { send } from '../overload/send.ts'
import { withPostgres } from '../postgres.ts'
import { type Process, startServerOn, withFolder } from '../server-process.ts'
import { type ChatTarget, createChatTargets } from '../streams/chat-targets.ts'
import { startModel } from '../streams/processes.ts'
import { readStreams } from '../streams/read-stream.ts'
import { withDeps } from '../with-deps.ts'

const replies = 200
const tokens = 200
const tokenIntervalMs = 50
const startWindowMs = 5000
const calls = 3000
const callsAtOnce = 16
/** Replies and calls before those that count, for each server. */
const warmUp = { replies: 20, calls: 300 }

interface Setup {
  name: string
  servers: number
  isCluster: boolean
}

const setups = [
  { name: 'one server', servers: 1, isCluster: false },
  { name: 'a cluster of one', servers: 1, isCluster: true },
  { name: 'a cluster of two', servers: 2, isCluster: true },
] as const satisfies readonly Setup[]

interface Sample {
  /** CPU time of all servers in milliseconds. */
  cpuPerReply: number
  cpuPerCall: number
  firstTokens: number[]
  callsPerSecond: number
  refused: number
}

/** Shares the targets out among the servers. */
function assign<T>(servers: readonly Process[], targets: readonly T[]): { server: Process; target: T }[] {
  return targets.map((target, at) => {
    const server = servers[at % servers.length]
    if (!server) throw new Error('There are no servers.')
    return { server, target }
  })
}

function readReplies(servers: readonly Process[], targets: readonly ChatTarget[]) {
  const requests = assign(servers, targets).map(({ server, target }) => ({
    url: server.url + target.path,
    headers: target.headers,
    body: JSON.stringify({ message: 'How many days of vacation do I have?' }),
    firstToken: 'Alpha',
  }))
  return readStreams(requests, startWindowMs)
}

/** Reads chats, and returns how many calls were refused. */
async function readChats(
  servers: readonly Process[],
  targets: readonly ChatTarget[],
  count: number,
): Promise<number> {
  const assigned = assign(servers, targets)
  let next = 0
  let refused = 0
  async function keepReading(): Promise<void> {
    while (next < count) {
      const entry = assigned[next % assigned.length]
      next += 1
      if (!entry) throw new Error('There are no chats.')
      const { server, target } = entry
      const { status } = await send({
        method: 'GET',
        url: server.url + target.chatPath,
        headers: { authorization: target.headers['authorization'] ?? '' },
      })
      if (status !== 200) refused += 1
    }
  }
  await Promise.all(Array.from({ length: callsAtOnce }, keepReading))
  return refused
}

async function measureServers(
  servers: readonly Process[],
  targets: readonly ChatTarget[],
  warmUpTargets: readonly ChatTarget[],
): Promise<Sample> {
  function readCpu(): number {
    return servers.reduce((sum, server) => sum + server.cpu(), 0)
  }
  await readReplies(servers, warmUpTargets.slice(0, warmUp.replies * servers.length))
  await readChats(servers, warmUpTargets, warmUp.calls * servers.length)

  const beforeReplies = readCpu()
  const { timings, refused } = await readReplies(servers, targets)
  const beforeCalls = readCpu()
  const begun = performance.now()
  const refusedCalls = await readChats(servers, targets, calls)
  const seconds = (performance.now() - begun) / 1000
  return {
    cpuPerReply: (beforeCalls - beforeReplies) / timings.length,
    cpuPerCall: (readCpu() - beforeCalls) / calls,
    firstTokens: timings.map(({ first }) => first),
    callsPerSecond: calls / seconds,
    refused: refused + refusedCalls,
  }
}

function toFigures({ name }: Setup, sample: Sample): Figure[] {
  return [
    { label: `${name}: CPU of the servers for a reply`, value: sample.cpuPerReply, unit: 'ms' },
    { label: `${name}: CPU of the servers for reading a chat`, value: sample.cpuPerCall, unit: 'ms' },
    {
      label: `${name}: first token, p95`,
      value: percentile(sample.firstTokens, 95),
      unit: 'ms',
      note: `including the model’s delay of ${tokenIntervalMs} ms`,
    },
    { label: `${name}: chats read`, value: sample.callsPerSecond, unit: '/s' },
    { label: `${name}: refused`, value: sample.refused, unit: '', max: 0 },
  ]
}

function compare([single, one, two]: readonly Sample[]): Figure[] {
  if (!single || !one || !two) throw new Error('Nothing was measured.')
  const note = 'by CPU, if each server has cores of its own and the database is not the limit'
  return [
    {
      label: 'CPU for a reply, a cluster of one ÷ one server',
      value: one.cpuPerReply / single.cpuPerReply,
      unit: '×',
      max: 1.1,
    },
    {
      label: 'replies, two servers ÷ one',
      value: (2 * one.cpuPerReply) / two.cpuPerReply,
      unit: '×',
      min: 1.8,
      note,
    },
    {
      label: 'calls, two servers ÷ one',
      value: (2 * one.cpuPerCall) / two.cpuPerCall,
      unit: '×',
      min: 1.8,
      note,
    },
  ]
}

export const scale: Measure = {
  name: 'scale',
  title: `One server and a cluster on PostgreSQL: ${replies} replies at once, and ${calls.toLocaleString()} reads`,
  run: (logStep) =>
    withFolder((folder) =>
      withPostgres(async (createDatabase) => {
        await s3.setup()
        const model = await startModel({ tokens, delayMs: tokenIntervalMs })
        try {
          const { createTestBucket } = await import('../../server/src/testing/test-bucket.ts')
          const common = {
            DATABASE_URL: await createDatabase(),
            SECRETS_FILE: join(folder, 'secrets.json'),
            OPENAI_BASE_URL: `${model.url}/v1`,
            EMBEDDING_MODEL: 'none',
          }
          const cluster = {
            CLUSTER: 'true',
            SMTP_URL: 'smtp://127.0.0.1:1',
            ...(await createTestBucket()).env,
          }
          logStep('creating users and chats')
          const chats = await withDeps(
            join(folder, 'setup'),
            async (deps) =>
              createChatTargets(deps, await createTestChannel(deps), replies, setups.length * 2),
            common,
          )
          const samples: Sample[] = []
          const figures: Figure[] = []
          for (const [at, setup] of setups.entries()) {
            logStep(setup.name)
            const env = setup.isCluster ? { ...common, ...cluster } : common
            const names = Array.from({ length: setup.servers }, (_, number) => `${at}-${number}`)
            const servers = await Promise.all(names.map((name) => startServerOn(join(folder, name), env)))
            try {
              const sample = await measureServers(servers, chats[at * 2] ?? [], chats[at * 2 + 1] ?? [])
              samples.push(sample)
              figures.push(...toFigures(setup, sample))
            } finally {
              await Promise.all(servers.map((server) => server.stop()))
            }
          }
          return [...figures, ...compare(samples)]
        } finally {
          await model.stop()
          await s3.teardown()
        }
      }),
    ),
}
