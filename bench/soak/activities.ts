import { channelsApi } from '@lyceum/contract/channels'
import { chatHistoryApi } from '@lyceum/contract/chat-history'
import { chatsApi } from '@lyceum/contract/chats'
import { type Document, documentsApi } from '@lyceum/contract/documents'
import type { HttpClient } from '../../server/src/testing/http-client.ts'

/** One round of what a user does. */
export type Activity = (round: number) => Promise<unknown>

/** The amount of data stays the same, so that growing memory has no other cause than a leak. */
const chatsKept = 10
const documentsKept = 10
const messagesPerChat = 4

const eventStream = { accept: 'text/event-stream' }

async function readToEnd(response: Response): Promise<void> {
  const body = await response.arrayBuffer()
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${Buffer.from(body)}`)
}

/** Reads lists, sends messages and reads the replies, but leaves the last one of each chat before its end. */
export function createChatter(client: HttpClient, channelId: string): Activity {
  const chats: string[] = []
  async function openChat(): Promise<void> {
    chats.push((await client.call(chatsApi.create, { params: { channelId }, body: {} }))._id)
    const oldest = chats.length > chatsKept ? chats.shift() : undefined
    if (oldest) await client.call(chatsApi.remove, { params: { channelId, chatId: oldest } })
  }
  return async (round) => {
    if (round % messagesPerChat === 0) await openChat()
    const params = { channelId, chatId: chats.at(-1) ?? '' }
    await client.call(channelsApi.list, {})
    await client.call(chatsApi.list, { params: { channelId } })
    const body = { message: `Question ${round}: when does room ${round % 50} close?` }
    const stream = await client.request(chatsApi.send, { params, body }, eventStream)
    if (round % messagesPerChat === messagesPerChat - 1 && stream.ok) {
      const reader = stream.body?.getReader()
      await reader?.read()
      await reader?.cancel()
    } else await readToEnd(stream)
    await client.call(chatsApi.get, { params })
    await client.call(chatsApi.search, { query: { q: 'room' } })
  }
}

/** Uploads, approves, replaces and deletes documents. */
export function createEditor(client: HttpClient, channelId: string): Activity {
  const documents: string[] = []
  return async (round) => {
    const name = `rules-${round}.txt`
    const content = `Room ${round} closes at nine.\n\n${'Please leave it tidy. '.repeat(200 + (round % 100))}`
    const answer = await client.upload(documentsApi.upload, { channelId, title: name }, { name, content })
    if (!answer.ok) throw new Error(`an upload answered ${answer.status}: ${await answer.text()}`)
    const { _id: id } = (await answer.json()) as Document
    documents.push(id)
    await client.call(documentsApi.approve, { params: { id } })
    await readToEnd(await client.request(documentsApi.download, { params: { id } }))
    const oldest = documents.length > documentsKept ? documents.shift() : undefined
    if (oldest) await client.call(documentsApi.remove, { params: { id: oldest } })
  }
}

/** Reads other users' chats, and exports them. */
export function createReader(client: HttpClient): Activity {
  return async (round) => {
    await client.call(chatHistoryApi.list, { query: {} })
    if (round % 5 === 0)
      await readToEnd(await client.request(chatHistoryApi.export, { query: { format: 'csv' } }))
  }
}
