import { authApi } from '@lyceum/contract/auth'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { randomToken, tokenHash } from '#keys/secrets.ts'
import { createUser, type TestUser, testPassword } from '#testing/factories.ts'
import {
  type ReceivedMail,
  readCode,
  readLinkToken,
  readOutbox,
  startMailServer,
  type TestMailServer,
} from '#testing/mail-server.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { createTestBrowser } from '#testing/test-browser.ts'

const minute = 60_000
const newPassword = 'seven quiet harbours'
const answer = { message: 'If there is an account for this address, a link is on its way.' }
const resetSubject = 'Set a new password for Lyceum'
const changedSubject = 'Your Lyceum password was changed'

let app: TestApp
beforeEach(async () => {
  app = await buildTestApp()
})
afterEach(() => app.close())

async function reopen(env: Record<string, string>): Promise<void> {
  await app.close()
  app = await buildTestApp({ env })
}

function ask(email: string, ip = '192.0.2.1') {
  return app.call(authApi.forgotPassword, { body: { email }, ip })
}

function reset(token: unknown, password: unknown = newPassword) {
  return app.call(authApi.resetPassword, { body: { token, newPassword: password } as never })
}

function signIn(user: TestUser, password = testPassword, ip = '127.0.0.1') {
  return app.call(authApi.login, { body: { email: user.email, password }, ip })
}

async function mails(subject: string): Promise<ReceivedMail[]> {
  return (await readOutbox(app.folder)).filter((mail) => mail.subject === subject)
}

async function newestLink(): Promise<string> {
  const token = readLinkToken((await mails(resetSubject)).at(-1) as ReceivedMail)
  expect(token).toHaveLength(43)
  return token
}

async function linkFor(user: TestUser): Promise<string> {
  await ask(user.email)
  await app.runJobs()
  return newestLink()
}

function rows(table: 'password_resets' | 'sessions' | 'trusted_browsers' | 'attempts' | 'jobs') {
  return app.deps.db.selectFrom(table).selectAll().execute()
}

