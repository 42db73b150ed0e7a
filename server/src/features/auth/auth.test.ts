import { authApi } from '@lyceum/contract/auth'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createPerson, testPassword } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await buildTestApp()
})
afterEach(() => app.close())

const hour = 3_600_000

describe('POST /auth/login', () => {
  it('answers a wrong password and nobody’s address alike', async () => {
    const person = await createPerson(app.deps)
    const wrong = await app.call(authApi.login, {
      body: { email: person.email, password: 'not the password' },
    })
    const nobody = await app.call(authApi.login, {
      body: { email: 'nobody@example.org', password: 'not the password' },
    })
    expect(wrong.status).toBe(401)
    expect(wrong.body).toEqual({ code: 'auth.invalid_credentials', message: 'Invalid email or password' })
    expect(nobody.body).toEqual(wrong.body)
  })

  it.each([
    [{ email: 'ada', password: testPassword }, 'email', 'Invalid email address'],
    [{ email: 'ada@example.org', password: 'short' }, 'password', 'Password must be at least 8 characters'],
    [
      { email: ['ada@example.org'], password: testPassword },
      'email',
      'This is missing or not of the right kind',
    ],
    [
      { email: 'ada@example.org', password: { $ne: '' } },
      'password',
      'This is missing or not of the right kind',
    ],
    [{}, 'email', 'This is missing or not of the right kind'],
  ])('refuses %j in words', async (body, field, words) => {
    const answer = await app.call(authApi.login, { body: body as never })
    expect(answer.status).toBe(400)
    expect(answer.body.fields?.[field]).toBe(words)
  })

  it('gives a session and the person with their rights', async () => {
    const admin = await createAdmin(app.deps)
    const { status, body } = await app.call(authApi.login, {
      body: { email: admin.email.toUpperCase(), password: testPassword },
    })
    expect(status).toBe(200)
    expect(body.token?.split('.')).toHaveLength(3)
    expect(body.user).toMatchObject({ _id: admin.id, role: 'admin', isSystemAdmin: false })
    expect(body.user?.permissions.canManageChannels).toBe(true)
    expect(body.user?.permissions.canViewChatHistory).toBe(false)
    expect(JSON.stringify(body)).not.toMatch(/argon2|password/i)
  })

  it('refuses ordinary users at the administrators’ door without a session', async () => {
    const person = await createPerson(app.deps)
    const before = await app.deps.db.selectFrom('sessions').selectAll().execute()
    const { status, body } = await app.call(authApi.login, {
      body: { email: person.email, password: testPassword, door: 'admin' },
    })
    expect(status).toBe(403)
    expect(body.message).toBe('Access denied. Admin privileges required.')
    expect(await app.deps.db.selectFrom('sessions').selectAll().execute()).toHaveLength(before.length)
  })

  it('makes one address wait after five failures, and another one not', async () => {
    const person = await createPerson(app.deps)
    const attempt = (password: string, ip: string) =>
      app.server.inject({
        method: 'POST',
        url: '/api/auth/login',
        remoteAddress: ip,
        payload: { email: person.email, password },
      })
    for (let i = 0; i < 6; i += 1) await attempt('wrong password', '10.0.0.1')
    const refused = await attempt(testPassword, '10.0.0.1')
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await attempt(testPassword, '10.0.0.2')).statusCode).toBe(200)
    app.advance(61_000)
    expect((await attempt(testPassword, '10.0.0.1')).statusCode).toBe(200)
  })

  it('ends the oldest session at the eleventh', async () => {
    const person = await createPerson(app.deps)
    for (let i = 0; i < 10; i += 1) {
      app.advance(1000)
      await app.call(authApi.login, { body: { email: person.email, password: testPassword } })
    }
    expect((await app.call(authApi.me, { as: person })).status).toBe(401)
  })
})

describe('a session', () => {
  it('is needed', async () => {
    for (const as of [null, { id: '', email: '', name: '', token: 'not.a.token' }])
      expect((await app.call(authApi.me, { as })).status).toBe(401)
  })

  it('ends after twelve hours', async () => {
    const person = await createPerson(app.deps)
    for (let passed = 0; passed < 12 * hour; passed += 2 * hour) {
      expect((await app.call(authApi.me, { as: person })).status).toBe(200)
      app.advance(2 * hour)
    }
    app.advance(60_000)
    expect((await app.call(authApi.me, { as: person })).status).toBe(401)
  })

  it('ends after four idle hours', async () => {
    const person = await createPerson(app.deps)
    app.advance(4 * hour + 1000)
    expect((await app.call(authApi.me, { as: person })).status).toBe(401)
  })

  it('is not made by a token of another algorithm or key', async () => {
    const person = await createPerson(app.deps)
    const [header = '', payload = '', signature = ''] = person.token.split('.')
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url')
    const forged = [
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      `${header}.${payload}.${'A'.repeat(43)}`,
    ]
    for (const token of forged)
      expect((await app.call(authApi.me, { as: { ...person, token } })).status).toBe(401)
  })

  it('ends for good with logout', async () => {
    const person = await createPerson(app.deps)
    expect((await app.call(authApi.logout, { as: person })).status).toBe(204)
    expect((await app.call(authApi.me, { as: person })).status).toBe(401)
  })

  it('shows a change of rights at the next call', async () => {
    const admin = await createAdmin(app.deps)
    await app.deps.db.updateTable('users').set({ role: 'user' }).where('id', '=', admin.id).execute()
    const { body } = await app.call(authApi.me, { as: admin })
    expect(Object.values(body.permissions)).not.toContain(true)
  })

  it('is listed for its person and ended only by them', async () => {
    const person = await createPerson(app.deps)
    const other = await createPerson(app.deps)
    const { body } = await app.call(authApi.sessions, { as: person })
    expect(body).toMatchObject([{ current: true, browser: 'test' }])
    const params = { id: body[0]?._id ?? '' }
    expect((await app.call(authApi.endSession, { as: other, params })).status).toBe(404)
    expect((await app.call(authApi.endSession, { as: person, params })).status).toBe(204)
    expect((await app.call(authApi.me, { as: person })).status).toBe(401)
  })
})
