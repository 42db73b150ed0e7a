import { singleSignOnApi } from '@lyceum/contract/single-sign-on'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createUser } from '#testing/factories.ts'
import { type ForgedIssuer, startForgedIssuer } from '#testing/forged-issuer.ts'
import { addTestIssuer, issuerId } from '#testing/single-sign-on.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { createTestBrowser, type TestBrowser } from '#testing/test-browser.ts'

const params = { issuerId }
const minute = 60

let app: TestApp
let issuer: ForgedIssuer
let browser: TestBrowser
/** Where the browser was sent to. */
let url: string
beforeEach(async () => {
  app = await buildTestApp()
  issuer = await startForgedIssuer()
  await addTestIssuer(app, issuer.issuer, { acrValues: ['gold'] })
  browser = createTestBrowser()
  url = await start()
  issuer.idToken = await issuer.sign(issuer.claimsFor(url))
})
afterEach(async () => {
  await app.close()
  await issuer.close()
})

async function start(from: TestBrowser = browser): Promise<string> {
  const { body } = await app.call(singleSignOnApi.start, { params, body: {}, browser: from })
  return body.url
}
function finish(changes: Record<string, string | null> = {}, from: TestBrowser = browser) {
  const state = new URL(url).searchParams.get('state')
  const entries = Object.entries({ code: 'code', state, iss: issuer.issuer, ...changes })
  const query = new URLSearchParams(entries.filter((entry): entry is [string, string] => entry[1] !== null))
  return app.call(singleSignOnApi.finish, { params, body: { query: query.toString() }, browser: from })
}
function countSessions() {
  return app.deps.db.selectFrom('sessions').select('id').where('identity_id', 'is not', null).execute()
}
function now(): number {
  return Math.floor(Date.now() / 1000)
}

describe('a sign-in with an issuer', () => {
  it('sends the browser there with a code challenge, and nothing that is secret', () => {
    const sent = new URL(url)
    expect(`${sent.origin}${sent.pathname}`).toBe(`${issuer.issuer}/authorize`)
    const { state, nonce, code_challenge, ...rest } = Object.fromEntries(sent.searchParams)
    expect(rest).toEqual({
      client_id: 'lyceum',
      redirect_uri: `${app.deps.env.PUBLIC_URL}/sign-in/acme`,
      scope: 'openid email profile',
      response_type: 'code',
      code_challenge_method: 'S256',
    })
    for (const value of [state, nonce, code_challenge]) expect(value).toMatch(/^[\w-]{43}$/)
  })

  it('succeeds with a valid response', async () => {
    expect((await finish()).status).toBe(200)
    expect(await countSessions()).toHaveLength(1)
  })

  it('does not return to an address that the caller names', async () => {
    const body = { door: 'user', returnTo: 'https://evil.example/', redirect_uri: 'https://evil.example/' }
    const started = await app.call(singleSignOnApi.start, { params, body: body as never, browser })
    expect(started.body.url).not.toContain('evil')
    const finished = await finish({
      returnTo: 'https://evil.example/',
      redirect_uri: 'https://evil.example/',
    })
    expect(Object.keys(finished.body).toSorted()).toEqual(['door', 'token', 'user'])
  })
})

describe('a forged token', () => {
  it.each<[string, () => Record<string, unknown>]>([
    ['another audience', () => ({ aud: 'someone-else' })],
    ['several audiences and another authorized party', () => ({ aud: ['lyceum', 'other'], azp: 'other' })],
    ['another nonce', () => ({ nonce: 'another' })],
    ['no nonce', () => ({ nonce: undefined })],
    ['another issuer', () => ({ iss: 'https://issuer.example' })],
    ['a time that has passed', () => ({ iat: now() - 10 * minute, exp: now() - 2 * minute })],
    ['no time at which it ends', () => ({ exp: undefined })],
    ['a beginning in the future', () => ({ nbf: now() + 10 * minute })],
    ['no subject', () => ({ sub: undefined })],
  ])('with %s opens no session', async (_what, changes) => {
    issuer.idToken = await issuer.sign(issuer.claimsFor(url, changes()))
    const { status, body } = await finish()
    expect([status, body.code]).toEqual([400, 'sso.failed'])
    expect(await countSessions()).toEqual([])
  })

  it('without a signature, or with another key, opens no session', async () => {
    for (const forge of [issuer.leaveUnsigned, issuer.signWithOtherKey, issuer.signWithSecret]) {
      url = await start()
      issuer.codes = []
      issuer.idToken = await forge(issuer.claimsFor(url))
      const { status, body } = await finish()
      expect([status, body.code]).toEqual([400, 'sso.failed'])
    }
    expect(await countSessions()).toEqual([])
  })

  it('with the address of a user that is not confirmed opens no session', async () => {
    await createUser(app.deps, { email: 'ada@example.org' })
    issuer.idToken = await issuer.sign(issuer.claimsFor(url, { email_verified: undefined }))
    expect((await finish()).body.code).toBe('sso.unverified')
    expect(await countSessions()).toEqual([])
  })

  it('does not take the address of the token as confirmed by that of the user info', async () => {
    issuer.describe({ userinfo_endpoint: `${issuer.issuer}/me` })
    issuer.answer('/me', (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ sub: 'ada', email: 'other@example.org', email_verified: true })),
    )
    issuer.idToken = await issuer.sign(issuer.claimsFor(url, { email_verified: undefined }))
    expect((await finish()).body.code).toBe('sso.unverified')
  })
})

