import { type ApiKeyInput, apiKeyMaximum, apiKeysApi } from '@lyceum/contract/api-keys'
import { usersApi } from '@lyceum/contract/users'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { authenticateKey } from './authenticate-key.ts'

const day = 86_400_000
const client = { ip: '127.0.0.1', userAgent: 'script' }

let app: TestApp
let mia: TestUser
let channelId: string
beforeEach(async () => {
  app = await buildTestApp()
  channelId = await createTestChannel(app.deps, { name: 'Astronomy' })
  mia = await createUser(app.deps, { name: 'Mia', channels: [channelId] })
})
afterEach(() => app.close())

const input: ApiKeyInput = { name: 'Nightly report', scopes: ['chat'], channelIds: null, expiresInDays: 30 }

function create(changes: object = {}, as = mia) {
  return app.call(apiKeysApi.create, { as, body: { ...input, ...changes } })
}
async function list(as = mia) {
  return (await app.call(apiKeysApi.list, { as })).body
}
function authenticate(key: string) {
  return authenticateKey(app.deps, key, client)
}
function listEntries() {
  return app.deps.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id', 'object_id', 'before', 'after'])
    .where('action', 'like', 'api-key.%')
    .orderBy('seq')
    .execute()
}

describe('POST /api-keys', () => {
  it.each([
    ['a name', { name: ' ' }, 'name'],
    ['a scope', { scopes: [] }, 'scopes'],
    ['a known scope', { scopes: ['admin'] }, 'scopes'],
    ['a channel, unless it is for all', { channelIds: [] }, 'channelIds'],
    ['an offered lifetime', { expiresInDays: 31 }, 'expiresInDays'],
  ])('requires %s', async (_, changes, field) => {
    const { status, body } = await create(changes)
    expect([status, body.code]).toEqual([400, 'validation.failed'])
    expect(Object.keys(body.fields ?? {}).some((name) => name.startsWith(field))).toBe(true)
    expect(await list()).toEqual([])
  })

  it('rejects channels that the user is not a member of', async () => {
    const other = await createTestChannel(app.deps)
    expect((await create({ channelIds: [channelId, other] })).status).toBe(404)
    expect((await create({ channelIds: ['unknown'] })).status).toBe(404)
    expect(await list()).toEqual([])
  })

  it('rejects more keys than a user can have, also from concurrent calls', async () => {
    const results = await Promise.all(Array.from({ length: apiKeyMaximum + 3 }, () => create()))
    const refused = results.filter(({ status }) => status !== 200)
    expect(refused.map(({ body }) => body.code)).toEqual(Array(3).fill('api_key.limit'))
    expect(await list()).toHaveLength(apiKeyMaximum)
  })

  it('returns the key once and stores only its hash', async () => {
    const { status, body } = await create({ channelIds: [channelId], scopes: ['chat', 'documents', 'chat'] })
    const { key, ...listed } = body
    expect(status).toBe(200)
    expect(key).toMatch(/^lyceum_[A-Za-z0-9_-]{43}$/)
    expect(listed).toMatchObject({
      name: 'Nightly report',
      prefix: key.slice(0, 13),
      scopes: ['chat', 'documents'],
      channels: [{ _id: channelId, name: 'Astronomy' }],
      createdByName: null,
      lastUsedAt: null,
    })
    expect(Date.parse(listed.expiresAt) - Date.parse(listed.createdAt)).toBe(30 * day)
    expect(await list()).toEqual([listed])
    const stored = await app.deps.db.selectFrom('api_keys').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(stored)).not.toContain(key.slice(13))
  })

  it('is recorded without the key', async () => {
    const { body } = await create()
    const [entry] = await listEntries()
    expect(entry).toMatchObject({ action: 'api-key.created', actor_id: mia.id, object_id: mia.id })
    expect(entry?.after).toContain(body.prefix)
    expect(entry?.after).not.toContain(body.key)
    expect(JSON.parse(entry?.after ?? '')).toMatchObject({ channels: 'all' })
  })

  it('is recorded with the names of its channels', async () => {
    await create({ channelIds: [channelId] })
    const [entry] = await listEntries()
    expect(JSON.parse(entry?.after ?? '')).toMatchObject({ channels: ['Astronomy'], channelIds: [channelId] })
  })
})

