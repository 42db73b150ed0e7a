import { createHash, randomUUID } from 'node:crypto'
import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { type Document, documentsApi } from '@lyceum/contract/documents'
import { createHttpClient, type HttpClient } from './http-client.ts'
import type { SpawnedServer } from './spawn-server.ts'

/** Something that the server answered with success, and must not lose. */
export interface Acknowledged {
  /** From `performance.now()`. */
  at: number
  what:
    | { kind: 'message'; chatId: string; text: string }
    | { kind: 'document'; id: string; sha256: string }
    | { kind: 'approval'; id: string }
}

export interface Load {
  acknowledged: Acknowledged[]
  /** Call before the server is killed. From then on requests may fail. */
  expectKill(): void
  /** Rejects if a request fails before `expectKill`. */
  ended: Promise<unknown>
}

export const owner = { email: 'owner@example.org', fullName: 'Olu Owner', password: 'a sound password' }
const messagesPerChat = 5

function hash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Creates the first user and a channel on a new server. Returns the id of the channel. */
export async function setUpChannel(server: SpawnedServer): Promise<string> {
  const body = { ...owner, token: server.setupToken() }
  await createHttpClient(server.url, '').call(authApi.register, { body })
  const channel = { name: 'Handbook', description: 'Rules', llmModel: 'gpt-4o' as const }
  return (await (await signInAsOwner(server.url)).call(channelsApi.create, { body: channel }))._id
}

export async function signInAsOwner(url: string): Promise<HttpClient & { token: string }> {
  const { token = '' } = await createHttpClient(url, '').call(authApi.login, { body: owner })
  return { ...createHttpClient(url, token), token }
}

/** Sends messages, uploads and approvals until the server is killed, and records what was acknowledged. */
export function startLoad(client: HttpClient, channelId: string): Load {
  const acknowledged: Acknowledged[] = []
  // A later load must not upload the same files.
  const name = randomUUID().slice(0, 8)
  let isStopping = false
  function record(what: Acknowledged['what']) {
    acknowledged.push({ at: performance.now(), what })
  }
  async function repeat(work: (round: number) => Promise<void>): Promise<void> {
    for (let round = 0; !isStopping; round += 1)
      try {
        await work(round)
      } catch (error) {
        // Requests fail once the server is being killed.
        if (!isStopping) throw error
      }
  }
  let chatId = ''
  const chat = repeat(async (round) => {
    if (round % messagesPerChat === 0)
      chatId = (await client.call(chatsApi.create, { params: { channelId }, body: {} }))._id
    const text = `Question ${name}-${round}, asked once`
    await client.call(chatsApi.send, { params: { channelId, chatId }, body: { message: text } })
    record({ kind: 'message', chatId, text })
  })
  const documents = repeat(async (round) => {
    const content = `Rule ${name}-${round}.\n\n${'A room closes in the evening. '.repeat(20 + (round % 50))}`
    const title = `rule-${name}-${round}.txt`
    const answer = await client.upload(documentsApi.upload, { channelId, title }, { name: title, content })
    if (!answer.ok) throw new Error(`an upload failed with status ${answer.status}`)
    const { _id: id } = (await answer.json()) as Document
    record({ kind: 'document', id, sha256: hash(content) })
    if (round % 2 === 1) return
    await client.call(documentsApi.approve, { params: { id } })
    record({ kind: 'approval', id })
  })
  return {
    acknowledged,
    expectKill: () => {
      isStopping = true
    },
    ended: Promise.all([chat, documents]),
  }
}

async function findMessageFaults(
  client: HttpClient,
  channelId: string,
  acknowledged: readonly Acknowledged[],
): Promise<string[]> {
  const faults: string[] = []
  const byChat = new Map<string, string[]>()
  for (const { what } of acknowledged)
    if (what.kind === 'message') byChat.set(what.chatId, [...(byChat.get(what.chatId) ?? []), what.text])
  for (const [chatId, texts] of byChat) {
    const { messages } = await client.call(chatsApi.get, { params: { channelId, chatId } })
    for (const text of texts) {
      const times = messages.filter(({ role, content }) => role === 'user' && content === text).length
      if (times !== 1) faults.push(`“${text}” appears ${times} times`)
    }
  }
  return faults
}

async function findDocumentFaults(
  client: HttpClient,
  acknowledged: readonly Acknowledged[],
): Promise<string[]> {
  const faults: string[] = []
  for (const { what } of acknowledged) {
    if (what.kind === 'document') {
      const file = await client.request(documentsApi.download, { params: { id: what.id } })
      const found = hash(new Uint8Array(await file.arrayBuffer()))
      if (found !== what.sha256) faults.push(`document ${what.id} has other content (status ${file.status})`)
    }
    if (what.kind === 'approval') {
      const { status } = await client.call(documentsApi.get, { params: { id: what.id } })
      if (status !== 'approved') faults.push(`document ${what.id} is back to ${status}`)
    }
  }
  return faults
}

/** Returns what was acknowledged but is now lost, doubled or changed, one sentence each. */
export async function findLosses(
  client: HttpClient,
  channelId: string,
  acknowledged: readonly Acknowledged[],
): Promise<string[]> {
  return [
    ...(await findMessageFaults(client, channelId, acknowledged)),
    ...(await findDocumentFaults(client, acknowledged)),
  ]
}
