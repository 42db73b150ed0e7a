import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { chatsApi, type ReplyEvent } from '@lyceum/contract/chats'
import { documentsApi } from '@lyceum/contract/documents'
import type { EndpointShape } from '@lyceum/contract/endpoint'
import { readServerEvents } from '../../server/src/providers/assistant/server-events.ts'
import { createHttpClient } from '../../server/src/testing/http-client.ts'

const messagesPerChat = 4
const retryMs = 200
/** Longer than anything takes that ends by itself. Milliseconds. */
const callTimeout = 120_000
const indexingTimeout = 120_000
/** A reply ends this long after its server has died at the latest. Milliseconds. */
const endTimeout = 30_000

interface SentMessage {
  token: string
  chatId: string
  text: string
  /** Empty until the message has been accepted. */
  replyId: string
  /** The text of the reply that the user has seen. */
  shown: string
  /** The number of the last event that the user has. */
  seq: number
  hasEnded: boolean
}

/** What users were told, and what must still be true afterwards. */
export interface Observed {
  messages: SentMessage[]
  documents: { id: string; title: string; sha256: string }[]
  approved: string[]
  /** Characters of replies that users have seen. */
  characters: number
  requests: number
  /** Answers that were neither a success nor a refusal that says to try again. */
  wrong: string[]
}

/** A caller who tries the servers in turn until one answers, as a browser behind a load balancer does. */
export interface ClusterCaller {
  token: string
  /** Repeats the request until it succeeds. Null if it is over before, or refused with one of the given statuses. */
  call(send: Send, refusals?: readonly number[]): Promise<Response | null>
}
type Send = (client: ReturnType<typeof createHttpClient>) => Promise<Response>

export function createCaller(
  urls: readonly string[],
  token: string,
  observed: Observed,
  isOver: () => boolean,
): ClusterCaller {
  const clients = urls.map((url) => createHttpClient(url, token))
  let turn = 0
  return {
    token,
    async call(send, refusals = []) {
      const deadline = performance.now() + callTimeout
      while (!isOver()) {
        turn += 1
        const client = clients[turn % clients.length]
        const response = client && (await send(client).catch(() => null))
        observed.requests += 1
        if (response?.ok) return response
        const status = response?.status ?? 0
        const body = await response?.text().catch(() => '')
        if (refusals.includes(status)) return null
        // No connection, too early, or unavailable for now.
        const isTemporary = status === 0 || status === 409 || status === 429 || status === 503
        if (!isTemporary) observed.wrong.push(`${status} ${body}`)
        if (performance.now() > deadline) throw new Error(`a call still fails: ${status} ${body}`)
        await sleep(retryMs)
      }
      return null
    },
  }
}

function callFor(endpoint: EndpointShape, input: object, headers: Record<string, string> = {}): Send {
  return (client) => client.request(endpoint, input, headers)
}

/** Reads a reply until it ends or the connection breaks. */
async function readReply(response: Response, message: SentMessage): Promise<void> {
  if (!response.body) return
  for await (const { data } of readServerEvents(response.body)) {
    const event = JSON.parse(data) as ReplyEvent
    if (event.type === 'accepted') message.replyId = event.reply._id
    if (event.type === 'delta') message.shown += event.text
    if (event.type === 'done' || event.type === 'error') message.hasEnded = true
    message.seq = event.seq
  }
}

/** Sends a message with one key until it is accepted, and reads the reply to its end over as many connections as it takes. */
async function sendMessage(
  caller: ClusterCaller,
  params: { channelId: string; chatId: string },
  isOver: () => boolean,
): Promise<SentMessage> {
  const key = randomUUID()
  const { chatId } = params
  const message = {
    token: caller.token,
    chatId,
    text: `Question ${key}`,
    replyId: '',
    shown: '',
    seq: 0,
    hasEnded: false,
  }
  const body = { message: message.text }
  const headers = { accept: 'text/event-stream' }
  while (!message.hasEnded && !isOver()) {
    const { replyId: messageId, seq: after } = message
    const response = await caller.call(
      messageId === ''
        ? callFor(chatsApi.send, { params, body }, { ...headers, 'idempotency-key': key })
        : callFor(chatsApi.events, { params: { ...params, messageId }, query: { after } }, headers),
    )
    if (response) await readReply(response, message).catch(() => undefined)
  }
  return message
}

/** Sends one message after the other, as a user does. */
export async function sendMessages(
  caller: ClusterCaller,
  channelId: string,
  observed: Observed,
  isOver: () => boolean,
): Promise<void> {
  for (let round = 0, chatId = ''; !isOver(); round += 1) {
    if (round % messagesPerChat === 0) {
      const created = await caller.call(callFor(chatsApi.create, { params: { channelId }, body: {} }))
      if (created === null) return
      chatId = ((await created.json()) as { _id: string })._id
    }
    const message = await sendMessage(caller, { channelId, chatId }, isOver)
    if (message.replyId === '') return
    observed.messages.push(message)
    observed.characters += message.shown.length
  }
}

