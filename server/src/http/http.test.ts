import { endpoints } from '@lyceum/contract/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAdmin, createUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

const json = { 'content-type': 'application/json' }
function login(body: string | Buffer, headers: Record<string, string> = json) {
  return app.raw({ method: 'POST', path: '/api/auth/login', body, headers })
}

describe('request handling', () => {
  it.each([
    ['{"email":', 400, 'request.malformed'],
    ['', 400, 'request.malformed'],
    ['{"__proto__":{"role":"admin"}}', 400, 'request.malformed'],
    [`${'['.repeat(4000)}`, 400, 'request.malformed'],
    [JSON.stringify({ a: JSON.parse(`${'['.repeat(30)}${']'.repeat(30)}`) }), 400, 'request.malformed'],
    [JSON.stringify({ email: 'x'.repeat(4096) }), 413, 'request.too_large'],
    ['"text"', 400, 'validation.failed'],
    ['[]', 400, 'validation.failed'],
  ])('rejects an invalid body with a message (case %#)', async (body, status, code) => {
    const response = await login(body)
    expect([response.status, response.body.code]).toEqual([status, code])
    expect(response.body.message).toMatch(/\w/)
  })

  it.each([
    'text/plain',
    'application/json5',
    'application/json\t;x',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ])('rejects the content type %s', async (type) => {
    const response = await login('{}', { 'content-type': type })
    expect([400, 415]).toContain(response.status)
    expect(response.body.code).toMatch(/^(request\.type|request\.malformed|validation\.failed)$/)
  })

  it('returns 405 with the allowed methods for a known path', async () => {
    const response = await app.raw({ method: 'DELETE', path: '/api/auth/login' })
    expect([response.status, response.headers['allow'], response.body.code]).toEqual([
      405,
      'POST',
      'method.not_allowed',
    ])
  })

  it.each([
    ['PUT', '/api/documents/bulk', 'POST'],
    ['PUT', '/api/documents/unknown', 'GET, DELETE'],
    ['GET', '/api/channels/unknown/questions/try', 'POST'],
    ['GET', '/api/assistants/presets/try', 'POST'],
  ])('%s %s returns 405 and allows %s only', async (method, path, allowed) => {
    const { status, headers } = await app.raw({ method, path })
    expect([status, headers['allow']]).toEqual([405, allowed])
  })

  it('returns 404 without details for an unknown path', async () => {
    const response = await app.raw({ method: 'GET', path: '/api/nowhere?x=1' })
    expect(response.status).toBe(404)
    expect(response.body).toEqual({
      code: 'not_found',
      message: 'Not found. It may have been deleted, or you do not have access.',
    })
  })

  it.each(['application/json; charset=utf-8', 'application/json;charset=UTF-8', 'Application/JSON'])(
    'accepts the content type %s',
    async (type) => {
      expect((await login('{}', { 'content-type': type })).body.code).toBe('validation.failed')
    },
  )

  it('rejects a malformed URL like any other invalid request', async () => {
    const response = await app.raw({ method: 'GET', path: '/api/invitations/verify/%zz' })
    expect([response.status, response.body]).toEqual([
      400,
      { code: 'request.malformed', message: 'The request is not valid.' },
    ])
    expect(response.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
  })

  it('returns 404 for a path parameter that is too long', async () => {
    function verify(length: number) {
      return app.raw({ method: 'GET', path: `/api/invitations/verify/${'x'.repeat(length)}` })
    }
    expect((await verify(700)).body).toEqual({
      code: 'invitation.invalid',
      message: 'Invalid or expired invitation',
    })
    expect((await verify(1100)).status).toBe(404)
  })

  it('rejects text with a NUL character before it reaches the database', async () => {
    const admin = await createAdmin(app.deps)
    const search = await app.raw({ method: 'GET', path: '/api/users?search=a%00', as: admin })
    const prompt = await app.raw({
      method: 'POST',
      path: '/api/channels',
      as: admin,
      headers: json,
      body: JSON.stringify({
        name: 'Law',
        description: 'Statutes',
        llmModel: 'gpt-4o',
        systemPrompt: 'a\0b',
      }),
    })
    for (const { status, body } of [search, prompt])
      expect([status, body.code]).toEqual([400, 'request.malformed'])
  })

  it('rejects a request without a session before reading its body', async () => {
    const response = await app.raw({ method: 'POST', path: '/api/channels', body: '{"broken', headers: json })
    expect(response.status).toBe(401)
  })

  it('sends the security headers, even with errors', async () => {
    const response = await app.raw({ method: 'GET', path: '/api/nowhere' })
    expect(response.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
    })
    expect(response.headers['content-security-policy']).toContain("script-src 'self'")
    expect(response.headers['x-powered-by']).toBeUndefined()
    expect(response.headers['server']).toBeUndefined()
  })
})

describe('an unexpected error', () => {
  it('reveals only the request id', async () => {
    const broken = await buildTestApp()
    try {
      const user = await createUser(broken.deps)
      await broken.deps.db.schema.dropTable('channel_members').execute()
      const response = await broken.raw({ method: 'GET', path: '/api/channels', as: user })
      expect(response.status).toBe(500)
      expect(response.body).toEqual({ code: 'internal', requestId: expect.any(String) })
    } finally {
      await broken.close()
    }
  })
})

