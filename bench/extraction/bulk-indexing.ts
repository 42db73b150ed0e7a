import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chatsApi } from '@lyceum/contract/chats'
import { type Document, documentsApi, isIndexing } from '@lyceum/contract/documents'
import { insertMember } from '../../server/src/features/channels/store.ts'
import { createChat } from '../../server/src/features/chats/chats.ts'
import { getKindByName } from '../../server/src/providers/text-extraction/sniff.ts'
import { createAdmin, createTestChannel } from '../../server/src/testing/factories.ts'
import { createHttpClient, type HttpClient } from '../../server/src/testing/http-client.ts'
import { getActor } from '../actors.ts'
import { percentile, readLoad } from '../figures.ts'
import { startServerOn, withFolder } from '../server-process.ts'
import { withDeps } from '../with-deps.ts'
import { listChildren, readResidentMemory, watchChildren } from './child-memory.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '1000' },
    channels: { type: 'string', default: '8' },
    out: { type: 'string' },
  },
})

const source = positionals[0] ?? ''
if (!source) {
  console.error(
    [
      'Uploads the documents of a folder into a new installation, approves them all and waits until each is ready or failed.',
      'npm run bench:documents -- <folder> [--count 1000] [--channels 8] [--out <file.json>]',
    ].join('\n'),
  )
  process.exit(2)
}

const settleDelayMs = 500
const pollIntervalMs = 1000
const timeoutMs = 3 * 3600_000
const pageSize = 100

interface Channel {
  channelId: string
  chatId: string
}

/** Files without duplicates, in a fixed shuffled order, so that the first ones are a mix of types and subfolders. */
function listFilesToUpload(): string[] {
  const seen = new Set<string>()
  function hash(text: string | Buffer): string {
    return createHash('sha256').update(text).digest('hex')
  }
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(getKindByName)
    .toSorted((a, b) => hash(a).localeCompare(hash(b)))
    .map((file) => join(source, file))
    .filter((path) => {
      const key = hash(readFileSync(path))
      return seen.size < seen.add(key).size
    })
}

function prepare(folder: string): Promise<{ token: string; channels: Channel[] }> {
  return withDeps(folder, async (deps) => {
    const admin = await createAdmin(deps)
    const actor = await getActor(deps, admin.id)
    const channels: Channel[] = []
    for (let number = 1; number <= Number(values.channels); number++) {
      const channelId = await createTestChannel(deps, { name: `Library ${number}` })
      await insertMember(deps.db, channelId, admin.id, deps.now())
      channels.push({ channelId, chatId: (await createChat(deps, actor, channelId))._id })
    }
    return { token: admin.token, channels }
  })
}

interface Uploaded {
  ids: string[]
  bytes: number
  refused: Record<string, number>
}

async function uploadAll(client: HttpClient, channels: readonly Channel[]): Promise<Uploaded> {
  const uploaded: Uploaded = { ids: [], bytes: 0, refused: {} }
  for (const path of listFilesToUpload()) {
    if (uploaded.ids.length >= Number(values.count)) break
    const { channelId } = channels[uploaded.ids.length % channels.length] ?? { channelId: '' }
    const file = { name: basename(path), content: new Uint8Array(readFileSync(path)) }
    const response = await client.upload(documentsApi.upload, { channelId }, file)
    const reply = (await response.json()) as Document & { message: string }
    if (response.ok) {
      uploaded.ids.push(reply._id)
      uploaded.bytes += statSync(path).size
    } else uploaded.refused[reply.message] = (uploaded.refused[reply.message] ?? 0) + 1
  }
  return uploaded
}

const questions = [
  'How is a printer set up?',
  'Which encryption does the package manager use?',
  'What is the licence of this document?',
  'How do I install the system from a network?',
  'Wie wird das System installiert?',
  'パッケージをインストールする方法',
  'What does the option --verbose do?',
  'Who wrote the user manual?',
]

interface Timings {
  /** Times of /healthz, which does no work: the delay of the machine itself. */
  healthz: number[]
  list: number[]
  question: number[]
}

function createTimings(): Timings {
  return { healthz: [], list: [], question: [] }
}

async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/** Lists documents and asks a question, as a user who is active at the same time would. */
async function simulateUser(
  url: string,
  client: HttpClient,
  channels: readonly Channel[],
  waits: Timings,
): Promise<void> {
  const turn = waits.question.length
  const params = channels[turn % channels.length] ?? { channelId: '', chatId: '' }
  const message = `${questions[turn % questions.length]} (${turn})`
  waits.healthz.push(await measureTime(async () => (await fetch(`${url}/healthz`)).arrayBuffer()))
  waits.list.push(await measureTime(() => client.call(documentsApi.list, { query: { limit: 20, skip: 0 } })))
  waits.question.push(
    await measureTime(() => client.call(chatsApi.send, { params: { ...params }, body: { message } })),
  )
}

