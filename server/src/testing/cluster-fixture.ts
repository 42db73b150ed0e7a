import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { type ChatMessage, chatsApi } from '@lyceum/contract/chats'
import type { Selectable } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type Db, openDatabase } from '#db/client.ts'
import type { Database } from '#db/schema.ts'
import { createHttpClient } from './http-client.ts'
import { type ModelStandIn, startModelStandIn } from './model-stand-in.ts'
import { openReplyStream, type ReplyStream } from './reply-stream.ts'
import { type SpawnedServer, spawnServer } from './spawn-server.ts'
import { createTestBucket } from './test-bucket.ts'
import { createTestDatabase } from './test-database.ts'

const owner = { email: 'owner@example.org', fullName: 'Olu Owner', password: 'a sound password' }

/** A chat of the first user. */
export interface ClusterChat {
  token: string
  params: { channelId: string; chatId: string }
}

export interface TestCluster {
  home: string
  databaseUrl: string
  db: Db
  model: ModelStandIn
  /** The environment variables of a server. */
  settings(name: string, changes?: Record<string, string>): Record<string, string>
  /** Starts a server, which is killed at the end of the test. */
  start(name: string, changes?: Record<string, string>): Promise<SpawnedServer>
  /** Creates the first user with the link of the server, and a chat. */
  createChat(server: SpawnedServer): Promise<ClusterChat>
  /** The row of the first reply. */
  findReply(): Promise<Selectable<Database['messages']>>
}

/** Gives each test a database, a bucket and a model for several servers. */
export function setUpCluster(assign: (cluster: TestCluster) => void): void {
  let model: ModelStandIn
  let cleanUp: () => Promise<void>
  beforeAll(async () => {
    model = await startModelStandIn()
  })
  afterAll(() => model.close())
  beforeEach(async () => {
    model.reset()
    const home = await mkdtemp(join(tmpdir(), 'lyceum-cluster-'))
    const database = await createTestDatabase(home)
    const bucket = await createTestBucket()
    const db = openDatabase(database.location)
    const servers: SpawnedServer[] = []

    function settings(name: string, changes: Record<string, string> = {}): Record<string, string> {
      return {
        CLUSTER: 'true',
        NODE_NAME: name,
        DATA_DIR: join(home, name),
        DATABASE_URL: database.url ?? '',
        SECRETS_FILE: join(home, 'secrets.json'),
        SMTP_URL: 'smtp://127.0.0.1:1',
        OPENAI_BASE_URL: model.url,
        ...bucket.env,
        ...changes,
      }
    }

    cleanUp = async () => {
      for (const server of servers) await server.kill()
      await db.destroy()
      await database.drop()
      await rm(home, { recursive: true, force: true })
    }
    assign({
      home,
      databaseUrl: database.url ?? '',
      db,
      model,
      settings,
      async start(name, changes) {
        const server = await spawnServer(settings(name, changes))
        servers.push(server)
        return server
      },
      createChat: (server) => createChat(server, db),
      findReply: () =>
        db
          .selectFrom('messages')
          .selectAll()
          .where('role', '=', 'assistant')
          .orderBy('seq')
          .executeTakeFirstOrThrow(),
    })
  })
  afterEach(() => cleanUp())
}

async function createChat(server: SpawnedServer, db: Db): Promise<ClusterChat> {
  const visitor = createHttpClient(server.url, '')
  await visitor.call(authApi.register, { body: { ...owner, token: server.setupToken() } })
  // The mail server, which the settings of a cluster require, is not there to send a code.
  await db.updateTable('users').set({ two_factor_enabled: 0 }).execute()
  const { token = '' } = await visitor.call(authApi.login, { body: owner })
  const client = createHttpClient(server.url, token)
  const { _id: channelId } = await client.call(channelsApi.create, {
    body: { name: 'Handbook', description: 'Rules', llmModel: 'gpt-4o' },
  })
  const { _id: chatId } = await client.call(chatsApi.create, { params: { channelId }, body: {} })
  return { token, params: { channelId, chatId } }
}

/** Sends a message to a server and reads the reply. */
export function ask(
  { url }: SpawnedServer,
  { token, params }: ClusterChat,
  headers: Record<string, string> = {},
): Promise<ReplyStream> {
  const input = { as: { token } as never, params, body: { message: 'Count' }, headers }
  return openReplyStream(url, chatsApi.send, input)
}

/** Reads a reply after an event. */
export function follow(
  { url }: SpawnedServer,
  { token, params }: ClusterChat,
  messageId: string,
  after: number,
): Promise<ReplyStream> {
  return openReplyStream(url, chatsApi.events, {
    as: { token } as never,
    params: { ...params, messageId },
    query: { after },
  })
}

export async function listReplies(
  { url }: SpawnedServer,
  { token, params }: ClusterChat,
): Promise<ChatMessage[]> {
  const { messages } = await createHttpClient(url, token).call(chatsApi.get, { params })
  return messages.filter(({ role }) => role === 'assistant')
}
