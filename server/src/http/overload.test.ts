import { setImmediate } from 'node:timers/promises'
import { endpoints } from '@lyceum/contract/api'
import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { chatHistoryApi } from '@lyceum/contract/chat-history'
import { chatsApi } from '@lyceum/contract/chats'
import { documentsApi } from '@lyceum/contract/documents'
import type { EndpointShape } from '@lyceum/contract/endpoint'
import { usersApi } from '@lyceum/contract/users'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildPath } from '#testing/build-path.ts'
import { createAdmin, type TestUser } from '#testing/factories.ts'
import { createRequestHead, openConnection } from '#testing/raw-connection.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let admin: TestUser
let waitMs: number
let isAccepting: boolean
beforeAll(async () => {
  app = await buildTestApp({
    pressure: {
      waitMs: () => waitMs,
      nextTurn: async () => {
        await setImmediate()
        return isAccepting
      },
    },
  })
  app.useFirstServer()
  admin = await createAdmin(app.deps, {
    permissions: { canViewChatHistory: true, canSearchChatHistory: true, canExportChatHistory: true },
  })
})
beforeEach(() => {
  waitMs = 0
  isAccepting = false
})
afterAll(() => app.close())

const ids = { id: uuidv7(), channelId: uuidv7(), chatId: uuidv7(), messageId: uuidv7() }

async function request(endpoint: EndpointShape, as: TestUser | null = admin) {
  const isMessage = endpoint === chatsApi.send
  return app.raw({
    method: endpoint.method,
    path: buildPath(endpoint, ids),
    as,
    ...(isMessage ? { body: '{"message":"Hello"}', headers: { 'content-type': 'application/json' } } : {}),
  })
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

/** The statuses of concurrent requests. */
async function listStatuses(listed: readonly EndpointShape[]) {
  const responses = await Promise.all(listed.map((endpoint) => request(endpoint)))
  return responses.map(({ status }, at) => [listed[at]?.path, status])
}

async function listRefused(listed: readonly EndpointShape[]) {
  return (await listStatuses(listed)).filter(([, status]) => status === 503)
}

describe('a server that new connections reach faster than it accepts them', () => {
  beforeEach(() => {
    isAccepting = true
  })

  it('refuses heavy requests that have waited too long', async () => {
    const { status, body, headers } = await request(chatsApi.send)
    expect([status, body, headers['retry-after']]).toEqual([
      503,
      { code: 'server.busy', message: 'The server is busy. Please try again in a moment.' },
      '2',
    ])
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(await listStatuses(heavy)).toEqual(heavy.map(({ path }) => [path, 503]))
  })

  it('serves light requests', async () => {
    expect(await listRefused(light)).toEqual([])
  })

  it('handles heavy requests once it has accepted all connections', async () => {
    const sent = listRefused(heavy)
    expect(await listRefused(light)).toEqual([])
    isAccepting = false
    expect(await sent).toEqual([])
  })
})

describe('a server at which requests wait for more than 1.5 s', () => {
  beforeEach(() => {
    waitMs = 1501
  })

  it('refuses every call before it checks the session', async () => {
    for (const endpoint of endpoints) expect((await request(endpoint, null)).status, endpoint.path).toBe(503)
    expect((await app.raw({ method: 'GET', path: '/' })).status).toBe(503)
  })

  it('refuses a message before its body has arrived', async () => {
    const connection = await openConnection(await app.url())
    connection.send(createRequestHead('POST', buildPath(chatsApi.send, ids), { 'content-length': '60' }))
    await expect.poll(() => connection.received()).toMatch(/^HTTP\/1\.1 503 /)
    connection.close()
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

describe('a server at which requests wait for 1.5 s', () => {
  it('refuses nothing', async () => {
    waitMs = 1500
    expect(await listRefused([...heavy, ...light])).toEqual([])
  })
})
