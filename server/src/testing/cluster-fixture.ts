import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { listNodes, type NodeRow } from '#cluster/node-store.ts'
import { type DatabaseLocation, type Db, openDatabase } from '#db/client.ts'
import { createHttpClient, type HttpClient } from './http-client.ts'
import { type Launcher, type SpawnedServer, spawnServer } from './spawn-server.ts'
import { createTestBucket } from './test-bucket.ts'
import { createTestDatabase } from './test-database.ts'

const owner = { email: 'owner@example.org', fullName: 'Olu Owner', password: 'a sound password' }

/** The environment of a server whose clock is ahead, in milliseconds. */
export function skewClock(skew: number): Record<string, string> {
  const script = `const { now } = Date; Date.now = () => now() + ${skew}`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` }
}

/** An empty database, a bucket and a secrets file that several servers use together. */
export interface ClusterFixture {
  home: string
  databaseUrl: string
  db: Db
  location: DatabaseLocation
  /** The environment of one of the servers, with the address of the database. */
  settings(name: string, changes?: Record<string, string>): Record<string, string>
  start(name: string, changes?: Record<string, string>, launcher?: Launcher): Promise<SpawnedServer>
  findNode(name: string): Promise<NodeRow>
  /** Signs in as the first user. Returns the token. */
  signIn(server: SpawnedServer): Promise<string>
  /** Creates the first user with the link of the server, and a channel. */
  setUp(server: SpawnedServer): Promise<{ client: HttpClient; token: string; channelId: string }>
  close(): Promise<void>
}

export async function createClusterFixture(common: Record<string, string> = {}): Promise<ClusterFixture> {
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
      DRAIN_SECONDS: '0',
      ...bucket.env,
      ...common,
      ...changes,
    }
  }

  async function signIn(server: SpawnedServer): Promise<string> {
    // The mail server, which the settings of a cluster require, is not there to send a code.
    await db.updateTable('users').set({ two_factor_enabled: 0 }).execute()
    const { token = '' } = await createHttpClient(server.url, '').call(authApi.login, { body: owner })
    return token
  }

  return {
    home,
    databaseUrl: database.url ?? '',
    db,
    signIn,
    location: database.location,
    settings,
    async start(name, changes, launcher) {
      const server = await spawnServer(settings(name, changes), launcher)
      servers.push(server)
      return server
    },
    async findNode(name) {
      const node = (await listNodes(db)).find((row) => row.name === name)
      if (!node) throw new Error(`there is no node ${name}`)
      return node
    },
    async setUp(server) {
      const visitor = createHttpClient(server.url, '')
      await visitor.call(authApi.register, { body: { ...owner, token: server.setupToken() } })
      const token = await signIn(server)
      const client = createHttpClient(server.url, token)
      const { _id: channelId } = await client.call(channelsApi.create, {
        body: { name: 'Handbook', description: 'Rules', llmModel: 'gpt-4o' },
      })
      return { client, token, channelId }
    },
    async close() {
      for (const server of servers) await server.kill()
      await db.destroy()
      await database.drop()
      await rm(home, { recursive: true, force: true })
    },
  }
}
