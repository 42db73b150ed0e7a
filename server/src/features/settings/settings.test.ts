import { settingsApi } from '@lyceum/contract/settings'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createUser, type TestUser } from '#testing/factories.ts'
import { readOutbox } from '#testing/mail-server.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let admin: TestUser
beforeEach(async () => {
  app = await buildTestApp()
  admin = await createAdmin(app.deps)
})
afterEach(() => app.close())

async function readSettings() {
  return (await app.call(settingsApi.get, { as: admin })).body.settings
}
const defaults = { twoFactorExpiryDays: 30, twoFactorExpiryEnabled: true, dashboardBackgroundImage: null }

describe('global settings', () => {
  it('can be read by administrators, and changed with canManageSettings', async () => {
    const user = await createUser(app.deps)
    const reader = await createAdmin(app.deps, { permissions: { canManageSettings: false } })
    expect((await app.call(settingsApi.get, { as: user })).status).toBe(403)
    expect((await app.call(settingsApi.get, { as: reader })).status).toBe(200)
    const body = { twoFactorExpiryDays: 7, twoFactorExpiryEnabled: false }
    for (const as of [user, reader]) {
      const response = await app.call(settingsApi.update, { as, body })
      expect([response.status, response.body.message]).toEqual([
        403,
        'You do not have permission to manage settings',
      ])
    }
    expect(await readSettings()).toEqual(defaults)
  })

  it.each([0, 366, 1.5, '7', null, Number.NaN])('reject %j days', async (days) => {
    const body = { twoFactorExpiryDays: days as number, twoFactorExpiryEnabled: true }
    const response = await app.call(settingsApi.update, { as: admin, body })
    expect([response.status, response.body.code]).toEqual([400, 'validation.failed'])
    expect(await readSettings()).toEqual(defaults)
  })

  it.each([1, 365])('accept %i days and ignore a picture in the body', async (twoFactorExpiryDays) => {
    const chosen = { twoFactorExpiryDays, twoFactorExpiryEnabled: false }
    const body = { ...chosen, dashboardBackgroundImage: 'http://elsewhere/x.png', anything: 1 }
    const { status, body: reply } = await app.call(settingsApi.update, { as: admin, body })
    const settings = { ...chosen, dashboardBackgroundImage: null }
    expect([status, reply]).toEqual([200, { settings }])
    expect(await readSettings()).toEqual(settings)
  })

  it('trigger an email to every system administrator when two-factor authentication is turned off for everyone', async () => {
    const systemAdmins = [
      await createAdmin(app.deps, { isSystemAdmin: true }),
      await createAdmin(app.deps, { isSystemAdmin: true }),
    ]
    function save(twoFactorExpiryDays: number, twoFactorExpiryEnabled: boolean) {
      return app.call(settingsApi.update, {
        as: admin,
        body: { twoFactorExpiryDays, twoFactorExpiryEnabled },
      })
    }
    await save(7, true)
    await save(7, false)
    await save(8, false)
    await save(8, true)
    await app.runJobs()
    const emails = await readOutbox(app.folder)
    expect(emails.map(({ to }) => to).toSorted()).toEqual(systemAdmins.map(({ email }) => email).toSorted())
    expect(emails[0]?.text).toContain('turned off two-factor authentication')
    const entries = await app.deps.db
      .selectFrom('audit_log')
      .select(['action', 'actor_id', 'after'])
      .execute()
    expect(entries).toContainEqual({
      action: 'settings.changed',
      actor_id: admin.id,
      after: '{"twoFactorExpiryEnabled":false}',
    })
  })

  it('contain the URL of the dashboard background', async () => {
    const value = JSON.stringify({ fileKey: '0123456789abcdef', mimeType: 'image/webp', size: 3 })
    await app.deps.db
      .insertInto('settings')
      .values({ key: 'dashboardBackground', value, updated_at: 0 })
      .execute()
    expect((await readSettings()).dashboardBackgroundImage).toBe(
      '/api/global-settings/dashboard-background?v=01234567',
    )
  })
})
