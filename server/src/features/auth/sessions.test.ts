import { authApi } from '@lyceum/contract/auth'
import { decodeJwt, SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createUser, type TestUser, testPassword } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await buildTestApp()
})
afterEach(() => app.close())

const hour = 3_600_000
const day = 24 * hour

describe('a session', () => {
  it('is required', async () => {
    for (const as of [null, { id: '', email: '', name: '', token: 'not.a.token' }])
      expect((await app.call(authApi.me, { as })).status).toBe(401)
  })

  it('ends after twelve hours', async () => {
    const user = await createUser(app.deps)
    for (let passed = 0; passed < 12 * hour; passed += 2 * hour) {
      expect((await app.call(authApi.me, { as: user })).status).toBe(200)
      app.advance(2 * hour)
    }
    app.advance(60_000)
    expect((await app.call(authApi.me, { as: user })).status).toBe(401)
  })

  it('ends after four idle hours', async () => {
    const user = await createUser(app.deps)
    app.advance(4 * hour + 1000)
    expect((await app.call(authApi.me, { as: user })).status).toBe(401)
  })

  it('is no longer listed once it has expired', async () => {
    const user = await createUser(app.deps)
    app.advance(4 * hour + 1000)
    const { body: login } = await app.call(authApi.login, {
      body: { email: user.email, password: testPassword },
    })
    const as = { ...user, token: login.token ?? '' }
    expect((await app.call(authApi.sessions, { as })).body).toMatchObject([{ current: true }])
    await app.runJobs()
    expect(await app.deps.db.selectFrom('sessions').selectAll().execute()).toHaveLength(1)
  })

  it('is rejected if its token has a different algorithm or key', async () => {
    const user = await createUser(app.deps)
    const [header = '', payload = '', signature = ''] = user.token.split('.')
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url')
    const forged = [
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      `${header}.${payload}.${'A'.repeat(43)}`,
    ]
    for (const token of forged)
      expect((await app.call(authApi.me, { as: { ...user, token } })).status).toBe(401)
  })

  describe('whose token was signed with the right key', () => {
    let user: TestUser
    let issuedAt: number
    beforeEach(async () => {
      user = await createUser(app.deps)
      issuedAt = Math.floor(app.deps.now() / 1000)
    })

    /** The status for the user's own token with these header parameters and claims; `undefined` removes one. */
    async function readStatus(change: { header?: object; claims?: object }): Promise<number> {
      const token = await new SignJWT({ ...decodeJwt(user.token), ...change.claims })
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', ...change.header })
        .sign(app.deps.secrets.tokenKey)
      return (await app.call(authApi.me, { as: { ...user, token } })).status
    }

    it('is accepted if the token is one that we could have issued', async () => {
      expect(await readStatus({})).toBe(200)
      expect(await readStatus({ claims: { exp: issuedAt + 60 } })).toBe(200)
      const inAnHour = issuedAt + 3600
      expect(await readStatus({ claims: { iat: inAnHour, exp: inAnHour + (12 * hour) / 1000 } })).toBe(200)
    })

    it.each<[string, object]>([
      ['is of another type', { typ: 'JWT' }],
      ['has no type', { typ: undefined }],
      ['names a key', { kid: 'another' }],
      ['names a key with an empty id', { kid: '' }],
      ['contains a key', { jwk: { kty: 'oct', k: 'AAAA' } }],
      ['points to a key', { jku: 'http://localhost/keys' }],
    ])('is rejected if the token %s', async (_, header) => {
      expect(await readStatus({ header })).toBe(401)
    })

    it.each<[string, (now: number) => object]>([
      ['has another issuer', () => ({ iss: 'another' })],
      ['has another audience', () => ({ aud: 'another' })],
      ['has several audiences', () => ({ aud: ['lyceum', 'another'] })],
      ['has a list with our audience', () => ({ aud: ['lyceum'] })],
      ['has no audience', () => ({ aud: undefined })],
      ['has no time of issue', () => ({ iat: undefined })],
      ['has no expiry', () => ({ exp: undefined })],
      ['has no id', () => ({ jti: undefined })],
      ['has no user', () => ({ sub: undefined })],
      ['has no session', () => ({ sid: undefined })],
      ['has a session that is not a string', () => ({ sid: ['1'] })],
      ['is valid for more than twelve hours', (now) => ({ iat: now, exp: now + (12 * hour) / 1000 + 1 })],
      ['is valid for years', (now) => ({ exp: now + (1000 * day) / 1000 })],
    ])('is rejected if the token %s', async (_, change) => {
      expect(await readStatus({ claims: change(issuedAt) })).toBe(401)
    })
  })

  it('is no longer accepted after signing out', async () => {
    const user = await createUser(app.deps)
    expect((await app.call(authApi.logout, { as: user })).status).toBe(204)
    expect((await app.call(authApi.me, { as: user })).status).toBe(401)
  })

  it('applies a role change from the next request', async () => {
    const admin = await createAdmin(app.deps)
    await app.deps.db.updateTable('users').set({ role: 'user' }).where('id', '=', admin.id).execute()
    const { body } = await app.call(authApi.me, { as: admin })
    expect(Object.values(body.permissions)).not.toContain(true)
  })

  it('is listed for its user, and only that user can end it', async () => {
    const user = await createUser(app.deps)
    const other = await createUser(app.deps)
    const { body } = await app.call(authApi.sessions, { as: user })
    expect(body).toMatchObject([{ current: true, browser: 'test' }])
    const params = { id: body[0]?._id ?? '' }
    expect((await app.call(authApi.endSession, { as: other, params })).status).toBe(404)
    expect((await app.call(authApi.endSession, { as: user, params })).status).toBe(204)
    expect((await app.call(authApi.me, { as: user })).status).toBe(401)
  })

  it('continues when its user ends all others', async () => {
    const user = await createUser(app.deps)
    const other = await createUser(app.deps)
    const { body } = await app.call(authApi.login, {
      body: { email: user.email, password: testPassword },
      headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0' },
    })
    const elsewhere = { ...user, token: body.token ?? '' }
    const { body: list } = await app.call(authApi.sessions, { as: elsewhere })
    expect(list.map(({ browser, current }) => [browser, current])).toEqual([
      ['Firefox on Windows', true],
      ['test', false],
    ])
    expect((await app.call(authApi.endOtherSessions, { as: elsewhere })).body.message).toBe(
      'Signed out of one other session',
    )
    expect((await app.call(authApi.me, { as: elsewhere })).status).toBe(200)
    expect((await app.call(authApi.me, { as: user })).status).toBe(401)
    expect((await app.call(authApi.me, { as: other })).status).toBe(200)
  })
})

