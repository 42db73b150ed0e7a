import { imageMaxBytes } from '@lyceum/contract/channels'
import { settingsApi } from '@lyceum/contract/settings'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createUser, type TestUser } from '#testing/factories.ts'
import { createPicture, readColor } from '#testing/pictures.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let admin: TestUser
let user: TestUser
beforeEach(async () => {
  app = await buildTestApp()
  admin = await createAdmin(app.deps)
  user = await createUser(app.deps)
})
afterEach(() => app.close())

function upload(as: TestUser, content: Buffer | string, name = 'background.png') {
  return app.upload(settingsApi.setBackground, { as, file: { name, content } })
}
function remove(as: TestUser) {
  return app.call(settingsApi.removeBackground, { as })
}
function openBackground(as: TestUser) {
  return app.call(settingsApi.background, { as })
}
async function readUrl() {
  return (await app.call(settingsApi.get, { as: admin })).body.settings.dashboardBackgroundImage
}

async function listFiles(): Promise<string[]> {
  const found: string[] = []
  for await (const { key } of app.deps.files.list()) found.push(key)
  return found.sort()
}
async function listFilesToDelete(): Promise<string[]> {
  const rows = await app.deps.db.selectFrom('removed_files').select('file_key').execute()
  return rows.map(({ file_key }) => file_key).sort()
}
function listAuditEntries() {
  return app.deps.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id', 'before', 'after'])
    .where('action', 'like', 'settings.background-%')
    .orderBy('seq')
    .execute()
}

describe('dashboard background', () => {
  it('requires canManageSettings to set and remove it', async () => {
    const reader = await createAdmin(app.deps, { permissions: { canManageSettings: false } })
    for (const as of [user, reader])
      for (const response of [await upload(as, await createPicture('#3366cc')), await remove(as)])
        expect([response.status, response.body.message]).toEqual([
          403,
          'You do not have permission to manage settings',
        ])
    expect([await readUrl(), await listFiles(), await listAuditEntries()]).toEqual([null, [], []])
  })

  it('must be a picture smaller than 5 MB', async () => {
    const svg = await upload(admin, '<svg xmlns="http://www.w3.org/2000/svg"/>')
    expect([svg.status, svg.body.message]).toEqual([400, 'Only JPEG, PNG, GIF, or WebP images are allowed.'])
    const blue = await createPicture('#3366cc')
    const large = await upload(admin, Buffer.concat([blue, Buffer.alloc(imageMaxBytes - blue.length)]))
    expect([large.status, large.body.message]).toEqual([413, 'File size must be less than 5MB.'])
    const none = await app.upload(settingsApi.setBackground, { as: admin })
    expect([none.status, none.body.code]).toEqual([400, 'image.missing'])
    expect([await readUrl(), await listFiles(), await listAuditEntries()]).toEqual([null, [], []])
  })

  it('is visible to every signed-in user, and empty before it is set', async () => {
    const before = await openBackground(user)
    expect([before.status, before.bytes.length]).toEqual([200, 0])
    const { status, body } = await upload(admin, await createPicture('#3366cc', 'gif'))
    expect([status, body.message]).toEqual([200, 'Background image uploaded'])
    expect(await readUrl()).toBe(body.dashboardBackgroundImage)
    const { headers, bytes } = await openBackground(user)
    expect(await readColor(bytes)).toEqual(await readColor(await createPicture('#3366cc')))
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-cache',
    })
    expect((await app.raw({ method: 'GET', path: '/api/global-settings/dashboard-background' })).status).toBe(
      401,
    )
  })

  it('gets a new URL with each picture, and the old file is scheduled for deletion', async () => {
    const first = await upload(admin, await createPicture('#3366cc'))
    const [old = ''] = await listFiles()
    const second = await upload(admin, await createPicture('#cc3333'))
    expect(second.body.message).toBe('Background image replaced')
    expect(second.body.dashboardBackgroundImage).not.toBe(first.body.dashboardBackgroundImage)
    expect(await listFilesToDelete()).toEqual([old])
  })

  it('keeps one of two concurrent uploads, and the other file is scheduled for deletion', async () => {
    const colors = ['#3366cc', '#cc3333']
    const sent = await Promise.all(colors.map(async (color) => upload(admin, await createPicture(color))))
    expect(sent.map(({ status }) => status)).toEqual([200, 200])
    expect(await listFilesToDelete()).toHaveLength(1)
    expect(sent.map(({ body }) => body.dashboardBackgroundImage)).toContain(await readUrl())
    expect((await openBackground(user)).bytes.length).toBeGreaterThan(0)
  })

  it('can be removed, and each change is audited once', async () => {
    expect((await remove(admin)).body.message).toBe('There was no background image')
    const { body } = await upload(admin, await createPicture('#3366cc'))
    const removed = await Promise.all([remove(admin), remove(admin)])
    expect(removed.map(({ status }) => status)).toEqual([200, 200])
    expect([await readUrl(), (await openBackground(user)).bytes.length]).toEqual([null, 0])
    expect(await listFilesToDelete()).toEqual(await listFiles())
    const set = JSON.stringify({ dashboardBackgroundImage: body.dashboardBackgroundImage })
    const none = JSON.stringify({ dashboardBackgroundImage: null })
    expect(await listAuditEntries()).toEqual([
      { action: 'settings.background-set', actor_id: admin.id, before: none, after: set },
      { action: 'settings.background-removed', actor_id: admin.id, before: set, after: none },
    ])
  })
})