describe('POST /auth/forgot-password', () => {
  it.each([[{ email: 'ada' }], [{ email: ['ada@example.org'] }], [{ email: null }], [{}]])(
    'rejects %j with a field error',
    async (body) => {
      const refused = await app.call(authApi.forgotPassword, { body: body as never })
      expect([refused.status, Boolean(refused.body.fields?.['email'])]).toEqual([400, true])
    },
  )

  it('does the same work and responds the same for existing, unknown and deleted users', async () => {
    const user = await createUser(app.deps)
    const deleted = await createUser(app.deps)
    await app.deps.db.updateTable('users').set({ deleted_at: 1 }).where('id', '=', deleted.id).execute()
    const traces = []
    for (const email of [user.email, 'nobody@example.org', deleted.email]) {
      const before = [(await rows('attempts')).length, (await rows('jobs')).length]
      const { status, body, headers } = await ask(email)
      const after = [(await rows('attempts')).length, (await rows('jobs')).length]
      traces.push({
        status,
        body,
        headers: Object.keys(headers),
        written: after.map((count, at) => count - (before[at] ?? 0)),
      })
    }
    expect(traces[0]).toMatchObject({ status: 200, body: answer, written: [1, 1] })
    expect(traces[1]).toEqual(traces[0])
    expect(traces[2]).toEqual(traces[0])
    await app.runJobs()
    expect((await readOutbox(app.folder)).map(({ to }) => to)).toEqual([user.email])
    expect((await rows('password_resets')).map(({ user_id }) => user_id)).toEqual([user.id])
  })

  it('builds the link from PUBLIC_URL, regardless of the host in the request', async () => {
    await reopen({ PUBLIC_URL: 'https://chat.example.org' })
    const user = await createUser(app.deps)
    await app.call(authApi.forgotPassword, {
      body: { email: user.email.toUpperCase() },
      headers: {
        host: 'evil.example.net',
        'x-forwarded-host': 'evil.example.net',
        forwarded: 'host=evil.example.net',
      },
    })
    await app.runJobs()
    const [mail] = await mails(resetSubject)
    expect(mail?.text).toMatch(/https:\/\/chat\.example\.org\/reset-password\?token=[\w-]{43}\n/)
    expect(`${mail?.text}${mail?.html}`).not.toContain('evil')
  })

  it('includes the time, IP address and browser of the request in the email', async () => {
    const user = await createUser(app.deps)
    await app.call(authApi.forgotPassword, {
      body: { email: user.email },
      ip: '198.51.100.7',
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
    })
    await app.runJobs()
    const [mail] = await mails(resetSubject)
    expect(mail?.text).toContain('IP address: 198.51.100.7\nBrowser: Firefox on Linux')
    expect(mail?.text).toMatch(/Time: \d{4}-\d\d-\d\d \d\d:\d\d UTC/)
  })

  it('sends three emails an hour to an address, and accepts a fourth request without sending one', async () => {
    await reopen({ RATE_LIMIT_SCALE: '1' })
    const user = await createUser(app.deps)
    for (let at = 1; at <= 5; at += 1) expect((await ask(user.email, `192.0.2.${at}`)).body).toEqual(answer)
    await app.runJobs()
    expect(await mails(resetSubject)).toHaveLength(3)
    app.advance(60 * minute)
    await ask(user.email, '192.0.2.9')
    await app.runJobs()
    expect(await mails(resetSubject)).toHaveLength(4)
  })

  it('sends three emails even if many are requested at once', async () => {
    await reopen({ RATE_LIMIT_SCALE: '1' })
    const user = await createUser(app.deps)
    await Promise.all(Array.from({ length: 8 }, (_, at) => ask(user.email, `192.0.2.${at}`)))
    await app.runJobs()
    expect(await mails(resetSubject)).toHaveLength(3)
  })

  it('rejects the eleventh request of an hour from one network, for any addresses', async () => {
    await reopen({ RATE_LIMIT_SCALE: '1' })
    for (let at = 1; at <= 10; at += 1) expect((await ask(`nobody${at}@example.org`)).status).toBe(200)
    const refused = await ask('nobody11@example.org')
    expect([refused.status, refused.body.code]).toEqual([429, 'rate.limited'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000)
  })

  it('creates no link for a request that waited half an hour', async () => {
    const user = await createUser(app.deps)
    await ask(user.email)
    app.advance(30 * minute)
    await app.runJobs()
    expect([await rows('password_resets'), await mails(resetSubject)]).toEqual([[], []])
  })

  describe('with a mail server', () => {
    let server: TestMailServer
    beforeEach(async () => {
      server = await startMailServer()
      await reopen({ SMTP_URL: server.url })
    })
    afterEach(() => server.close())

    it('stores neither the link nor the address in plain text, and delivers both', async () => {
      server.behaviour = 'is busy'
      const user = await createUser(app.deps)
      await ask(user.email)
      const asked = JSON.stringify(await rows('jobs'))
      await app.runJobs()
      const stored = JSON.stringify([
        await rows('jobs'),
        await rows('password_resets'),
        await rows('attempts'),
      ])
      server.behaviour = 'accepts'
      app.advance(minute)
      await app.runJobs()
      expect(server.received).toMatchObject([{ to: user.email, subject: resetSubject }])
      const token = readLinkToken(server.received[0] as ReceivedMail)
      expect(stored).toContain(tokenHash(token))
      for (const secret of [token, user.email]) expect(asked + stored).not.toContain(secret)
      expect((await reset(token)).status).toBe(200)
    })

    it('responds at once while the mail server stalls', async () => {
      server.behaviour = 'stalls'
      const user = await createUser(app.deps)
      expect((await ask(user.email)).body).toEqual(answer)
      expect(server.connections).toBe(0)
    })
  })
})

describe('POST /auth/reset-password', () => {
  it.each([[null], [['x'.repeat(43)]], [{ $ne: '' }], [7], [undefined]])(
    'rejects %j as a token with a field error',
    async (token) => {
      const { status, body } = await reset(token)
      expect([status, body.code, Boolean(body.fields?.['token'])]).toEqual([400, 'validation.failed', true])
    },
  )

  it('rejects made-up tokens and secrets of other kinds', async () => {
    const user = await createUser(app.deps)
    const token = await linkFor(user)
    const jwt = user.token.split('.')
    const foreign = [
      '',
      'x',
      'x'.repeat(500),
      randomToken(),
      tokenHash(token),
      `${token} `,
      `${token}=`,
      token.slice(1),
      `${token.slice(1)}é`,
      token.toLowerCase(),
      "' or 1=1 --",
      user.id,
      jwt[2],
      user.token.slice(0, 43),
    ]
    for (const given of foreign) {
      const { status, body } = await reset(given)
      expect([given, status, body]).toEqual([
        given,
        400,
        { code: 'auth.reset_invalid', message: 'Invalid reset token' },
      ])
    }
    expect((await reset(user.token)).status).toBe(400)
    expect((await signIn(user)).status).toBe(200)
    expect((await reset(token)).status).toBe(200)
  })

  it('does not accept a reset link as a session or an invitation', async () => {
    const token = await linkFor(await createUser(app.deps))
    const me = await app.raw({
      method: 'GET',
      path: '/api/auth/me',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(me.status).toBe(401)
    const invitation = await app.raw({ method: 'GET', path: `/api/invitations/verify/${token}` })
    expect([invitation.status, invitation.body.code]).toEqual([400, 'invitation.invalid'])
    expect((await reset(token)).status).toBe(200)
  })

  it('rejects a link after half an hour', async () => {
    const user = await createUser(app.deps)
    const token = await linkFor(user)
    app.advance(30 * minute)
    expect((await reset(token)).body).toEqual({
      code: 'auth.reset_expired',
      message: 'This link has expired. Please request a new one.',
    })
    expect((await signIn(user)).status).toBe(200)
  })

  it('rejects a used link', async () => {
    const user = await createUser(app.deps)
    const token = await linkFor(user)
    expect((await reset(token)).status).toBe(200)
    expect((await reset(token, 'another try entirely')).body).toEqual({
      code: 'auth.reset_used',
      message: 'This link has already been used. Please request a new one.',
    })
    expect((await signIn(user, newPassword)).status).toBe(200)
  })

  it('accepts a link once when it is used several times at once', async () => {
    const user = await createUser(app.deps)
    const token = await linkFor(user)
    const passwords = Array.from({ length: 5 }, (_, at) => `${newPassword} ${at}`)
    const answers = await Promise.all(passwords.map((password) => reset(token, password)))
    const won = answers.findIndex(({ status }) => status === 200)
    const codes = answers.map(({ body }) => body.code)
    expect(codes.filter((code) => code === 'auth.reset_used')).toHaveLength(4)
    expect(await rows('sessions')).toHaveLength(1)
    await app.runJobs()
    expect(await mails(changedSubject)).toHaveLength(1)
    expect((await signIn(user, passwords[won])).status).toBe(200)
  })

  it('accepts only the newest link', async () => {
    const user = await createUser(app.deps)
    const first = await linkFor(user)
    const second = await linkFor(user)
    expect((await reset(first)).body.code).toBe('auth.reset_invalid')
    expect((await reset(second)).status).toBe(200)
  })

  it('keeps one of several links requested at once, and the links of other users', async () => {
    const user = await createUser(app.deps)
    const other = await linkFor(await createUser(app.deps))
    await Promise.all(Array.from({ length: 4 }, () => ask(user.email)))
    await app.runJobs()
    const kept = (await rows('password_resets')).filter(({ user_id }) => user_id === user.id)
    expect(kept).toHaveLength(1)
    expect((await reset(other)).status).toBe(200)
  })

  it('rejects the link of a deleted user', async () => {
    const user = await createUser(app.deps)
    const token = await linkFor(user)
    await app.deps.db.updateTable('users').set({ deleted_at: 1 }).where('id', '=', user.id).execute()
    expect((await reset(token)).body.code).toBe('auth.reset_invalid')
  })

  it.each([
    ['short', 'validation.failed', 'Password must be at least 8 characters'],
    ['x'.repeat(257), 'validation.failed', 'At most 256 characters'],
    ['Sunshine', 'auth.password_common', 'This password is too easy to guess. Please choose another one.'],
    [
      'ada.lovelace',
      'auth.password_common',
      'This password is too easy to guess. Please choose another one.',
    ],
  ])('rejects %s with a field error and keeps the link valid', async (password, code, words) => {
    const token = await linkFor(await createUser(app.deps, { email: 'ada.lovelace@example.org' }))
    const refused = await reset(token, password)
    expect([refused.status, refused.body.code]).toEqual([400, code])
    expect(refused.body.fields).toEqual({ newPassword: words })
    expect((await reset(token)).status).toBe(200)
  })

  it('enforces PASSWORD_MIN_LENGTH', async () => {
    await reopen({ PASSWORD_MIN_LENGTH: '15' })
    const token = await linkFor(await createUser(app.deps))
    const refused = await reset(token, 'fourteen chars')
    expect(refused.body.fields).toEqual({ newPassword: 'Password must be at least 15 characters' })
    expect((await reset(token, 'fifteen chars !')).status).toBe(200)
  })

  it('signs the user in without cookies, and ends every session, trusted browser and pending code', async () => {
    const user = await createUser(app.deps, { twoFactor: true })
    async function newestCode() {
      return readCode((await mails('Your sign-in code for Lyceum')).at(-1) as ReceivedMail)
    }
    const browser = createTestBrowser()
    const credentials = { email: user.email, password: testPassword }
    await app.call(authApi.login, { body: credentials, browser })
    const verified = await app.call(authApi.verify, {
      body: { email: user.email, token: await newestCode() },
      browser,
    })
    expect(await rows('trusted_browsers')).toHaveLength(1)
    const thief = createTestBrowser()
    await app.call(authApi.login, { body: credentials, browser: thief })
    const code = await newestCode()

    const done = await reset(await linkFor(user))
    expect(done.status).toBe(200)
    expect(done.body.user).toMatchObject({ _id: user.id, email: user.email })
    expect(done.headers['set-cookie']).toBeUndefined()
    function as(token: string | undefined) {
      return { as: { ...user, token: token ?? '' } }
    }
    expect((await app.call(authApi.me, as(done.body.token))).status).toBe(200)
    for (const token of [user.token, verified.body.token])
      expect((await app.call(authApi.me, as(token))).status).toBe(401)
    expect(await rows('sessions')).toMatchObject([{ method: 'reset-link', browser_id: null }])
    expect(await rows('trusted_browsers')).toEqual([])
    const late = await app.call(authApi.verify, {
      body: { email: user.email, token: code },
      browser: thief,
    })
    expect(late.body.code).toBe('auth.code_invalid')
    const again = await app.call(authApi.login, { body: { ...credentials, password: newPassword }, browser })
    expect(again.body.requires2FA).toBe(true)
    expect((await signIn(user)).status).toBe(401)
  })

  it('emails the user', async () => {
    const user = await createUser(app.deps)
    await reset(await linkFor(user))
    await app.runJobs()
    const [mail] = await mails(changedSubject)
    expect(mail?.to).toBe(user.email)
    expect(mail?.text).toContain('http://localhost:3000/forgot-password')
    expect(mail?.text).toContain('IP address: 127.0.0.1')
    expect(mail?.text).not.toContain(newPassword)
  })

  it('does not replace a code that is required at the next sign-in', async () => {
    const user = await createUser(app.deps)
    await app.deps.db.updateTable('users').set({ must_verify: 1 }).where('id', '=', user.id).execute()
    expect((await reset(await linkFor(user))).body.token).toBeTruthy()
    expect((await signIn(user, newPassword)).body.requires2FA).toBe(true)
  })

  it('opens no session if RESET_REQUIRES_LOGIN is set', async () => {
    await reopen({ RESET_REQUIRES_LOGIN: 'true' })
    const user = await createUser(app.deps)
    const done = await reset(await linkFor(user))
    expect([done.status, done.body]).toEqual([200, {}])
    expect(await rows('sessions')).toEqual([])
    expect((await signIn(user, newPassword)).body.token).toBeTruthy()
  })

  it('removes the delay that failed sign-ins from other networks caused', async () => {
    await reopen({ RATE_LIMIT_SCALE: '1' })
    const user = await createUser(app.deps)
    for (let at = 1; at <= 10; at += 1) await signIn(user, 'a wrong guess', `198.51.100.${at}`)
    expect((await signIn(user, testPassword, '203.0.113.1')).status).toBe(401)
    await reset(await linkFor(user))
    expect((await signIn(user, newPassword, '203.0.113.2')).status).toBe(200)
  })
})
