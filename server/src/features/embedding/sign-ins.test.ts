import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { embeddedSignInHours, embeddingApi } from '@lyceum/contract/embedding'
import { usersApi } from '@lyceum/contract/users'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { embedChannel, signInOnSite, testSite } from '#testing/embedding.ts'
import {
  createAdmin,
  createTestChannel,
  createUser,
  type TestUser,
  testPassword,
} from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { authenticate, isStillAllowed } from '../auth/authenticate.ts'

const hour = 3_600_000
const otherSite = 'https://intranet.example'
const client = { ip: '127.0.0.1', userAgent: 'test' }

let app: TestApp
let admin: TestUser
let mia: TestUser
let channelId: string
beforeEach(async () => {
  app = await buildTestApp()
  channelId = await createTestChannel(app.deps, { name: 'Handbook' })
  mia = await createUser(app.deps, { name: 'Mia', channels: [channelId] })
  admin = await createAdmin(app.deps, { isSystemAdmin: true })
})
afterEach(() => app.close())

function signIn(site = testSite, as: TestUser | null = mia) {
  return app.call(embeddingApi.signIn, { as, params: { channelId }, body: { site } })
}
function listSignIns() {
  return app.deps.db.selectFrom('embedded_sign_ins').selectAll().orderBy('created_at').orderBy('id').execute()
}
async function readChats(as: TestUser): Promise<number> {
  return (await app.call(chatsApi.list, { as, params: { channelId }, query: {} })).status
}

describe('POST /embedded/:channelId/sign-ins', () => {
  it('rejects users who are not signed in, and those who are not members', async () => {
    await embedChannel(app, channelId)
    expect((await signIn(testSite, null)).status).toBe(401)
    expect((await signIn(testSite, admin)).status).toBe(404)
    expect(await listSignIns()).toEqual([])
  })

  it('rejects channels that are not embedded, no longer embedded or archived', async () => {
    expect((await signIn()).status).toBe(404)
    await embedChannel(app, channelId)
    await embedChannel(app, channelId, { sites: [] })
    expect((await signIn()).status).toBe(404)
    await embedChannel(app, channelId)
    await app.call(channelsApi.archive, { as: admin, params: { id: channelId }, body: { isArchived: true } })
    expect((await signIn()).status).toBe(404)
    expect(await listSignIns()).toEqual([])
  })

  it.each([
    otherSite,
    `${testSite}/`,
    'HTTPS://WWW.EXAMPLE.COM',
    'http://www.example.com',
    `${testSite}.evil.example`,
    `${testSite}:8443`,
    'https://example.com',
    'null',
    '',
    '*',
    '%',
    '["https://www.example.com"]',
    "' or 1=1 --",
    '<script>alert(1)</script>',
    `${testSite}\r\nset-cookie: a=b`,
  ])('rejects the site %j', async (site) => {
    await embedChannel(app, channelId)
    const { status, body } = await signIn(site)
    expect([status, body.code]).toEqual([403, 'embedding.site'])
    expect(await listSignIns()).toEqual([])
  })

  it('rejects sites that cannot be any', async () => {
    await embedChannel(app, channelId)
    for (const site of ['\u0000', 'x'.repeat(301)]) expect((await signIn(site)).status).toBe(400)
    const { status } = await app.raw({
      method: 'POST',
      path: `/api/embedded/${channelId}/sign-ins`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ site: { $ne: '' } }),
      as: mia,
    })
    expect(status).toBe(400)
    expect(await listSignIns()).toEqual([])
  })

  it('gives a token for twelve hours, which is not stored, and records it', async () => {
    await embedChannel(app, channelId)
    const { body, status } = await signIn()
    expect(status).toBe(200)
    expect(body.token).toMatch(/^lyceum_embed_[A-Za-z0-9_-]{43}$/)
    expect(body.user).toEqual({ _id: mia.id, name: 'Mia', email: mia.email })
    const [row] = await listSignIns()
    expect(row).toMatchObject({ user_id: mia.id, channel_id: channelId, site: testSite })
    expect(JSON.stringify(row)).not.toContain(body.token.slice(13))
    expect(Date.parse(body.expiresAt) - (row?.created_at ?? 0)).toBeLessThanOrEqual(
      embeddedSignInHours * hour,
    )
    const [entry] = await app.deps.db
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'embedding.signed-in')
      .execute()
    expect(entry).toMatchObject({
      actor_id: mia.id,
      object_id: channelId,
      after: JSON.stringify({ site: testSite }),
    })
    expect(JSON.stringify(entry)).not.toContain(body.token.slice(13))
    const detail = await app.call(usersApi.get, { as: await createAdmin(app.deps), params: { id: mia.id } })
    expect(detail.body.sessionCount).toBe(2)
  })

  it('keeps the ten newest sign-ins of a user, and those of others', async () => {
    await embedChannel(app, channelId)
    const other = await signInOnSite(app, await createUser(app.deps, { channels: [channelId] }), channelId)
    const users: TestUser[] = []
    for (let count = 0; count < 11; count += 1) users.push(await signInOnSite(app, mia, channelId))
    const statuses = await Promise.all(users.map(readChats))
    expect(statuses).toEqual([401, ...Array(10).fill(200)])
    expect(await readChats(other)).toBe(200)
  })
})

