import { authApi } from '@lyceum/contract/auth'
import { chatsApi } from '@lyceum/contract/chats'
import { documentsApi } from '@lyceum/contract/documents'
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
import { openReplyStream } from '#testing/reply-stream.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let model: ModelStandIn
let app: TestApp
let system: TestUser
let admin: TestUser
let ada: TestUser
let channelId: string
let retain = false

beforeAll(async () => {
  model = await startModelStandIn()
})
afterAll(() => model.close())
beforeEach(async () => {
  await model.reset()
  app = await buildTestApp({
    env: { OPENAI_BASE_URL: model.url, ...(retain ? { RETAIN_CHATS: 'true' } : {}) },
  })
  channelId = await createTestChannel(app.deps)
  system = await createAdmin(app.deps, { isSystemAdmin: true })
  admin = await createAdmin(app.deps)
  ada = await createUser(app.deps, { name: 'Ada', email: 'ada@example.org', channels: [channelId] })
})
afterEach(() => app.close())

function remove(as: TestUser, id: string) {
  return app.call(usersApi.remove, { as, params: { id } })
}

function listRows(table: 'users' | 'sessions' | 'chats' | 'messages' | 'channel_members') {
  return app.deps.db.selectFrom(table).selectAll().execute()
}

async function addTraces(): Promise<void> {
  const now = app.deps.now()
  const browser = { user_id: ada.id, created_at: now, last_used_at: now }
  await app.deps.db
    .insertInto('known_browsers')
    .values({ ...browser, token_hash: 'k' })
    .execute()
  await app.deps.db
    .insertInto('trusted_browsers')
    .values({ ...browser, id: 'b', token_hash: 't', epoch: 0, ip: '', user_agent: '' })
    .execute()
  await app.deps.db
    .insertInto('password_resets')
    .values({ id: 'r', token_hash: 'r', user_id: ada.id, created_at: now, expires_at: now, used_at: now })
    .execute()
}

async function listTraces(): Promise<unknown[]> {
  const found = []
  for (const table of [
    'sessions',
    'trusted_browsers',
    'known_browsers',
    'sign_in_challenges',
    'password_resets',
    'channel_members',
  ] as const)
    found.push(...(await app.deps.db.selectFrom(table).selectAll().where('user_id', '=', ada.id).execute()))
  return found
}

describe('DELETE /users/:id', () => {
  it.each(['canDeleteUsers', 'canManageUsers'] as const)('requires %s', async (permission) => {
    const as = await createAdmin(app.deps, { permissions: { [permission]: false } })
    expect((await remove(as, ada.id)).status).toBe(403)
    expect((await app.call(authApi.me, { as: ada })).status).toBe(200)
  })

  it('rejects deleting yourself, an unknown user, or (unless you are one) a system administrator', async () => {
    const refusals = [
      [system, system.id, 409, 'user.self_delete'],
      [admin, 'nobody', 404, 'not_found'],
      [admin, system.id, 403, 'user.system_admin_only'],
    ] as const
    for (const [as, id, status, code] of refusals)
      expect(await remove(as, id)).toMatchObject({ status, body: { code } })
    expect(await listRows('users')).toHaveLength(3)
  })

  it('deletes sessions, browsers, memberships and chats, and keeps documents', async () => {
    const { deps } = app
    const other = await createTestChannel(deps)
    const uploader = await createAdmin(deps, { channels: [channelId] })
    const { body: document } = await app.upload(documentsApi.upload, {
      as: uploader,
      fields: { channelId: other },
      file: { name: 'rules.txt', content: 'Doors close at eight.' },
    })
    await app.call(chatsApi.create, { as: ada, params: { channelId }, body: {} })
    await addTraces()
    const { status, body } = await remove(admin, ada.id)
    expect([status, body.message]).toEqual([200, '“Ada” was deleted. Their chats were deleted too.'])
    expect(await listTraces()).toEqual([])
    expect(await listRows('chats')).toEqual([])
    expect((await app.call(authApi.me, { as: ada })).status).toBe(401)
    await remove(admin, uploader.id)
    const seen = await app.call(documentsApi.get, { as: admin, params: { id: document._id } })
    expect(seen.body.uploadedBy).toEqual({ name: 'Deleted user' })
    expect((await remove(admin, ada.id)).status).toBe(404)
  })

  it('stops the user’s running replies and ends their streams', async () => {
    const { body: chat } = await app.call(chatsApi.create, { as: ada, params: { channelId }, body: {} })
    model.script({ text: ['One word ', 'and another'] })
    model.pause(1)
    const stream = await openReplyStream(await app.url(), chatsApi.send, {
      as: ada,
      params: { channelId, chatId: chat._id },
      body: { message: 'Tell me about telescopes' },
    })
    await stream.readUntil('delta')
    expect((await remove(admin, ada.id)).status).toBe(200)
    expect((await stream.readToEnd()).at(-1)).toMatchObject({ type: 'error' })
    expect(await model.requests.at(-1)?.ended).toBe('aborted')
    expect(await listRows('messages')).toEqual([])
  })

  it('succeeds once for two concurrent requests', async () => {
    const responses = await Promise.all([remove(admin, ada.id), remove(system, ada.id)])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404])
  })
})

describe('DELETE /users/:id when chats are retained', () => {
  beforeAll(() => {
    retain = true
  })

  it('keeps only the row that the chats refer to', async () => {
    const { body: chat } = await app.call(chatsApi.create, { as: ada, params: { channelId }, body: {} })
    await app.call(chatsApi.send, {
      as: ada,
      params: { channelId, chatId: chat._id },
      body: { message: 'When do doors close?' },
    })
    await addTraces()
    const detail = await app.call(usersApi.get, { as: admin, params: { id: ada.id } })
    expect(detail.body).toMatchObject({ chatCount: 1, chatsAreRetained: true })
    const { body } = await remove(admin, ada.id)
    expect(body.message).toBe('“Ada” was deleted. Their chats stay in the chat history.')
    expect(await listTraces()).toEqual([])
    expect(await listRows('messages')).toHaveLength(2)
    expect((await listRows('users')).find(({ id }) => id === ada.id)).toMatchObject({
      name: 'Deleted user',
      email: `${ada.id}@deleted.invalid`,
      password_hash: '',
      role: 'user',
      permission_overrides: null,
      deleted_at: expect.any(Number),
    })
  })

  it('hides the deleted user everywhere and frees the email address', async () => {
    await remove(admin, ada.id)
    const { body: list } = await app.call(usersApi.list, { as: admin, query: { limit: 10 } })
    expect(list).toMatchObject({ total: 2 })
    const { body: found } = await app.call(usersApi.list, { as: admin, query: { search: 'Deleted' } })
    expect(found).toEqual([])
    const params = { id: ada.id }
    const responses = await Promise.all([
      app.call(usersApi.get, { as: admin, params }),
      app.call(usersApi.update, { as: admin, params, body: { name: 'Back' } }),
      app.call(usersApi.update, { as: admin, params, body: { role: 'admin' } }),
      app.call(usersApi.endSessions, { as: admin, params }),
      app.call(usersApi.permissions, { as: system, params }),
      app.call(usersApi.setSystemAdmin, { as: system, params, body: { isSystemAdmin: true } }),
      remove(admin, ada.id),
    ])
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 404))
    for (const email of [ada.email, `${ada.id}@deleted.invalid`]) {
      const signIn = await app.call(authApi.login, { body: { email, password: testPassword } })
      expect(signIn.status).toBe(401)
    }
    const next = await createUser(app.deps, { email: ada.email })
    expect((await app.call(authApi.me, { as: next })).body.email).toBe(ada.email)
  })
})