function hash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Uploads one document after the other, each with the same key until it is accepted, and approves them. */
export async function uploadDocuments(
  caller: ClusterCaller,
  channelId: string,
  observed: Observed,
  isOver: () => boolean,
): Promise<void> {
  for (let round = 0; !isOver(); round += 1) {
    const key = randomUUID()
    const title = `rule-${key}.txt`
    const content = `Rule ${key}.\n\n${'A room closes in the evening. '.repeat(20 + (round % 50))}`
    const uploaded = await caller.call((client) =>
      client.upload(
        documentsApi.upload,
        { channelId, title },
        { name: title, content },
        { 'idempotency-key': key },
      ),
    )
    if (uploaded === null) return
    const { _id: id } = (await uploaded.json()) as { _id: string }
    observed.documents.push({ id, title, sha256: hash(content) })
    // Refused with 409 if it was approved before, and the answer was lost.
    await caller.call(callFor(documentsApi.approve, { params: { id } }), [409])
    if (!isOver()) observed.approved.push(id)
  }
}

interface StoredMessage {
  _id: string
  role: string
  content: string
  state?: string
}

async function readMessages(
  caller: ClusterCaller,
  channelId: string,
  chatId: string,
): Promise<StoredMessage[]> {
  const deadline = performance.now() + endTimeout
  while (true) {
    const response = await caller.call(callFor(chatsApi.get, { params: { channelId, chatId } }))
    if (response === null) return []
    const { messages } = (await response.json()) as { messages: StoredMessage[] }
    if (!messages.some(({ state }) => state === 'streaming') || performance.now() > deadline) return messages
    await sleep(retryMs)
  }
}

/** Returns what is missing from the chats, doubled in them, or does not end, one sentence each. */
export async function findMessageFaults(
  callers: readonly ClusterCaller[],
  channelId: string,
  { messages: sent }: Observed,
): Promise<string[]> {
  const faults: string[] = []
  for (const [chatId, messages] of Map.groupBy(sent, (message) => message.chatId)) {
    const caller = callers.find(({ token }) => token === messages[0]?.token)
    if (!caller) throw new Error(`nobody has the chat ${chatId}`)
    const stored = await readMessages(caller, channelId, chatId)
    const questions = stored.filter(({ role }) => role === 'user')
    const replies = stored.filter(({ role }) => role === 'assistant')
    for (const text of new Set([
      ...messages.map((message) => message.text),
      ...questions.map((q) => q.content),
    ])) {
      const times = questions.filter(({ content }) => content === text).length
      if (times !== 1) faults.push(`“${text}” appears ${times} times`)
    }
    if (replies.length !== questions.length)
      faults.push(`${questions.length} questions have ${replies.length} replies`)
    for (const { state } of replies) if (state === 'streaming') faults.push('a reply still runs')
    for (const { replyId, shown } of messages) {
      const reply = replies.find(({ _id }) => _id === replyId)
      if (!reply) faults.push('an accepted reply is missing')
      else if (!reply.content.startsWith(shown))
        faults.push(`${shown.length - reply.content.length} characters that were shown are missing`)
    }
  }
  return faults
}

/** Returns which documents are missing, doubled, changed, no longer approved or not indexed, one sentence each. */
export async function findDocumentFaults(
  caller: ClusterCaller,
  channelId: string,
  observed: Observed,
): Promise<string[]> {
  const faults: string[] = []
  async function get(endpoint: EndpointShape, input: object): Promise<Response> {
    const response = await caller.call(callFor(endpoint, input), [404])
    return response ?? new Response(null, { status: 404 })
  }
  for (const { id, title, sha256 } of observed.documents) {
    const file = await get(documentsApi.download, { params: { id } })
    if (hash(new Uint8Array(await file.arrayBuffer())) !== sha256)
      faults.push(`${title} has other content (status ${file.status})`)
    const list = await get(documentsApi.list, { query: { channelId, search: title } })
    const found = (await list.json()) as { title: string }[]
    const times = found.filter((document) => document.title === title).length
    if (times !== 1) faults.push(`${title} is there ${times} times`)
  }
  const deadline = performance.now() + indexingTimeout
  for (const id of observed.approved) {
    while (true) {
      const response = await get(documentsApi.get, { params: { id } })
      const { status, index } = (await response.json()) as { status: string; index: { state: string } }
      if (status !== 'approved') faults.push(`document ${id} is back to ${status}`)
      if (status !== 'approved' || index.state === 'ready') break
      if (performance.now() > deadline || index.state === 'failed') {
        faults.push(`document ${id} is not indexed: ${index.state}`)
        break
      }
      await sleep(retryMs)
    }
  }
  return faults
}
