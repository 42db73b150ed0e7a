import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { invitationsApi } from '@lyceum/contract/invitations'
import { settingsApi } from '@lyceum/contract/settings'
import {
  type ClaimRule,
  getLogoutPath,
  getRedirectPath,
  singleSignOnApi,
} from '@lyceum/contract/single-sign-on'
import { usersApi } from '@lyceum/contract/users'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { readCode, readOutbox } from '#testing/mail-server.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { startOidcProvider, type TestProvider } from '#testing/oidc-provider.ts'
import { createProviderVisitor } from '#testing/provider-visitor.ts'
import { openReplyStream } from '#testing/reply-stream.ts'
import { addTestIssuer, issuerId, type SignInRun, signInAtProvider } from '#testing/single-sign-on.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { createTestBrowser } from '#testing/test-browser.ts'

const params = { issuerId }
const ada = { email: 'Ada@Example.org', email_verified: true, name: 'Ada Lovelace' }

let model: ModelStandIn
let app: TestApp
let admin: TestUser
let provider: TestProvider
beforeEach(async () => {
  model = await startModelStandIn()
  app = await buildTestApp({ env: { OPENAI_BASE_URL: model.url } })
  provider = await startOidcProvider({
    redirectUri: `${app.deps.env.PUBLIC_URL}${getRedirectPath(issuerId)}`,
    logoutUri: `${await app.url()}${getLogoutPath(issuerId)}`,
  })
  provider.accounts.set('ada', ada)
  admin = await addTestIssuer(app, provider.issuer)
})
afterEach(async () => {
  await app.close()
  await provider.close()
  await model.close()
})

function signIn(run: Partial<SignInRun> = {}) {
  return signInAtProvider(app, { login: 'ada', ...run })
}
/** Signs in and returns the user as tests know users. */
async function signInAs(run: Partial<SignInRun> = {}): Promise<TestUser> {
  const { body } = await signIn(run)
  if (!body.user || !body.token) throw new Error(body.message)
  return { id: body.user._id, email: body.user.email, name: body.user.name, token: body.token }
}
function listSessions() {
  return app.deps.db.selectFrom('sessions').selectAll().where('identity_id', 'is not', null).execute()
}
function listAuditEntries(action: string) {
  return app.deps.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', action as never)
    .execute()
}
async function isSignedIn(as: TestUser): Promise<boolean> {
  return (await app.call(authApi.me, { as })).status === 200
}
function switchCodes(twoFactorExpiryEnabled: boolean) {
  return app.call(settingsApi.update, {
    as: admin,
    body: { twoFactorExpiryDays: 30, twoFactorExpiryEnabled },
  })
}

