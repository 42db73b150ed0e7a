import { authApi } from '@lyceum/contract/auth'
import { chatsApi } from '@lyceum/contract/chats'
import type { QueryOf } from '@lyceum/contract/endpoint'
import type { Permissions } from '@lyceum/contract/permissions'
import { type ListedUser, usersApi } from '@lyceum/contract/users'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let admin: TestUser
let ada: TestUser
beforeEach(async () => {
  app = await buildTestApp()
  admin = await createAdmin(app.deps, { name: 'Zoe Keeper' })
  ada = await createUser(app.deps, { name: 'Ada', email: 'ada@example.org' })
})
afterEach(() => app.close())

function readUserRow(id: string) {
  return app.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

function createAdminWithout(permission: keyof Permissions): Promise<TestUser> {
  return createAdmin(app.deps, { permissions: { [permission]: false } })
}

function put(as: TestUser, id: string, body: unknown) {
  return app.raw({
    method: 'PUT',
    path: `/api/users/${id}`,
    as,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
}

async function isSignedIn(user: TestUser): Promise<boolean> {
  return (await app.call(authApi.me, { as: user })).status === 200
}

describe('GET /users', () => {
  it('requires canManageUsers', async () => {
    for (const as of [ada, await createAdminWithout('canManageUsers')]) {
      const { status, body } = await app.call(usersApi.list, { as })
      expect([status, body]).toMatchObject([403, { message: 'You do not have permission to manage users' }])
    }
  })

  it('returns an array sorted by name, with the channels of each user and no secrets', async () => {
    const one = await createTestChannel(app.deps)
    const other = await createTestChannel(app.deps)
    const bob = await createUser(app.deps, { name: 'Bob', channels: [other, one] })
    const { body } = await app.call(usersApi.list, { as: admin })
    expect(body).toEqual([
      expect.objectContaining({
        _id: ada.id,
        name: 'Ada',
        email: 'ada@example.org',
        role: 'user',
        channels: [],
      }),
      expect.objectContaining({ _id: bob.id, channels: [one, other].sort() }),
      expect.objectContaining({ _id: admin.id, role: 'admin', isSystemAdmin: false }),
    ])
    expect(Object.keys((body as object[])[0] ?? {}).sort()).toEqual([
      '_id',
      'channels',
      'createdAt',
      'email',
      'isSystemAdmin',
      'lastSignInAt',
      'name',
      'role',
      'twoFactorEnabled',
    ])
  })

  it('returns a page if `limit` is given', async () => {
    await createUser(app.deps, { name: 'Bob' })
    const { body } = await app.call(usersApi.list, { as: admin, query: { limit: 2, skip: 2 } })
    expect(body).toMatchObject({ items: [{ name: 'Zoe Keeper' }], total: 3, totalPages: 2 })
    for (const limit of [0, 501])
      expect((await app.call(usersApi.list, { as: admin, query: { limit } })).status).toBe(400)
  })

  it('rejects unknown roles, statuses and orders', async () => {
    const queries = [
      { role: 'owner' },
      { status: 'deleted' },
      { sortBy: 'password_hash' },
      { sortOrder: 'up' },
    ]
    for (const query of queries as never[])
      expect((await app.call(usersApi.list, { as: admin, query })).status).toBe(400)
  })

  it('filters by role and sorts by name, last sign-in and creation', async () => {
    app.advance(1000)
    const bob = await createUser(app.deps, { name: 'Bob' })
    const signIns: [TestUser, number][] = [
      [ada, 2000],
      [admin, 1000],
    ]
    for (const [{ id }, last_seen_at] of signIns)
      await app.deps.db.updateTable('users').set({ last_seen_at }).where('id', '=', id).execute()
    async function list(query: Partial<QueryOf<typeof usersApi.list>>): Promise<string[]> {
      const { body } = await app.call(usersApi.list, { as: admin, query: { limit: 10, ...query } })
      return (body as { items: ListedUser[] }).items.map(({ name }) => name)
    }
    expect(await list({ role: 'admin' })).toEqual(['Zoe Keeper'])
    expect(await list({ sortOrder: 'desc' })).toEqual(['Zoe Keeper', 'Bob', 'Ada'])
    expect(await list({ sortBy: 'lastSignInAt', sortOrder: 'desc' })).toEqual(['Ada', 'Zoe Keeper', 'Bob'])
    expect(await list({ sortBy: 'lastSignInAt' })).toEqual(['Bob', 'Zoe Keeper', 'Ada'])
    expect((await list({ sortBy: 'createdAt', sortOrder: 'desc' }))[0]).toBe(bob.name)
  })

  it('filters by whether users can sign in, and lists all of them without the filter', async () => {
    const bob = await createUser(app.deps, { name: 'Bob' })
    await app.deps.db.updateTable('users').set({ deactivated_at: 1 }).where('id', '=', bob.id).execute()
    async function list(query: Partial<QueryOf<typeof usersApi.list>>) {
      const { body } = await app.call(usersApi.list, { as: admin, query: { limit: 10, ...query } })
      const { items, total } = body as { items: ListedUser[]; total: number }
      return [total, ...items.map(({ name }) => name)]
    }
    expect(await list({ status: 'deactivated' })).toEqual([1, 'Bob'])
    expect(await list({ status: 'active' })).toEqual([2, 'Ada', 'Zoe Keeper'])
    expect(await list({ status: 'deactivated', role: 'admin' })).toEqual([0])
    expect(await list({})).toEqual([3, 'Ada', 'Bob', 'Zoe Keeper'])
  })

  it('shows the last sign-in and whether signing in needs a code', async () => {
    await app.deps.db
      .updateTable('users')
      .set({ last_seen_at: 1000, two_factor_enabled: 0 })
      .where('id', '=', ada.id)
      .execute()
    await app.deps.db
      .updateTable('users')
      .set({ last_seen_at: null, two_factor_enabled: null })
      .where('id', '=', admin.id)
      .execute()
    const { body } = await app.call(usersApi.list, { as: admin })
    expect(body).toMatchObject([
      { name: 'Ada', lastSignInAt: '1970-01-01T00:00:01.000Z', twoFactorEnabled: false },
      { name: 'Zoe Keeper', lastSignInAt: null, twoFactorEnabled: true },
    ])
  })

  it('searches names and email addresses in any case and script, and takes % and _ literally', async () => {
    const people = { Öznur: 'o_z@example.org', Ελένη: 'eleni@example.org', '100% Bob': 'bob@example.org' }
    for (const [name, email] of Object.entries(people)) await createUser(app.deps, { name, email })
    async function search(search: string): Promise<string[]> {
      const { body } = await app.call(usersApi.list, { as: admin, query: { search, limit: 10 } })
      return (body as { items: { name: string }[] }).items.map(({ name }) => name)
    }
    expect(await search('ÖZN')).toEqual(['Öznur'])
    expect(await search('ελένη')).toEqual(['Ελένη'])
    expect(await search(' ADA@example ')).toEqual(['Ada'])
    expect(await search('0%')).toEqual(['100% Bob'])
    expect(await search('o_z')).toEqual(['Öznur'])
    expect(await search('nobody')).toEqual([])
  })
})

describe('GET /users/:id', () => {
  it('requires canManageUsers and an existing user', async () => {
    expect((await app.call(usersApi.get, { as: ada, params: { id: ada.id } })).status).toBe(403)
    expect((await app.call(usersApi.get, { as: admin, params: { id: 'nobody' } })).status).toBe(404)
  })

  it('counts what a deletion would remove and what it would keep', async () => {
    const channelId = await createTestChannel(app.deps)
    const bob = await createUser(app.deps, { channels: [channelId] })
    await app.call(chatsApi.create, { as: bob, params: { channelId }, body: {} })
    const { body } = await app.call(usersApi.get, { as: admin, params: { id: bob.id } })
    expect(body).toMatchObject({
      _id: bob.id,
      channels: [channelId],
      chatCount: 1,
      documentCount: 0,
      sessionCount: 1,
      chatsAreRetained: false,
    })
    app.advance(13 * 3_600_000)
    const later = await createAdmin(app.deps)
    const { body: seen } = await app.call(usersApi.get, { as: later, params: { id: bob.id } })
    expect(seen.sessionCount).toBe(0)
  })
})

describe('PUT /users/:id, name', () => {
  it('lets users change their own name, and returns 404 for all other users', async () => {
    const { status, body } = await put(ada, ada.id, { name: '  Ada L. ' })
    expect([status, body]).toMatchObject([200, { _id: ada.id, name: 'Ada L.' }])
    const theirs = await put(ada, admin.id, { name: 'Mine' })
    const nothing = await put(ada, 'nobody', { name: 'Mine' })
    expect([theirs.status, theirs.body]).toEqual([404, nothing.body])
    expect((await readUserRow(admin.id)).name).toBe('Zoe Keeper')
  })

  it.each([
    ['canManageUsers', 'manage users'],
    ['canEditUsers', 'edit users'],
  ] as const)('requires %s for other users', async (permission, action) => {
    const as = await createAdminWithout(permission)
    for (const id of [ada.id, 'nobody']) {
      const { status, body } = await put(as, id, { name: 'New' })
      expect([status, body.message]).toEqual([403, `You do not have permission to ${action}`])
    }
    expect((await put(as, as.id, { name: 'Own' })).status).toBe(200)
    expect((await readUserRow(ada.id)).name).toBe('Ada')
  })

  it.each([
    [{ name: '  ' }, 'Name is required'],
    [{ name: 'x'.repeat(121) }, 'At most 120 characters'],
    [{ name: 'A\u202eda' }, 'This contains characters that cannot be shown'],
    [{ name: ['Ada'] }, 'Please check what you entered.'],
    [{ name: { $ne: '' } }, 'Please check what you entered.'],
    [{ name: 'Eve', role: 'owner' }, 'Please check what you entered.'],
  ])('rejects %j and changes nothing', async (body, message) => {
    const before = await readUserRow(ada.id)
    const response = await put(admin, ada.id, body)
    expect([response.status, response.body.message]).toEqual([400, message])
    expect(await readUserRow(ada.id)).toEqual(before)
  })

  it('lets only system administrators rename a system administrator', async () => {
    const system = await createAdmin(app.deps, { isSystemAdmin: true })
    const { status, body } = await put(admin, system.id, { name: 'Impostor' })
    expect([status, body.code]).toEqual([403, 'user.system_admin_only'])
    expect((await put(system, system.id, { name: 'Own' })).body).toMatchObject({ name: 'Own' })
    const peer = await createAdmin(app.deps, { isSystemAdmin: true })
    expect((await put(peer, system.id, { name: 'By a peer' })).body).toMatchObject({ name: 'By a peer' })
  })

  it('lets an administrator change other users, and returns 404 for an unknown id', async () => {
    expect((await put(admin, ada.id, { name: 'Countess' })).body).toMatchObject({ name: 'Countess' })
    expect((await put(admin, 'nobody', { name: 'Countess' })).status).toBe(404)
    expect(await isSignedIn(ada)).toBe(true)
  })

  it('ignores all other fields of the body', async () => {
    const before = await readUserRow(ada.id)
    const more = {
      _id: 'mine',
      id: 'mine',
      email: 'eve@example.org',
      isSystemAdmin: true,
      is_system_admin: 1,
      permissions: { canManageUsers: true },
      permission_overrides: '{}',
      passwordHash: 'x',
      password_hash: 'x',
      twoFactor: false,
      two_factor_enabled: 0,
      channels: ['all'],
      createdAt: '2000-01-01T00:00:00Z',
      deleted_at: 1,
    }
    for (const as of [ada, admin]) {
      const { status, body } = await put(as, ada.id, { name: 'Ada', ...more })
      expect([status, body]).toMatchObject([200, { _id: ada.id, email: ada.email, isSystemAdmin: false }])
      expect(await readUserRow(ada.id)).toEqual(before)
    }
  })
})

describe('PUT /users/:id, role', () => {
  it('rejects a user who changes their own role, even together with a name', async () => {
    const { status, body } = await put(ada, ada.id, { name: 'Queen', role: 'admin' })
    expect([status, body.message]).toEqual([403, 'You do not have permission to manage users'])
    expect(await readUserRow(ada.id)).toMatchObject({ name: 'Ada', role: 'user' })
  })

  it.each(['canManageUsers', 'canEditUsers'] as const)(
    'requires %s, even for the caller’s own role',
    async (permission) => {
      const as = await createAdminWithout(permission)
      for (const [id, role] of [
        [ada.id, 'admin'],
        [as.id, 'user'],
      ] as const)
        expect((await put(as, id, { role })).status).toBe(403)
    },
  )

  it('makes a user an administrator, who must sign in again', async () => {
    const { status, body } = await put(admin, ada.id, { role: 'admin' })
    expect([status, body]).toMatchObject([200, { role: 'admin', isSystemAdmin: false }])
    expect(await isSignedIn(ada)).toBe(false)
    expect(await readUserRow(ada.id)).toMatchObject({ permission_overrides: null, two_factor_epoch: 1 })
  })

  it('grants no permission that the promoting administrator lacks', async () => {
    const as = await createAdmin(app.deps, {
      permissions: { canDeleteUsers: false, canManageSettings: false, canViewChatHistory: true },
    })
    await put(as, ada.id, { role: 'admin' })
    expect(JSON.parse((await readUserRow(ada.id)).permission_overrides ?? '')).toEqual({
      canDeleteUsers: false,
      canManageSettings: false,
    })
  })

  it('revokes the permissions and ends the sessions of a demoted administrator', async () => {
    const other = await createAdmin(app.deps, { permissions: { canViewChatHistory: true } })
    const { body } = await put(admin, other.id, { role: 'user' })
    expect(body).toMatchObject({ role: 'user' })
    expect(await readUserRow(other.id)).toMatchObject({ permission_overrides: null, is_system_admin: 0 })
    expect(await isSignedIn(other)).toBe(false)
  })

  it('changes nothing if the user already has the role', async () => {
    expect((await put(admin, ada.id, { role: 'user' })).status).toBe(200)
    expect(await isSignedIn(ada)).toBe(true)
    expect((await put(admin, 'nobody', { role: 'user' })).status).toBe(404)
  })
})

describe('DELETE /users/:id/sessions', () => {
  it('requires canEditUsers and canManageUsers', async () => {
    for (const permission of ['canEditUsers', 'canManageUsers'] as const)
      expect(
        (
          await app.call(usersApi.endSessions, {
            as: await createAdminWithout(permission),
            params: { id: ada.id },
          })
        ).status,
      ).toBe(403)
    expect(await isSignedIn(ada)).toBe(true)
  })

  it('ends all sessions of the user', async () => {
    const { body } = await app.call(usersApi.endSessions, { as: admin, params: { id: ada.id } })
    expect(body.message).toBe('“Ada” was signed out everywhere (1 session)')
    expect(await isSignedIn(ada)).toBe(false)
    const again = await app.call(usersApi.endSessions, { as: admin, params: { id: ada.id } })
    expect(again.body.message).toBe('“Ada” was not signed in anywhere')
    expect(await isSignedIn(admin)).toBe(true)
  })
})
