import { authApi } from '@lyceum/contract/auth'
import { usersApi } from '@lyceum/contract/users'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createUser, type TestUser, testPassword } from '#testing/factories.ts'
import { type ReceivedMail, readCode, readOutbox } from '#testing/mail-server.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { createTestBrowser, type TestBrowser } from '#testing/test-browser.ts'

const minute = 60_000
const newPassword = 'seven quiet harbours'

let app: TestApp
beforeEach(async () => {
  app = await buildTestApp()
})
afterEach(() => app.close())

function change(as: TestUser, body: Record<string, unknown> = {}, id = as.id) {
  return app.call(usersApi.changePassword, {
    as,
    params: { id },
    body: { currentPassword: testPassword, newPassword, ...body } as never,
  })
}

function signIn(user: TestUser, password: string, browser?: TestBrowser) {
  return app.call(authApi.login, { body: { email: user.email, password }, ...(browser ? { browser } : {}) })
}

async function signInWithCode(user: TestUser, browser: TestBrowser): Promise<TestUser> {
  await signIn(user, testPassword, browser)
  const mail = (await readOutbox(app.folder)).findLast(({ subject }) => subject.includes('code'))
  const body = { email: user.email, token: readCode(mail as ReceivedMail) }
  const verified = await app.call(authApi.verify, { body, browser })
  return { ...user, token: verified.body.token }
}

async function isSignedIn(as: TestUser): Promise<boolean> {
  return (await app.call(authApi.me, { as })).status === 200
}