describe('a first sign-in', () => {
  it.each([
    ['no address', { name: 'Ada' }],
    ['an unconfirmed address', { ...ada, email_verified: false }],
    ['an address without a statement about it', { email: ada.email }],
    ['an address that is confirmed with a text', { ...ada, email_verified: 'true' }],
    ['an invalid address', { ...ada, email: 'ada' }],
  ])('is refused with %s, whether or not there is such a user', async (_what, claims) => {
    provider.accounts.set('ada', claims)
    const unknown = await signIn()
    await createUser(app.deps, { email: 'ada@example.org' })
    const known = await signIn()
    expect([unknown.status, unknown.body.code]).toEqual([403, 'sso.unverified'])
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
    expect(await listSessions()).toEqual([])
  })

  it('is refused for the address of an administrator', async () => {
    await createAdmin(app.deps, { email: 'ada@example.org' })
    const { status, body } = await signIn()
    expect([status, body.code]).toEqual([403, 'sso.connect_admin'])
    expect(await listSessions()).toEqual([])
  })

  it('is refused for an address whose user is connected to another subject', async () => {
    await signInAs()
    provider.accounts.set('successor', ada)
    const { status, body } = await signIn({ login: 'successor' })
    expect([status, body.code]).toEqual([403, 'sso.already_connected'])
    expect(await listSessions()).toHaveLength(1)
  })

  it('is refused without an invitation if the issuer creates no users', async () => {
    const { body } = await app.call(singleSignOnApi.get, { as: admin })
    const [issuer] = body.issuers
    if (!issuer) throw new Error('no issuer')
    await app.call(singleSignOnApi.change, { as: admin, params, body: { ...issuer, createsUsers: false } })
    const refused = await signIn()
    expect([refused.status, refused.body.code]).toEqual([403, 'sso.no_account'])
    expect(await listSessions()).toEqual([])
    const entries = await listAuditEntries('sign-in.refused')
    expect(entries.map(({ after }) => JSON.parse(after ?? ''))).toEqual([
      { issuer: issuerId, subject: 'ada', reason: 'sso.no_account' },
    ])

    const channelId = await createTestChannel(app.deps)
    const invited = await app.call(invitationsApi.create, {
      as: admin,
      body: {
        email: 'ada@example.org',
        fullName: 'Ada King',
        role: 'admin',
        allowedChannels: [channelId],
        twoFactorExpiryEnabled: false,
        twoFactorExpiryDays: 30,
      },
    })
    expect(invited.status).toBe(200)
    const { body: result } = await signIn()
    expect([result.user?.name, result.user?.role, result.user?.channels]).toEqual([
      'Ada King',
      'admin',
      [channelId],
    ])
    const { body: invitations } = await app.call(invitationsApi.list, { as: admin })
    expect(JSON.stringify(invitations)).toContain('"status":"accepted"')
  })

  it('creates a user without a password, who is found by the subject afterwards', async () => {
    const { status, body } = await signIn()
    expect([status, body.door, body.user?.email, body.user?.name]).toEqual([
      200,
      'user',
      'ada@example.org',
      'Ada Lovelace',
    ])
    provider.accounts.set('ada', { email: 'new@example.org', email_verified: false })
    const again = await signIn()
    expect(again.body.user?._id).toBe(body.user?._id)
    const { body: methods } = await app.call(singleSignOnApi.methodsOfUser, {
      as: admin,
      params: { userId: body.user?._id ?? '' },
    })
    expect(methods.identities.map(({ subject, issuerName }) => [subject, issuerName])).toEqual([
      ['ada', 'Acme'],
    ])
    expect(methods.hasPassword).toBe(false)

    // Neither a password nor a reset link is a way around the issuer.
    const withPassword = await app.call(authApi.login, {
      body: { email: 'ada@example.org', password: 'long enough' },
    })
    expect(withPassword.status).toBe(401)
    await app.call(authApi.forgotPassword, { body: { email: 'ada@example.org' } })
    await app.runJobs()
    expect(JSON.stringify(await readOutbox(app.folder))).not.toContain('reset-password')
  })

  it('connects a user who exists, by the confirmed address', async () => {
    const user = await createUser(app.deps, { email: 'ada@example.org' })
    expect((await signInAs()).id).toBe(user.id)
    expect(await listAuditEntries('identity.connected')).toHaveLength(1)
  })

  it('is possible for an administrator whom a system administrator has connected', async () => {
    const user = await createAdmin(app.deps, { email: 'ada@example.org' })
    const connect = { params: { userId: user.id }, body: { issuerId, subject: 'ada' } }
    expect((await app.call(singleSignOnApi.connectUser, { as: user, ...connect })).status).toBe(403)
    expect((await app.call(singleSignOnApi.connectUser, { as: admin, ...connect })).status).toBe(200)
    expect((await app.call(singleSignOnApi.connectUser, { as: admin, ...connect })).body.code).toBe(
      'sso.subject_taken',
    )
    expect((await signInAs({ door: 'admin' })).id).toBe(user.id)
  })
})

describe('a sign-in', () => {
  it('is refused for ordinary users on the page for administrators', async () => {
    const { status, body } = await signIn({ door: 'admin' })
    expect([status, body.code, body.message]).toEqual([
      403,
      'auth.admin_only',
      'Access denied. Admin privileges required.',
    ])
    expect(await listSessions()).toEqual([])
  })

  it('is refused once its user has been deleted, unless the issuer creates users', async () => {
    const user = await signInAs()
    await app.deps.db.deleteFrom('users').where('id', '=', user.id).execute()
    expect((await signInAs()).id).not.toBe(user.id)
  })

  it('requires a code if codes are on, which completes it', async () => {
    await switchCodes(true)
    const browser = createTestBrowser()
    const { status, body } = await signIn({ browser })
    expect([status, body.token, body.requires2FA, body.email]).toEqual([
      200,
      undefined,
      true,
      'ada@example.org',
    ])
    expect(await listSessions()).toEqual([])
    const mails = await readOutbox(app.folder)
    const last = mails.at(-1)
    if (!last) throw new Error('no code was sent')
    const verified = await app.call(authApi.verify, {
      body: { email: 'ada@example.org', token: readCode(last) },
      browser,
    })
    expect(verified.status).toBe(200)
    expect(await listSessions()).toMatchObject([{ method: 'code' }])
  })

  it('continues to work after the issuer has replaced its keys', async () => {
    const { id } = await signInAs()
    await provider.rotateKeys()
    expect((await signInAs()).id).toBe(id)
  })

  it('finishes independently in two tabs of a browser, each once', async () => {
    const browser = createTestBrowser()
    const [one, other] = [
      await app.call(singleSignOnApi.start, { params, body: {}, browser }),
      await app.call(singleSignOnApi.start, { params, body: {}, browser }),
    ]
    const visitor = createProviderVisitor()
    const callbacks = [await visitor.signIn(one.body.url, 'ada'), await visitor.signIn(other.body.url, 'ada')]
    for (const { search } of callbacks) {
      const body = { query: search }
      expect((await app.call(singleSignOnApi.finish, { params, body, browser })).status).toBe(200)
      const replayed = await app.call(singleSignOnApi.finish, { params, body, browser })
      expect([replayed.status, replayed.body.code]).toEqual([400, 'sso.expired'])
    }
    expect(await listSessions()).toHaveLength(2)
  })
})

