import { usersApi } from '@lyceum/contract/users'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

const rounds = 20

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
beforeEach(async () => {
  await app.deps.db.deleteFrom('users').execute()
})
afterAll(() => app.close())

function demote(as: TestUser, { id }: TestUser) {
  return app.call(usersApi.update, { as, params: { id }, body: { role: 'user' } })
}
function remove(as: TestUser, { id }: TestUser) {
  return app.call(usersApi.remove, { as, params: { id } })
}
function removeSystemAdmin(as: TestUser, { id }: TestUser) {
  return app.call(usersApi.setSystemAdmin, { as, params: { id }, body: { isSystemAdmin: false } })
}

function createSystemAdmin(): Promise<TestUser> {
  return createAdmin(app.deps, { isSystemAdmin: true })
}

async function countAdmins(): Promise<{ admins: number; system: number }> {
  const rows = await app.deps.db.selectFrom('users').selectAll().where('role', '=', 'admin').execute()
  return { admins: rows.length, system: rows.filter(({ is_system_admin }) => is_system_admin === 1).length }
}

describe('the last system administrator', () => {
  it('cannot be demoted, deleted or made an ordinary administrator', async () => {
    const system = await createSystemAdmin()
    const admin = await createAdmin(app.deps)
    const refusals = [
      [demote(system, system), 409, 'user.last_system_admin'],
      [removeSystemAdmin(system, system), 409, 'user.last_system_admin'],
      [remove(system, system), 409, 'user.self_delete'],
      [demote(admin, system), 403, 'user.system_admin_only'],
      [remove(admin, system), 403, 'user.system_admin_only'],
      [removeSystemAdmin(admin, system), 403, 'permission.denied'],
    ] as const
    for (const [response, status, code] of refusals)
      expect(await response).toMatchObject({ status, body: { code } })
    expect(await countAdmins()).toEqual({ admins: 2, system: 1 })
  })

  it('can step down once there is another one', async () => {
    const first = await createSystemAdmin()
    const second = await createSystemAdmin()
    expect((await demote(first, first)).status).toBe(200)
    expect(await demote(second, second)).toMatchObject({
      status: 409,
      body: { message: 'At least one system administrator must remain' },
    })
  })
})

describe('the last administrator', () => {
  it('cannot become an ordinary user, even if there is no system administrator', async () => {
    const admin = await createAdmin(app.deps)
    await createUser(app.deps)
    expect(await demote(admin, admin)).toMatchObject({
      status: 409,
      body: { code: 'user.last_admin', message: 'At least one administrator must remain' },
    })
  })
})

describe('two concurrent administrators', () => {
  const system = { isSystemAdmin: true }

  it.each([
    ['demote each other', system, demote, 'other', 'auth.session_ended'],
    ['delete each other', system, remove, 'other', 'auth.session_ended'],
    ['remove each other as system administrator', system, removeSystemAdmin, 'other', 'permission.denied'],
    ['step down as system administrator', system, removeSystemAdmin, 'self', 'user.last_system_admin'],
    ['demote themselves', system, demote, 'self', 'user.last_system_admin'],
    ['demote themselves without a system administrator', {}, demote, 'self', 'user.last_admin'],
  ] as const)('who %s: only one succeeds', async (_actions, options, action, target, code) => {
    for (let round = 0; round < rounds; round++) {
      await app.deps.db.deleteFrom('users').execute()
      const one = await createAdmin(app.deps, options)
      const two = await createAdmin(app.deps, options)
      const responses = await Promise.all(
        target === 'self' ? [action(one, one), action(two, two)] : [action(one, two), action(two, one)],
      )
      const outcome = responses.map(({ status, body }) => (status === 200 ? 'done' : body.code)).sort()
      expect(outcome).toEqual(['done', code].sort())
      const remaining = await countAdmins()
      expect('isSystemAdmin' in options ? remaining.system : remaining.admins).toBe(1)
    }
  })
})
