import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { authApi } from '@lyceum/contract/auth'
import { connectionsApi, type MailConnectionInput } from '@lyceum/contract/connections'
import { getStartedApi } from '@lyceum/contract/get-started'
import { statusApi } from '@lyceum/contract/status'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rotateKeys } from '#keys/rotate.ts'
import { createAdmin, createUser, type TestUser } from '#testing/factories.ts'
import { readOutbox, startMailServer, type TestMailServer } from '#testing/mail-server.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let admin: TestUser
let server: TestMailServer
beforeEach(async () => {
  server = await startMailServer({ password: 'sesame-password' })
  await start()
})
afterEach(async () => {
  await app.close()
  await server.close()
})

async function start(env: Record<string, string> = {}): Promise<void> {
  app = await buildTestApp({ env })
  admin = await createAdmin(app.deps, { isSystemAdmin: true })
}
async function restart(env: Record<string, string>): Promise<void> {
  await app.close()
  await start(env)
}

const modelInput = { baseUrl: 'http://127.0.0.1:9/v1', model: 'local', embeddingModel: '' }
function mailInput(changes: Partial<MailConnectionInput> = {}): MailConnectionInput {
  return {
    host: '127.0.0.1',
    port: Number(new URL(server.url).port),
    encryption: 'optional',
    username: 'mailer',
    password: 'sesame-password',
    from: 'lyceum@example.org',
    ...changes,
  }
}
function setMail(changes: Partial<MailConnectionInput> = {}, as: TestUser | null = admin) {
  return app.call(connectionsApi.setMail, { as, body: mailInput(changes) })
}
async function readMail() {
  return (await app.call(connectionsApi.get, { as: admin })).body.mail
}
function remove(part: 'mail' | 'model', as: TestUser | null = admin) {
  return app.call(connectionsApi.remove, { as, params: { part } })
}
function check(as: TestUser | null = admin) {
  return app.call(connectionsApi.check, { as, params: { part: 'mail' } })
}
async function readHealth() {
  return (await app.call(connectionsApi.get, { as: admin })).body.health.mail
}
async function readDelivery(): Promise<string> {
  return (await app.call(authApi.delivery, {})).body.delivery
}
async function readMailStatus() {
  const { body } = await app.call(statusApi.get, { as: admin })
  return body.parts.find(({ part }) => part === 'mail')
}
function listAuditEntries() {
  return app.deps.db
    .selectFrom('audit_log')
    .select(['action', 'before', 'after', 'result'])
    .where('action', 'like', 'settings.%')
    .orderBy('seq')
    .execute()
}
/** Everything that the database contains about settings, audit and jobs. */
async function readDatabaseText(): Promise<string> {
  const { db } = app.deps
  const tables = await Promise.all([
    db.selectFrom('settings').selectAll().execute(),
    db.selectFrom('audit_log').selectAll().execute(),
    db.selectFrom('jobs').selectAll().execute(),
  ])
  return JSON.stringify(tables)
}

describe('access to connections', () => {
  it('is refused to visitors, users, and administrators who are no system administrators', async () => {
    for (const [as, status] of [
      [null, 401],
      [await createUser(app.deps), 403],
      [await createAdmin(app.deps), 403],
    ] as const) {
      const responses = [
        await app.call(connectionsApi.get, { as }),
        await setMail({}, as),
        await app.call(connectionsApi.testMail, { as, body: mailInput() }),
        await app.call(connectionsApi.setModel, { as, body: modelInput }),
        await app.call(connectionsApi.testModel, { as, body: modelInput }),
        await check(as),
        await remove('mail', as),
        await remove('model', as),
      ]
      expect(responses.map((response) => response.status)).toEqual(responses.map(() => status))
    }
    expect([server.connections, await listAuditEntries()]).toEqual([0, []])
  })
})

describe('POST /settings/connections/mail/check', () => {
  it('needs a mail server', async () => {
    expect((await check()).body).toMatchObject({ ok: false, words: ['No mail server is configured.'] })
  })

  it('finds out whether the mail server answers, without an email', async () => {
    await setMail()
    expect((await check()).body).toMatchObject({
      ok: true,
      words: [expect.stringMatching(/accepts connections/)],
    })
    expect([await readHealth(), server.received]).toEqual(['working', []])
    await server.close()
    app.advance(1000)
    expect((await check()).body).toMatchObject({
      ok: false,
      words: [expect.stringMatching(/^No mail server answers at 127\.0\.0\.1:\d+\. Check the address/)],
    })
    expect([await readHealth(), (await readMailStatus())?.state]).toEqual(['failing', 'failing'])
    expect((await listAuditEntries()).at(-1)).toMatchObject({ action: 'settings.tested', result: 'failed' })
  })

  it('forgets what is known of an earlier mail server', async () => {
    await setMail()
    await check()
    await setMail({ from: 'other@example.org' })
    expect(await readHealth()).toBe('untested')
  })
})

