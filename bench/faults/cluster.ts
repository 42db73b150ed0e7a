import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { channelsApi } from '@lyceum/contract/channels'
import { type Db, openDatabase } from '../../server/src/db/client.ts'
import { createAdmin, createTestChannel, createUser } from '../../server/src/testing/factories.ts'
import { createHttpClient } from '../../server/src/testing/http-client.ts'
import type { OpenSearchProxy } from '../../server/src/testing/opensearch-proxy.ts'
import type { S3Proxy } from '../../server/src/testing/s3-proxy.ts'
import type { TcpProxy } from '../../server/src/testing/tcp-proxy.ts'
import type { TestRedis } from '../../server/src/testing/test-redis.ts'
import type { Figure } from '../figures.ts'
import { choose } from '../random-text.ts'
import { withDeps } from '../with-deps.ts'
import {
  type ClusterCaller,
  createCaller,
  findDocumentFaults,
  findMessageFaults,
  type Observed,
  sendMessages,
  uploadDocuments,
} from './cluster-load.ts'
import { type ClusterServer, crashPostgres, createClusterServer } from './cluster-servers.ts'

const senders = 4
/** The fault comes at a random instant within this many milliseconds of load. */
const longestLoad = 3000
const awayMs = 5000
const databaseAwayMs = 2000
const brokerAwayMs = 1000
const pollMs = 20
const webPoints = [
  ...['message.committed', 'reply.delta', 'reply.written', 'reply.committed'],
  ...['blob.renamed', 'document.committed', 'approve.updated', 'approve.committed'],
]
const workerPoints = ['index.chunk', 'index.added', 'index.switched']
const textPoint = 'reply.delta'

/** What the servers share. */
export interface Services {
  databaseUrl: string
  database: TcpProxy
  redis: TestRedis
  s3: S3Proxy
  openSearch: OpenSearchProxy
  /** The settings of all servers. */
  settings: Record<string, string>
}

interface Cluster extends Services {
  db: Db
  web: ClusterServer[]
  worker: ClusterServer
  channelId: string
  tokens: string[]
  adminToken: string
}

interface Outcome {
  /** Milliseconds until the replies of a server that was killed had ended; null if none was killed. */
  takeover: number | null
  /** Whether the server reached its fault point. Otherwise it was killed somewhere else. */
  isReached: boolean
}

interface Fault {
  name: string
  run(cluster: Cluster, random: () => number): Promise<Outcome>
}

const nothingKilled: Outcome = { takeover: null, isReached: true }

/** Milliseconds until the replies of a server that has died have ended. */
async function measureTakeover({ db }: Cluster, { name }: ClusterServer): Promise<number> {
  const begun = performance.now()
  const running = db
    .selectFrom('messages')
    .innerJoin('nodes', 'nodes.id', 'messages.lease_owner')
    .select('messages.id')
    .where('nodes.name', '=', name)
    .where('messages.state', '=', 'streaming')
  while ((await running.executeTakeFirst()) !== undefined) await sleep(pollMs)
  return performance.now() - begun
}

/** Kills a server at a random instant, and starts it once others have taken over. */
async function killServer(cluster: Cluster, server: ClusterServer): Promise<Outcome> {
  await server.kill()
  const takeover = await measureTakeover(cluster, server)
  await server.start()
  return { takeover, isReached: true }
}

/** Lets a server kill itself at a point of its code, and starts it once others have taken over. */
async function killServerAt(cluster: Cluster, server: ClusterServer, point: string): Promise<Outcome> {
  const isReached = await server.killAt(point)
  const takeover = await measureTakeover(cluster, server)
  await server.start()
  return { takeover, isReached }
}

function atPoint(point: string, pick: (cluster: Cluster, random: () => number) => ClusterServer): Fault {
  return {
    name: `kill -9 at ${point}`,
    run(cluster, random) {
      const occurrence = 1 + Math.floor(random() * (point === textPoint ? 40 : 2))
      return killServerAt(cluster, pick(cluster, random), `${point}:${occurrence}`)
    },
  }
}

