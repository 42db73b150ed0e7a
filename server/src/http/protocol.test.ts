import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { authApi } from '@lyceum/contract/auth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAdmin, createUser, type TestUser, testPassword } from '#testing/factories.ts'
import { type ReceivedMail, readCode, readOutbox } from '#testing/mail-server.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { createTestBrowser } from '#testing/test-browser.ts'

let app: TestApp
let admin: TestUser
beforeAll(async () => {
  app = await buildTestApp({ env: { PUBLIC_URL: 'https://chat.example.org' } })
  admin = await createAdmin(app.deps)
})
afterAll(() => app.close())

/** Sends bytes that no HTTP client would send and returns everything the server answers. */
async function send(request: string): Promise<string> {
  const { hostname, port } = new URL(await app.url())
  const socket = connect(Number(port), hostname)
  const answer = text(socket)
  socket.write(request)
  return answer
}

function countAnswers(answer: string): number {
  return answer.match(/^HTTP\/1\.1 /gm)?.length ?? 0
}

const smuggled = 'GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n'

describe('a request with an ambiguous length', () => {
  it.each([
    ['two kinds of length', 'content-length: 6\r\ntransfer-encoding: chunked', `0\r\n\r\n${smuggled}`],
    ['two lengths', `content-length: 0\r\ncontent-length: ${smuggled.length}`, smuggled],
    ['an unknown encoding', 'transfer-encoding: xchunked', `0\r\n\r\n${smuggled}`],
    ['a space before the colon', 'transfer-encoding : chunked', `0\r\n\r\n${smuggled}`],
    ['a length that is no number', 'content-length: +5', `abcde${smuggled}`],
    ['a folded header', 'x: y\r\n transfer-encoding: chunked\r\ncontent-length: 1\r\n2', smuggled],
  ])('is rejected with %s, and what follows is not read as a request', async (_what, headers, body) => {
    const head = `POST /api/auth/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${headers}\r\n\r\n`
    const answer = await send(head + body)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(countAnswers(answer)).toBe(1)
  })
})

describe('a request with two hosts', () => {
  it('is rejected', async () => {
    const answer = await send('GET /api/auth/me HTTP/1.1\r\nhost: a\r\nHost: b\r\nconnection: close\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('x-content-type-options: nosniff')
  })
})

describe('the method TRACE', () => {
  it('is not supported and returns nothing of the request', async () => {
    const answer = await send(
      'TRACE /api/auth/me HTTP/1.1\r\nhost: a\r\nx-secret: canary\r\nconnection: close\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 40[045] /)
    expect(answer).not.toContain('canary')
  })
})

describe('every response over HTTPS', () => {
  it.each(['/healthz', '/api/auth/me', '/api/nowhere', '/api/invitations/verify/%zz'])(
    'asks browsers to use HTTPS only: %s',
    async (path) => {
      const { headers } = await app.raw({ method: 'GET', path })
      expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
    },
  )
})

describe('every cookie over HTTPS', () => {
  it('is bound to this host and out of reach for scripts and other sites', async () => {
    const user = await createUser(app.deps)
    await app.deps.db.updateTable('users').set({ two_factor_enabled: 1 }).where('id', '=', user.id).execute()
    const browser = createTestBrowser()
    const body = { email: user.email, password: testPassword }
    const pending = await app.call(authApi.login, { body, browser })
    const token = readCode((await readOutbox(app.folder)).at(-1) as ReceivedMail)
    const verified = await app.call(authApi.verify, { body: { email: user.email, token }, browser })
    expect(verified.status).toBe(200)
    const cookies = [pending, verified].flatMap(({ headers }) => headers['set-cookie'] as string[])
    // The pending sign-in, its deletion, the trusted browser and the known browser.
    expect(cookies).toHaveLength(4)
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Host-[\w-]+=/)
      const attributes = cookie.split('; ').slice(1)
      expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'HttpOnly', 'Secure', 'SameSite=Strict']))
      expect(cookie).not.toMatch(/Domain=/i)
    }
  })
})

describe('a repeated parameter', () => {
  it.each(['limit=1&limit=2', 'search=a&search=b'])('is rejected in the query: %s', async (query) => {
    const response = await app.raw({ method: 'GET', path: `/api/users?${query}`, as: admin })
    expect([response.status, response.body.code]).toEqual([400, 'validation.failed'])
  })
})

describe('X-Forwarded-For', () => {
  async function readAuditedAddress(trusted: Record<string, string>, forwardedFor: string) {
    const proxied = await buildTestApp({ env: trusted })
    try {
      const user = await createAdmin(proxied.deps, { isSystemAdmin: true })
      const headers = { 'x-forwarded-for': forwardedFor }
      await proxied.raw({ method: 'GET', path: '/api/admin/audit-log', as: user, headers, ip: '10.0.0.7' })
      const query = proxied.deps.db.selectFrom('audit_log').select('ip').where('action', '=', 'audit.read')
      return (await query.executeTakeFirstOrThrow()).ip
    } finally {
      await proxied.close()
    }
  }

  it('is ignored unless the sender is a trusted proxy', async () => {
    expect(await readAuditedAddress({}, '203.0.113.9')).toBe('10.0.0.7')
    expect(await readAuditedAddress({ TRUSTED_PROXIES: '192.0.2.1' }, '203.0.113.9')).toBe('10.0.0.7')
  })

  it.each(['<script>', 'unknown', '999.1.1.1'])('is ignored if it is no address: %s', async (text) => {
    expect(await readAuditedAddress({ TRUSTED_PROXIES: '10.0.0.7' }, text)).toBe('10.0.0.7')
  })

  it('may contain the port of the connection', async () => {
    expect(await readAuditedAddress({ TRUSTED_PROXIES: '10.0.0.7' }, '203.0.113.9:51234')).toBe('203.0.113.9')
  })

  it('gives the address that the trusted proxy added, not the one that the client sent', async () => {
    expect(await readAuditedAddress({ TRUSTED_PROXIES: '10.0.0.7' }, '1.2.3.4, 203.0.113.9')).toBe(
      '203.0.113.9',
    )
  })
})