describe('PUT /settings/connections/mail', () => {
  it.each([
    ['host', { host: 'mail example.org' }],
    ['host', { host: 'http://mail.example.org' }],
    ['host', { host: '169.254.169.254' }],
    ['host', { host: '::ffff:169.254.169.254' }],
    ['host', { host: 'missing.invalid' }],
    ['port', { port: 0 }],
    ['username', { username: 'a\r\nb' }],
    ['password', { password: '' }],
    ['from', { from: 'lyceum' }],
  ])('rejects a wrong %s', async (field, changes) => {
    const { status, body } = await setMail(changes)
    expect([status, Object.keys(body.fields ?? {})]).toEqual([400, [field]])
    expect((await readMail()).source).toBe('none')
  })

  it('applies at once and everywhere, and stores the password encrypted', async () => {
    expect([await readDelivery(), (await readMailStatus())?.state]).toEqual(['outbox', 'attention'])
    const { status, body, bytes } = await setMail()
    expect(status).toBe(200)
    expect(body.mail).toEqual({
      source: 'stored',
      host: '127.0.0.1',
      port: mailInput().port,
      encryption: 'optional',
      username: 'mailer',
      hasPassword: true,
      from: 'lyceum@example.org',
      variables: {},
    })
    expect(bytes.toString()).not.toContain('sesame')
    expect([await readDelivery(), (await readMailStatus())?.state, body.health]).toEqual([
      'mail',
      'untested',
      { mail: 'untested' },
    ])
    const { steps } = (await app.call(getStartedApi.get, { as: admin })).body
    expect(steps.find(({ step }) => step === 'mail')?.isDone).toBe(true)

    await app.call(authApi.forgotPassword, { body: { email: admin.email } })
    await app.runJobs()
    expect(server.received).toMatchObject([{ to: admin.email }])
    expect(await readOutbox(app.folder)).toEqual([])
    expect(await readDatabaseText()).not.toContain('sesame')
  })

  it('keeps the password only for the same server, encryption and user', async () => {
    await setMail()
    const { password: _, ...withoutPassword } = mailInput()
    function put(changes: object) {
      return app.call(connectionsApi.setMail, { as: admin, body: { ...withoutPassword, ...changes } })
    }
    expect((await put({ from: 'chat@example.org' })).status).toBe(200)
    for (const changes of [
      { host: 'localhost' },
      { port: 2525 },
      { encryption: 'tls' },
      { username: 'other' },
    ]) {
      const { status, body } = await put(changes)
      expect([status, body.fields]).toEqual([
        400,
        {
          password:
            'Enter the password again, because the server, its encryption or the user name has changed.',
        },
      ])
      const tested = { ...withoutPassword, ...changes } as MailConnectionInput
      expect((await app.call(connectionsApi.testMail, { as: admin, body: tested })).status).toBe(400)
    }
    expect(await readMail()).toMatchObject({ host: '127.0.0.1', from: 'chat@example.org' })
    expect((await put({ username: '' })).body.mail).toMatchObject({ hasPassword: false })
    expect((await put({})).body.fields).toEqual({ password: 'Enter the password of this user.' })
  })

  it('records what changed, without user names and passwords', async () => {
    await setMail()
    await setMail()
    await setMail({ from: 'chat@example.org' })
    await setMail({ from: 'chat@example.org', password: 'sesame-other' })
    await remove('mail')
    await remove('mail')
    const entries = await listAuditEntries()
    expect(entries.map(({ after }) => JSON.parse(after ?? ''))).toEqual([
      expect.objectContaining({ connection: 'mail', host: '127.0.0.1', hasLogin: true }),
      { connection: 'mail', from: 'chat@example.org' },
      { connection: 'mail', isSecretChanged: true },
      { connection: 'mail', state: 'none' },
    ])
    expect(JSON.stringify(entries)).not.toMatch(/sesame|mailer/)
  })

  it('applies one of two concurrent changes as a whole', async () => {
    const first = { username: 'first', password: 'first-password', from: 'first@example.org' }
    const second = { username: 'second', password: 'second-password', from: 'second@example.org' }
    const responses = await Promise.all([setMail(first), setMail(second), setMail(first), setMail(second)])
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const { value } = app.deps.connections.current.mail
    expect([first, second]).toContainEqual({
      username: value?.username,
      password: value?.password,
      from: value?.from,
    })
    await app.deps.connections.reload()
    expect(app.deps.connections.current.mail.value).toEqual(value)
  })
})

