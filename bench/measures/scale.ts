import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestChannel } from '../../server/src/testing/factories.ts'
import * as s3 from '../../tools/suites/s3.ts'
import { type Figure, type Measure, median, percentile } from '../figures.ts'
import { send } from '../overload/send.ts'
import { withPostgres } from '../postgres.ts'
import { createPostgresClock } from '../postgres-cpu.ts'
import { type Process, startServerOn, withFolder } from '../server-process.ts'
import { type ChatTarget, createChatTargets } from '../streams/chat-targets.ts'
import { startModel } from '../streams/processes.ts'
import { readStreams } from '../streams/read-stream.ts'
import { withDeps } from '../with-deps.ts'

/** For each server, so that each has the same work in every setup. */
const perServer = { replies: 100, calls: 2000, callsAtOnce: 4 }
/** Replies and calls before those that count, for each server. */
const warmUp = { replies: 40, calls: 1000 }
const tokens = 200
const tokenIntervalMs = 50
const startWindowMs = 5000
const idleMs = 10_000
/** In turn, so that a slow hour of the machine affects all setups. */
const usualRounds = 3

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

/** CPU time in milliseconds. */
interface Cpu {
  servers: number
  postgres: number
}

interface Sample {
  reply: Cpu
  call: Cpu
  /** For each second in which nobody does anything. */
  idle: Cpu
  firstTokens: number[]
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
  await Promise.all(Array.from({ length: perServer.callsAtOnce * servers.length }, keepReading))
  return refused
}

async function measureServers(
  servers: readonly Process[],
  readPostgres: () => number,
  targets: readonly ChatTarget[],
  warmUpTargets: readonly ChatTarget[],
): Promise<Sample> {
  function readCpu(): Cpu {
    return { servers: servers.reduce((sum, server) => sum + server.cpu(), 0), postgres: readPostgres() }
  }
  /** What work takes, divided by how often it was done. */
  async function measure<R>(work: () => Promise<R>, count: (result: R) => number): Promise<[Cpu, R]> {
    const before = readCpu()
    const result = await work()
    const after = readCpu()
    const times = count(result)
    const [ofServers, ofPostgres] = [after.servers - before.servers, after.postgres - before.postgres]
    return [{ servers: ofServers / times, postgres: ofPostgres / times }, result]
  }
  await readReplies(servers, warmUpTargets.slice(0, warmUp.replies * servers.length))
  await readChats(servers, warmUpTargets, warmUp.calls * servers.length)

  const [idle] = await measure(
    () => sleep(idleMs),
    () => idleMs / 1000,
  )
  const [reply, { timings, refused }] = await measure(
    () => readReplies(servers, targets.slice(0, perServer.replies * servers.length)),
    (result) => result.timings.length,
  )
  const calls = perServer.calls * servers.length
  const [call, refusedCalls] = await measure(
    () => readChats(servers, targets, calls),
    (refusals) => calls - refusals,
  )
  return {
    reply,
    call,
    idle,
    firstTokens: timings.map(({ first }) => first),
    refused: refused + refusedCalls,
  }
}

function medianOf(samples: readonly Sample[], select: (sample: Sample) => number): number {
  return median(samples.map(select))
}

function toFigures({ name, servers }: Setup, samples: readonly Sample[]): Figure[] {
  function cpu(part: keyof Cpu, of: 'reply' | 'call' | 'idle', label: string, parts = 1): Figure {
    const values = samples.map((sample) => sample[of][part] / parts)
    const note = `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}`
    return { label: `${name}: ${label}`, value: median(values), unit: 'ms', note }
  }
  return [
    cpu('servers', 'reply', 'CPU of the servers for a reply'),
    cpu('postgres', 'reply', 'CPU of PostgreSQL for a reply'),
    cpu('servers', 'call', 'CPU of the servers for reading a chat'),
    cpu('postgres', 'call', 'CPU of PostgreSQL for reading a chat'),
    cpu('servers', 'idle', 'CPU of each server in an idle second', servers),
    cpu('postgres', 'idle', 'CPU of PostgreSQL in an idle second'),
    {
      label: `${name}: first token, p95`,
      value: percentile(
        samples.flatMap(({ firstTokens }) => firstTokens),
        95,
      ),
      unit: 'ms',
      note: `including the model’s delay of ${tokenIntervalMs} ms`,
    },
    {
      label: `${name}: refused`,
      value: samples.reduce((sum, { refused }) => sum + refused, 0),
      unit: '',
      max: 0,
    },
  ]
}

