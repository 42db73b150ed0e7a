import { setTimeout as sleep } from 'node:timers/promises'
import { type Document, documentsApi } from '@lyceum/contract/documents'
import { makeTextPdf } from '../../server/src/providers/text-extraction/fixtures/make-pdf.ts'
import { setUpChannel, signInAsOwner } from '../../server/src/testing/acknowledged-load.ts'
import type { HttpClient } from '../../server/src/testing/http-client.ts'
import { spawnServer } from '../../server/src/testing/spawn-server.ts'
import type { Figure } from '../figures.ts'

const deadlineMs = 300_000

async function uploadAndApprove(
  client: HttpClient,
  channelId: string,
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
): Promise<string> {
  const answer = await client.upload(documentsApi.upload, { channelId, title: name }, { name, content })
  if (!answer.ok) throw new Error(`an upload answered ${answer.status}: ${await answer.text()}`)
  const { _id: id } = (await answer.json()) as Document
  await client.call(documentsApi.approve, { params: { id } })
  return id
}

/** Milliseconds until the document can be searched. */
async function measureIndexing(client: HttpClient, id: string): Promise<number> {
  const begun = performance.now()
  while (performance.now() - begun < deadlineMs) {
    const { index } = await client.call(documentsApi.get, { params: { id } })
    if (index.state === 'ready') return performance.now() - begun
    await sleep(50)
  }
  throw new Error(`a good document was not ready after ${deadlineMs / 1000} s`)
}

/** A page that takes forever to read must not hold up the next document, nor keep working after its deletion. */
export async function runHostileDocuments(
  env: Record<string, string>,
  logStep: (step: string) => void,
): Promise<Figure[]> {
  const server = await spawnServer(env)
  try {
    const channelId = await setUpChannel(server)
    const client = await signInAsOwner(server.url)
    async function indexGoodDocument(name: string): Promise<number> {
      return measureIndexing(client, await uploadAndApprove(client, channelId, name, `The rules of ${name}.`))
    }
    function uploadEndless(name: string): Promise<string> {
      const lines = [{ x: 50, y: 700, text: name }] as const
      return uploadAndApprove(
        client,
        channelId,
        name,
        new Uint8Array(makeTextPdf([lines], { endlessPages: [1] })),
      )
    }
    const alone = await indexGoodDocument('alone.txt')
    logStep('indexing behind an endless page')
    const endless = await uploadEndless('endless.pdf')
    const behind = await indexGoodDocument('behind.txt')
    await client.call(documentsApi.remove, { params: { id: endless } })
    logStep('indexing after the deletion of another one')
    const deleted = await uploadEndless('deleted.pdf')
    await client.call(documentsApi.remove, { params: { id: deleted } })
    const after = await indexGoodDocument('after.txt')
    return [
      { label: 'a good document alone', value: alone / 1000, unit: 's' },
      { label: 'a good document behind an endless page', value: behind / 1000, unit: 's', max: 15 },
      { label: 'a good document after the endless one was deleted', value: after / 1000, unit: 's', max: 5 },
    ]
  } finally {
    await server.kill()
  }
}
