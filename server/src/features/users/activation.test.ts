import { apiKeysApi } from '@lyceum/contract/api-keys'
import { authApi } from '@lyceum/contract/auth'
import { chatsApi } from '@lyceum/contract/chats'
import { getLogoutPath, getRedirectPath } from '@lyceum/contract/single-sign-on'
import { usersApi } from '@lyceum/contract/users'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createAdmin,
  createTestChannel,
  createUser,
  type TestUser,
  testPassword,
} from '#testing/factories.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { createOauthProgram } from '#testing/oauth-program.ts'
import { startOidcProvider } from '#testing/oidc-provider.ts'
import { openReplyStream } from '#testing/reply-stream.ts'
import { addTestIssuer, issuerId, signInAtProvider } from '#testing/single-sign-on.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { createTestBrowser } from '#testing/test-browser.ts'
import { findUser } from '../auth/find-user.ts'
import { createResetLink } from '../auth/reset-link.ts'

let model: ModelStandIn
let app: TestApp
let system: TestUser
let ada: TestUser
beforeAll(async () => {
  model = await startModelStandIn()
})
beforeEach(async () => {
  await model.reset()
  app = await buildTestApp({ env: { OPENAI_BASE_URL: model.url } })
  system = await createAdmin(app.deps, { isSystemAdmin: true })
  ada = await createUser(app.deps, { name: 'Ada' })
})
afterEach(() => app.close())
afterAll(() => model.close())

function setActive(user: TestUser, isActive: boolean, as = system) {
  return app.call(usersApi.setActive, { as, params: { id: user.id }, body: { isActive } })
}
function signIn({ email }: TestUser) {
  return app.call(authApi.login, { body: { email, password: testPassword } })
}
async function createResetToken({ id }: TestUser): Promise<string> {
  const link = await app.deps.db.transaction().execute(async (tx) => {
    const row = await findUser(tx, id)
    return row ? createResetLink(app.deps, tx, row) : null
  })
  return new URL(link ?? '').searchParams.get('token') ?? ''
}
async function countEntries(action: string): Promise<number> {
  const rows = await app.deps.db.selectFrom('audit_log').select('id').where('action', '=', action).execute()
  return rows.length
}

describe('PUT /users/:id/active', () => {
  it('rejects administrators who are not system administrators, and deactivating oneself', async () => {
    const admin = await createAdmin(app.deps)
    expect((await setActive(ada, false, admin)).status).toBe(403)
    const { status, body } = await setActive(system, false)
    expect([status, body.code]).toEqual([409, 'user.self_deactivate'])
    expect((await app.call(authApi.me, { as: ada })).status).toBe(200)
    expect(await countEntries('user.deactivated')).toBe(0)
  })

  it('says on the page of the user since when and by whom, until they are activated', async () => {
    function read() {
      return app.call(usersApi.get, { as: system, params: { id: ada.id } })
    }
    const before = await read()
    expect(before.body).not.toHaveProperty('deactivatedByName')
    const other = await createAdmin(app.deps, { isSystemAdmin: true, name: 'Other' })
    await setActive(ada, false, other)
    await setActive(ada, true)
    expect((await read()).body).not.toHaveProperty('deactivatedByName')
    app.advance(1000)
    const { body } = await setActive(ada, false)
    expect(body).toMatchObject({ deactivatedByName: system.name, sessionCount: 0 })
    expect((await read()).body).toEqual(body)
  })

  it('leaves one active system administrator when two deactivate each other', async () => {
    const other = await createAdmin(app.deps, { isSystemAdmin: true })
    const replies = await Promise.all([setActive(other, false), setActive(system, false, other)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401])
    const active = await app.deps.db
      .selectFrom('users')
      .select('id')
      .where('is_system_admin', '=', 1)
      .where('deactivated_at', 'is', null)
      .execute()
    expect(active).toHaveLength(1)
  })

  it('counts only active administrators when another one leaves', async () => {
    const other = await createAdmin(app.deps, { isSystemAdmin: true })
    await setActive(other, false)
    const demotion = { as: system, params: { id: system.id }, body: { isSystemAdmin: false } }
    expect((await app.call(usersApi.setSystemAdmin, demotion)).body.code).toBe('user.last_system_admin')
  })

  it('says so in the list and on the page of the user, and in the audit log', async () => {
    const { body } = await setActive(ada, false)
    expect(body.deactivatedAt).toEqual(expect.any(String))
    const list = await app.call(usersApi.list, { as: system, query: { limit: 10, search: 'Ada' } })
    expect(list.body).toMatchObject({ items: [{ _id: ada.id, deactivatedAt: body.deactivatedAt }] })
    await setActive(ada, false)
    expect((await setActive(ada, true)).body.deactivatedAt).toBeUndefined()
    expect([await countEntries('user.deactivated'), await countEntries('user.activated')]).toEqual([1, 1])
  })
})

