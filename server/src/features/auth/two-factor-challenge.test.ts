import { authApi } from '@lyceum/contract/auth'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createUser, type TestUser, testPassword } from '#testing/factories.ts'
import {
  getUnreachableMailServerUrl,
  readCode,
  readOutbox,
  startMailServer,
  type TestMailServer,
} from '#testing/mail-server.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { createTestBrowser, type TestBrowser } from '#testing/test-browser.ts'

let app: TestApp
let mailServer: TestMailServer
beforeEach(async () => {
  mailServer = await startMailServer()
  app = await buildTestApp({ env: { SMTP_URL: mailServer.url } })
})
afterEach(async () => {
  await app.close()
  await mailServer.close()
})

const second = 1000
const minute = 60 * second

interface RequestOptions {
  browser?: TestBrowser
  headers?: Record<string, string>
  ip?: string
  door?: 'admin'
}

function signIn(user: TestUser, { door, ...options }: RequestOptions = {}) {
  return app.call(authApi.login, {
    body: { email: user.email, password: testPassword, ...(door ? { door } : {}) },
    ...options,
  })
}
function verify(user: TestUser, token: string, options: RequestOptions = {}) {
  return app.call(authApi.verify, { body: { email: user.email, token }, ...options })
}
function resend(user: TestUser, options: RequestOptions = {}) {
  return app.call(authApi.resendCode, { body: { email: user.email }, ...options })
}

function readNewestCode(): string {
  const mail = mailServer.received.at(-1)
  return mail ? readCode(mail) : ''
}
/** Returns an incorrect code. */
function createWrongCode(): string {
  return String((Number(readNewestCode()) + 1) % 1_000_000).padStart(6, '0')
}

function listChallenges() {
  return app.deps.db.selectFrom('sign_in_challenges').selectAll().execute()
}
function listSessions() {
  return app.deps.db.selectFrom('sessions').selectAll().execute()
}

const codeInvalid = { code: 'auth.code_invalid', message: 'Invalid verification token' }

async function startSignIn(options: RequestOptions = {}) {
  const user = await createUser(app.deps, { twoFactor: true })
  const browser = options.browser ?? createTestBrowser()
  await signIn(user, { ...options, browser })
  return { user, browser, code: readNewestCode(), sessionsBefore: await listSessions() }
}

