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
function unmake(as: TestUser, { id }: TestUser) {
  return app.call(usersApi.setSystemAdmin, { as, params: { id }, body: { isSystemAdmin: false } })
}

function systemAdmin(): Promise<TestUser> {
  return createAdmin(app.deps, { isSystemAdmin: true })
}

async function standing(): Promise<{ admins: number; system: number }> {
  const rows = await app.deps.db.selectFrom('users').selectAll().where('role', '=', 'admin').execute()
  return { admins: rows.length, system: rows.filter(({ is_system_admin }) => is_system_admin === 1).length }
}

describe('the last system administrator', () => {
  it('cannot be demoted, deleted or made an ordinary administrator', async () => {
    const system = await systemAdmin()
    const admin = await createAdmin(app.deps)
    const refusals = [
      [demote(system, system), 409, 'user.last_system_admin'],
      [unmake(system, system), 409, 'user.last_system_admin'],
      [remove(system, system), 409, 'user.self_delete'],
      [demote(admin, system), 403, 'user.system_admin_only'],
      [remove(admin, system), 403, 'user.system_admin_only'],
      [unmake(admin, system), 403, 'permission.denied'],
    ] as const
    for (const [answer, status, code] of refusals)
      expect(await answer).toMatchObject({ status, body: { code } })
    expect(await standing()).toEqual({ admins: 2, system: 1 })
  })

  it('can step down once there is another one', async () => {
    const first = await systemAdmin()
    const second = await systemAdmin()
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
    ['take the system from each other', system, unmake, 'other', 'permission.denied'],
    ['give the system up', system, unmake, 'self', 'user.last_system_admin'],
    ['demote themselves', system, demote, 'self', 'user.last_system_admin'],
    ['demote themselves without a system administrator', {}, demote, 'self', 'user.last_admin'],
  ] as const)('who %s: only one succeeds', async (_what, options, act, whom, code) => {
    for (let round = 0; round < rounds; round++) {
      await app.deps.db.deleteFrom('users').execute()
      const one = await createAdmin(app.deps, options)
      const two = await createAdmin(app.deps, options)
      const answers = await Promise.all(
        whom === 'self' ? [act(one, one), act(two, two)] : [act(one, two), act(two, one)],
      )
      const outcome = answers.map(({ status, body }) => (status === 200 ? 'done' : body.code)).sort()
      expect(outcome).toEqual(['done', code].sort())
      const left = await standing()
      expect('isSystemAdmin' in options ? left.system : left.admins).toBe(1)
    }
  })
})