const faults: readonly Fault[] = [
  ...webPoints.map((point) => atPoint(point, ({ web }, random) => choose(random, web))),
  ...workerPoints.map((point) => atPoint(point, ({ worker }) => worker)),
  {
    name: 'kill -9 of a web server',
    run: (cluster, random) => killServer(cluster, choose(random, cluster.web)),
  },
  { name: 'kill -9 of the worker', run: (cluster) => killServer(cluster, cluster.worker) },
  {
    name: 'a crash of PostgreSQL',
    async run({ databaseUrl }) {
      await crashPostgres(databaseUrl)
      return nothingKilled
    },
  },
  {
    name: `PostgreSQL away for ${databaseAwayMs / 1000} s`,
    async run({ database }) {
      await database.refuse()
      database.cutAll()
      await sleep(databaseAwayMs)
      await database.accept()
      return nothingKilled
    },
  },
  {
    name: `Redis killed, and empty after ${brokerAwayMs / 1000} s`,
    async run({ redis }) {
      await redis.kill()
      await sleep(brokerAwayMs)
      await redis.start()
      return nothingKilled
    },
  },
  {
    name: `S3 away for ${awayMs / 1000} s`,
    async run({ s3 }) {
      s3.fail('unavailable')
      await sleep(awayMs)
      s3.recover()
      return nothingKilled
    },
  },
  {
    name: `OpenSearch away for ${awayMs / 1000} s`,
    async run({ openSearch }) {
      openSearch.fail('down')
      await sleep(awayMs)
      openSearch.recover()
      return nothingKilled
    },
  },
]

/** Milliseconds until every web server is ready and answers. */
async function measureRecovery({ web, tokens: [token = ''] }: Cluster): Promise<number> {
  const begun = performance.now()
  async function isBack({ url }: ClusterServer): Promise<boolean> {
    const ready = await fetch(`${url}/readyz`).catch(() => null)
    await ready?.arrayBuffer()
    if (!ready?.ok) return false
    const read = await createHttpClient(url, token)
      .request(channelsApi.list, {})
      .catch(() => null)
    await read?.arrayBuffer()
    return read?.ok === true
  }
  for (const server of web) while (!(await isBack(server))) await sleep(pollMs)
  return performance.now() - begun
}

interface Round extends Outcome {
  observed: Observed
  found: string[]
  recovery: number
}

async function runRound(cluster: Cluster, fault: Fault, random: () => number): Promise<Round> {
  const { channelId } = cluster
  const observed: Observed = {
    messages: [],
    documents: [],
    approved: [],
    characters: 0,
    requests: 0,
    wrong: [],
  }
  const urls = cluster.web.map(({ url }) => url)
  let isOver = false
  function createLoad(token: string): ClusterCaller {
    return createCaller(urls, token, observed, () => isOver)
  }
  const load = [
    ...cluster.tokens.map((token) => sendMessages(createLoad(token), channelId, observed, () => isOver)),
    uploadDocuments(createLoad(cluster.adminToken), channelId, observed, () => isOver),
  ]
  await sleep(random() * longestLoad)
  const outcome = await fault.run(cluster, random)
  const recovery = await measureRecovery(cluster)
  await sleep(random() * longestLoad)
  isOver = true
  await Promise.all(load)
  function createCheck(token: string): ClusterCaller {
    return createCaller(urls, token, observed, () => false)
  }
  const found = [
    ...(await findMessageFaults(cluster.tokens.map(createCheck), channelId, observed)),
    ...(await findDocumentFaults(createCheck(cluster.adminToken), channelId, observed)),
  ]
  return { ...outcome, observed, found, recovery }
}