describe('the hourly sweep', () => {
  it('deletes expired rows and nothing else', async () => {
    const user = await createUser(app.deps)
    const { db, now } = app.deps
    const at = now()
    const user_id = user.id
    function counter(key: string, age: number) {
      return {
        key,
        failures: 1,
        window_started_at: at - age,
        last_failure_at: at - age,
      }
    }
    function challenge(id: string, expires_at: number) {
      return {
        ...{ id, secret_hash: id, user_id, code_hash: '', tries: 0, ip: '', user_agent: '', sent_at: 0 },
        expires_at,
      }
    }
    function reset(id: string, age: number) {
      return {
        ...{ id, token_hash: id, user_id, created_at: at - age, expires_at: at - age, used_at: null },
      }
    }
    function known(token_hash: string, age: number) {
      return {
        ...{ token_hash, user_id, created_at: at - age, last_used_at: at - age },
      }
    }
    function trusted(id: string, age: number) {
      return {
        ...{ id, token_hash: id, user_id, epoch: 0, ip: '', user_agent: '', last_used_at: at },
        created_at: at - age,
      }
    }
    await db
      .insertInto('sign_in_counters')
      .values([
        counter('pair|old', 2 * day),
        counter('pair|kept', hour),
        counter('row|kept', 29 * day),
        counter('row|old', 31 * day),
      ])
      .execute()
    await db
      .insertInto('attempts')
      .values([
        { id: 'old', key: 'x', at: at - 26 * hour },
        { id: 'kept', key: 'x', at: at - 24 * hour },
      ])
      .execute()
    await db
      .insertInto('sign_in_challenges')
      .values([challenge('old', at), challenge('kept', at + hour)])
      .execute()
    await db
      .insertInto('password_resets')
      .values([reset('old', 8 * day), reset('kept', 6 * day)])
      .execute()
    await db
      .insertInto('known_browsers')
      .values([known('old', 181 * day), known('kept', 179 * day)])
      .execute()
    await db
      .insertInto('trusted_browsers')
      .values([trusted('old', 366 * day), trusted('kept', 364 * day)])
      .execute()
    await app.runJobs()
    async function listKeys<T>(rows: Promise<T[]>, key: (row: T) => string) {
      return (await rows).map(key).sort()
    }
    expect(await listKeys(db.selectFrom('sign_in_counters').selectAll().execute(), ({ key }) => key)).toEqual(
      ['pair|kept', 'row|kept'],
    )
    expect(await listKeys(db.selectFrom('attempts').selectAll().execute(), ({ id }) => id)).toEqual(['kept'])
    expect(await listKeys(db.selectFrom('sign_in_challenges').selectAll().execute(), ({ id }) => id)).toEqual(
      ['kept'],
    )
    expect(await listKeys(db.selectFrom('password_resets').selectAll().execute(), ({ id }) => id)).toEqual([
      'kept',
    ])
    expect(
      await listKeys(db.selectFrom('known_browsers').selectAll().execute(), ({ token_hash }) => token_hash),
    ).toEqual(['kept'])
    expect(await listKeys(db.selectFrom('trusted_browsers').selectAll().execute(), ({ id }) => id)).toEqual([
      'kept',
    ])
    expect((await app.call(authApi.me, { as: user })).status).toBe(200)
  })
})