describe('POST /auth/verify-2fa', () => {
  it('rejects requests without a password step, with the same error for every address', async () => {
    const user = await createUser(app.deps, { twoFactor: true })
    const nobody = { ...user, email: 'nobody@example.org' }
    for (const as of [user, nobody]) {
      const { status, body } = await verify(as, '123456')
      expect([status, body]).toEqual([400, codeInvalid])
      const again = await resend(as)
      expect([again.status, again.body]).toEqual([400, codeInvalid])
    }
    expect(mailServer.received).toEqual([])
  })

  it.each([
    [{ token: '123456' }],
    [{ email: ['ada@example.org'], token: '123456' }],
    [{ email: 'ada@example.org', token: 123456 }],
    [{ email: 'ada@example.org', token: ['123456'] }],
    [{ email: 'ada@example.org', token: { $gt: '' } }],
    [{ email: 'ada@example.org', token: ' ' }],
  ])('rejects %j as invalid', async (body) => {
    const response = await app.call(authApi.verify, { body: body as never })
    expect([response.status, response.body.code]).toEqual([400, 'validation.failed'])
  })

  it('rejects the correct code from another browser or client, or with another user’s cookie', async () => {
    const { user, browser, code } = await startSignIn()
    const other = await startSignIn()
    const otherClients: RequestOptions[] = [
      { ip: '192.0.2.1', browser: createTestBrowser() },
      { browser: createTestBrowser('another') },
      { browser: other.browser },
    ]
    for (const options of otherClients) {
      const { status, body } = await verify(user, code, options)
      expect([status, body]).toEqual([400, codeInvalid])
    }
    expect((await verify({ ...user, email: other.user.email }, code, { browser })).body).toEqual(codeInvalid)
    expect(await listSessions()).toHaveLength(other.sessionsBefore.length)
    // The rejected requests used up no attempt, and the user's own browser may change its IP address.
    expect((await listChallenges()).map(({ tries }) => tries)).toEqual([0, 0])
    expect((await verify(user, code, { browser, ip: '192.0.2.1' })).status).toBe(200)
  })

  it('accepts the correct code without cookies from the client that sent the password', async () => {
    const user = await createUser(app.deps, { twoFactor: true })
    await signIn(user)
    expect((await verify(user, readNewestCode())).status).toBe(200)
  })

  it('accepts no code without the cookie if a page of ours sent the password', async () => {
    const user = await createUser(app.deps, { twoFactor: true })
    const browser = createTestBrowser()
    await signIn(user, { browser, headers: { host: 'chat.example.org', origin: 'https://chat.example.org' } })
    const code = readNewestCode()
    for (const guess of [createWrongCode(), code]) {
      const { status, body } = await verify(user, guess, { browser: createTestBrowser() })
      expect([status, body]).toEqual([400, codeInvalid])
    }
    expect((await listChallenges()).map(({ tries }) => tries)).toEqual([0])
    expect((await verify(user, code, { browser })).status).toBe(200)
  })

  it('rejects the correct code after five wrong ones, after expiry and after use', async () => {
    const { user, browser, code } = await startSignIn()
    for (let i = 0; i < 5; i += 1)
      expect((await verify(user, createWrongCode(), { browser })).body).toEqual(codeInvalid)
    expect((await verify(user, code, { browser })).body).toEqual(codeInvalid)

    await signIn(user, { browser })
    app.advance(10 * minute)
    expect((await verify(user, readNewestCode(), { browser })).body).toEqual(codeInvalid)

    await signIn(user, { browser })
    const sent = new Map(browser.cookies)
    expect((await verify(user, readNewestCode(), { browser })).status).toBe(200)
    expect(browser.cookies.has('tfa')).toBe(false)
    browser.storeCookies(`tfa=${sent.get('tfa')}; Path=/`)
    expect((await verify(user, readNewestCode(), { browser })).body).toEqual(codeInvalid)
  })

  it('rejects every code except the newest', async () => {
    const { user, browser, code } = await startSignIn()
    const again = createTestBrowser()
    await signIn(user, { browser: again })
    expect((await verify(user, code, { browser })).body).toEqual(codeInvalid)
    expect(
      (await verify(user, code === readNewestCode() ? createWrongCode() : code, { browser: again })).body,
    ).toEqual(codeInvalid)
    expect((await verify(user, readNewestCode(), { browser: again })).status).toBe(200)
  })

  it('opens one session for several concurrent correct codes, and allows five of many concurrent attempts', async () => {
    const { user, browser, code, sessionsBefore } = await startSignIn()
    // Open the connections first, or the first call would finish before the others reach the database.
    await Promise.all(Array.from({ length: 8 }, () => listSessions()))
    const responses = await Promise.all(Array.from({ length: 4 }, () => verify(user, code, { browser })))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
    expect(await listSessions()).toHaveLength(sessionsBefore.length + 1)

    const next = await startSignIn()
    await Promise.all(Array.from({ length: 12 }, () => verify(next.user, createWrongCode(), next)))
    expect((await listChallenges()).map(({ tries }) => tries)).toEqual([5])
  })

  it('signs in ordinary users, even those who started at the admin sign-in', async () => {
    const { user, browser, code, sessionsBefore } = await startSignIn({ door: 'admin' })
    expect(await listSessions()).toHaveLength(sessionsBefore.length)
    const { status, body } = await verify(user, ` ${code} `, { browser })
    expect(status).toBe(200)
    expect(body.user).toMatchObject({ _id: user.id, role: 'user' })
    expect((await app.call(authApi.me, { as: { ...user, token: body.token } })).status).toBe(200)
    const opened = (await listSessions()).find(({ method }) => method === 'code')
    const [trusted] = await app.deps.db.selectFrom('trusted_browsers').selectAll().execute()
    expect(opened?.browser_id).toBe(trusted?.id)
    const row = await app.deps.db.selectFrom('users').selectAll().executeTakeFirstOrThrow()
    expect(row.last_seen_at).not.toBeNull()
  })
})

