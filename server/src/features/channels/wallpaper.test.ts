import { channelsApi, imageMaxBytes } from '@lyceum/contract/channels'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { createPicture, readColour } from '#testing/pictures.ts'
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
  await app.call(channelsApi.setMember, {
    as: admin,
    params: { id, userId: channelAdmin.id },
    body: { isAdmin: true },
  })
})
afterEach(() => app.close())

function send(as: TestUser, content: Buffer | string, name = 'wall.png') {
  return app.upload(channelsApi.setWallpaper, { as, params: { id }, file: { name, content } })
}
function look(as: TestUser, headers: Record<string, string> = {}) {
  return app.call(channelsApi.wallpaper, { as, params: { id }, headers })
}
function remove(as: TestUser) {
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
async function listReleased(): Promise<string[]> {
  const rows = await app.deps.db.selectFrom('removed_files').select('file_key').execute()
  return rows.map(({ file_key }) => file_key).sort()
}
function listEntries() {
  return app.deps.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id', 'object_id', 'object_name', 'before', 'after'])
    .where('action', 'like', 'channel.wallpaper-%')
    .orderBy('seq')
    .execute()
}

/** Nothing was stored, changed or audited. */
async function expectUntouched(): Promise<void> {
  expect([await getWallpaper(member), await listFiles(), await listReleased(), await listEntries()]).toEqual([
    null,
    [],
    [],
    [],
  ])
}

describe('setting a channel’s wallpaper', () => {
  it('returns 404 to non-members and to administrators without channel permissions', async () => {
    const none = { canManageChannels: false, canEditChannels: false }
    const unpermitted = await createAdmin(app.deps, { permissions: none })
    const blue = await createPicture('#3366cc')
    for (const as of [await createUser(app.deps), unpermitted]) {
      expect((await send(as, blue)).status).toBe(404)
      expect((await look(as)).status).toBe(404)
      expect((await remove(as)).status).toBe(404)
    }
    await expectUntouched()
  })

  it('rejects members who are not channel administrators', async () => {
    const reader = await createAdmin(app.deps, { permissions: { canEditChannels: false } })
    for (const as of [member, reader]) {
      for (const response of [await send(as, await createPicture('#3366cc')), await remove(as)])
        expect([response.status, response.body.message]).toEqual([
          403,
          'Only an administrator of this channel may change its wallpaper',
        ])
    }
    await expectUntouched()
  })

  it.each([
    ['an SVG named .png', '<svg xmlns="http://www.w3.org/2000/svg"/>', 400, 'image.type'],
    ['a picture in its first bytes only', '\x89PNG\r\n\x1a\n<script>', 400, 'image.unreadable'],
    ['nothing in it', '', 400, 'image.type'],
  ])('refuses %s', async (_, content, status, code) => {
    const response = await send(channelAdmin, Buffer.from(content, 'latin1'))
    expect([response.status, response.body.code]).toEqual([status, code])
    await expectUntouched()
  })

  it('rejects a request without a picture', async () => {
    const response = await app.upload(channelsApi.setWallpaper, { as: channelAdmin, params: { id } })
    expect([response.status, response.body.message]).toEqual([400, 'Please select an image file'])
  })

  it('rejects 5 MB and accepts one byte less', async () => {
    const blue = await createPicture('#3366cc')
    function padded(size: number) {
      return Buffer.concat([blue, Buffer.alloc(size - blue.length)])
    }
    const refused = await send(channelAdmin, padded(imageMaxBytes))
    expect([refused.status, refused.body.code]).toEqual([413, 'image.too_large'])
    await expectUntouched()
    expect((await send(channelAdmin, padded(imageMaxBytes - 1))).status).toBe(200)
  })

  it('ignores a wallpaper URL in the channel’s fields', async () => {
    const body = {
      name: 'Physics',
      description: 'Words',
      llmModel: 'gpt-4o',
      wallpaper: 'http://elsewhere/x',
    }
    await app.call(channelsApi.update, { as: admin, params: { id }, body: body as never })
    await expectUntouched()
  })

  it('allows channel administrators, and gives members a URL that changes with the picture', async () => {
    const first = await send(channelAdmin, await createPicture('#3366cc'), 'blue.png')
    expect([first.status, first.body.message]).toEqual([200, '“Physics” has a new wallpaper'])
    expect(first.body.wallpaper).toMatch(new RegExp(`^/api/channels/${id}/wallpaper\\?v=[0-9a-f]{8}$`))
    expect(await getWallpaper(member)).toBe(first.body.wallpaper)
    const second = await send(admin, await createPicture('#cc3333', 'jpeg'), 'red.jpg')
    expect(second.body.wallpaper).not.toBe(first.body.wallpaper)
    expect(await getWallpaper(member)).toBe(second.body.wallpaper)
    const { status, bytes } = await look(member)
    expect([status, await readColour(bytes)]).toEqual([200, await readColour(await createPicture('#cc3333'))])
  })

  it('is served as an image only and cached privately', async () => {
    await send(channelAdmin, await createPicture('#3366cc'))
    const { headers, bytes } = await look(member)
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'content-length': String(bytes.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-cache',
      vary: 'authorization',
    })
    const same = { 'if-none-match': String(headers['etag']) }
    const again = await look(member, same)
    expect([again.status, again.bytes.length, again.headers['cache-control']]).toEqual([
      304,
      0,
      'private, no-cache',
    ])
    expect((await look(await createUser(app.deps), same)).status).toBe(404)
    await send(channelAdmin, await createPicture('#cc3333'))
    expect((await look(member, same)).status).toBe(200)
  })

  it('deletes the replaced picture from the disk a day later', async () => {
    await send(channelAdmin, await createPicture('#3366cc'))
    const [first = ''] = await listFiles()
    await send(channelAdmin, await createPicture('#cc3333'))
    expect(await listReleased()).toEqual([first])
    expect(await listFiles()).toHaveLength(2)
    app.advance(25 * 3_600_000)
    await app.runJobs()
    const row = await app.deps.db.selectFrom('channels').select('wallpaper_file').executeTakeFirst()
    expect(await listFiles()).toEqual([row?.wallpaper_file])
  })

  it('keeps one of several concurrent uploads and releases the others', async () => {
    const colours = ['#3366cc', '#cc3333', '#33cc66', '#cccc33']
    const sent = await Promise.all(
      colours.map(async (colour) => send(channelAdmin, await createPicture(colour))),
    )
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await listReleased()).toHaveLength(3)
    expect(sent.map(({ body }) => body.wallpaper)).toContain(await getWallpaper(member))
    expect((await look(member)).status).toBe(200)
    expect(await listEntries()).toHaveLength(4)
  })

  it('is audited, and fails when it cannot be audited', async () => {
    const { body } = await send(channelAdmin, await createPicture('#3366cc'))
    await remove(admin)
    const about = { object_id: id, object_name: 'Physics' }
    const set = JSON.stringify({ wallpaper: body.wallpaper })
    const none = JSON.stringify({ wallpaper: null })
    expect(await listEntries()).toEqual([
      { action: 'channel.wallpaper-set', actor_id: channelAdmin.id, ...about, before: none, after: set },
      { action: 'channel.wallpaper-removed', actor_id: admin.id, ...about, before: set, after: none },
    ])
    const stored = await listFiles()
    await app.deps.db.schema.alterTable('audit_log').renameTo('audit_log_away').execute()
    expect((await send(channelAdmin, await createPicture('#cc3333'))).status).toBeGreaterThanOrEqual(500)
    expect([await getWallpaper(member), await listFiles()]).toEqual([null, stored])
    await app.deps.db.schema.alterTable('audit_log_away').renameTo('audit_log').execute()
  })
})

