import { setTimeout as sleep } from 'node:timers/promises'
import { type ChatMessage, chatsApi } from '@lyceum/contract/chats'
import type { Selectable } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Database } from '#db/schema.ts'
import { type ClusterFixture, createClusterFixture } from './cluster-fixture.ts'
import { createHttpClient } from './http-client.ts'
import { type ModelStandIn, startModelStandIn } from './model-stand-in.ts'
import { openReplyStream, type ReplyStream } from './reply-stream.ts'
import type { SpawnedServer } from './spawn-server.ts'

/** Time between two calls to a server that is too busy, in milliseconds. */
const retryMs = 100

/** A chat of the first user. */
export interface ClusterChat {
  token: string
  params: { channelId: string; chatId: string }
}

export interface TestCluster extends ClusterFixture {
  model: ModelStandIn
  /** Creates the first user with the link of the server, and a chat. */
  createChat(server: SpawnedServer): Promise<ClusterChat>
  /** The row of the first reply. */
  findReply(): Promise<Selectable<Database['messages']>>
}

async function createChat(fixture: ClusterFixture, server: SpawnedServer): Promise<ClusterChat> {
  const { client, token, channelId } = await fixture.setUp(server)
  const { _id: chatId } = await client.call(chatsApi.create, { params: { channelId }, body: {} })
  return { token, params: { channelId, chatId } }
}

/** Gives each test a database, a bucket and a model for several servers. */
export function setUpCluster(assign: (cluster: TestCluster) => void): void {
  let model: ModelStandIn
  let fixture: ClusterFixture
  beforeAll(async () => {
    model = await startModelStandIn()
  })
  afterAll(() => model.close())
  beforeEach(async () => {
    model.reset()
    fixture = await createClusterFixture({ OPENAI_BASE_URL: model.url })
    const { db } = fixture
    assign({
      ...fixture,
      model,
      createChat: (server) => createChat(fixture, server),
      findReply: () =>
        db
          .selectFrom('messages')
          .selectAll()
          .where('role', '=', 'assistant')
          .orderBy('seq')
          .executeTakeFirstOrThrow(),
    })
  })
  afterEach(() => fixture.close())
}

/** Servers that start on a busy machine refuse for moments. A refused call has changed nothing. */
async function openUnlessBusy(open: () => Promise<ReplyStream>): Promise<ReplyStream> {
  const stream = await open()
  if (stream.status !== 503) return stream
  await sleep(retryMs)
  return openUnlessBusy(open)
}

/** Sends a message to a server and reads the reply. */
export function ask(
  { url }: SpawnedServer,
  { token, params }: ClusterChat,
  headers: Record<string, string> = {},
): Promise<ReplyStream> {
  const input = { as: { token } as never, params, body: { message: 'Count' }, headers }
  return openUnlessBusy(() => openReplyStream(url, chatsApi.send, input))
}

/** Reads a reply after an event. */
export function follow(
  { url }: SpawnedServer,
  { token, params }: ClusterChat,
  messageId: string,
  after: number,
): Promise<ReplyStream> {
  const input = {
    as: { token } as never,
    params: { ...params, messageId },
    query: { after },
  }
  return openUnlessBusy(() => openReplyStream(url, chatsApi.events, input))
}

export async function listReplies(
  { url }: SpawnedServer,
  { token, params }: ClusterChat,
): Promise<ChatMessage[]> {
  const { messages } = await createHttpClient(url, token).call(chatsApi.get, { params })
  return messages.filter(({ role }) => role === 'assistant')
}