describe('a deactivated user', () => {
  it('loses sessions and cannot sign in with a password until they are active again', async () => {
    await setActive(ada, false)
    expect((await app.call(authApi.me, { as: ada })).status).toBe(401)
    const { status, body } = await signIn(ada)
    expect([status, body.code]).toEqual([403, 'auth.deactivated'])
    const wrong = { email: ada.email, password: 'not the password' }
    expect((await app.call(authApi.login, { body: wrong })).body.code).toBe('auth.invalid_credentials')
    await setActive(ada, true)
    expect((await signIn(ada)).status).toBe(200)
  })

  it('cannot finish a sign-in that waits for a code', async () => {
    const bo = await createUser(app.deps, { twoFactor: true })
    const browser = createTestBrowser()
    const credentials = { email: bo.email, password: testPassword }
    expect((await app.call(authApi.login, { body: credentials, browser })).body.requires2FA).toBe(true)
    await setActive(bo, false)
    const code = { email: bo.email, token: '123456' }
    expect((await app.call(authApi.verify, { body: code, browser })).body.code).toBe('auth.code_invalid')
    expect((await app.call(authApi.login, { body: credentials, browser })).body.code).toBe('auth.deactivated')
  })

  it('gets no reset link, and an earlier one does nothing', async () => {
    const earlier = await createResetToken(ada)
    await setActive(ada, false)
    const later = await createResetToken(ada)
    for (const token of [earlier, later]) {
      const body = { token, newPassword: 'a completely new one' }
      expect((await app.call(authApi.resetPassword, { body })).body.code).toBe('auth.reset_invalid')
    }
    const before = await app.deps.db.selectFrom('password_resets').select('id').execute()
    await app.call(authApi.forgotPassword, { body: { email: ada.email } })
    await app.runJobs()
    expect(await app.deps.db.selectFrom('password_resets').select('id').execute()).toEqual(before)
  })

  it('cannot use an API key', async () => {
    const body = { name: 'Script', scopes: ['chat' as const], channelIds: null, expiresInDays: 30 as const }
    const { key } = (await app.call(apiKeysApi.create, { as: ada, body })).body
    const request = { method: 'GET', path: '/v1/models', headers: { authorization: `Bearer ${key}` } }
    expect((await app.raw(request)).status).toBe(200)
    await setActive(ada, false)
    expect((await app.raw(request)).status).toBe(401)
    await setActive(ada, true)
    expect((await app.raw(request)).status).toBe(200)
  })

  it('cannot use a connected program', async () => {
    const program = createOauthProgram(app)
    const { access_token } = await program.connect(ada)
    expect((await program.callMcp(access_token)).status).toBe(200)
    await setActive(ada, false)
    expect((await program.callMcp(access_token)).status).toBe(401)
    await setActive(ada, true)
    expect((await program.callMcp(access_token)).status).toBe(200)
  })

  it('cannot use single sign-on', async () => {
    const provider = await startOidcProvider({
      redirectUri: `${app.deps.env.PUBLIC_URL}${getRedirectPath(issuerId)}`,
      logoutUri: `${await app.url()}${getLogoutPath(issuerId)}`,
    })
    try {
      await addTestIssuer(app, provider.issuer)
      provider.accounts.set('ada', { email: ada.email, email_verified: true, name: 'Ada' })
      expect((await signInAtProvider(app, { login: 'ada' })).status).toBe(200)
      await setActive(ada, false)
      expect((await signInAtProvider(app, { login: 'ada' })).body.code).toBe('auth.deactivated')
    } finally {
      await provider.close()
    }
  })

  it('loses the stream of a running reply', async () => {
    const channelId = await createTestChannel(app.deps)
    const bo = await createUser(app.deps, { channels: [channelId] })
    const { body: chat } = await app.call(chatsApi.create, { as: bo, params: { channelId }, body: {} })
    model.pause()
    const stream = await openReplyStream(await app.url(), chatsApi.send, {
      as: bo,
      params: { channelId, chatId: chat._id },
      body: { message: 'When do rooms close?' },
    })
    await stream.readUntil('accepted')
    await model.whenPaused(1)
    await setActive(bo, false)
    expect((await stream.readToEnd()).at(-1)).toMatchObject({ type: 'error', code: 'chat.interrupted' })
    model.resume()
  })
})
