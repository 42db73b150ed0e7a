import { authApi } from '@lyceum/contract/auth'
import { chatsApi } from '@lyceum/contract/chats'
import { getLogoutPath, singleSignOnApi } from '@lyceum/contract/single-sign-on'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { embedChannel, signInOnSite } from '#testing/embedding.ts'
import { createTestChannel, type TestUser } from '#testing/factories.ts'
import { type ForgedIssuer, startForgedIssuer } from '#testing/forged-issuer.ts'
import { oidcClient } from '#testing/oidc-provider.ts'
import { addTestIssuer, issuerId } from '#testing/single-sign-on.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { createTestBrowser } from '#testing/test-browser.ts'

const params = { issuerId }
const event = 'http://schemas.openid.net/event/backchannel-logout'

let app: TestApp
let issuer: ForgedIssuer
beforeEach(async () => {
  app = await buildTestApp()
  issuer = await startForgedIssuer()
  await addTestIssuer(app, issuer.issuer)
})
afterEach(async () => {
  await app.close()
  await issuer.close()
})

/** Signs in with a session of the issuer and returns the token of ours. */
async function signIn(sid: string): Promise<string> {
  const browser = createTestBrowser()
  const { url } = (await app.call(singleSignOnApi.start, { params, body: {}, browser })).body
  issuer.idToken = await issuer.sign(issuer.claimsFor(url, { sid }))
  const state = new URL(url).searchParams.get('state') ?? ''
  const query = new URLSearchParams({ code: crypto.randomUUID(), state, iss: issuer.issuer }).toString()
  const { body } = await app.call(singleSignOnApi.finish, { params, body: { query }, browser })
  if (!body.token) throw new Error(body.message)
  return body.token
}
async function isSignedIn(token: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` }
  return (await app.call(authApi.me, { headers })).status === 200
}
function now(): number {
  return Math.floor(Date.now() / 1000)
}
function logoutClaims(changes: Record<string, unknown> = {}) {
  const base = { iss: issuer.issuer, aud: oidcClient.clientId, iat: now(), exp: now() + 120 }
  return { ...base, jti: crypto.randomUUID(), sub: 'ada', events: { [event]: {} }, ...changes }
}
function send(token: string, id = issuerId) {
  return app.raw({
    method: 'POST',
    path: getLogoutPath(id),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ logout_token: token }).toString(),
  })
}

describe('POST /sign-in/issuers/:issuerId/backchannel-logout', () => {
  it.each<[string, () => Record<string, unknown>]>([
    ['of another issuer', () => ({ iss: 'https://issuer.example' })],
    ['for another client', () => ({ aud: 'other' })],
    ['that is an ID token', () => ({ events: undefined })],
    ['about another event', () => ({ events: { 'http://schemas.openid.net/event/other': {} } })],
    ['with a nonce', () => ({ nonce: 'nonce' })],
    ['without a subject or session', () => ({ sub: undefined })],
    ['without an id', () => ({ jti: undefined })],
    ['without its time', () => ({ iat: undefined })],
    ['that has ended', () => ({ iat: now() - 600, exp: now() - 120 })],
    ['that was issued long ago', () => ({ iat: now() - 3600, exp: now() + 3600 })],
  ])('rejects a token %s', async (_what, changes) => {
    const token = await signIn('one')
    const { status, body } = await send(await issuer.sign(logoutClaims(changes())))
    expect([status, (body as { code?: string }).code]).toEqual([400, 'sso.logout_invalid'])
    expect(await isSignedIn(token)).toBe(true)
  })

  it('rejects a token that the issuer has not signed', async () => {
    const token = await signIn('one')
    const claims = logoutClaims()
    for (const forged of [
      issuer.leaveUnsigned(claims),
      await issuer.signWithOtherKey(claims),
      await issuer.signWithSecret(claims),
      'no.token.atall',
    ])
      expect((await send(forged)).status).toBe(400)
    expect(await isSignedIn(token)).toBe(true)
  })

  it('rejects other types of bodies, and unknown issuers', async () => {
    const token = await issuer.sign(logoutClaims())
    expect((await send(token, 'unknown')).status).toBe(404)
    const wrongCall = await app.raw({
      method: 'POST',
      path: '/api/auth/login',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'email=a%40example.org&password=long+enough',
    })
    expect(wrongCall.status).toBe(415)
  })

  it('ends the sessions of the subject, once', async () => {
    const tokens = [await signIn('one'), await signIn('two')]
    const logout = await issuer.sign(logoutClaims())
    const { status, headers } = await send(logout)
    expect([status, headers['cache-control']]).toEqual([204, 'no-store'])
    for (const token of tokens) expect(await isSignedIn(token)).toBe(false)
    const later = await signIn('three')
    expect((await send(logout)).status).toBe(400)
    expect(await isSignedIn(later)).toBe(true)
  })

  it.each<[string, Record<string, unknown>]>([
    ['and the subject', {}],
    ['alone', { sub: undefined }],
  ])('ends one session of the issuer, named by its id %s', async (_what, changes) => {
    const [one, two] = [await signIn('one'), await signIn('two')]
    expect((await send(await issuer.sign(logoutClaims({ sid: 'one', ...changes })))).status).toBe(204)
    expect([await isSignedIn(one), await isSignedIn(two)]).toEqual([false, true])
  })

  it('ends sign-ins on other sites that its session allowed, even after that session', async () => {
    const channelId = await createTestChannel(app.deps)
    await embedChannel(app, channelId)
    async function signInElsewhere(token: string): Promise<TestUser> {
      const { body } = await app.call(authApi.me, { headers: { authorization: `Bearer ${token}` } })
      await app.deps.db
        .insertInto('channel_members')
        .values({ channel_id: channelId, user_id: body._id, is_admin: 0, created_at: app.deps.now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      return signInOnSite(app, { id: body._id, email: body.email, name: body.name, token }, channelId)
    }
    async function canChat(as: TestUser): Promise<boolean> {
      return (await app.call(chatsApi.list, { as, params: { channelId }, query: {} })).status === 200
    }
    const tokens = [await signIn('one'), await signIn('two')]
    const [one, two] = await Promise.all(tokens.map(signInElsewhere))
    if (!one || !two) throw new Error('both are signed in')
    await app.call(authApi.logout, { headers: { authorization: `Bearer ${tokens[0]}` } })
    expect([await canChat(one), await canChat(two)]).toEqual([true, true])
    expect((await send(await issuer.sign(logoutClaims({ sid: 'one' })))).status).toBe(204)
    expect([await canChat(one), await canChat(two)]).toEqual([false, true])
  })

  it('accepts a token about someone who is not signed in', async () => {
    const token = await signIn('one')
    expect((await send(await issuer.sign(logoutClaims({ sub: 'bob' })))).status).toBe(204)
    expect(await isSignedIn(token)).toBe(true)
  })
})
