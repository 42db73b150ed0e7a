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
/** Without a mail server. */
const acceptedBody = {
  message: 'This server cannot send email. Ask an administrator for a link to set a new password.',
}
const resetSubject = 'Set a new password for Lyceum'
const changedSubject = 'Your Lyceum password was changed'

let app: TestApp
beforeEach(async () => {
  app = await buildTestApp()
})
afterEach(() => app.close())

async function restart(env: Record<string, string>): Promise<void> {
  await app.close()
  app = await buildTestApp({ env })
}

function requestLink(email: string, ip = '192.0.2.1') {
  return app.call(authApi.forgotPassword, { body: { email }, ip })
}

function reset(token: unknown, password: unknown = newPassword) {
  return app.call(authApi.resetPassword, { body: { token, newPassword: password } as never })
}

function signIn(user: TestUser, password = testPassword, ip = '127.0.0.1') {
  return app.call(authApi.login, { body: { email: user.email, password }, ip })
}

async function readEmails(subject: string): Promise<ReceivedMail[]> {
  return (await readOutbox(app.folder)).filter((mail) => mail.subject === subject)
}

async function readNewestToken(): Promise<string> {
  const token = readLinkToken((await readEmails(resetSubject)).at(-1) as ReceivedMail)
  expect(token).toHaveLength(43)
  return token
}

async function requestToken(user: TestUser): Promise<string> {
  await requestLink(user.email)
  await app.runJobs()
  return readNewestToken()
}

function listRows(table: 'password_resets' | 'sessions' | 'trusted_browsers' | 'attempts' | 'jobs') {
  return app.deps.db.selectFrom(table).selectAll().execute()
}