async function runRounds(
  cluster: Cluster,
  count: number,
  random: () => number,
  logStep: (step: string) => void,
): Promise<Figure[]> {
  const rounds: Round[] = []
  for (let at = 0; at < count; at += 1) {
    const fault = faults[at % faults.length]
    if (!fault) throw new Error('there are no faults')
    const round = await runRound(cluster, fault, random)
    rounds.push(round)
    const { observed, found, takeover, isReached, recovery } = round
    const facts = [
      `${observed.messages.length} messages, ${observed.documents.length} documents`,
      ...(isReached ? [] : ['the point was not reached']),
      ...(takeover === null ? [] : [`taken over after ${takeover.toFixed(0)} ms`]),
      `ready after ${recovery.toFixed(0)} ms`,
      ...new Set([...observed.wrong, ...(found.length === 0 ? ['nothing lost or doubled'] : found)]),
    ]
    logStep(`${at + 1} of ${count}, ${fault.name}: ${facts.join('; ')}`)
  }
  const leasesLost = [...cluster.web, cluster.worker].reduce((sum, server) => sum + server.leasesLost(), 0)
  return [
    ...toFigures(rounds),
    {
      label: 'servers that lost their lease without a kill, and were started again',
      value: leasesLost,
      unit: '',
    },
  ]
}

function toFigures(rounds: readonly Round[]): Figure[] {
  function sum(count: (round: Round) => number): number {
    return rounds.reduce((total, round) => total + count(round), 0)
  }
  const messages = sum(({ observed }) => observed.messages.length)
  const documents = sum(({ observed }) => observed.documents.length)
  return [
    {
      label: 'messages, replies, shown text and documents lost or doubled',
      value: sum(({ found }) => found.length),
      unit: '',
      max: 0,
      note: `of ${messages} messages with ${sum(({ observed }) => observed.characters)} characters shown and ${documents} documents, in ${rounds.length} rounds`,
    },
    {
      label: 'answers other than success, or a refusal that says to try again',
      value: sum(({ observed }) => observed.wrong.length),
      unit: '',
      max: 0,
      note: `of ${sum(({ observed }) => observed.requests)}`,
    },
    {
      label: 'slowest takeover of the replies of a killed server',
      value: Math.max(...rounds.map(({ takeover }) => takeover ?? 0)) / 1000,
      unit: 's',
      max: 10,
    },
    {
      label: 'slowest recovery after a fault',
      value: Math.max(...rounds.map(({ recovery }) => recovery)) / 1000,
      unit: 's',
      max: 10,
      note: 'until all web servers are ready and answer',
    },
  ]
}

/** Creates users and a channel on an empty database. */
function createUsers(
  folder: string,
  { databaseUrl, settings: { SECRETS_FILE = '' } }: Services,
): Promise<Pick<Cluster, 'channelId' | 'tokens' | 'adminToken'>> {
  return withDeps(
    join(folder, 'setup'),
    async (deps) => {
      const channelId = await createTestChannel(deps)
      const tokens: string[] = []
      for (let user = 0; user < senders; user += 1)
        tokens.push((await createUser(deps, { channels: [channelId] })).token)
      const { token: adminToken } = await createAdmin(deps)
      return { channelId, tokens, adminToken }
    },
    { DATABASE_URL: databaseUrl, SECRETS_FILE },
  )
}

/** Lets the servers of a cluster, and what they share, fail under load. Everything that users were told must stay true. */
export async function runClusterFaults(
  folder: string,
  services: Services,
  count: number | null,
  random: () => number,
  logStep: (step: string) => void,
): Promise<Figure[]> {
  logStep('starting two web servers and a worker')
  const users = await createUsers(folder, services)
  const servers: ClusterServer[] = []
  for (const RUN of ['web', 'web', 'worker'])
    servers.push(
      await createClusterServer(`${RUN}-${servers.length + 1}`, folder, { ...services.settings, RUN }),
    )
  const db = openDatabase({ postgres: services.databaseUrl, poolSize: 1 })
  try {
    await Promise.all(servers.map((server) => server.start()))
    const [first, second, worker] = servers as [ClusterServer, ClusterServer, ClusterServer]
    const cluster = { ...services, ...users, db, web: [first, second], worker }
    return await runRounds(cluster, count ?? 2 * faults.length, random, logStep)
  } finally {
    await Promise.allSettled(servers.map((server) => server.kill()))
    await db.destroy()
  }
}