async function listAllDocuments(client: HttpClient): Promise<Document[]> {
  const all: Document[] = []
  for (;;) {
    const reply = await client.call(documentsApi.list, { query: { limit: pageSize, skip: all.length } })
    const items = Array.isArray(reply) ? reply : reply.items
    if (items.length === 0) return all
    all.push(...items)
  }
}

function computeFolderSize(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .filter((stat) => stat.isFile())
    .reduce((sum, stat) => sum + stat.size, 0)
}

function computeDatabaseSize(folder: string): number {
  return readdirSync(folder)
    .filter((name) => name.includes('.db'))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

function summarize(waits: Timings) {
  return Object.fromEntries(
    Object.entries(waits).map(([name, list]) => [
      name,
      {
        calls: list.length,
        p50: percentile(list, 50),
        p95: percentile(list, 95),
        longest: Math.max(...list),
      },
    ]),
  )
}

const result = await withFolder(async (folder) => {
  const { token, channels } = await prepare(folder)
  const server = await startServerOn(folder, { RATE_LIMIT_SCALE: '1000' })
  const pid = Number(listChildren(process.pid)[0])
  const client = createHttpClient(server.url, token)
  const memory: { seconds: number; server: number; finished: number }[] = []
  const childPeakMb = watchChildren(pid)
  try {
    const before = createTimings()
    for (let turn = 0; turn < 40; turn++) await simulateUser(server.url, client, channels, before)

    const uploadBegun = performance.now()
    const uploaded = await uploadAll(client, channels)
    const uploadSeconds = (performance.now() - uploadBegun) / 1000
    console.error(`${uploaded.ids.length} uploaded in ${uploadSeconds.toFixed(0)} s`)

    const begun = performance.now()
    const processorBefore = server.cpu()
    for (const id of uploaded.ids) await client.call(documentsApi.approve, { params: { id } })
    console.error(`all approved after ${((performance.now() - begun) / 1000).toFixed(0)} s`)

    const during = createTimings()
    let documents: Document[] = []
    for (let round = 0; performance.now() - begun < timeoutMs; round++) {
      await simulateUser(server.url, client, channels, during)
      if (round % 10 === 0) {
        documents = await listAllDocuments(client)
        const finished = documents.filter(({ index }) => !isIndexing(index.state)).length
        const seconds = (performance.now() - begun) / 1000
        memory.push({ seconds, server: readResidentMemory(String(pid)), finished })
        console.error(
          `${seconds.toFixed(0)} s: ${finished} finished, server ${memory.at(-1)?.server.toFixed(0)} MB`,
        )
        if (finished === documents.length) break
      }
      await sleep(pollIntervalMs)
    }
    const indexSeconds = (performance.now() - begun) / 1000
    const processor = (server.cpu() - processorBefore) / 1000
    const after = createTimings()
    for (let turn = 0; turn < 100; turn++) await simulateUser(server.url, client, channels, after)
    await sleep(settleDelayMs)
    const reasons = Map.groupBy(
      documents.filter(({ index }) => index.state !== 'ready'),
      ({ index, fileType }) => `${fileType} ${index.state}: ${index.reason}`,
    )
    return {
      uploaded: uploaded.ids.length,
      megabytes: uploaded.bytes / 1e6,
      kinds: Object.fromEntries(
        [...Map.groupBy(documents, ({ fileType }) => fileType)].map(([kind, own]) => [kind, own.length]),
      ),
      refused: uploaded.refused,
      ready: documents.filter(({ index }) => index.state === 'ready').length,
      others: Object.fromEntries(
        [...reasons].map(([reason, own]) => [reason, own.map((each) => each.originalName)]),
      ),
      unfinished: documents.filter(({ index }) => isIndexing(index.state)).length,
      passages: documents.reduce((sum, { index }) => sum + (index.passages ?? 0), 0),
      pages: documents.reduce((sum, { index }) => sum + (index.pages ?? 0), 0),
      uploadSeconds,
      indexSeconds,
      serverProcessorSeconds: processor,
      childPeakMb: childPeakMb(),
      serverPeakMb: Math.max(...memory.map((each) => each.server)),
      serverAfter: server.memory(),
      databaseMegabytes: computeDatabaseSize(folder) / 1e6,
      folderMegabytes: computeFolderSize(folder) / 1e6,
      waits: { before: summarize(before), during: summarize(during), after: summarize(after) },
      memory,
      load: readLoad(),
    }
  } finally {
    await server.stop()
  }
})

console.log(JSON.stringify({ ...result, memory: undefined }, null, 1))
if (values.out) writeFileSync(values.out, `${JSON.stringify(result, null, 1)}\n`)
