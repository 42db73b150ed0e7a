import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { channelsApi } from '@lyceum/contract/channels'
import { type ChatMessage, chatsApi, type ReplyEvent } from '@lyceum/contract/chats'
import { statusApi } from '@lyceum/contract/status'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ClusterFixture, createClusterFixture } from '../../server/src/testing/cluster-fixture.ts'
import { createHttpClient, type HttpClient } from '../../server/src/testing/http-client.ts'
import { type ModelStandIn, startModelStandIn } from '../../server/src/testing/model-stand-in.ts'
import { openReplyStream, type ReplyStream } from '../../server/src/testing/reply-stream.ts'
import { runCli } from '../../server/src/testing/run-cli.ts'
import { findFreePort, type SpawnedServer } from '../../server/src/testing/spawn-server.ts'
import { createTrustedCertificate } from './certificate.ts'
import { createNextVersion, type NextVersion, nextSteps } from './next-version.ts'
import { type ReverseProxy, startCaddy } from './proxies.ts'

const words = Array.from({ length: 40 }, (_, at) => `word${at} `)
const fullText = words.join('')
/** Longer than Caddy takes to notice that a server drains. */
const drainSeconds = '8'

let folder: string
let model: ModelStandIn
let cluster: ClusterFixture
let proxy: ReverseProxy
let ports: [first: string, second: string]
let next: NextVersion
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-rolling-'))
  model = await startModelStandIn({ behavior: { text: words } })
  cluster = await createClusterFixture({ OPENAI_BASE_URL: model.url, DRAIN_SECONDS: drainSeconds })
  ports = [String(await findFreePort()), String(await findFreePort())]
  const certificate = createTrustedCertificate(folder)
  proxy = await startCaddy({ folder, certificate, serverPort: ports[0], secondPort: ports[1] })
  next = createNextVersion(join(folder, 'next'))
}, 600_000)
afterEach(async () => {
  await proxy?.stop()
  await cluster?.close()
  await model?.close()
  await rm(folder, { recursive: true, force: true })
})

/** On a busy machine, a server that starts refuses for moments. A call that was refused has changed nothing. */
async function unlessBusy<R>(call: () => Promise<R>): Promise<R> {
  for (;;)
    try {
      return await call()
    } catch (error) {
      if (!/"server\.busy"/.test(String(error))) throw error
      await sleep(200)
    }
}

/** Calls through the load balancer until it is stopped. Rejects with the first call that fails. */
function startCalls(client: HttpClient) {
  let isStopping = false
  const names: string[] = []
  async function call(): Promise<void> {
    for (let round = 0; !isStopping; round += 1) {
      const name = `Channel ${round}`
      const body = { name, description: 'Any', llmModel: 'gpt-4o' as const }
      await unlessBusy(() => client.call(channelsApi.create, { body }))
      names.push(name)
      await unlessBusy(() => client.call(channelsApi.list, {}))
    }
  }
  const ended = call()
  // Reported by `stop`.
  ended.catch(() => undefined)
  return {
    names,
    /** Waits until more channels were created. */
    async proceed(): Promise<void> {
      const before = names.length
      await Promise.race([ended, expect.poll(() => names.length).toBeGreaterThan(before + 5)])
    },
    async stop(): Promise<string[]> {
      isStopping = true
      await ended
      return names
    },
  }
}

interface Chat {
  token: string
  params: { channelId: string; chatId: string }
}

function readText(events: readonly ReplyEvent[]): string {
  return events.flatMap((event) => (event.type === 'delta' ? [event.text] : [])).join('')
}

async function open(attempt: () => Promise<ReplyStream>): Promise<ReplyStream> {
  return unlessBusy(async () => {
    const stream = await attempt()
    if (stream.status !== 200) throw new Error(JSON.stringify(stream.refusal))
    return stream
  })
}

/** Reads a reply as the browser does: when the stream ends too early, it reads on after the last event. */
async function readReply(chat: Chat, stream: ReplyStream): Promise<string> {
  const { token, params } = chat
  const as = { token } as never
  const seen: ReplyEvent[] = []
  const accepted = await stream.readUntil('accepted')
  if (accepted === null) throw new Error('the stream had no beginning')
  const messageId = accepted.reply._id
  let current = stream
  for (;;) {
    // A connection that breaks also ends the stream.
    await current.readToEnd().catch(() => undefined)
    seen.push(...current.events)
    const last = seen.at(-1)
    if (last?.type === 'done') return readText(seen)
    if (last?.type === 'error') throw new Error(`the reply ended with ${JSON.stringify(last)}`)
    const input = { as, params: { ...params, messageId }, query: { after: last?.seq ?? 0 } }
    current = await open(() => openReplyStream(proxy.https, chatsApi.events, input))
  }
}

