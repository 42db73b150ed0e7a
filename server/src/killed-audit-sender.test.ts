import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auditStreamApi } from '@lyceum/contract/audit-stream'
import { authApi } from '@lyceum/contract/auth'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDatabase } from '#db/client.ts'
import { createHttpClient } from '#testing/http-client.ts'
import { type SpawnedServer, spawnServer } from '#testing/spawn-server.ts'
import { startTestCollector, type TestCollector } from '#testing/test-collector.ts'
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts'

const owner = { email: 'owner@example.org', fullName: 'Olu Owner', password: 'a sound password' }

let folder: string
let database: TestDatabase
let collector: TestCollector
let server: SpawnedServer | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-killed-sender-'))
  database = await createTestDatabase(folder)
  collector = await startTestCollector()
})
afterEach(async () => {
  await server?.kill()
  await collector.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function start(env: Record<string, string> = {}): Promise<SpawnedServer> {
  const settings = { DATA_DIR: folder, ...(database.url ? { DATABASE_URL: database.url } : {}) }
  server = await spawnServer({ ...settings, ...env })
  return server
}

async function listSeqs(): Promise<number[]> {
  const db = openDatabase(database.location)
  try {
    const rows = await db.selectFrom('audit_log').select('seq').orderBy('seq').execute()
    return rows.map(({ seq }) => seq)
  } finally {
    await db.destroy()
  }
}

it('sends a batch again after a kill between sending and storing the position, and skips nothing', async () => {
  const dying = await start({ FAULT_POINT: 'audit.sent' })
  const visitor = createHttpClient(dying.url, '')
  await visitor.call(authApi.register, { body: { ...owner, token: dying.setupToken() } })
  const { token = '' } = await visitor.call(authApi.login, { body: owner })
  const connection = { kind: 'http', url: collector.url, format: 'json', caCertificate: '' } as const
  const receiver = { name: 'Collector', headerName: '', headerValue: '', ...connection }
  await createHttpClient(dying.url, token).call(auditStreamApi.add, {
    body: { receiver, startsAt: 'beginning' },
  })
  await dying.whenEnded
  const before = collector.listSeqs()
  expect(before.length).toBeGreaterThan(0)

  const { url } = await start()
  await createHttpClient(url, '').call(authApi.login, { body: owner })
  await expect.poll(async () => new Set(collector.listSeqs())).toEqual(new Set(await listSeqs()))
  expect(collector.listSeqs()).toEqual([...before, ...(await listSeqs())])
})