describe('signing out at the provider', () => {
  it('ends the session that began with it, and its streams, but no other', async () => {
    const visitor = createProviderVisitor()
    const user = await signInAs({ visitor })
    const elsewhere = await signInAs()
    const channelId = await createTestChannel(app.deps)
    await app.deps.db
      .insertInto('channel_members')
      .values({ channel_id: channelId, user_id: user.id, is_admin: 0, created_at: 0 })
      .execute()
    const { body: chat } = await app.call(chatsApi.create, { as: user, params: { channelId }, body: {} })
    model.pause()
    const stream = await openReplyStream(await app.url(), chatsApi.send, {
      as: user,
      params: { channelId, chatId: chat._id },
      body: { message: 'Hello' },
    })
    await model.whenPaused()
    await stream.readUntil('accepted')
    await visitor.signOut(provider.issuer)
    await expect.poll(() => isSignedIn(user)).toBe(false)
    await stream.readToEnd()
    expect(await isSignedIn(elsewhere)).toBe(true)
    expect(await listAuditEntries('user.sessions-ended')).toMatchObject([
      { object_id: user.id, after: JSON.stringify({ sessions: 1, issuer: issuerId }) },
    ])
  })
})

describe('a rule of the issuer', () => {
  let channelId: string
  let otherId: string
  beforeEach(async () => {
    channelId = await createTestChannel(app.deps, { name: 'Staff' })
    otherId = await createTestChannel(app.deps, { name: 'Other' })
    await setRules([
      { claim: 'groups', value: 'staff', channelIds: [channelId, 'deleted'], groupIds: [], isAdmin: false },
      { claim: 'groups', value: 'operators', channelIds: [], groupIds: [], isAdmin: true },
    ])
  })
  async function setRules(rules: ClaimRule[]) {
    const [issuer] = (await app.call(singleSignOnApi.get, { as: admin })).body.issuers
    if (!issuer) throw new Error('no issuer')
    const { status } = await app.call(singleSignOnApi.change, {
      as: admin,
      params,
      body: { ...issuer, rules },
    })
    expect(status).toBe(200)
  }
  async function signInWith(groups: string[]) {
    provider.accounts.set('ada', { ...ada, groups })
    const { body } = await signIn()
    if (!body.user) throw new Error(body.message)
    return body.user
  }

  it('gives channels while the claim contains the value, and takes them back', async () => {
    const { channels } = await signInWith(['staff'])
    expect(channels).toEqual([channelId])
    expect((await signInWith(['staff', 'more'])).channels).toEqual([channelId])
    expect((await signInWith(['more'])).channels).toEqual([])
    const entries = await app.deps.db
      .selectFrom('audit_log')
      .select('action')
      .where('action', 'in', ['access.granted', 'access.revoked'])
      .orderBy('seq')
      .execute()
    expect(entries.map(({ action }) => action)).toEqual(['access.granted', 'access.revoked'])
  })

  it('leaves alone what was given by hand', async () => {
    const { _id: userId } = await signInWith([])
    for (const id of [channelId, otherId])
      await app.call(channelsApi.grant, { as: admin, params: { id }, body: { userId } })
    expect((await signInWith(['staff'])).channels).toEqual([channelId, otherId].toSorted())
    expect((await signInWith([])).channels).toEqual([channelId, otherId].toSorted())
  })

  it('keeps what an administrator confirmed by hand meanwhile', async () => {
    const { _id: userId } = await signInWith(['staff'])
    await app.call(channelsApi.grant, { as: admin, params: { id: channelId }, body: { userId } })
    expect((await signInWith([])).channels).toEqual([channelId])
  })

  it('takes back what it gave once it has been removed', async () => {
    await signInWith(['staff'])
    await setRules([])
    expect((await signInWith(['staff'])).channels).toEqual([])
  })

  it('makes administrators, and takes that back with their sessions', async () => {
    const user = await signInAs()
    const promoted = await signInWith(['operators'])
    expect([promoted.role, promoted.isSystemAdmin]).toEqual(['admin', false])
    expect(await isSignedIn(user)).toBe(false)
    expect((await signInWith(['operators'])).role).toBe('admin')
    expect((await signInWith([])).role).toBe('user')
  })

  it('does not take the role of an administrator that was given by hand', async () => {
    const { _id: id } = await signInWith([])
    await app.call(usersApi.update, { as: admin, params: { id }, body: { role: 'admin' } })
    expect((await signInWith(['operators'])).role).toBe('admin')
    expect((await signInWith([])).role).toBe('admin')
  })

  it('never takes the role of a system administrator', async () => {
    const { _id: id } = await signInWith(['operators'])
    await app.call(usersApi.setSystemAdmin, { as: admin, params: { id }, body: { isSystemAdmin: true } })
    await app.deps.db.deleteFrom('users').where('id', '=', admin.id).execute()
    const { role, isSystemAdmin } = await signInWith([])
    expect([role, isSystemAdmin]).toEqual(['admin', true])
  })
})
