import { channelsApi, imageMaxBytes } from '@lyceum/contract/channels'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { createPicture, readColor } from '#testing/pictures.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let id: string
let admin: TestUser
let member: TestUser
let channelAdmin: TestUser
beforeEach(async () => {
  app = await buildTestApp()
  id = await createTestChannel(app.deps, { name: 'Physics' })
  admin = await createAdmin(app.deps)
  member = await createUser(app.deps, { channels: [id] })
  channelAdmin = await createUser(app.deps, { channels: [id] })
  await app.call(channelsApi.setChannelAdmin, {
    as: admin,
    params: { id, userId: channelAdmin.id },
    body: { isAdmin: true },
  })
})
afterEach(() => app.close())

function upload(as: TestUser, content: Buffer | string, name = 'wall.png') {
  return app.upload(channelsApi.setWallpaper, { as, params: { id }, file: { name, content } })
}
function getPicture(as: TestUser, headers: Record<string, string> = {}) {
  return app.call(channelsApi.wallpaper, { as, params: { id }, headers })
}
function removeWallpaper(as: TestUser) {
  return app.call(channelsApi.removeWallpaper, { as, params: { id } })
}
async function getWallpaper(as: TestUser) {
  return (await app.call(channelsApi.get, { as, params: { id } })).body.wallpaper
}

async function listFiles(): Promise<string[]> {
  const found: string[] = []
  for await (const { key } of app.deps.files.list()) found.push(key)
  return found.sort()
}
async function listRemovedFiles(): Promise<string[]> {
  const rows = await app.deps.db.selectFrom('removed_files').select('file_key').execute()
  return rows.map(({ file_key }) => file_key).sort()
}
function listAuditEntries() {
  return app.deps.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id', 'object_id', 'object_name', 'before', 'after'])
    .where('action', 'like', 'channel.wallpaper-%')
    .orderBy('seq')
    .execute()
}

/** Expects that nothing was stored, changed or audited. */
async function expectNoChanges(): Promise<void> {
  expect([
    await getWallpaper(member),
    await listFiles(),
    await listRemovedFiles(),
    await listAuditEntries(),
  ]).toEqual([null, [], [], []])
}