/** Starts a reply that pauses in the middle. Returns its whole text once it has ended. */
async function startReply(url: string, client: HttpClient, token: string, channelId: string) {
  const { _id: chatId } = await unlessBusy(() =>
    client.call(chatsApi.create, { params: { channelId }, body: {} }),
  )
  const chat: Chat = { token, params: { channelId, chatId } }
  const as = { token } as never
  const stream = await open(() =>
    openReplyStream(url, chatsApi.send, { as, params: chat.params, body: { message: 'Count' } }),
  )
  return { chatId, text: readReply(chat, stream) }
}

it('servers are replaced one by one by a version with another schema, and nobody notices', {
  timeout: 600_000,
}, async () => {
  const settings = { RUN: 'all' }
  const [firstPort, secondPort] = ports
  const first = await cluster.start('web-1', { ...settings, PORT: firstPort })
  const { token, channelId } = await cluster.setUp(first)
  const second = await cluster.start('web-2', { ...settings, PORT: secondPort })
  const client = createHttpClient(proxy.https, token)
  const calls = startCalls(client)
  await calls.proceed()

  function cli(...args: string[]) {
    return runCli(args, cluster.settings('cli'), '', { cli: next.cli })
  }

  // A server of the next version waits for its schema, while those of this version go on.
  const worker = cluster.start('worker', { RUN: 'worker' }, next.launcher)
  expect(await cli('migrate')).toEqual({
    code: 0,
    stdout: `The database was upgraded: ${nextSteps.expand.join(', ')}.\n`,
    stderr: '',
  })
  await worker
  await calls.proceed()
  expect(await cli('migrate', '--contract')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'The database was not contracted, because servers of an earlier version are running: web-1 (0.1.0), web-2 (0.1.0). Replace or stop them first.\n',
  })

  async function replace(server: SpawnedServer, name: string, port: string): Promise<SpawnedServer> {
    model.pause(words.length / 2)
    const replies = await Promise.all([
      startReply(server.url, client, token, channelId),
      startReply(proxy.https, client, token, channelId),
    ])
    await model.whenPaused(replies.length)
    process.kill(server.pid, 'SIGTERM')
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(503)
    await calls.proceed()
    model.resume()
    for (const { chatId, text } of replies) {
      expect(await text).toBe(fullText)
      const { messages } = await unlessBusy(() =>
        client.call(chatsApi.get, { params: { channelId, chatId } }),
      )
      const reply = messages.find(({ role }: ChatMessage) => role === 'assistant')
      expect(reply).toMatchObject({ state: 'complete', content: fullText })
    }
    expect(await server.exitCode).toBe(0)
    await calls.proceed()
    const replacement = await cluster.start(name, { ...settings, PORT: port }, next.launcher)
    await expect.poll(async () => (await fetch(`${replacement.url}/readyz`)).status).toBe(200)
    await calls.proceed()
    return replacement
  }

  await replace(first, 'web-1', firstPort)
  expect((await cli('migrate', '--contract')).stderr).toContain('running: web-2 (0.1.0). Replace')
  await replace(second, 'web-2', secondPort)
  const { nodes } = await unlessBusy(() => client.call(statusApi.get, {}))
  expect(nodes?.map(({ name, version }) => [name, version])).toEqual([
    ['web-1', 'next-0.1.0'],
    ['web-2', 'next-0.1.0'],
    ['worker', 'next-0.1.0'],
  ])

  expect(await cli('migrate', '--contract')).toEqual({
    code: 0,
    stdout: `The database was upgraded: ${nextSteps.contract.join(', ')}.\n`,
    stderr: '',
  })
  await calls.proceed()
  const created = await calls.stop()
  const rows = (await cluster.db.selectFrom('channels').selectAll().execute()) as {
    name: string
    greeting?: string
  }[]
  const stored = new Map(rows.map(({ name, greeting }) => [name, greeting]))
  expect(created.filter((name) => !stored.has(name))).toEqual([])
  expect([stored.get(created[0] ?? ''), stored.get(created.at(-1) ?? '')]).toEqual(['none', 'Welcome'])

  const late = await runCli(['start'], { ...cluster.settings('late'), PORT: '0' })
  expect(late).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(/^The database was written by a newer version of Lyceum .*\n$/),
  })
})