describe('a code', () => {
  it('is required before a token is returned, and is emailed with details of the sign-in', async () => {
    const user = await createUser(app.deps, { twoFactor: true })
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    const { status, body, headers } = await signIn(user, {
      browser: createTestBrowser(firefox),
      ip: '192.0.2.9',
    })
    expect([status, body]).toEqual([200, { requires2FA: true, delivery: 'mail', resendAfter: 60 }])
    const cookies = [headers['set-cookie'] ?? []].flat().map(String)
    expect(cookies).toHaveLength(1)
    expect(cookies[0]).toMatch(/^tfa=[\w-]{43}; Max-Age=600; .*HttpOnly.*SameSite=Strict/)
    const [mail] = mailServer.received
    expect(mail?.to).toBe(user.email)
    expect(mail?.text).toMatch(/^ {0,4}\d{6}$/m)
    expect(mail?.subject).not.toMatch(/\d/)
    expect(mail?.text).toContain('192.0.2.9')
    expect(mail?.text).toContain('Firefox on Linux')
    expect(mail?.text).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/)
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/https?:|href/)
    const stored = JSON.stringify([
      await listChallenges(),
      await app.deps.db.selectFrom('jobs').selectAll().execute(),
    ])
    expect(stored).not.toContain(readNewestCode())
  })

  it.each(['refuses', 'is busy', 'disconnects after the message'] as const)(
    'leaves nothing behind if the mail server %s',
    async (behavior) => {
      mailServer.behavior = behavior
      const user = await createUser(app.deps, { twoFactor: true })
      const before = await listSessions()
      const { status, body, headers } = await signIn(user)
      expect([status, body.code]).toEqual([503, 'auth.code_not_sent'])
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
      expect(headers['set-cookie']).toBeUndefined()
      expect(await listChallenges()).toEqual([])
      expect(await listSessions()).toHaveLength(before.length)
      mailServer.behavior = 'accepts'
      expect((await signIn(user)).status).toBe(200)
    },
  )

  it('is sent at most five times an hour and ten times a day, even if sending fails', async () => {
    await app.close()
    app = await buildTestApp({ env: { SMTP_URL: mailServer.url, RATE_LIMIT_SCALE: '1' } })
    const { user, browser } = await startSignIn()
    mailServer.behavior = 'refuses'
    app.advance(minute)
    expect((await resend(user, { browser })).status).toBe(503)
    mailServer.behavior = 'accepts'
    async function resendAll(times: number) {
      for (let i = 0; i < times; i += 1) {
        app.advance(minute)
        expect((await resend(user, { browser })).status).toBe(200)
      }
      app.advance(minute)
    }
    await resendAll(3)
    const code = readNewestCode()
    for (const refused of [await resend(user, { browser }), await signIn(user, { browser })]) {
      expect([refused.status, refused.body.code]).toEqual([429, 'auth.code_limit'])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50 * 60)
    }
    // The code that was sent before is still valid.
    app.advance(8 * minute)
    expect(await listChallenges()).toHaveLength(1)
    expect(code).toBe(readNewestCode())

    app.advance(60 * minute)
    expect((await signIn(user, { browser })).status).toBe(200)
    await resendAll(4)
    app.advance(60 * minute)
    const tooMany = await signIn(user, { browser })
    expect([tooMany.status, tooMany.body.code]).toEqual([429, 'auth.code_limit'])
    expect(Number(tooMany.headers['retry-after'])).toBeGreaterThan(20 * 3600)
  })

  it('cannot be guessed in fifty attempts with a new code after every five', async () => {
    const { user, browser, sessionsBefore } = await startSignIn()
    const earlier: string[] = []
    for (let round = 0; round < 10; round += 1) {
      for (let i = 0; i < 5; i += 1) {
        const guess = earlier.findLast((code) => code !== readNewestCode()) ?? createWrongCode()
        expect((await verify(user, i === 0 ? guess : createWrongCode(), { browser })).body).toEqual(
          codeInvalid,
        )
      }
      expect((await verify(user, readNewestCode(), { browser })).body).toEqual(codeInvalid)
      earlier.push(readNewestCode())
      app.advance(minute)
      expect((await resend(user, { browser })).status).toBe(200)
    }
    expect(await listSessions()).toHaveLength(sessionsBefore.length)
    expect((await verify(user, readNewestCode(), { browser })).status).toBe(200)
  })
})

describe('POST /auth/resend-code', () => {
  it('rejects requests from elsewhere, and requests within a minute', async () => {
    const { user, browser } = await startSignIn()
    app.advance(40 * second)
    expect((await resend(user, { browser: createTestBrowser('another') })).body).toEqual(codeInvalid)
    const { status, body, headers } = await resend(user, { browser })
    expect([status, body.code]).toEqual([429, 'auth.code_cool_down'])
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(20)
    expect(mailServer.received).toHaveLength(1)
  })

  it('sends one new code, with new attempts and a new expiry', async () => {
    const { user, browser, code } = await startSignIn()
    for (let i = 0; i < 5; i += 1) await verify(user, createWrongCode(), { browser })
    app.advance(9 * minute)
    const responses = await Promise.all([resend(user, { browser }), resend(user, { browser })])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 429])
    expect(responses.find(({ status }) => status === 200)?.body).toMatchObject({
      delivery: 'mail',
      resendAfter: 60,
    })
    expect(mailServer.received).toHaveLength(2)
    app.advance(9 * minute)
    if (code !== readNewestCode()) expect((await verify(user, code, { browser })).body).toEqual(codeInvalid)
    expect((await verify(user, readNewestCode(), { browser })).status).toBe(200)
  })

  it('rejects a sign-in that has expired or is complete', async () => {
    const { user, browser } = await startSignIn()
    app.advance(10 * minute)
    expect((await resend(user, { browser })).body).toEqual(codeInvalid)
    await signIn(user, { browser })
    await verify(user, readNewestCode(), { browser })
    app.advance(minute)
    expect((await resend(user, { browser })).body).toEqual(codeInvalid)
  })
})

describe('without a working mail server', () => {
  it('creates neither a code nor a session if the server does not respond', async () => {
    await app.close()
    app = await buildTestApp({ env: { SMTP_URL: await getUnreachableMailServerUrl() } })
    const user = await createUser(app.deps, { twoFactor: true })
    const { status, body } = await signIn(user)
    expect([status, body.code]).toEqual([503, 'auth.code_not_sent'])
    expect(await listChallenges()).toEqual([])
  })

  it('writes the code to the outbox if none is configured', async () => {
    await app.close()
    app = await buildTestApp()
    const user = await createUser(app.deps, { twoFactor: true })
    const { body } = await signIn(user)
    expect(body).toEqual({ requires2FA: true, delivery: 'outbox', resendAfter: 60 })
    const [mail] = await readOutbox(app.folder)
    expect((await verify(user, mail ? readCode(mail) : '')).status).toBe(200)
  })
})