describe('a forged response', () => {
  it.each([
    ['another issuer', { iss: 'https://issuer.example' }, 'sso.failed'],
    ['no issuer although it names itself', { iss: null }, 'sso.failed'],
    ['a refusal', { code: null, error: 'access_denied' }, 'sso.refused'],
    ['no code', { code: null }, 'sso.failed'],
    ['another state', { state: 'another' }, 'sso.expired'],
    ['no state', { state: null }, 'sso.expired'],
  ])('with %s opens no session', async (_what, changes, code) => {
    const { status, body } = await finish(changes)
    expect([status, body.code]).toEqual([400, code])
    expect(await countSessions()).toEqual([])
    expect(issuer.codes).toEqual([])
  })

  it('is refused in another browser, without its cookie, and for another issuer', async () => {
    const other = createTestBrowser()
    await start(other)
    expect((await finish({}, other)).body.code).toBe('sso.expired')
    expect((await finish({}, createTestBrowser())).body.code).toBe('sso.expired')
    await addTestIssuer(app, issuer.issuer, { _id: 'second' })
    const state = new URL(url).searchParams.get('state')
    const query = new URLSearchParams({ code: 'code', state: state ?? '', iss: issuer.issuer }).toString()
    const misdirected = await app.call(singleSignOnApi.finish, {
      params: { issuerId: 'second' },
      body: { query },
      browser,
    })
    expect(misdirected.body.code).toBe('sso.expired')
    expect(issuer.codes).toEqual([])
    // What was refused has not used up the sign-in.
    expect((await finish()).status).toBe(200)
  })

  it('is refused when it is used again', async () => {
    expect((await finish()).status).toBe(200)
    expect((await finish()).body.code).toBe('sso.expired')
    url = await start()
    issuer.idToken = await issuer.sign(issuer.claimsFor(url))
    expect((await finish()).body.code).toBe('sso.failed')
    expect(await countSessions()).toHaveLength(1)
  })

  it('is refused after ten minutes', async () => {
    app.advance(10 * minute * 1000)
    expect((await finish()).body.code).toBe('sso.expired')
    expect(issuer.codes).toEqual([])
  })
})

describe('the second factor', () => {
  beforeEach(async () => {
    await app.deps.db
      .updateTable('settings')
      .set({ value: JSON.stringify({ twoFactorExpiryDays: 30, twoFactorExpiryEnabled: true }) })
      .where('key', '=', 'twoFactor')
      .execute()
  })

  it.each<[string, Record<string, unknown>, boolean]>([
    ['nothing is stated', {}, true],
    ['only a password was used', { amr: ['pwd'] }, true],
    ['two passwords were used', { amr: ['pwd', 'pin'] }, true],
    ['only a key was used', { amr: ['hwk'] }, true],
    ['the methods are no list', { amr: 'mfa' }, true],
    ['the level is another', { acr: 'silver' }, true],
    ['several factors were used', { amr: ['mfa'] }, false],
    ['a password and a code were used', { amr: ['pwd', 'otp'] }, false],
    ['the level is one of those that are set', { acr: 'gold' }, false],
  ])('is asked for or not when %s', async (_what, changes, isAsked) => {
    issuer.idToken = await issuer.sign(issuer.claimsFor(url, changes))
    const { body } = await finish()
    expect(body.requires2FA ?? false).toBe(isAsked)
    expect(await countSessions()).toHaveLength(isAsked ? 0 : 1)
  })

  it('is asked for after a forced verification, whatever the issuer says', async () => {
    issuer.idToken = await issuer.sign(issuer.claimsFor(url, { amr: ['mfa'] }))
    expect((await finish()).body.requires2FA).toBeUndefined()
    await app.deps.db
      .updateTable('users')
      .set({ must_verify: 1 })
      .where('email', '=', 'ada@example.org')
      .execute()
    url = await start()
    issuer.codes = []
    issuer.idToken = await issuer.sign(issuer.claimsFor(url, { amr: ['mfa'] }))
    expect((await finish()).body.requires2FA).toBe(true)
  })
})

describe('an issuer that fails', () => {
  const description = '/.well-known/openid-configuration'

  it('is reported within the time limit if it does not answer, and slows down nobody else', async () => {
    issuer.answer(description, () => undefined)
    const waiting = app.call(singleSignOnApi.start, { params, body: {} })
    const other = await startForgedIssuer()
    await addTestIssuer(app, other.issuer, { _id: 'second' })
    const started = await app.call(singleSignOnApi.start, { params: { issuerId: 'second' }, body: {} })
    expect(started.body.url).toContain(other.issuer)
    await other.close()
    const { status, body } = await waiting
    expect([status, body.code]).toEqual([503, 'sso.unreachable'])
  })

  it.each<[string, Parameters<ForgedIssuer['answer']>[1], string]>([
    ['redirects', (_, response) => response.writeHead(302, { location: '/elsewhere' }).end(), 'sso.failed'],
    ['closes the connection', (request) => request.socket.destroy(), 'sso.unreachable'],
    ['sends a page', (_, response) => response.writeHead(200).end('<html>'), 'sso.failed'],
    ['sends too much', (_, response) => response.writeHead(200).end('x'.repeat(2 ** 21)), 'sso.failed'],
  ])('is reported if it %s', async (_what, handle, code) => {
    issuer.answer(description, handle)
    const { body } = await app.call(singleSignOnApi.start, { params, body: {} })
    expect(body.code).toBe(code)
  })

  it('is reported if its description names another issuer', async () => {
    issuer.describe({ issuer: 'https://issuer.example' })
    const { body } = await app.call(singleSignOnApi.start, { params, body: {} })
    expect(body.code).toBe('sso.failed')
  })
})