function compare([single, one, two]: readonly (readonly Sample[])[]): Figure[] {
  if (!single || !one || !two) throw new Error('Nothing was measured.')
  const note = 'by CPU, if each server has cores of its own and the database is not the limit'
  const [perReply, perCall] = [(each: Sample) => each.reply.servers, (each: Sample) => each.call.servers]
  return [
    {
      label: 'CPU for a reply, a cluster of one ÷ one server',
      value: medianOf(one, perReply) / medianOf(single, perReply),
      unit: '×',
      max: 1.1,
    },
    {
      label: 'replies, two servers ÷ one',
      value: (2 * medianOf(one, perReply)) / medianOf(two, perReply),
      unit: '×',
      min: 1.8,
      note,
    },
    {
      label: 'calls, two servers ÷ one',
      value: (2 * medianOf(one, perCall)) / medianOf(two, perCall),
      unit: '×',
      min: 1.8,
      note,
    },
  ]
}

export const scale: Measure = {
  name: 'scale',
  title: `One server and a cluster on PostgreSQL: ${perServer.replies} replies at once and ${perServer.calls} reads for each server`,
  run: (logStep, { rounds }) =>
    withFolder((folder) =>
      withPostgres(async (createDatabase) => {
        await s3.setup()
        const model = await startModel({ tokens, delayMs: tokenIntervalMs })
        try {
          const { createTestBucket } = await import('../../server/src/testing/test-bucket.ts')
          const databaseUrl = await createDatabase()
          const readPostgres = await createPostgresClock(databaseUrl)
          const common = {
            DATABASE_URL: databaseUrl,
            SECRETS_FILE: join(folder, 'secrets.json'),
            OPENAI_BASE_URL: `${model.url}/v1`,
            EMBEDDING_MODEL: 'none',
          }
          const cluster = {
            CLUSTER: 'true',
            SMTP_URL: 'smtp://127.0.0.1:1',
            ...(await createTestBucket()).env,
          }
          const runs = Array.from({ length: rounds ?? usualRounds }, (_, round) =>
            setups.map((setup, at) => ({ setup, at, round })),
          ).flat()
          logStep('creating users and chats')
          const chats = await withDeps(
            join(folder, 'setup'),
            async (deps) =>
              createChatTargets(deps, await createTestChannel(deps), 2 * perServer.replies, runs.length * 2),
            common,
          )
          const samples: Sample[][] = setups.map(() => [])
          for (const [run, { setup, at, round }] of runs.entries()) {
            logStep(`${setup.name}, round ${round + 1}`)
            const env = setup.isCluster ? { ...common, ...cluster } : common
            const names = Array.from({ length: setup.servers }, (_, number) => `${run}-${number}`)
            const servers = await Promise.all(names.map((name) => startServerOn(join(folder, name), env)))
            const [targets = [], warmUpTargets = []] = chats.slice(run * 2)
            try {
              samples[at]?.push(await measureServers(servers, readPostgres, targets, warmUpTargets))
            } finally {
              await Promise.all(servers.map((server) => server.stop()))
            }
          }
          return [...setups.flatMap((setup, at) => toFigures(setup, samples[at] ?? [])), ...compare(samples)]
        } finally {
          await model.stop()
          await s3.teardown()
        }
      }),
    ),
}