describe('DELETE /api-keys/:id', () => {
  it('rejects the keys of other users', async () => {
    const { body } = await create()
    const other = await createUser(app.deps)
    expect((await app.call(apiKeysApi.revoke, { as: other, params: { id: body._id } })).status).toBe(404)
    expect(await authenticate(body.key)).not.toBeNull()
  })

  it('ends the key at once and is recorded', async () => {
    const { body } = await create()
    const params = { id: body._id }
    expect((await app.call(apiKeysApi.revoke, { as: mia, params })).status).toBe(204)
    expect(await authenticate(body.key)).toBeNull()
    expect(await list()).toEqual([])
    expect((await app.call(apiKeysApi.revoke, { as: mia, params })).status).toBe(404)
    expect((await listEntries()).map(({ action }) => action)).toEqual(['api-key.created', 'api-key.revoked'])
  })
})

describe('an API key', () => {
  it.each(['', 'lyceum_', `lyceum_${'A'.repeat(43)}`])('is rejected when it is %j', async (key) => {
    await create()
    expect(await authenticate(key)).toBeNull()
  })

  it('is not accepted in place of a session', async () => {
    const { body } = await create()
    expect(((await list({ ...mia, token: body.key })) as { code?: string }).code).toBe('auth.session_ended')
  })

  it('acts as its user without the permissions of an administrator', async () => {
    const admin = await createAdmin(app.deps, { isSystemAdmin: true })
    const { body } = await create({ channelIds: null, scopes: ['documents'] }, admin)
    const access = await authenticate(body.key)
    expect(access?.actor).toMatchObject({ userId: admin.id, role: 'user', isSystemAdmin: false })
    expect(Object.values(access?.actor.permissions ?? {})).not.toContain(true)
    expect([[...(access?.scopes ?? [])], access?.channelIds]).toEqual([['documents'], null])
  })

  it('ends on its date and is deleted then', async () => {
    const { body } = await create({ expiresInDays: 7 })
    app.advance(7 * day - 60_000)
    expect(await authenticate(body.key)).not.toBeNull()
    app.advance(60_000)
    expect(await authenticate(body.key)).toBeNull()
    await app.runJobs()
    expect(await app.deps.db.selectFrom('api_keys').selectAll().execute()).toEqual([])
  })

  it('shows when it was last used', async () => {
    const { body } = await create()
    await authenticate(body.key)
    const [used] = await list()
    expect(used?.lastUsedAt).not.toBeNull()
    app.advance(30_000)
    await authenticate(body.key)
    expect((await list())[0]?.lastUsedAt).toBe(used?.lastUsedAt)
    app.advance(60_000)
    await authenticate(body.key)
    expect((await list())[0]?.lastUsedAt).not.toBe(used?.lastUsedAt)
  })

  it.each(['true', 'false'])('ends with its user (RETAIN_CHATS=%s)', async (retain) => {
    await app.close()
    app = await buildTestApp({ env: { RETAIN_CHATS: retain } })
    const admin = await createAdmin(app.deps, { isSystemAdmin: true })
    mia = await createUser(app.deps)
    const { body } = await create()
    await app.call(usersApi.remove, { as: admin, params: { id: mia.id } })
    expect(await authenticate(body.key)).toBeNull()
    expect(await app.deps.db.selectFrom('api_keys').selectAll().execute()).toEqual([])
  })
})

