import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { setUpChannel, signInAsOwner } from '../../server/src/testing/acknowledged-load.ts'
import type { HttpClient } from '../../server/src/testing/http-client.ts'
import { type SpawnedServer, spawnServer } from '../../server/src/testing/spawn-server.ts'
import { startTcpProxy, type TcpProxy } from '../../server/src/testing/tcp-proxy.ts'
import { type Figure, percentile } from '../figures.ts'
import { choose } from '../random-text.ts'

const rounds = 30
/** A user may have two replies running. */
const senders = 2
const messagesPerChat = 5
const silenceMs = 5000
const refusalMs = 2000

interface Observed {
  /** Milliseconds of every answer. */
  times: number[]
  /** Every answer that was neither a success nor 503 with Retry-After. */
  wrong: string[]
  unavailable: number
  /** Messages by chat that were acknowledged. */
  sent: Map<string, string[]>
}

type Fault = (proxy: TcpProxy, random: () => number) => Promise<void>

/** Each leaves the connection intact again. */
const faults: Record<string, Fault> = {
  'all connections cut': async (proxy) => proxy.cutAll(),
  'connections cut after some bytes': async (proxy, random) => {
    proxy.cutAfter(Math.floor(random() * 5000))
    await sleep(1000)
    proxy.cutAfter(null)
  },
  silence: async (proxy) => {
    proxy.freeze()
    await sleep(silenceMs)
    proxy.thaw()
  },
  'a restart': async (proxy) => {
    await proxy.refuse()
    proxy.cutAll()
    await sleep(refusalMs)
    await proxy.accept()
  },
  'a lost COMMIT': async (proxy, random) => {
    await proxy.loseNextCommit(choose(random, ['cut', 'silence'] as const))
  },
}

/** Makes a request and records its answer: a success, null if the database was away, else `wrong`. */
async function observe(
  observed: Observed,
  work: () => Promise<Response>,
): Promise<Response | null | 'wrong'> {
  const begun = performance.now()
  const response = await work().catch((error: unknown) => String(error))
  observed.times.push(performance.now() - begun)
  if (typeof response !== 'string') {
    if (response.ok) return response
    if (response.status === 503 && response.headers.has('retry-after')) {
      observed.unavailable += 1
      return null
    }
  }
  observed.wrong.push(typeof response === 'string' ? response : `${response.status} ${await response.text()}`)
  return 'wrong'
}

/** Sends each message with the same key until it is acknowledged, as the web client does. */
async function sendMessages(
  client: HttpClient,
  channelId: string,
  observed: Observed,
  isOver: () => boolean,
): Promise<void> {
  let chatId = ''
  for (let round = 0; !isOver(); ) {
    if (round % messagesPerChat === 0) {
      const created = await observe(observed, () =>
        client.request(chatsApi.create, { params: { channelId }, body: {} }),
      )
      if (!created || created === 'wrong') continue
      chatId = ((await created.json()) as { _id: string })._id
      observed.sent.set(chatId, [])
    }
    const key = randomUUID()
    const body = { message: `Question ${key}` }
    while (!isOver()) {
      const answer = await observe(observed, () =>
        client.request(chatsApi.send, { params: { channelId, chatId }, body }, { 'idempotency-key': key }),
      )
      // The same key would get the same answer again.
      if (answer === 'wrong') break
      if (answer) {
        await answer.arrayBuffer()
        observed.sent.get(chatId)?.push(body.message)
        break
      }
      await sleep(200)
    }
    round += 1
  }
}

async function readChannels(client: HttpClient, observed: Observed, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const answer = await observe(observed, () => client.request(channelsApi.list, {}))
    if (answer !== 'wrong') await answer?.arrayBuffer()
    await sleep(50)
  }
}

/** Milliseconds until a read succeeds. */
async function measureRecovery(client: HttpClient): Promise<number> {
  const begun = performance.now()
  while (true) {
    const answer = await client.request(channelsApi.list, {}).catch(() => null)
    await answer?.arrayBuffer()
    if (answer?.ok) return performance.now() - begun
    await sleep(50)
  }
}

/** Counts messages that are missing or doubled, and replies that still run. */
async function findFaults(client: HttpClient, channelId: string, { sent }: Observed): Promise<string[]> {
  const found: string[] = []
  for (const [chatId, texts] of sent) {
    const { messages } = await client.call(chatsApi.get, { params: { channelId, chatId } })
    const contents = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
    for (const text of new Set([...texts, ...contents])) {
      const times = contents.filter((content) => content === text).length
      if (times !== 1) found.push(`${text} appears ${times} times`)
    }
    if (messages.some(({ state }) => state === 'streaming')) found.push(`a reply in ${chatId} still runs`)
  }
  return found
}

/** Lets PostgreSQL fail at random instants while users read and send. */
export async function runDatabaseFaults(
  databaseUrl: string,
  env: Record<string, string>,
  random: () => number,
  logStep: (step: string) => void,
): Promise<Figure[]> {
  const proxy = await startTcpProxy(databaseUrl)
  const server = await spawnServer({ ...env, DATABASE_URL: proxy.throughProxy(databaseUrl) })
  try {
    return await observeFaults(server, proxy, random, logStep)
  } finally {
    await server.kill()
    await proxy.close()
  }
}

async function observeFaults(
  server: SpawnedServer,
  proxy: TcpProxy,
  random: () => number,
  logStep: (step: string) => void,
): Promise<Figure[]> {
  const channelId = await setUpChannel(server)
  const client = await signInAsOwner(server.url)
  const observed: Observed = { times: [], wrong: [], unavailable: 0, sent: new Map() }
  const recoveries: number[] = []
  let isOver = false
  const work = [
    ...Array.from({ length: senders }, () => sendMessages(client, channelId, observed, () => isOver)),
    readChannels(client, observed, () => isOver),
  ]
  for (let round = 1; round <= rounds; round += 1) {
    await sleep(random() * 2000)
    const [name, fault] = choose(random, Object.entries(faults))
    await fault(proxy, random)
    const recovery = await measureRecovery(client)
    recoveries.push(recovery)
    logStep(`database fault ${round} of ${rounds}: ${name}, back after ${recovery.toFixed(0)} ms`)
  }
  isOver = true
  await Promise.all(work)
  // A reply must have ended ten seconds after its database came back.
  await sleep(10_000)
  const lost = await findFaults(client, channelId, observed)
  for (const text of new Set([...observed.wrong, ...lost])) logStep(text)
  const name = `${rounds} database faults`
  const messages = [...observed.sent.values()].flat().length
  return [
    {
      label: `${name}: messages lost or doubled, replies that never end`,
      value: lost.length,
      unit: '',
      max: 0,
      note: `of ${messages}`,
    },
    {
      label: `${name}: answers other than success or 503 with Retry-After`,
      value: observed.wrong.length,
      unit: '',
      max: 0,
      note: `of ${observed.times.length}; 503: ${observed.unavailable}`,
    },
    { label: `${name}: slowest answer`, value: Math.max(...observed.times) / 1000, unit: 's' },
    { label: `${name}: answers, p99`, value: percentile(observed.times, 99) / 1000, unit: 's', max: 2 },
    { label: `${name}: slowest recovery`, value: Math.max(...recoveries) / 1000, unit: 's', max: 5 },
  ]
}