describe('a connection of the environment', () => {
  it('is shown with its variables, without the password, and cannot be changed', async () => {
    await restart({ SMTP_URL: server.url.replace('//', '//mailer:sesame-password@') })
    const { body, bytes } = await app.call(connectionsApi.get, { as: admin })
    expect(body.mail).toMatchObject({ source: 'environment', username: 'mailer', hasPassword: true })
    expect(body.mail.variables).toMatchObject({ host: 'SMTP_URL', password: 'SMTP_URL' })
    expect(bytes.toString()).not.toContain('sesame')
    for (const response of [
      await setMail(),
      await app.call(connectionsApi.testMail, { as: admin, body: mailInput() }),
    ])
      expect([response.status, response.body.message]).toEqual([
        409,
        'Set by SMTP_URL on the server, so it cannot be changed here.',
      ])
    expect((await remove('mail')).body.mail.source).toBe('environment')
  })

  it('sets the sender even for a stored mail server', async () => {
    await restart({ SMTP_FROM: 'fixed@example.org' })
    await setMail()
    expect(await readMail()).toMatchObject({
      source: 'stored',
      from: 'fixed@example.org',
      variables: { from: 'SMTP_FROM' },
    })
  })
})

describe('DELETE /settings/connections/:part', () => {
  it('goes back to the outbox, and can be repeated', async () => {
    await setMail()
    for (const _ of [1, 2]) {
      const { status, body } = await remove('mail')
      expect([status, body.mail.source, body.mail.hasPassword]).toEqual([200, 'none', false])
    }
    expect(await readDelivery()).toBe('outbox')
  })
})

describe('stored connections', () => {
  async function damage(value: string): Promise<void> {
    await app.deps.db.updateTable('settings').set({ value }).where('key', '=', 'mailConnection').execute()
    await app.deps.connections.reload()
  }

  it.each(['{"sealed":"AAAA"}', '{"sealed":7}', 'null', '{'])(
    'count as not set when the row is damaged (%s)',
    async (value) => {
      await setMail()
      await damage(value)
      expect([await readDelivery(), (await readMail()).source]).toEqual(['outbox', 'unreadable'])
      expect(await readMailStatus()).toMatchObject({
        state: 'failing',
        words: expect.stringContaining('cannot be decrypted'),
      })
      expect((await setMail()).body.mail.source).toBe('stored')
      expect(await readDelivery()).toBe('mail')
    },
  )

  it('survive two rotations of the keys', async () => {
    await setMail()
    const path = join(app.folder, 'secrets.json')
    const { counts } = await rotateKeys(app.deps, path, false)
    expect(counts?.connections).toBe(1)
    await rotateKeys(app.deps, path, true)
    await app.deps.connections.reload()
    expect(app.deps.connections.current.mail.value?.password).toBe('sesame-password')
  })
})

describe('POST /settings/connections/mail/test', () => {
  async function tryMail(changes: Partial<MailConnectionInput> = {}) {
    const { status, body } = await app.call(connectionsApi.testMail, { as: admin, body: mailInput(changes) })
    expect(status).toBe(200)
    return body
  }

  it('sends an email with values that are not stored', async () => {
    const { ok, words } = await tryMail()
    expect([ok, words]).toEqual([
      true,
      [`127.0.0.1:${mailInput().port} accepted an email to ${admin.email}.`],
    ])
    expect(server.received).toMatchObject([{ to: admin.email, subject: 'Test email from Lyceum' }])
    expect([await readDelivery(), (await readMail()).source]).toEqual(['outbox', 'none'])
    const [entry] = await listAuditEntries()
    expect([entry?.action, JSON.parse(entry?.after ?? '')]).toEqual([
      'settings.tested',
      { part: 'mail', server: `127.0.0.1:${mailInput().port}` },
    ])
  })

  it.each([
    [
      'a wrong password',
      { password: 'sesame-wrong' },
      /refused the login\./,
      ['Invalid login: 535 wrong password'],
    ],
    ['missing encryption', { encryption: 'starttls' }, /may expect another encryption/, []],
    ['encryption where there is none', { encryption: 'tls' }, /may expect another encryption/, []],
  ] as const)('explains %s', async (_name, changes, reason, expectedDetails) => {
    const { ok, words, details } = await tryMail(changes)
    expect([ok, words, details]).toEqual([false, [expect.stringMatching(reason)], expectedDetails])
    expect(words[0]).not.toContain('sesame')
    expect(server.received).toEqual([])
  })

  it('explains a refused sender and recipient', async () => {
    server.behavior = 'refuses the sender'
    expect((await tryMail()).words[0]).toContain('refused the sender’s address')
    server.behavior = 'refuses'
    expect((await tryMail()).words[0]).toContain('refused your address')
  })

  it('explains a closed port', async () => {
    const { port } = new URL(server.url)
    await server.close()
    expect((await tryMail({ port: Number(port) })).words).toEqual([
      `No mail server answers at 127.0.0.1:${port}. Check the address and that the server is running.`,
    ])
  })

  it('does not show what a server says that is no mail server', async () => {
    const other = createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { ok, words } = await tryMail({ port: (other.address() as AddressInfo).port })
    await new Promise((resolve) => other.close(resolve))
    expect([ok, words]).toEqual([false, [expect.stringContaining('no mail server')]])
    expect(words[0]).not.toContain('SSH')
  })
})
