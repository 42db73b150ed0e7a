import { join } from 'node:path'
import { authApi } from '@lyceum/contract/auth'
import { type IssuerInput, singleSignOnApi } from '@lyceum/contract/single-sign-on'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rotateKeys } from '#keys/rotate.ts'
import { createAdmin, createUser, type TestUser, testPassword } from '#testing/factories.ts'
import { type ForgedIssuer, startForgedIssuer } from '#testing/forged-issuer.ts'
import { readLinkToken, readOutbox } from '#testing/mail-server.ts'
import { runCli } from '#testing/run-cli.ts'
import { findFreePort } from '#testing/spawn-server.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

const params = { issuerId: 'acme' }
const secret = 'a secret of the issuer'.replaceAll(' ', '-')

let app: TestApp
let admin: TestUser
let forged: ForgedIssuer
beforeEach(async () => {
  app = await buildTestApp()
  admin = await createAdmin(app.deps, { isSystemAdmin: true })
  forged = await startForgedIssuer()
})
afterEach(async () => {
  await app.close()
  await forged.close()
})

function input(changes: Partial<IssuerInput> = {}): IssuerInput {
  return {
    _id: 'acme',
    name: 'Acme',
    issuer: forged.issuer,
    clientId: 'lyceum',
    clientSecret: secret,
    createsUsers: false,
    verifiedClaim: 'email_verified',
    acrValues: [],
    rules: [],
    ...changes,
  }
}
function add(changes: Partial<IssuerInput> = {}, as: TestUser | null = admin) {
  return app.call(singleSignOnApi.add, { as, body: input(changes) })
}
function setPassword(isOn: boolean) {
  return app.call(singleSignOnApi.setPasswordSignIn, { as: admin, body: { isOn } })
}
function listAuditEntries() {
  return app.deps.db
    .selectFrom('audit_log')
    .select(['action', 'before', 'after'])
    .where('action', 'like', 'settings.%')
    .orderBy('seq')
    .execute()
}

describe('adding an issuer', () => {
  it('is refused to visitors, users, and administrators who are no system administrators', async () => {
    for (const [as, status] of [
      [null, 401],
      [await createUser(app.deps), 403],
      [await createAdmin(app.deps), 403],
    ] as const)
      expect((await add({}, as)).status).toBe(status)
  })

  it.each<[string, Partial<IssuerInput>]>([
    ['_id', { _id: 'Acme Corp' }],
    ['name', { name: ' ' }],
    ['issuer', { issuer: 'http://issuer.example' }],
    ['issuer', { issuer: 'https://user:password@issuer.example' }],
    ['issuer', { issuer: 'https://issuer.example/?tenant=1' }],
    ['issuer', { issuer: 'https://169.254.169.254' }],
    ['issuer', { issuer: 'https://missing.invalid' }],
    ['clientId', { clientId: '' }],
    ['clientSecret', { clientSecret: 'with a space' }],
  ])('rejects a wrong %s', async (field, changes) => {
    const { status, body } = await add(changes)
    expect([status, Object.keys(body.fields ?? {})]).toEqual([400, [field]])
  })

  it('rejects a rule that gives nothing, and a short name that is taken', async () => {
    const rule = { claim: 'groups', value: 'staff', channelIds: [], groupIds: [], isAdmin: false }
    expect((await add({ rules: [rule] })).status).toBe(400)
    expect((await add()).status).toBe(200)
    expect((await add()).body.code).toBe('sso.issuer_exists')
  })

  it('shows it on the sign-in pages, and stores the secret encrypted', async () => {
    const { status, body, bytes } = await add()
    expect(status).toBe(200)
    expect(body.issuers).toEqual([
      {
        _id: 'acme',
        state: 'ok',
        name: 'Acme',
        issuer: forged.issuer,
        clientId: 'lyceum',
        createsUsers: false,
        verifiedClaim: 'email_verified',
        acrValues: [],
        rules: [],
        userCount: 0,
      },
    ])
    expect((await app.call(singleSignOnApi.listPublic, {})).body).toEqual({
      issuers: [{ _id: 'acme', name: 'Acme' }],
      isPasswordOn: true,
    })
    const rows = await app.deps.db.selectFrom('sign_in_issuers').selectAll().execute()
    const stored = JSON.stringify([rows, await listAuditEntries(), bytes.toString()])
    expect(stored).not.toContain(secret)
    expect((await listAuditEntries()).map(({ action }) => action)).toEqual(['settings.issuer-added'])
  })
})

describe('an issuer', () => {
  beforeEach(async () => {
    await add()
  })

  it('keeps its address and, unless a new one is entered, its secret', async () => {
    const change = { ...input({ name: 'New' }), clientSecret: undefined, issuer: 'https://issuer.example' }
    const { body } = await app.call(singleSignOnApi.change, { as: admin, params, body: change })
    expect(body.issuers[0]).toMatchObject({ name: 'New', issuer: forged.issuer })
    await app.call(singleSignOnApi.change, { as: admin, params, body: { ...change, clientSecret: 'other' } })
    const entries = await listAuditEntries()
    expect(entries.slice(1)).toEqual([
      {
        action: 'settings.issuer-changed',
        before: '{"issuerId":"acme","name":"Acme"}',
        after: '{"issuerId":"acme","name":"New"}',
      },
      {
        action: 'settings.issuer-changed',
        before: '{"issuerId":"acme"}',
        after: '{"issuerId":"acme","isSecretChanged":true}',
      },
    ])
  })

  it('can be used after the keys were rotated', async () => {
    const path = join(app.folder, 'secrets.json')
    await rotateKeys(app.deps, path, true)
    await rotateKeys(app.deps, path, true)
    const { body } = await app.call(singleSignOnApi.start, { params, body: {} })
    expect(body.url).toContain(forged.issuer)
  })

  it('is gone once it has been removed', async () => {
    expect((await app.call(singleSignOnApi.remove, { as: admin, params })).body.issuers).toEqual([])
    expect((await app.call(singleSignOnApi.start, { params, body: {} })).status).toBe(404)
    expect((await app.call(singleSignOnApi.remove, { as: admin, params })).status).toBe(404)
  })
})