describe('API keys of another user', () => {
  function createFor(as: TestUser, userId = mia.id) {
    return app.call(apiKeysApi.createForUser, { as, params: { userId }, body: input })
  }

  it('are created by system administrators only', async () => {
    expect((await createFor(mia)).status).toBe(403)
    expect((await createFor(await createAdmin(app.deps))).status).toBe(403)
    const root = await createAdmin(app.deps, { isSystemAdmin: true, name: 'Root' })
    expect((await createFor(root, 'unknown')).status).toBe(404)
    const { body } = await createFor(root)
    expect(body.createdByName).toBe('Root')
    expect(await list()).toMatchObject([{ createdByName: 'Root' }])
    expect(await authenticate(body.key)).toMatchObject({ actor: { userId: mia.id } })
    expect((await listEntries())[0]).toMatchObject({ actor_id: root.id, object_id: mia.id })
  })

  it('are listed and revoked by administrators of users', async () => {
    const { body } = await create()
    const params = { userId: mia.id }
    const admin = await createAdmin(app.deps)
    const limited = await createAdmin(app.deps, { permissions: { canManageUsers: false } })
    for (const as of [mia, limited])
      expect((await app.call(apiKeysApi.listOfUser, { as, params })).status).toBe(403)
    const revocation = { params: { ...params, id: body._id } }
    for (const as of [mia, limited])
      expect((await app.call(apiKeysApi.revokeOfUser, { as, ...revocation })).status).toBe(403)
    const { body: keys } = await app.call(apiKeysApi.listOfUser, { as: admin, params })
    expect(keys.map(({ _id }) => _id)).toEqual([body._id])
    const wrong = { params: { userId: admin.id, id: body._id } }
    expect((await app.call(apiKeysApi.revokeOfUser, { as: admin, ...wrong })).status).toBe(404)
    expect((await app.call(apiKeysApi.revokeOfUser, { as: admin, ...revocation })).status).toBe(204)
    expect(await authenticate(body.key)).toBeNull()
  })

  it('stay listed as revoked for 30 days, and do not count', async () => {
    const admin = await createAdmin(app.deps, { name: 'Root' })
    const { body } = await create({ scopes: ['documents'], channelIds: [channelId], expiresInDays: 7 })
    const { key: _, ...created } = body
    const params = { userId: mia.id, id: body._id }
    await app.call(apiKeysApi.revokeOfUser, { as: admin, params })
    const revoked = { ...created, revoked: { at: expect.any(String), byName: 'Root' } }
    expect(await list()).toEqual([revoked])
    expect((await app.call(apiKeysApi.listOfUser, { as: admin, params })).body).toEqual([revoked])
    expect((await app.call(apiKeysApi.revokeOfUser, { as: admin, params })).status).toBe(404)
    for (let count = 0; count < apiKeyMaximum; count += 1) expect((await create()).status).toBe(200)
    expect((await list()).at(-1)).toMatchObject({ _id: body._id })
    app.advance(29 * day)
    await app.runJobs()
    const { db } = app.deps
    expect(await db.selectFrom('revoked_api_keys').select('id').execute()).toEqual([{ id: body._id }])
    expect(JSON.stringify(await db.selectFrom('revoked_api_keys').selectAll().execute())).not.toContain(
      'hash',
    )
    app.advance(day)
    await app.runJobs()
    expect(await db.selectFrom('revoked_api_keys').select('id').execute()).toEqual([])
  })

  it('of a system administrator are revoked by system administrators only', async () => {
    const root = await createAdmin(app.deps, { isSystemAdmin: true })
    const { body } = await create({ channelIds: null }, root)
    const input = { params: { userId: root.id, id: body._id } }
    const admin = await createAdmin(app.deps)
    const { status, body: refusal } = await app.call(apiKeysApi.revokeOfUser, { as: admin, ...input })
    expect([status, (refusal as { code?: string }).code]).toEqual([403, 'user.system_admin_only'])
    expect(await authenticate(body.key)).not.toBeNull()
  })
})