describe('setting a channel’s wallpaper', () => {
  it('returns 404 to non-members and to administrators without channel permissions', async () => {
    const none = { canManageChannels: false, canEditChannels: false }
    const restrictedAdmin = await createAdmin(app.deps, { permissions: none })
    const blue = await createPicture('#3366cc')
    for (const as of [await createUser(app.deps), restrictedAdmin]) {
      expect((await upload(as, blue)).status).toBe(404)
      expect((await getPicture(as)).status).toBe(404)
      expect((await removeWallpaper(as)).status).toBe(404)
    }
    await expectNoChanges()
  })

  it('rejects members who are not channel administrators', async () => {
    const restrictedAdmin = await createAdmin(app.deps, { permissions: { canEditChannels: false } })
    for (const as of [member, restrictedAdmin]) {
      for (const response of [await upload(as, await createPicture('#3366cc')), await removeWallpaper(as)])
        expect([response.status, response.body.message]).toEqual([
          403,
          'Only an administrator of this channel may change its wallpaper',
        ])
    }
    await expectNoChanges()
  })

  it.each([
    ['an SVG named .png', '<svg xmlns="http://www.w3.org/2000/svg"/>', 400, 'image.type'],
    ['a file with only the signature of a picture', '\x89PNG\r\n\x1a\n<script>', 400, 'image.unreadable'],
    ['an empty file', '', 400, 'image.type'],
  ])('rejects %s', async (_, content, status, code) => {
    const response = await upload(channelAdmin, Buffer.from(content, 'latin1'))
    expect([response.status, response.body.code]).toEqual([status, code])
    await expectNoChanges()
  })

  it('rejects a request without a picture', async () => {
    const response = await app.upload(channelsApi.setWallpaper, { as: channelAdmin, params: { id } })
    expect([response.status, response.body.message]).toEqual([400, 'Please select an image file'])
  })

  it('rejects 5 MB and accepts one byte less', async () => {
    const blue = await createPicture('#3366cc')
    function padTo(size: number) {
      return Buffer.concat([blue, Buffer.alloc(size - blue.length)])
    }
    const refused = await upload(channelAdmin, padTo(imageMaxBytes))
    expect([refused.status, refused.body.code]).toEqual([413, 'image.too_large'])
    await expectNoChanges()
    expect((await upload(channelAdmin, padTo(imageMaxBytes - 1))).status).toBe(200)
  })

  it('ignores a wallpaper URL in the channel’s fields', async () => {
    const body = {
      name: 'Physics',
      description: 'Words',
      llmModel: 'gpt-4o',
      wallpaper: 'http://elsewhere/x',
    }
    await app.call(channelsApi.update, { as: admin, params: { id }, body: body as never })
    await expectNoChanges()
  })

  it('allows channel administrators, and gives members a URL that changes with the picture', async () => {
    const first = await upload(channelAdmin, await createPicture('#3366cc'), 'blue.png')
    expect([first.status, first.body.message]).toEqual([200, '“Physics” has a new wallpaper'])
    expect(first.body.wallpaper).toMatch(new RegExp(`^/api/channels/${id}/wallpaper\\?v=[0-9a-f]{8}$`))
    expect(await getWallpaper(member)).toBe(first.body.wallpaper)
    const second = await upload(admin, await createPicture('#cc3333', 'jpeg'), 'red.jpg')
    expect(second.body.wallpaper).not.toBe(first.body.wallpaper)
    expect(await getWallpaper(member)).toBe(second.body.wallpaper)
    const { status, bytes } = await getPicture(member)
    expect([status, await readColor(bytes)]).toEqual([200, await readColor(await createPicture('#cc3333'))])
  })

  it('serves it only as an image, and only private caches may store it', async () => {
    await upload(channelAdmin, await createPicture('#3366cc'))
    const { headers, bytes } = await getPicture(member)
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'content-length': String(bytes.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-cache',
      vary: 'authorization',
    })
    const same = { 'if-none-match': String(headers['etag']) }
    const again = await getPicture(member, same)
    expect([again.status, again.bytes.length, again.headers['cache-control']]).toEqual([
      304,
      0,
      'private, no-cache',
    ])
    expect((await getPicture(await createUser(app.deps), same)).status).toBe(404)
    await upload(channelAdmin, await createPicture('#cc3333'))
    expect((await getPicture(member, same)).status).toBe(200)
  })

  it('deletes the replaced picture from the disk a day later', async () => {
    await upload(channelAdmin, await createPicture('#3366cc'))
    const [first = ''] = await listFiles()
    await upload(channelAdmin, await createPicture('#cc3333'))
    expect(await listRemovedFiles()).toEqual([first])
    expect(await listFiles()).toHaveLength(2)
    app.advance(25 * 3_600_000)
    await app.runJobs()
    const row = await app.deps.db.selectFrom('channels').select('wallpaper_file').executeTakeFirst()
    expect(await listFiles()).toEqual([row?.wallpaper_file])
  })

  it('keeps one of two concurrent uploads and schedules the other file for deletion', async () => {
    const colors = ['#3366cc', '#cc3333']
    const responses = await Promise.all(
      colors.map(async (color) => upload(channelAdmin, await createPicture(color))),
    )
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    expect(await listRemovedFiles()).toHaveLength(1)
    expect(responses.map(({ body }) => body.wallpaper)).toContain(await getWallpaper(member))
    expect((await getPicture(member)).status).toBe(200)
    expect(await listAuditEntries()).toHaveLength(2)
  })

  it('is audited, and changes nothing when the audit entry cannot be written', async () => {
    const { body } = await upload(channelAdmin, await createPicture('#3366cc'))
    await removeWallpaper(admin)
    const about = { object_id: id, object_name: 'Physics' }
    const set = JSON.stringify({ wallpaper: body.wallpaper })
    const none = JSON.stringify({ wallpaper: null })
    expect(await listAuditEntries()).toEqual([
      { action: 'channel.wallpaper-set', actor_id: channelAdmin.id, ...about, before: none, after: set },
      { action: 'channel.wallpaper-removed', actor_id: admin.id, ...about, before: set, after: none },
    ])
    const stored = await listFiles()
    await app.deps.db.schema.alterTable('audit_log').renameTo('audit_log_away').execute()
    expect((await upload(channelAdmin, await createPicture('#cc3333'))).status).toBeGreaterThanOrEqual(500)
    expect([await getWallpaper(member), await listFiles()]).toEqual([null, stored])
    await app.deps.db.schema.alterTable('audit_log_away').renameTo('audit_log').execute()
  })
})

describe('removing a channel’s wallpaper', () => {
  it('does nothing without a wallpaper', async () => {
    const { status, body } = await removeWallpaper(channelAdmin)
    expect([status, body.message]).toEqual([200, '“Physics” no longer has a wallpaper'])
    expect((await getPicture(member)).status).toBe(404)
    await expectNoChanges()
  })

  it('removes it for everyone and schedules its file for deletion once', async () => {
    await upload(channelAdmin, await createPicture('#3366cc'))
    await Promise.all([removeWallpaper(channelAdmin), removeWallpaper(admin)])
    expect([await getWallpaper(member), (await getPicture(member)).status]).toEqual([null, 404])
    expect(await listRemovedFiles()).toEqual(await listFiles())
    expect((await listAuditEntries()).map(({ action }) => action)).toEqual([
      'channel.wallpaper-set',
      'channel.wallpaper-removed',
    ])
  })

  it('happens when the channel is deleted', async () => {
    await upload(channelAdmin, await createPicture('#3366cc'))
    await app.call(channelsApi.remove, { as: admin, params: { id } })
    expect(await listRemovedFiles()).toEqual(await listFiles())
    expect(await listFiles()).toHaveLength(1)
  })

  it('leaves no file behind when the channel is deleted during an upload', async () => {
    const blue = await createPicture('#3366cc')
    const [set, removed] = await Promise.all([
      upload(channelAdmin, blue),
      app.call(channelsApi.remove, { as: admin, params: { id } }),
    ])
    expect([removed.status, [200, 404].includes(set.status)]).toEqual([200, true])
    expect(await listRemovedFiles()).toEqual(await listFiles())
  })
})