describe('removing a channel’s wallpaper', () => {
  it('does nothing without a wallpaper', async () => {
    const { status, body } = await remove(channelAdmin)
    expect([status, body.message]).toEqual([200, '“Physics” no longer has a wallpaper'])
    expect((await look(member)).status).toBe(404)
    await expectUntouched()
  })

  it('removes it for everyone and releases its file once', async () => {
    await send(channelAdmin, await createPicture('#3366cc'))
    await Promise.all([remove(channelAdmin), remove(admin)])
    expect([await getWallpaper(member), (await look(member)).status]).toEqual([null, 404])
    expect(await listReleased()).toEqual(await listFiles())
    expect((await listEntries()).map(({ action }) => action)).toEqual([
      'channel.wallpaper-set',
      'channel.wallpaper-removed',
    ])
  })

  it('happens when the channel is deleted', async () => {
    await send(channelAdmin, await createPicture('#3366cc'))
    await app.call(channelsApi.remove, { as: admin, params: { id } })
    expect(await listReleased()).toEqual(await listFiles())
    expect(await listFiles()).toHaveLength(1)
  })

  it('leaves no file behind when the channel is deleted during an upload', async () => {
    const blue = await createPicture('#3366cc')
    const [set, removed] = await Promise.all([
      send(channelAdmin, blue),
      app.call(channelsApi.remove, { as: admin, params: { id } }),
    ])
    expect([removed.status, [200, 404].includes(set.status)]).toEqual([200, true])
    expect(await listReleased()).toEqual(await listFiles())
  })
})