describe('POST /users/:id/change-password', () => {
  it('requires a session', async () => {
    const user = await createUser(app.deps)
    const { status } = await change({ ...user, token: 'x.y.z' })
    expect(status).toBe(401)
  })

  it('rejects changing another user’s password, even for administrators', async () => {
    const user = await createUser(app.deps)
    for (const as of [
      await createUser(app.deps),
      await createAdmin(app.deps),
      await createAdmin(app.deps, { isSystemAdmin: true }),
    ]) {
      const existing = await change(as, {}, user.id)
      const unknown = await change(as, {}, 'nobody')
      expect(existing.status).toBe(404)
      expect(existing.body).toEqual(unknown.body)
    }
    expect((await signIn(user, testPassword)).status).toBe(200)
  })

  it('rejects a wrong current password with a field error and keeps the session', async () => {
    const user = await createUser(app.deps)
    const refused = await change(user, { currentPassword: 'not the password' })
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        code: 'auth.wrong_password',
        message: 'The current password is not correct',
        fields: { currentPassword: 'The current password is not correct' },
      },
    ])
    expect(await isSignedIn(user)).toBe(true)
  })

  it.each([
    [{ newPassword: 'short' }, { newPassword: 'Password must be at least 8 characters' }],
    [{ newPassword: 'x'.repeat(257) }, { newPassword: 'At most 256 characters' }],
    [{ newPassword: testPassword }, { newPassword: 'The new password must differ from the current one' }],
    [
      { newPassword: 'ILOVEYOU' },
      { newPassword: 'This password is too easy to guess. Please choose another one.' },
    ],
    [
      { newPassword: 'grace hopper' },
      { newPassword: 'This password is too easy to guess. Please choose another one.' },
    ],
    [
      { newPassword: ['seven quiet harbours'] },
      { newPassword: 'This value is missing or has the wrong type' },
    ],
    [{ currentPassword: '' }, { currentPassword: 'Current password is required' }],
    [{ currentPassword: null }, { currentPassword: 'This value is missing or has the wrong type' }],
  ])('rejects %j with field errors', async (body, fields) => {
    const user = await createUser(app.deps, { name: 'Grace Hopper' })
    const refused = await change(user, body)
    expect([refused.status, refused.body.fields]).toEqual([400, fields])
    expect((await signIn(user, testPassword)).status).toBe(200)
  })

  describe('with rate limits', () => {
    beforeEach(async () => {
      await app.close()
      app = await buildTestApp({ env: { RATE_LIMIT_SCALE: '1' } })
    })

    it('blocks even the correct password after five wrong ones in 15 minutes', async () => {
      const user = await createUser(app.deps)
      const other = await createUser(app.deps)
      for (let index = 0; index < 5; index += 1)
        expect((await change(user, { currentPassword: `wrong ${index}` })).status).toBe(400)
      const refused = await change(user)
      expect([refused.status, refused.body.code]).toEqual([429, 'rate.limited'])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800)
      expect((await change(other)).status).toBe(200)
      app.advance(15 * minute)
      expect((await change(user)).status).toBe(200)
    })

    it('checks at most five concurrent wrong passwords', async () => {
      const user = await createUser(app.deps)
      const responses = await Promise.all(
        Array.from({ length: 9 }, (_, index) => change(user, { currentPassword: `wrong ${index}` })),
      )
      expect(responses.filter(({ status }) => status === 400)).toHaveLength(5)
      expect(responses.filter(({ status }) => status === 429)).toHaveLength(4)
    })

    it('resets the count after a correct password', async () => {
      const user = await createUser(app.deps)
      for (let index = 0; index < 4; index += 1) await change(user, { currentPassword: `wrong ${index}` })
      expect((await change(user)).status).toBe(200)
      for (let index = 0; index < 5; index += 1)
        expect((await change(user, { currentPassword: `wrong ${index}` })).status).toBe(400)
    })
  })

  it('keeps this session and this trusted browser, and ends the others', async () => {
    const user = await createUser(app.deps, { twoFactor: true })
    const own = createTestBrowser()
    const other = createTestBrowser()
    const thisSession = await signInWithCode(user, own)
    const otherSession = await signInWithCode(user, other)
    await app.call(authApi.forgotPassword, { body: { email: user.email } })
    await app.runJobs()

    const changed = await change(thisSession)
    expect([changed.status, changed.body]).toEqual([200, { message: 'Password updated successfully' }])
    expect(await Promise.all([thisSession, otherSession, user].map(isSignedIn))).toEqual([true, false, false])
    expect(await app.deps.db.selectFrom('password_resets').selectAll().execute()).toEqual([])
    expect((await signIn(user, testPassword, own)).status).toBe(401)
    expect((await signIn(user, newPassword, own)).body.token).toBeTruthy()
    expect((await signIn(user, newPassword, other)).body.requires2FA).toBe(true)
  })

  it('emails the user once about several concurrent changes', async () => {
    const user = await createUser(app.deps)
    const passwords = Array.from({ length: 4 }, (_, index) => `${newPassword} ${index}`)
    const responses = await Promise.all(passwords.map((password) => change(user, { newPassword: password })))
    const winner = responses.findIndex(({ status }) => status === 200)
    expect(responses.filter(({ body }) => body.code === 'auth.wrong_password')).toHaveLength(3)
    expect((await signIn(user, passwords[winner] ?? '')).status).toBe(200)
    await app.runJobs()
    const emails = (await readOutbox(app.folder)).filter(
      ({ subject }) => subject === 'Your Lyceum password was changed',
    )
    expect(emails.map(({ to }) => to)).toEqual([user.email])
    expect(emails[0]?.text).toContain('http://localhost:3000/forgot-password')
  })

  it('uses every character of a password, without Unicode normalization', async () => {
    const user = await createUser(app.deps)
    const composed = 'P\u00e4ssw\u00f6rter \u{1f511}'
    expect((await change(user, { newPassword: composed })).status).toBe(200)
    expect((await signIn(user, composed.normalize('NFD'))).status).toBe(401)
    expect((await signIn(user, composed)).status).toBe(200)
    const long = 'y'.repeat(200) + 'z'.repeat(56)
    expect((await change(user, { currentPassword: composed, newPassword: long })).status).toBe(200)
    expect((await signIn(user, `${long.slice(0, -1)}y`)).status).toBe(401)
    expect((await signIn(user, long)).status).toBe(200)
  })
})
