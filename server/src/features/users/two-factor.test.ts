import { authApi } from '@lyceum/contract/auth'
import { settingsApi } from '@lyceum/contract/settings'
import { type TwoFactorSettings, twoFactorApi } from '@lyceum/contract/two-factor'
import { usersApi } from '@lyceum/contract/users'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let system: TestUser
let admin: TestUser
let ada: TestUser
beforeEach(async () => {
  app = await buildTestApp()
  system = await createAdmin(app.deps, { isSystemAdmin: true, twoFactor: true })
  admin = await createAdmin(app.deps)
  ada = await createUser(app.deps, { name: 'Ada' })
  await app.deps.db.updateTable('users').set({ two_factor_enabled: null }).where('id', '=', ada.id).execute()
})
afterEach(() => app.close())

function createSettings(twoFactorExpiryDays: number, twoFactorExpiryEnabled = true): TwoFactorSettings {
  return {
    twoFactorExpiryDays,
    twoFactorExpiryEnabled,
  }
}

function read(as: TestUser, userId: string) {
  return app.call(twoFactorApi.get, { as, params: { userId } })
}
function override(as: TestUser, userId: string, body: TwoFactorSettings) {
  return app.call(twoFactorApi.override, { as, params: { userId }, body })
}
function reset(as: TestUser, userId: string) {
  return app.call(twoFactorApi.reset, { as, params: { userId } })
}
function force(as: TestUser, userId: string) {
  return app.call(twoFactorApi.forceReverification, { as, params: { userId } })
}
function readUserRow(id: string) {
  return app.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

describe('two-factor settings of one user', () => {
  it('require canManageUsers for reading and canEditUsers for changing', async () => {
    const withoutManage = await createAdmin(app.deps, { permissions: { canManageUsers: false } })
    const withoutEdit = await createAdmin(app.deps, { permissions: { canEditUsers: false } })
    for (const as of [ada, withoutManage]) expect((await read(as, ada.id)).status).toBe(403)
    for (const as of [ada, withoutManage, withoutEdit]) {
      expect((await override(as, ada.id, createSettings(7))).status).toBe(403)
      expect((await reset(as, ada.id)).status).toBe(403)
    }
    expect((await readUserRow(ada.id)).two_factor_days).toBeNull()
  })

  it('respond with 404 for an unknown id', async () => {
    const responses = [
      read(admin, 'nobody'),
      override(admin, 'nobody', createSettings(7)),
      reset(admin, 'nobody'),
    ]
    for (const response of responses) expect((await response).status).toBe(404)
  })

  it.each([0, 366, 1.5, -1, '30', null, undefined, [30]])('reject %j days', async (days) => {
    const response = await override(admin, ada.id, createSettings(days as number))
    expect([response.status, Object.keys(response.body.fields ?? {})]).toEqual([400, ['twoFactorExpiryDays']])
    expect((await readUserRow(ada.id)).two_factor_days).toBeNull()
  })

  it('follow the global settings until they are overridden, and again after a reset', async () => {
    expect((await read(admin, ada.id)).body).toEqual({ ...createSettings(30), isOverride: false })
    const own = { ...createSettings(30), isOverride: true }
    expect((await override(admin, ada.id, createSettings(30))).body).toEqual(own)
    expect(await readUserRow(ada.id)).toMatchObject({ two_factor_days: 30, two_factor_enabled: 1 })
    await app.call(settingsApi.update, { as: admin, body: createSettings(5, false) })
    expect((await read(admin, ada.id)).body).toEqual(own)
    expect((await reset(admin, ada.id)).body).toEqual({ ...createSettings(5, false), isOverride: false })
    expect(await readUserRow(ada.id)).toMatchObject({ two_factor_days: null, two_factor_enabled: null })
  })

  it('can be weakened for a system administrator only by a system administrator', async () => {
    await override(system, system.id, createSettings(10))
    for (const weaker of [createSettings(10, false), createSettings(11)])
      expect(await override(admin, system.id, weaker)).toMatchObject({
        status: 403,
        body: { code: 'user.system_admin_only' },
      })
    expect((await reset(admin, system.id)).status).toBe(403)
    expect((await override(admin, system.id, createSettings(3))).status).toBe(200)
    expect((await override(system, system.id, createSettings(300, false))).status).toBe(200)
    expect((await override(admin, system.id, createSettings(300, false))).status).toBe(403)
    expect((await override(admin, system.id, createSettings(30))).status).toBe(200)
    expect((await reset(admin, system.id)).status).toBe(200)
  })
})

describe('POST /settings/force-2fa-reverification/:userId', () => {
  it('requires canForce2FAReVerification and an existing user', async () => {
    const as = await createAdmin(app.deps, { permissions: { canForce2FAReVerification: false } })
    expect((await force(as, ada.id)).body.message).toBe(
      'You do not have permission to force 2FA re-verification',
    )
    expect((await force(admin, 'nobody')).status).toBe(404)
    expect((await readUserRow(ada.id)).must_verify).toBe(0)
  })

  it('allows only system administrators to sign out a system administrator', async () => {
    expect((await force(admin, system.id)).body.code).toBe('user.system_admin_only')
    const ended = await app.call(usersApi.endSessions, { as: admin, params: { id: system.id } })
    expect([ended.status, ended.body.code]).toEqual([403, 'user.system_admin_only'])
    expect((await app.call(authApi.me, { as: system })).status).toBe(200)
    expect((await force(system, system.id)).status).toBe(200)
    expect((await readUserRow(system.id)).must_verify).toBe(1)
  })

  it('ends sessions and trusted browsers, and requires a code whatever the settings', async () => {
    const now = app.deps.now()
    await app.deps.db
      .insertInto('trusted_browsers')
      .values({
        id: 'b',
        token_hash: 't',
        user_id: ada.id,
        epoch: 0,
        ip: '',
        user_agent: '',
        created_at: now,
        last_used_at: now,
      })
      .execute()
    await override(admin, ada.id, createSettings(30, false))
    const { status, body } = await force(admin, ada.id)
    expect([status, body.message]).toEqual([200, '“Ada” has to enter a code at the next sign-in'])
    expect(await readUserRow(ada.id)).toMatchObject({ must_verify: 1, two_factor_epoch: 1 })
    expect(await app.deps.db.selectFrom('trusted_browsers').selectAll().execute()).toEqual([])
    expect((await app.call(authApi.me, { as: ada })).status).toBe(401)
    expect((await app.call(authApi.me, { as: admin })).status).toBe(200)
  })
})
