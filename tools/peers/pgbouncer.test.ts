import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../../server/src/db/client.ts'
import { createJobQueue } from '../../server/src/jobs/queue.ts'
import { mailJobs } from '../../server/src/mail/send-mail.ts'
import { createHttpClient } from '../../server/src/testing/http-client.ts'
import { runCli } from '../../server/src/testing/run-cli.ts'
import { type SpawnedServer, spawnServer } from '../../server/src/testing/spawn-server.ts'
import { setup, teardown } from '../suites/postgres.ts'
import { type PgBouncer, startPgBouncer } from './pgbouncer.ts'

let folder: string
let peer: PgBouncer
let server: SpawnedServer
/** Where a server and its pooler find the database. */
let addresses: { DATABASE_URL: string; DATABASE_DIRECT_URL: string }
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-pgbouncer-'))
  // PgBouncer reads its configuration under another account.
  await chmod(folder, 0o755)
  await setup()
  const DATABASE_DIRECT_URL = process.env['TEST_POSTGRES_URL'] ?? ''
  peer = await startPgBouncer(folder, DATABASE_DIRECT_URL)
  addresses = { DATABASE_URL: peer.url, DATABASE_DIRECT_URL }
  server = await spawnServer({ DATA_DIR: join(folder, 'first'), ...addresses })
})
afterAll(async () => {
  await server?.stop()
  await peer?.stop()
  await teardown()
  await rm(folder, { recursive: true, force: true })
})

it('serves calls through the pooler', async () => {
  const owner = { email: 'owner@example.org', fullName: 'Olu Owner', password: 'a sound password' }
  const visitor = createHttpClient(server.url, '')
  await visitor.call(authApi.register, { body: { ...owner, token: server.setupToken() } })
  const { token = '' } = await visitor.call(authApi.login, { body: owner })
  const client = createHttpClient(server.url, token)
  const names = Array.from({ length: 20 }, (_, at) => `Channel ${at}`)
  await Promise.all(
    names.map((name) =>
      client.call(channelsApi.create, { body: { name, description: 'Any', llmModel: 'gpt-4o' } }),
    ),
  )
  const channels = (await client.call(channelsApi.list, {})) as { name: string }[]
  expect(channels.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
})

it('keeps a second server out', async () => {
  const { code } = await runCli(['start'], { DATA_DIR: join(folder, 'second'), PORT: '0', ...addresses })
  expect(code).toBe(3)
})

it('learns of jobs that another process adds through the pooler, without waiting for a poll', async () => {
  const [job] = mailJobs
  if (!job) throw new Error('There are no jobs for emails.')
  const db = openDatabase({ postgres: peer.url, poolSize: 2 })
  const queue = createJobQueue(db, Date.now)
  // The server polls at least every 30 s, so one of these jobs could be found without a notification.
  for (let failed = 1; failed <= 4; failed += 1) {
    const expired = { messageId: `m${failed}`, sealed: '', expiresAt: 1 }
    await db.transaction().execute((tx) => queue.add(tx, job, expired))
    await expect.poll(() => queue.count('failed'), { timeout: 15_000 }).toBe(failed)
  }
  await db.destroy()
})
