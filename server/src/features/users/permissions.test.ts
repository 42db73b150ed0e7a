import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { getPermissions, type Permissions, permissionNames } from '@lyceum/contract/permissions'
import { usersApi } from '@lyceum/contract/users'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let system: TestUser
let admin: TestUser
let ada: TestUser
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  system = await createAdmin(app.deps, { isSystemAdmin: true })
  admin = await createAdmin(app.deps)
  ada = await createUser(app.deps)
})

const general = 'This value is missing or has the wrong type'
const defaults = getPermissions({ role: 'admin', isSystemAdmin: false })

async function readStored(id: string): Promise<unknown> {
  const row = await app.deps.db
    .selectFrom('users')
    .select('permission_overrides')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.permission_overrides === null ? null : JSON.parse(row.permission_overrides)
}

function setPermissions(as: TestUser, id: string, body: Permissions) {
  return app.call(usersApi.setPermissions, { as, params: { id }, body })
}

describe('GET /users/:id/permissions', () => {
  it('allows only system administrators, and only for other administrators', async () => {
    function read(as: TestUser, id: string) {
      return app.call(usersApi.permissions, { as, params: { id } })
    }
    const refusals = [
      [ada, admin.id, 403, 'Only a system administrator can do this'],
      [admin, admin.id, 403, 'Only a system administrator can do this'],
      [system, 'nobody', 404, 'Not found. It may have been deleted, or you do not have access.'],
      [system, ada.id, 409, 'This user is not an administrator, so there are no permissions to change'],
      [system, system.id, 409, 'A system administrator has all permissions'],
    ] as const
    for (const [as, id, status, message] of refusals)
      expect(await read(as, id)).toMatchObject({ status, body: { message } })
    expect((await read(system, admin.id)).body).toEqual(defaults)
  })
})

describe('PUT /users/:id/permissions', () => {
  it('allows only system administrators, and only for other administrators', async () => {
    const refusals = [
      [ada, admin.id, 403],
      [admin, admin.id, 403],
      [system, 'nobody', 404],
      [system, ada.id, 409],
      [system, system.id, 409],
    ] as const
    for (const [as, id, status] of refusals)
      expect((await setPermissions(as, id, { ...defaults, canViewChatHistory: true })).status).toBe(status)
    for (const { id } of [system, admin, ada]) expect(await readStored(id)).toBeNull()
  })

  it.each([
    ['only some permissions', { canManageUsers: false }, { canViewAuditLog: general }],
    ['a permission that does not exist', { ...defaults, canDoAll: true }, { body: 'Unknown: canDoAll' }],
    ['a string for a permission', { ...defaults, canManageUsers: 'yes' }, { canManageUsers: general }],
    ['a list', permissionNames, { body: general }],
  ])('rejects %s', async (_body, body, fields) => {
    const response = await setPermissions(system, admin.id, body as never)
    expect([response.status, response.body.code]).toEqual([400, 'validation.failed'])
    expect(response.body.fields).toMatchObject(fields)
    expect(await readStored(admin.id)).toBeNull()
  })

  it('stores differences from the defaults and applies them from the next request', async () => {
    async function list() {
      return (await app.call(channelsApi.list, { as: admin })).status
    }
    async function create() {
      return (
        await app.call(channelsApi.create, {
          as: admin,
          body: { name: 'New', description: 'Words', llmModel: 'gpt-4o' },
        })
      ).status
    }
    expect(await create()).toBe(200)
    const chosen = { ...defaults, canCreateChannels: false, canViewChatHistory: true }
    expect((await setPermissions(system, admin.id, chosen)).body).toEqual(chosen)
    expect(await readStored(admin.id)).toEqual({ canCreateChannels: false, canViewChatHistory: true })
    expect([await create(), await list()]).toEqual([403, 200])
    expect((await app.call(authApi.me, { as: admin })).body.permissions).toEqual(chosen)
    expect((await app.call(usersApi.permissions, { as: system, params: { id: admin.id } })).body).toEqual(
      chosen,
    )
    await setPermissions(system, admin.id, defaults)
    expect(await readStored(admin.id)).toBeNull()
    expect(await create()).toBe(200)
  })
})

describe('PUT /users/:id/system-admin', () => {
  function setSystemAdmin(as: TestUser, id: string, isSystemAdmin: boolean) {
    return app.call(usersApi.setSystemAdmin, { as, params: { id }, body: { isSystemAdmin } })
  }

  it('allows only system administrators, and only for administrators', async () => {
    const refusals = [
      [ada, ada.id, 403],
      [admin, admin.id, 403],
      [system, 'nobody', 404],
      [system, ada.id, 409],
    ] as const
    for (const [as, id, status] of refusals) expect((await setSystemAdmin(as, id, true)).status).toBe(status)
  })

  it('grants every permission, and restores the earlier ones afterwards', async () => {
    await setPermissions(system, admin.id, { ...defaults, canManageUsers: false })
    expect((await setSystemAdmin(system, admin.id, true)).body).toMatchObject({
      _id: admin.id,
      isSystemAdmin: true,
    })
    const { body } = await app.call(authApi.me, { as: admin })
    expect(Object.values(body.permissions).every(Boolean)).toBe(true)
    expect((await setSystemAdmin(system, admin.id, false)).body.isSystemAdmin).toBe(false)
    expect((await app.call(usersApi.list, { as: admin })).status).toBe(403)
  })
})

describe('an administrator who was demoted and is promoted again', () => {
  async function changeRole(role: 'user' | 'admin', as = system) {
    const { status, body } = await app.call(usersApi.update, { as, params: { id: admin.id }, body: { role } })
    expect([status, body.role]).toEqual([200, role])
  }
  const restricted = { ...defaults, canDeleteUsers: false, canViewAuditLog: true }

  it('keeps denied permissions denied, and loses permissions granted beyond the defaults', async () => {
    await setPermissions(system, admin.id, restricted)
    await changeRole('user')
    expect(await readStored(admin.id)).toEqual({ canDeleteUsers: false })
    await changeRole('admin')
    const { body } = await app.call(usersApi.permissions, { as: system, params: { id: admin.id } })
    expect(body).toEqual({ ...defaults, canDeleteUsers: false })
    const [demotion, promotion] = await app.deps.db
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('action', '=', 'user.role-changed')
      .orderBy('seq')
      .execute()
    expect([demotion, promotion].map((entry) => JSON.parse(entry?.after ?? ''))).toEqual([
      { role: 'user', withheld: ['canDeleteUsers'] },
      { role: 'admin', withheld: ['canDeleteUsers'] },
    ])
  })

  it('also gets no permission that the promoting administrator lacks', async () => {
    await setPermissions(system, admin.id, restricted)
    await changeRole('user')
    const other = await createAdmin(app.deps, { permissions: { canApproveDocuments: false } })
    await changeRole('admin', other)
    expect(await readStored(admin.id)).toEqual({ canDeleteUsers: false, canApproveDocuments: false })
  })

  it('stays restricted even after having been a system administrator', async () => {
    await setPermissions(system, admin.id, restricted)
    const params = { id: admin.id }
    await app.call(usersApi.setSystemAdmin, { as: system, params, body: { isSystemAdmin: true } })
    await changeRole('user')
    await changeRole('admin')
    expect(await readStored(admin.id)).toEqual({ canDeleteUsers: false })
  })
})
