import { endpoints } from '@lyceum/contract/api'
import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { chatHistoryApi } from '@lyceum/contract/chat-history'
import { chatsApi } from '@lyceum/contract/chats'
import { documentsApi } from '@lyceum/contract/documents'
import type { EndpointShape } from '@lyceum/contract/endpoint'
import { usersApi } from '@lyceum/contract/users'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, type TestUser } from '#testing/factories.ts'
import { createRequestHead, openConnection } from '#testing/raw-connection.ts'
import { buildPath, buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let admin: TestUser
let waitMs: number
beforeAll(async () => {
  app = await buildTestApp({ pressure: { waitMs: () => waitMs } })
  admin = await createAdmin(app.deps)
})
beforeEach(() => {
  waitMs = 0
})
afterAll(() => app.close())

function request(endpoint: EndpointShape, as: TestUser | null = admin) {
  const names = Object.keys(endpoint.params?.shape ?? {})
  const params = Object.fromEntries(names.map((name) => [name, 'unknown']))
  return app.raw({ method: endpoint.method, path: buildPath(endpoint, params), as })
}

const heavy: readonly EndpointShape[] = [
  authApi.login,
  usersApi.changePassword,
  chatsApi.send,
  chatsApi.regenerate,
  chatsApi.search,
  chatsApi.export,
  chatHistoryApi.search,
  chatHistoryApi.export,
  documentsApi.upload,
  documentsApi.propose,
]
const light: readonly EndpointShape[] = [
  authApi.me,
  authApi.logout,
  channelsApi.list,
  chatsApi.get,
  chatsApi.events,
  chatsApi.stop,
  documentsApi.list,
]

function listNamed(listed: readonly EndpointShape[]) {
  return listed.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)
}

describe('a server at which requests wait for more than 700 ms', () => {
  beforeEach(() => {
    waitMs = 701
  })

  it.each(listNamed(heavy))('refuses %s, even before it checks the session', async (_name, endpoint) => {
    const { status, body, headers } = await request(endpoint, null)
    expect([status, body, headers['retry-after']]).toEqual([
      503,
      { code: 'server.busy', message: 'The server is busy. Please try again in a moment.' },
      '2',
    ])
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  it.each(listNamed(light))('serves %s', async (_name, endpoint) => {
    expect((await request(endpoint)).status).not.toBe(503)
  })

  it('refuses a message before its body has arrived', async () => {
    const connection = await openConnection(await app.url())
    const path = buildPath(chatsApi.send, { channelId: 'unknown', chatId: 'unknown' })
    connection.send(createRequestHead('POST', path, { 'content-length': '60' }))
    await expect.poll(() => connection.received()).toMatch(/^HTTP\/1\.1 503 /)
    connection.close()
  })
})

describe('a server at which requests wait for more than 1.5 s', () => {
  beforeEach(() => {
    waitMs = 1501
  })

  it('refuses every call', async () => {
    for (const endpoint of endpoints) expect((await request(endpoint, null)).status, endpoint.path).toBe(503)
    expect((await app.raw({ method: 'GET', path: '/' })).status).toBe(503)
  })

  it('answers probes and counts what it refused', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect((await app.raw({ method: 'GET', path })).status, path).toBe(200)
    async function countRefusals(): Promise<number> {
      const { bytes } = await app.raw({ method: 'GET', path: '/metrics' })
      return Number(/^lyceum_http_errors_total\{code="server\.busy"\} (\d+)$/m.exec(bytes.toString())?.[1])
    }
    const before = await countRefusals()
    await request(channelsApi.list)
    expect(await countRefusals()).toBe(before + 1)
  })
})

describe('a server at which requests wait for 700 ms', () => {
  it('refuses nothing', async () => {
    waitMs = 700
    for (const endpoint of [...heavy, ...light])
      expect((await request(endpoint)).status, endpoint.path).not.toBe(503)
  })
})
