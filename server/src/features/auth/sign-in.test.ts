import { authApi } from '@lyceum/contract/auth'
import { hash } from '@node-rs/argon2'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAdmin, createUser, type TestUser, testPassword } from '#testing/factories.ts'
import { readOutbox } from '#testing/mail-server.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { createTestBrowser, type TestBrowser } from '#testing/test-browser.ts'
import { hashPassword } from './passwords.ts'

let app: TestApp
beforeEach(async () => {
  app = await buildTestApp()
})
afterEach(() => app.close())

const day = 86_400_000

function listSessions() {
  return app.deps.db.selectFrom('sessions').selectAll().execute()
}

function signIn(user: TestUser, browser: TestBrowser = createTestBrowser()) {
  return app.call(authApi.login, { body: { email: user.email, password: testPassword }, browser })
}

describe('POST /auth/login', () => {
  it('gives the same response to a wrong password and an unknown address', async () => {
    const user = await createUser(app.deps)
    const wrong = await app.call(authApi.login, {
      body: { email: user.email, password: 'not the password' },
    })
    const nobody = await app.call(authApi.login, {
      body: { email: 'nobody@example.org', password: 'not the password' },
    })
    expect(wrong.status).toBe(401)
    expect(wrong.body).toEqual({ code: 'auth.invalid_credentials', message: 'Invalid email or password' })
    expect(nobody.body).toEqual(wrong.body)
    expect(nobody.headers['set-cookie']).toBeUndefined()
  })

  it.each([
    [{ email: 'ada', password: testPassword }, 'email', 'Invalid email address'],
    [{ email: 'ada@example.org', password: 'short' }, 'password', 'Password must be at least 8 characters'],
    [
      { email: ['ada@example.org'], password: testPassword },
      'email',
      'This value is missing or has the wrong type',
    ],
    [
      { email: 'ada@example.org', password: { $ne: '' } },
      'password',
      'This value is missing or has the wrong type',
    ],
    [{}, 'email', 'Invalid email address'],
    [{ email: 'ada@example.org' }, 'password', 'Password must be at least 8 characters'],
  ])('rejects %j with a field error', async (body, field, message) => {
    const response = await app.call(authApi.login, { body: body as never })
    expect(response.status).toBe(400)
    expect(response.body.fields?.[field]).toBe(message)
  })

  it('rejects deleted users', async () => {
    const user = await createUser(app.deps)
    await app.deps.db.updateTable('users').set({ deleted_at: 1 }).where('id', '=', user.id).execute()
    expect((await signIn(user)).body).toEqual({
      code: 'auth.invalid_credentials',
      message: 'Invalid email or password',
    })
  })

  it.each([
    ['ordinary users', () => createUser(app.deps)],
    [
      'administrators without canAccessAdminPanel',
      () => createAdmin(app.deps, { permissions: { canAccessAdminPanel: false } }),
    ],
  ])('rejects %s at the admin sign-in, and opens no session', async (_, create) => {
    const user = await create()
    const before = await listSessions()
    const { status, body, headers } = await app.call(authApi.login, {
      body: { email: user.email, password: testPassword, door: 'admin' },
    })
    expect(status).toBe(403)
    expect(body.message).toBe('Access denied. Admin privileges required.')
    expect(headers['set-cookie']).toBeUndefined()
    expect(await listSessions()).toHaveLength(before.length)
  })

  it('returns a session and the user with their permissions', async () => {
    const admin = await createAdmin(app.deps)
    const { status, body } = await app.call(authApi.login, {
      body: { email: admin.email.toUpperCase(), password: testPassword },
    })
    expect(status).toBe(200)
    expect(body.token?.split('.')).toHaveLength(3)
    expect(body.user).toMatchObject({ _id: admin.id, role: 'admin', isSystemAdmin: false })
    expect(body.user?.permissions.canManageChannels).toBe(true)
    expect(body.user?.permissions.canViewChatHistory).toBe(false)
    expect(body.requires2FA).toBeUndefined()
    expect(JSON.stringify(body)).not.toMatch(/argon2|password/i)
  })

  it('ends the oldest of eleven sessions', async () => {
    const user = await createUser(app.deps)
    for (let i = 0; i < 10; i += 1) {
      app.advance(1000)
      await signIn(user)
    }
    expect((await app.call(authApi.me, { as: user })).status).toBe(401)
  })

  it('renews a hash that was made with other parameters, but not for a wrong password', async () => {
    const user = await createUser(app.deps)
    const { db } = app.deps
    const outdated = await hash(testPassword, { algorithm: 2, memoryCost: 1024, timeCost: 1, parallelism: 1 })
    await db.updateTable('users').set({ password_hash: outdated }).where('id', '=', user.id).execute()
    async function readHash() {
      const query = db.selectFrom('users').select('password_hash').where('id', '=', user.id)
      return (await query.executeTakeFirstOrThrow()).password_hash
    }
    const wrong = { email: user.email, password: 'not the password' }
    expect((await app.call(authApi.login, { body: wrong })).status).toBe(401)
    expect(await readHash()).toBe(outdated)
    expect((await signIn(user)).status).toBe(200)
    const renewed = await readHash()
    expect(renewed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect((await signIn(user)).status).toBe(200)
    expect(await readHash()).toBe(renewed)
  })

  it('rejects a password that is changed while it is being verified', async () => {
    const user = await createUser(app.deps)
    const { db } = app.deps
    const before = await listSessions()
    const other = await hashPassword('another password')
    const response = signIn(user)
    // The attempt is counted just before the user is read and the password verified, which takes far longer.
    await vi.waitFor(
      async () => expect(await db.selectFrom('sign_in_counters').select('key').execute()).not.toHaveLength(0),
      { interval: 1 },
    )
    await db.updateTable('users').set({ password_hash: other }).where('id', '=', user.id).execute()
    expect((await response).status).toBe(401)
    expect(await listSessions()).toHaveLength(before.length)
  })
})

describe('a browser', () => {
  async function readEmails() {
    await app.runJobs()
    return readOutbox(app.folder)
  }

  it('triggers an email when it is new, but not at the first sign-in or when it is known', async () => {
    const user = await createUser(app.deps)
    const own = createTestBrowser()
    await signIn(user, own)
    await signIn(user, own)
    expect(await readEmails()).toEqual([])

    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    await app.call(authApi.login, {
      body: { email: user.email, password: testPassword },
      browser: createTestBrowser(firefox),
      ip: '192.0.2.9',
    })
    const [email, ...more] = await readEmails()
    expect(more).toEqual([])
    expect(email).toMatchObject({ to: user.email, subject: 'New sign-in to your Lyceum account' })
    expect(email?.text).toContain('192.0.2.9')
    expect(email?.text).toContain('Firefox on Linux')
    expect(email?.text).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/)
    expect(email?.text).toContain(`${app.deps.env.PUBLIC_URL}/forgot-password`)
  })

  it('stores a secret that scripts and other sites cannot use, and stays known for half a year', async () => {
    const user = await createUser(app.deps)
    const own = createTestBrowser()
    const { headers } = await signIn(user, own)
    const [cookie = ''] = [headers['set-cookie'] ?? []].flat().map(String)
    expect(cookie).toMatch(/^kd=[\w-]{43}; /)
    for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/', `Max-Age=${180 * 86_400}`])
      expect(cookie).toContain(part)
    const [row] = await app.deps.db.selectFrom('known_browsers').selectAll().execute()
    expect(row?.token_hash).not.toBe(own.cookies.get('kd'))
    const first = own.cookies.get('kd')
    app.advance(181 * day)
    await signIn(user, own)
    expect(own.cookies.get('kd')).not.toBe(first)
    expect(await readEmails()).toHaveLength(1)
  })

  it('can be shared, but never uses a secret that someone else chose', async () => {
    const ada = await createUser(app.deps)
    const bob = await createUser(app.deps)
    const shared = createTestBrowser()
    const planted = 'A'.repeat(43)
    shared.storeCookies(`kd=${planted}; Path=/`)
    await signIn(ada, shared)
    const secret = shared.cookies.get('kd')
    expect(secret).not.toBe(planted)
    await signIn(bob, shared)
    expect(shared.cookies.get('kd')).toBe(secret)
    expect(await app.deps.db.selectFrom('known_browsers').selectAll().execute()).toHaveLength(2)
  })
})