describe('POST /settings/single-sign-on/test', () => {
  function test(issuer: string) {
    return app.call(singleSignOnApi.test, { as: admin, body: { issuer } })
  }

  it('reports an address that is no issuer, and one that names another', async () => {
    const elsewhere = await test(`${forged.issuer}/realms/none`)
    expect(elsewhere.body.ok).toBe(false)
    forged.describe({ issuer: 'https://issuer.example' })
    expect((await test(forged.issuer)).body).toMatchObject({ ok: false })
    forged.describe({ issuer: forged.issuer, token_endpoint: 'http://169.254.169.254/' })
    expect((await test(forged.issuer)).body.words).toEqual([
      'Lyceum does not connect to link-local addresses.',
    ])
  })

  it('says why a server cannot be reached', async () => {
    const port = await findFreePort()
    expect((await test(`http://127.0.0.1:${port}`)).body).toMatchObject({
      ok: false,
      words: [expect.stringContaining(`Nothing accepts connections at 127.0.0.1:${port}.`)],
    })
    expect((await test(forged.issuer.replace('http:', 'https:'))).body).toMatchObject({
      ok: false,
      words: [expect.stringContaining('does not speak TLS.')],
    })
    expect((await test('http://127.0.0.1:9')).body).toMatchObject({
      ok: false,
      words: ['The port of 127.0.0.1:9 is reserved for another protocol. Use a different port.'],
    })
  })

  it('fails for an issuer without keys, which nobody can sign in with', async () => {
    forged.answer('/keys', (_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"keys":[]}'),
    )
    expect((await test(forged.issuer)).body).toMatchObject({
      ok: false,
      words: [expect.stringContaining('has no keys')],
    })
  })

  it('says what the issuer offers, without storing anything', async () => {
    const { body } = await test(forged.issuer)
    expect([body.ok, body.words]).toEqual([
      true,
      [
        'The issuer answered and has 1 key.',
        'It sends the iss parameter.',
        'It doesn’t support back-channel logout.',
      ],
    ])
    expect((await app.call(singleSignOnApi.get, { as: admin })).body.issuers).toEqual([])
    expect((await listAuditEntries())[0]?.after).toBe(
      JSON.stringify({ part: 'single-sign-on', server: new URL(forged.issuer).host }),
    )
  })
})

describe('switching off signing in with a password', () => {
  function signIn(user: Pick<TestUser, 'email'>, password = testPassword) {
    return app.call(authApi.login, { body: { email: user.email, password } })
  }
  /** On the command line, which is the only way. */
  async function createBreakGlass(): Promise<Pick<TestUser, 'email'>> {
    const email = 'emergency@example.org'
    const { DATABASE_URL } = app.deps.env
    const { code, stderr } = await runCli(
      ['admin', 'create', '--email', email, '--name', 'Emergency', '--break-glass'],
      { DATA_DIR: app.folder, ...(DATABASE_URL ? { DATABASE_URL } : {}) },
      `${testPassword}\n`,
    )
    expect([code, stderr]).toEqual([0, ''])
    return { email }
  }

  it('is refused without an issuer, and without an emergency administrator', async () => {
    await createBreakGlass()
    expect((await setPassword(false)).body.code).toBe('sso.no_issuer')
    await app.deps.db.updateTable('users').set({ is_break_glass: 0 }).execute()
    await add()
    expect((await setPassword(false)).body.code).toBe('sso.no_break_glass')
    expect((await signIn(admin)).status).toBe(200)
  })

  it('leaves passwords to administrators for emergencies only', async () => {
    const breakGlass = await createBreakGlass()
    await add()
    const { body } = await setPassword(false)
    expect(body.passwordSignIn).toEqual({ isOn: false, breakGlassCount: 1 })
    expect((await app.call(singleSignOnApi.listPublic, {})).body.isPasswordOn).toBe(false)
    // The same response to all, so that it says nothing about passwords and users.
    const correct = await signIn(admin)
    const wrong = await signIn(breakGlass, 'not the password')
    expect([correct.status, correct.body.code]).toEqual([401, 'auth.password_off'])
    expect(wrong.body).toEqual(correct.body)
    expect((await signIn(breakGlass)).status).toBe(200)

    expect((await app.call(singleSignOnApi.remove, { as: admin, params })).body.code).toBe('sso.last_issuer')
    expect((await setPassword(true)).body.passwordSignIn.isOn).toBe(true)
    expect((await signIn(admin)).status).toBe(200)
  })

  it('makes reset links useless', async () => {
    const user = await createUser(app.deps)
    await app.call(authApi.forgotPassword, { body: { email: user.email } })
    await app.runJobs()
    const [mail] = await readOutbox(app.folder)
    if (!mail) throw new Error('no link was sent')
    await createBreakGlass()
    await add()
    await setPassword(false)
    const body = { token: readLinkToken(mail), newPassword: 'a quite different lantern' }
    const { status, body: refusal } = await app.call(authApi.resetPassword, { body })
    expect([status, refusal.code]).toEqual([403, 'auth.password_unavailable'])
    await app.call(authApi.forgotPassword, { body: { email: user.email } })
    await app.runJobs()
    expect(await readOutbox(app.folder)).toHaveLength(1)
  })
})