describe('a sign-in that is allowed while access to it ends', () => {
  function allowMany(as: TestUser) {
    return Array.from({ length: 6 }, () => signIn(testSite, as))
  }

  it('does not outlast its site', async () => {
    await embedChannel(app, channelId)
    const results = await Promise.all([
      ...allowMany(mia),
      embedChannel(app, channelId, { sites: [otherSite] }),
      ...allowMany(mia),
    ])
    for (const result of results) if (result) expect([200, 403]).toContain(result.status)
    expect(await listSignIns()).toEqual([])
  })

  it('does not outlast its session when all others are ended', async () => {
    await embedChannel(app, channelId)
    const { body } = await app.call(authApi.login, { body: { email: mia.email, password: testPassword } })
    const elsewhere = { ...mia, token: body.token ?? '' }
    const results = await Promise.all([
      ...allowMany(elsewhere),
      app.call(authApi.endOtherSessions, { as: mia }),
      ...allowMany(elsewhere),
    ])
    for (const { status } of results) expect([200, 401]).toContain(status)
    expect(await listSignIns()).toEqual([])
  })
})

describe('a sign-in on another site', () => {
  let onSite: TestUser
  beforeEach(async () => {
    await embedChannel(app, channelId, { sites: [testSite, otherSite] })
    onSite = await signInOnSite(app, mia, channelId)
  })

  it.each(['/v1/models', '/mcp', '/scim/v2/Users'])('is refused by %s', async (path) => {
    const method = path === '/mcp' ? 'POST' : 'GET'
    expect((await app.raw({ method, path, as: onSite })).status).toBe(401)
  })

  it('is not accepted when its token was altered', async () => {
    for (const token of [
      onSite.token.slice(0, -1),
      `${onSite.token}A`,
      'lyceum_embed_',
      onSite.token.slice(13),
    ])
      expect(await readChats({ ...onSite, token })).toBe(401)
  })

  it('gives an administrator no more than a member', async () => {
    const grant = { as: admin, params: { id: channelId } }
    await app.call(channelsApi.grant, { ...grant, body: { userId: admin.id } })
    await app.call(channelsApi.setChannelAdmin, {
      as: admin,
      params: { id: channelId, userId: admin.id },
      body: { isAdmin: true },
    })
    const asAdmin = await app.call(channelsApi.get, grant)
    expect(asAdmin.body).toMatchObject({ isAdmin: true, memberCount: 2, systemPrompt: '' })
    const { body } = await app.call(channelsApi.get, {
      as: await signInOnSite(app, admin, channelId),
      params: { id: channelId },
    })
    const asMember = await app.call(channelsApi.get, { as: mia, params: { id: channelId } })
    expect(Object.keys(body).sort()).toEqual(Object.keys(asMember.body).sort())
    expect(body).toEqual({
      ...asMember.body,
      isAdmin: false,
      users: [{ _id: admin.id, name: admin.name, email: admin.email }],
    })
  })

  it('cannot open chats of another channel through its own', async () => {
    const other = await createTestChannel(app.deps)
    await app.call(channelsApi.grant, { as: admin, params: { id: other }, body: { userId: mia.id } })
    const chat = await app.call(chatsApi.create, { as: mia, params: { channelId: other }, body: {} })
    const chatId = chat.body._id
    expect((await app.call(chatsApi.get, { as: mia, params: { channelId: other, chatId } })).status).toBe(200)
    for (const endpoint of [chatsApi.get, chatsApi.remove])
      expect((await app.call(endpoint, { as: onSite, params: { channelId, chatId } })).status).toBe(404)
  })

  it('can chat in its channel', async () => {
    const { status, body } = await app.call(chatsApi.create, { as: onSite, params: { channelId }, body: {} })
    expect(status).toBe(200)
    const params = { channelId, chatId: body._id }
    expect((await app.call(chatsApi.get, { as: onSite, params })).status).toBe(200)
    expect((await app.call(chatsApi.remove, { as: onSite, params })).status).toBe(200)
  })

  it('is allowed what it may do, and no other access, while it lasts', async () => {
    const actor = await authenticate(app.deps, onSite.token, client)
    if (!actor) throw new Error('the token was not accepted')
    expect(await isStillAllowed(app.deps, actor, 'canViewAnalytics')).toBe(false)
    expect(await isStillAllowed(app.deps, actor, 'system-admin')).toBe(false)
    expect(await isStillAllowed(app.deps, actor, 'signed-in')).toBe(true)
    await app.deps.db.deleteFrom('embedded_sign_ins').execute()
    expect(await isStillAllowed(app.deps, actor, 'signed-in')).toBe(false)
  })

  it('ends after twelve hours, and the hourly sweep deletes it', async () => {
    app.advance(embeddedSignInHours * hour - 60_000)
    expect(await readChats(onSite)).toBe(200)
    app.advance(120_000)
    expect(await readChats(onSite)).toBe(401)
    await app.runJobs()
    expect(await listSignIns()).toEqual([])
  })

  it.each<[string, () => Promise<unknown>]>([
    ['the user changes the password', () => changePassword()],
    ['the user ends all other sessions', () => app.call(authApi.endOtherSessions, { as: mia })],
    ['an administrator signs the user out everywhere', () => app.call(usersApi.endSessions, byAdmin())],
    [
      'an administrator deactivates the user',
      () => app.call(usersApi.setActive, { ...byAdmin(), body: { isActive: false } }),
    ],
    ['the user is deleted', () => app.call(usersApi.remove, byAdmin())],
    ['the site is removed', () => embedChannel(app, channelId, { sites: [otherSite] })],
    ['the channel is no longer embedded', () => embedChannel(app, channelId, { sites: [] })],
    ['the channel is deleted', () => app.call(channelsApi.remove, { as: admin, params: { id: channelId } })],
    ['it signs out', () => app.call(embeddingApi.signOut, { as: onSite, params: { channelId } })],
  ])('ends when %s', async (_what, end) => {
    expect(await readChats(onSite)).toBe(200)
    const result = (await end()) as { status: number } | undefined
    expect(result?.status ?? 200).toBeLessThan(300)
    expect(await readChats(onSite)).toBe(401)
    expect((await listSignIns()).filter(({ user_id }) => user_id === mia.id)).toEqual([])
  })

  function byAdmin() {
    return { as: admin, params: { id: mia.id } }
  }
  function changePassword() {
    return app.call(usersApi.changePassword, {
      as: mia,
      params: { id: mia.id },
      body: { currentPassword: testPassword, newPassword: `${testPassword} and more` },
    })
  }

  it('continues when another site is removed, other settings change or the user signs out here', async () => {
    await embedChannel(app, channelId, { sites: [testSite] })
    await embedChannel(app, channelId, { sites: [testSite], visitorMessagesPerDay: 3 })
    await app.call(authApi.logout, { as: mia })
    expect(await readChats(onSite)).toBe(200)
  })

  it('gives no access to the channel once the user is no longer a member', async () => {
    const access = { as: admin, params: { id: channelId }, body: { userId: mia.id } }
    await app.call(channelsApi.revoke, access)
    expect(await readChats(onSite)).toBe(404)
  })

  it('signs out only itself, and no session of Lyceum', async () => {
    const other = await signInOnSite(app, mia, channelId, otherSite)
    expect((await app.call(embeddingApi.signOut, { as: mia, params: { channelId } })).status).toBe(404)
    expect((await app.call(embeddingApi.signOut, { as: onSite, params: { channelId } })).status).toBe(204)
    expect([await readChats(onSite), await readChats(other), await readChats(mia)]).toEqual([401, 200, 200])
  })

  it('is listed with its site for its user, who alone can end it', async () => {
    const stranger = await createUser(app.deps)
    const sessions = (await app.call(authApi.sessions, { as: mia })).body
    expect(sessions).toMatchObject([
      { current: true },
      { current: false, site: testSite, browser: expect.any(String) },
    ])
    expect(sessions[0]).not.toHaveProperty('site')
    const id = sessions[1]?._id ?? ''
    expect((await app.call(authApi.sessions, { as: stranger })).body).toHaveLength(1)
    expect((await app.call(authApi.endSession, { as: stranger, params: { id } })).status).toBe(404)
    expect(await readChats(onSite)).toBe(200)
    expect((await app.call(authApi.endSession, { as: mia, params: { id } })).status).toBe(204)
    expect([await readChats(onSite), await readChats(mia)]).toEqual([401, 200])
  })

  it('shows when it was last used, to the minute', async () => {
    app.advance(30_000)
    await readChats(onSite)
    const [first] = await listSignIns()
    expect(first?.last_seen_at).toBe(first?.created_at)
    app.advance(60_000)
    await readChats(onSite)
    const [later] = await listSignIns()
    expect(later?.last_seen_at).toBeGreaterThan((first?.created_at ?? 0) + 60_000)
  })
})
