import { setTimeout as sleep } from 'node:timers/promises'
import { chatsApi } from '@lyceum/contract/chats'
import { type Document, documentsApi } from '@lyceum/contract/documents'
import { insertMember } from '../../server/src/features/channels/store.ts'
import { createChat } from '../../server/src/features/chats/chats.ts'
import { createAdmin, createTestChannel } from '../../server/src/testing/factories.ts'
import { createHttpClient, type HttpClient } from '../../server/src/testing/http-client.ts'
import { getActor } from '../actors.ts'
import { type Measure, percentile } from '../figures.ts'
import { writePdf } from '../pdf-writer.ts'
import { createRandom, pickRandomWord } from '../random-text.ts'
import { type Process, startServerOn, withFolder } from '../server-process.ts'
import { withDeps } from '../with-deps.ts'

const pages = 300
const linesPerPage = 40
const wordsPerLine = 10
const factPage = 217
const timeoutMs = 100_000

/** Pages of about 400 words; one of them contains the fact that the question asks for. */
function createPdf(): Buffer {
  const random = createRandom(3)
  function createLine(): string {
    return `${Array.from({ length: wordsPerLine }, () => pickRandomWord(random)).join(' ')}.`
  }
  return writePdf(
    Array.from({ length: pages }, (_, at) => [
      `Chapter ${at + 1}`,
      ...Array.from({ length: linesPerPage }, createLine),
      ...(at + 1 === factPage ? ['The lighthouse keeper of Varberg is paid 4711 ducats a year.'] : []),
    ]),
  )
}

/** Measures how long /healthz takes, until stopped. */
function timeOtherRequests(server: Process): () => Promise<number[]> {
  const waits: number[] = []
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const begun = performance.now()
      await (await fetch(`${server.url}/healthz`)).arrayBuffer()
      waits.push(performance.now() - begun)
      await sleep(5)
    }
  })()
  return async () => {
    isOver = true
    await watching
    return waits
  }
}

async function waitUntilReady(client: HttpClient, id: string): Promise<Document> {
  const begun = performance.now()
  while (performance.now() - begun < timeoutMs) {
    const document = await client.call(documentsApi.get, { params: { id } })
    if (document.index.state === 'ready') return document
    if (document.index.state === 'failed') throw new Error(document.index.reason ?? 'indexing failed')
    await sleep(50)
  }
  throw new Error('the document did not become ready')
}

export const longPdf: Measure = {
  name: 'long-pdf',
  title: `A PDF of ${pages} pages from approval to an answer, without a model`,
  run: (logStep) =>
    withFolder(async (folder) => {
      const { token, channelId, chatId } = await withDeps(folder, async (deps) => {
        const admin = await createAdmin(deps)
        const channel = await createTestChannel(deps)
        await insertMember(deps.db, channel, admin.id, deps.now())
        const chat = await createChat(deps, await getActor(deps, admin.id), channel)
        return { token: admin.token, channelId: channel, chatId: chat._id }
      })
      const server = await startServerOn(folder)
      try {
        const client = createHttpClient(server.url, token)
        const content = new Uint8Array(createPdf())
        logStep('uploading')
        const response = await client.upload(
          documentsApi.upload,
          { channelId },
          { name: 'long.pdf', content },
        )
        if (!response.ok) throw new Error(`the upload returned ${response.status}`)
        const { _id: id } = (await response.json()) as Document
        const before = server.cpu()
        const stopTiming = timeOtherRequests(server)
        logStep('approving')
        const begun = performance.now()
        await client.call(documentsApi.approve, { params: { id } })
        const { index } = await waitUntilReady(client, id)
        const readyAfter = performance.now() - begun
        const waits = await stopTiming()
        const askedAt = performance.now()
        const { reply } = await client.call(chatsApi.send, {
          params: { channelId, chatId },
          body: { message: 'How much is the lighthouse keeper of Varberg paid a year?' },
        })
        const answeredAfter = performance.now() - askedAt
        const citedPage = reply.citations?.find(({ quote }) => quote.includes('4711'))?.page
        if (citedPage !== factPage) throw new Error(`the answer cites page ${citedPage}, not ${factPage}`)
        return [
          {
            label: 'from approval to ready',
            value: readyAfter / 1000,
            unit: 's',
            max: 20,
            note: `${index.passages} passages, ${(content.length / 1e6).toFixed(1)} MB`,
          },
          {
            label: 'from approval to an answer that cites the page',
            value: (readyAfter + answeredAfter) / 1000,
            unit: 's',
            max: 20,
          },
          {
            label: 'CPU time of the server',
            value: (server.cpu() - before) / 1000,
            unit: 's',
            note: 'without the process that reads the file',
          },
          { label: '/healthz meanwhile, p95', value: percentile(waits, 95), unit: 'ms' },
          { label: '/healthz meanwhile, longest', value: Math.max(...waits), unit: 'ms' },
        ]
      } finally {
        await server.stop()
      }
    }),
}