describe('GET /auth/delivery', () => {
  it('tells visitors whether emails are delivered', async () => {
    const before = await app.call(authApi.delivery, {})
    expect([before.status, before.body]).toEqual([200, { delivery: 'outbox' }])
    await restart({ SMTP_URL: 'smtp://mailer:sesame@mail.example.org' })
    const response = await app.call(authApi.delivery, {})
    expect([response.status, response.body]).toEqual([200, { delivery: 'mail' }])
  })
})

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
    const observations = []
    for (const email of [user.email, 'nobody@example.org', deleted.email]) {
      const before = [(await listRows('attempts')).length, (await listRows('jobs')).length]
      const { status, body, headers } = await requestLink(email)
      const after = [(await listRows('attempts')).length, (await listRows('jobs')).length]
      observations.push({
        status,
        body,
        headers: Object.keys(headers),
        written: after.map((count, index) => count - (before[index] ?? 0)),
      })
    }
    expect(observations[0]).toMatchObject({ status: 200, body: acceptedBody, written: [1, 1] })
    expect(observations[1]).toEqual(observations[0])
    expect(observations[2]).toEqual(observations[0])
    await app.runJobs()
    expect((await readOutbox(app.folder)).map(({ to }) => to)).toEqual([user.email])
    expect((await listRows('password_resets')).map(({ user_id }) => user_id)).toEqual([user.id])
  })

  it('builds the link from PUBLIC_URL, regardless of the host in the request', async () => {
    await restart({ PUBLIC_URL: 'https://chat.example.org' })
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
    const [mail] = await readEmails(resetSubject)
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
    const [mail] = await readEmails(resetSubject)
    expect(mail?.text).toContain('IP address: 198.51.100.7\nBrowser: Firefox on Linux')
    expect(mail?.text).toMatch(/Time: \d{4}-\d\d-\d\d \d\d:\d\d UTC/)
  })

  it('sends three emails an hour to an address, and accepts a fourth request without sending one', async () => {
    await restart({ RATE_LIMIT_SCALE: '1' })
    const user = await createUser(app.deps)
    for (let index = 1; index <= 5; index += 1)
      expect((await requestLink(user.email, `192.0.2.${index}`)).body).toEqual(acceptedBody)
    await app.runJobs()
    expect(await readEmails(resetSubject)).toHaveLength(3)
    app.advance(60 * minute)
    await requestLink(user.email, '192.0.2.9')
    await app.runJobs()
    expect(await readEmails(resetSubject)).toHaveLength(4)
  })

  it('sends three emails even if many are requested at once', async () => {
    await restart({ RATE_LIMIT_SCALE: '1' })
    const user = await createUser(app.deps)
    await Promise.all(Array.from({ length: 8 }, (_, index) => requestLink(user.email, `192.0.2.${index}`)))
    await app.runJobs()
    expect(await readEmails(resetSubject)).toHaveLength(3)
  })

  it('rejects the eleventh request in an hour from one network, whatever the addresses', async () => {
    await restart({ RATE_LIMIT_SCALE: '1' })
    for (let index = 1; index <= 10; index += 1)
      expect((await requestLink(`nobody${index}@example.org`)).status).toBe(200)
    const refused = await requestLink('nobody11@example.org')
    expect([refused.status, refused.body.code]).toEqual([429, 'rate.limited'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000)
  })

  it('creates no link for a request that waited half an hour', async () => {
    const user = await createUser(app.deps)
    await requestLink(user.email)
    app.advance(30 * minute)
    await app.runJobs()
    expect([await listRows('password_resets'), await readEmails(resetSubject)]).toEqual([[], []])
  })

  describe('with a mail server', () => {
    let server: TestMailServer
    beforeEach(async () => {
      server = await startMailServer()
      await restart({ SMTP_URL: server.url })
    })
    afterEach(() => server.close())

    it('stores neither the link nor the address in plain text, but still delivers the email', async () => {
      server.behavior = 'is busy'
      const user = await createUser(app.deps)
      await requestLink(user.email)
      const jobsBefore = JSON.stringify(await listRows('jobs'))
      await app.runJobs()
      const stored = JSON.stringify([
        await listRows('jobs'),
        await listRows('password_resets'),
        await listRows('attempts'),
      ])
      server.behavior = 'accepts'
      app.advance(minute)
      await app.runJobs()
      expect(server.received).toMatchObject([{ to: user.email, subject: resetSubject }])
      const token = readLinkToken(server.received[0] as ReceivedMail)
      expect(stored).toContain(tokenHash(token))
      for (const secret of [token, user.email]) expect(jobsBefore + stored).not.toContain(secret)
      expect((await reset(token)).status).toBe(200)
    })

    it('responds at once while the mail server stalls', async () => {
      server.behavior = 'stalls'
      const user = await createUser(app.deps)
      expect((await requestLink(user.email)).body).toEqual({
        message: 'If there is an account for this address, a link is on its way.',
      })
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
    const token = await requestToken(user)
    const jwt = user.token.split('.')
    const invalidTokens = [
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
    for (const invalid of invalidTokens) {
      const { status, body } = await reset(invalid)
      expect([invalid, status, body]).toEqual([
        invalid,
        400,
        { code: 'auth.reset_invalid', message: 'Invalid reset token' },
      ])
    }
    expect((await reset(user.token)).status).toBe(400)
    expect((await signIn(user)).status).toBe(200)
    expect((await reset(token)).status).toBe(200)
  })

  it('does not accept a reset link as a session or an invitation', async () => {
    const token = await requestToken(await createUser(app.deps))
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
    const token = await requestToken(user)
    app.advance(30 * minute)
    expect((await reset(token)).body).toEqual({
      code: 'auth.reset_expired',
      message: 'This link has expired. Please request a new one.',
    })
    expect((await signIn(user)).status).toBe(200)
  })

  it('rejects a used link', async () => {
    const user = await createUser(app.deps)
    const token = await requestToken(user)
    expect((await reset(token)).status).toBe(200)
    expect((await reset(token, 'another try entirely')).body).toEqual({
      code: 'auth.reset_used',
      message: 'This link has already been used. Please request a new one.',
    })
    expect((await signIn(user, newPassword)).status).toBe(200)
  })

  it('accepts a link once when it is used several times at once', async () => {
    const user = await createUser(app.deps)
    const token = await requestToken(user)
    const passwords = Array.from({ length: 5 }, (_, index) => `${newPassword} ${index}`)
    const responses = await Promise.all(passwords.map((password) => reset(token, password)))
    const winner = responses.findIndex(({ status }) => status === 200)
    const codes = responses.map(({ body }) => body.code)
    expect(codes.filter((code) => code === 'auth.reset_used')).toHaveLength(4)
    expect(await listRows('sessions')).toHaveLength(1)
    await app.runJobs()
    expect(await readEmails(changedSubject)).toHaveLength(1)
    expect((await signIn(user, passwords[winner])).status).toBe(200)
  })

  it('accepts only the newest link', async () => {
    const user = await createUser(app.deps)
    const first = await requestToken(user)
    const second = await requestToken(user)
    expect((await reset(first)).body.code).toBe('auth.reset_invalid')
    expect((await reset(second)).status).toBe(200)
  })

  it('keeps one of several links requested at once, and the links of other users', async () => {
    const user = await createUser(app.deps)
    const other = await requestToken(await createUser(app.deps))
    await Promise.all(Array.from({ length: 4 }, () => requestLink(user.email)))
    await app.runJobs()
    const remaining = (await listRows('password_resets')).filter(({ user_id }) => user_id === user.id)
    expect(remaining).toHaveLength(1)
    expect((await reset(other)).status).toBe(200)
  })

  it('rejects the link of a deleted user', async () => {
    const user = await createUser(app.deps)
    const token = await requestToken(user)
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
  ])('rejects %s with a field error and keeps the link valid', async (password, code, message) => {
    const token = await requestToken(await createUser(app.deps, { email: 'ada.lovelace@example.org' }))
    const refused = await reset(token, password)
    expect([refused.status, refused.body.code]).toEqual([400, code])
    expect(refused.body.fields).toEqual({ newPassword: message })
    expect((await reset(token)).status).toBe(200)
  })

  it('enforces PASSWORD_MIN_LENGTH', async () => {
    await restart({ PASSWORD_MIN_LENGTH: '15' })
    const token = await requestToken(await createUser(app.deps))
    const refused = await reset(token, 'fourteen chars')
    expect(refused.body.fields).toEqual({ newPassword: 'Password must be at least 15 characters' })
    expect((await reset(token, 'fifteen chars !')).status).toBe(200)
  })

  it('signs the user in without cookies, and ends every session, trusted browser and pending code', async () => {
    const user = await createUser(app.deps, { twoFactor: true })
    async function newestCode() {
      return readCode((await readEmails('Your sign-in code for Lyceum')).at(-1) as ReceivedMail)
    }
    const browser = createTestBrowser()
    const credentials = { email: user.email, password: testPassword }
    await app.call(authApi.login, { body: credentials, browser })
    const verified = await app.call(authApi.verify, {
      body: { email: user.email, token: await newestCode() },
      browser,
    })
    expect(await listRows('trusted_browsers')).toHaveLength(1)
    const attacker = createTestBrowser()
    await app.call(authApi.login, { body: credentials, browser: attacker })
    const code = await newestCode()

    const changed = await reset(await requestToken(user))
    expect(changed.status).toBe(200)
    expect(changed.body.user).toMatchObject({ _id: user.id, email: user.email })
    expect(changed.headers['set-cookie']).toBeUndefined()
    function as(token: string | undefined) {
      return { as: { ...user, token: token ?? '' } }
    }
    expect((await app.call(authApi.me, as(changed.body.token))).status).toBe(200)
    for (const token of [user.token, verified.body.token])
      expect((await app.call(authApi.me, as(token))).status).toBe(401)
    expect(await listRows('sessions')).toMatchObject([{ method: 'reset-link', browser_id: null }])
    expect(await listRows('trusted_browsers')).toEqual([])
    const late = await app.call(authApi.verify, {
      body: { email: user.email, token: code },
      browser: attacker,
    })
    expect(late.body.code).toBe('auth.code_invalid')
    const again = await app.call(authApi.login, { body: { ...credentials, password: newPassword }, browser })
    expect(again.body.requires2FA).toBe(true)
    expect((await signIn(user)).status).toBe(401)
  })

  it('emails the user', async () => {
    const user = await createUser(app.deps)
    await reset(await requestToken(user))
    await app.runJobs()
    const [mail] = await readEmails(changedSubject)
    expect(mail?.to).toBe(user.email)
    expect(mail?.text).toContain('http://localhost:3000/forgot-password')
    expect(mail?.text).toContain('IP address: 127.0.0.1')
    expect(mail?.text).not.toContain(newPassword)
  })

  it('still requires a code at the next sign-in if one was required before', async () => {
    const user = await createUser(app.deps)
    await app.deps.db.updateTable('users').set({ must_verify: 1 }).where('id', '=', user.id).execute()
    expect((await reset(await requestToken(user))).body.token).toBeTruthy()
    expect((await signIn(user, newPassword)).body.requires2FA).toBe(true)
  })

  it('opens no session if RESET_REQUIRES_LOGIN is set', async () => {
    await restart({ RESET_REQUIRES_LOGIN: 'true' })
    const user = await createUser(app.deps)
    const changed = await reset(await requestToken(user))
    expect([changed.status, changed.body]).toEqual([200, {}])
    expect(await listRows('sessions')).toEqual([])
    expect((await signIn(user, newPassword)).body.token).toBeTruthy()
  })

  it('removes the delay that failed sign-ins from other networks caused', async () => {
    await restart({ RATE_LIMIT_SCALE: '1' })
    const user = await createUser(app.deps)
    for (let index = 1; index <= 10; index += 1) await signIn(user, 'a wrong guess', `198.51.100.${index}`)
    expect((await signIn(user, testPassword, '203.0.113.1')).status).toBe(401)
    await reset(await requestToken(user))
    expect((await signIn(user, newPassword, '203.0.113.2')).status).toBe(200)
  })
})