describe('rate limits', () => {
  it('return 429 with Retry-After', async () => {
    const limited = await buildTestApp({ env: { RATE_LIMIT_SCALE: '0.05' } })
    try {
      const statuses: number[] = []
      for (let i = 0; i < 5; i += 1)
        statuses.push(
          (await limited.raw({ method: 'POST', path: '/api/auth/login', body: '{}', headers: json })).status,
        )
      expect(statuses).toEqual([400, 400, 400, 429, 429])
      const refused = await limited.raw({
        method: 'POST',
        path: '/api/auth/login',
        body: '{}',
        headers: json,
      })
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    } finally {
      await limited.close()
    }
  })
})

describe('rate limits before sign-in', () => {
  it('count an IPv6 network as one caller', async () => {
    const limited = await buildTestApp({ env: { RATE_LIMIT_SCALE: '0.05' } })
    try {
      async function requestFrom(ip: string) {
        return (await limited.raw({ method: 'POST', path: '/api/auth/login', body: '{}', headers: json, ip }))
          .status
      }
      const statuses: number[] = []
      for (let i = 0; i < 4; i += 1) statuses.push(await requestFrom(`2001:db8::${i}`))
      expect(statuses).toEqual([400, 400, 400, 429])
      expect(await requestFrom('2001:db8:0:1::1')).toBe(400)
    } finally {
      await limited.close()
    }
  })
})

describe('a page from another origin', () => {
  function requestFrom(at: TestApp, origin: string, method = 'GET') {
    return at.raw({ method, path: '/api/auth/me', headers: { origin } })
  }

  it('may call the API only if its origin is listed', async () => {
    expect(
      (await requestFrom(app, 'https://intranet.example.org')).headers['access-control-allow-origin'],
    ).toBeUndefined()
    const open = await buildTestApp({ env: { CORS_ORIGINS: 'https://intranet.example.org' } })
    try {
      const listed = await requestFrom(open, 'https://intranet.example.org')
      expect(listed.headers).toMatchObject({
        'access-control-allow-origin': 'https://intranet.example.org',
        vary: 'Origin',
      })
      expect(listed.headers['access-control-allow-credentials']).toBeUndefined()
      const other = await requestFrom(open, 'https://intranet.example.org.evil.test')
      expect(other.headers['access-control-allow-origin']).toBeUndefined()
      const preflight = await requestFrom(open, 'https://intranet.example.org', 'OPTIONS')
      expect(preflight.status).toBe(204)
      expect(preflight.headers['access-control-allow-headers']).toContain('Authorization')
    } finally {
      await open.close()
    }
  })
})

describe('health checks and API description', () => {
  it('serves liveness and readiness to everyone, but metrics to this machine only', async () => {
    expect((await app.raw({ method: 'GET', path: '/healthz' })).status).toBe(200)
    const ready = await app.raw({ method: 'GET', path: '/readyz' })
    expect([ready.status, ready.body]).toEqual([
      200,
      {
        status: 'ready',
        parts: {
          ...{ database: 'ok', disk: 'ok', backups: 'ok', search: 'ok' },
          ...(app.deps.env.CLUSTER ? { schema: 'ok', clock: 'ok', workers: 'ok', redis: 'ok' } : {}),
        },
      },
    ])
    const metrics = await app.raw({ method: 'GET', path: '/metrics' })
    expect(metrics.bytes.toString()).toContain('process_resident_memory_bytes')
    const outside = await app.server.inject({ method: 'GET', url: '/metrics', remoteAddress: '203.0.113.9' })
    expect(outside.statusCode).toBe(404)
  })

  it('serves metrics to other machines with the token only', async () => {
    const guarded = await buildTestApp({ env: { METRICS_TOKEN: 'a-metrics-token' } })
    try {
      async function readMetrics(authorization: string) {
        const request = { method: 'GET', path: '/metrics', headers: { authorization }, ip: '203.0.113.9' }
        return (await guarded.raw(request)).status
      }
      expect(await readMetrics('Bearer a-metrics-token')).toBe(200)
      for (const wrong of [
        '',
        'Bearer',
        'Bearer a-metrics-toke',
        'Bearer a-metrics-tokeN',
        'a-metrics-token',
      ])
        expect(await readMetrics(wrong), wrong).toBe(404)
    } finally {
      await guarded.close()
    }
  })

  it('describes every endpoint and marks those not available yet', async () => {
    const { body } = await app.raw({ method: 'GET', path: '/api/openapi.json' })
    const { paths } = body as { paths: Record<string, Record<string, { 'x-available'?: boolean }>> }
    for (const endpoint of endpoints) {
      const path = `/api${endpoint.path.replace(/:(\w+)/g, '{$1}')}`
      const described = paths[path]?.[endpoint.method.toLowerCase()]
      expect(described, path).toBeDefined()
      expect(described?.['x-available'], path).toBe(app.served.has(endpoint) ? undefined : false)
    }
  })
})

it('rejects a route without an access policy', async () => {
  expect(() => app.server.route({ method: 'GET', url: '/undecided', handler: async () => 'x' })).toThrow(
    /policy|already/,
  )
})
