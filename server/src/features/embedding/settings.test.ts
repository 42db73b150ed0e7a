import { channelsApi } from '@lyceum/contract/channels'
import { type EmbeddingInput, embeddingApi } from '@lyceum/contract/embedding'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testEmbedding, testSite } from '#testing/embedding.ts'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let admin: TestUser
let channelId: string
beforeAll(async () => {
  app = await buildTestApp()
  admin = await createAdmin(app.deps)
})
beforeEach(async () => {
  channelId = await createTestChannel(app.deps, { name: 'Handbook' })
})
afterAll(() => app.close())

function save(changes: Partial<EmbeddingInput> = {}, as = admin, id = channelId) {
  return app.call(embeddingApi.set, { as, params: { id }, body: { ...testEmbedding, ...changes } })
}
function read(as = admin) {
  return app.call(embeddingApi.get, { as, params: { id: channelId } })
}
function listEntries() {
  return app.deps.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id', 'object_id', 'object_name', 'before', 'after'])
    .where('object_id', '=', channelId)
    .execute()
}

describe('PUT /channels/:id/embedding', () => {
  it('rejects a channel that does not exist', async () => {
    expect((await save({}, admin, 'unknown')).status).toBe(404)
  })

  it('rejects administrators without canEditChannels and those who cannot see the channel', async () => {
    const viewer = await createAdmin(app.deps, { permissions: { canEditChannels: false } })
    const outsider = await createAdmin(app.deps, { permissions: { canManageChannels: false } })
    expect((await save({}, viewer)).status).toBe(403)
    expect((await save({}, outsider)).status).toBe(404)
    expect((await read(viewer)).status).toBe(403)
    expect((await read(outsider)).status).toBe(404)
    expect((await read()).body.sites).toEqual([])
  })

  it('rejects an archived channel', async () => {
    await app.call(channelsApi.archive, { as: admin, params: { id: channelId }, body: { isArchived: true } })
    expect((await save()).body.code).toBe('channel.archived')
    expect((await read()).body.sites).toEqual([])
  })

  it.each([
    'www.example.com',
    '//www.example.com',
    'https:www.example.com',
    'https:///www.example.com',
    'ftp://www.example.com',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://',
    'https://*.example.com',
    'https://*',
    '*',
    "'self'",
    "https://www.example.com 'self'",
    "https://www.example.com;script-src'none'",
    'https://www.example.com;',
    'https://a.example,b.example',
    "https://a.example'",
    'https://a.example"',
    'https://a.example\r\nset-cookie:a=b',
    'https://www.exam\nple.com',
    'https://www.exam\tple.com',
    'https://user@www.example.com',
    'https://user:word@www.example.com',
    'https://@www.example.com',
    'https://www.example.com\\@evil.example',
    'https://www.example.com/path',
    'https://www.example.com/..',
    'https://www.example.com?',
    'https://www.example.com?a=b',
    'https://www.example.com#',
    'https://www.example.com:99999',
    'https://www.example.com.',
    'https://my_host.example',
    'https://[::1]',
    'https://a%00.example',
    'https://-a.example',
    '\u0000',
    '',
    "'; drop table channels; --",
    '../../etc/passwd',
    '<script>alert(1)</script>',
    'null',
  ])('rejects %j, names it and saves nothing', async (site) => {
    const { status, body } = await save({ sites: [testSite, site] })
    expect([status, body.code]).toEqual([400, site === '\u0000' ? 'request.malformed' : 'validation.failed'])
    if (site !== '\u0000') expect(body.fields?.['sites']).toContain(`“${site.trim()}” is not a site`)
    expect((await read()).body.sites).toEqual([])
  })

  it.each([
    'http://www.example.com',
    'http://localhost.example',
    'http://10.0.0.1',
    'http://127.0.0.1.example',
  ])('requires https for %s', async (site) => {
    const { status, body } = await save({ sites: [site] })
    expect([status, body.message]).toEqual([400, `“${site}” must begin with https://.`])
  })

  it('says of each site that is wrong why it is', async () => {
    const sites = [
      'example',
      testSite,
      '*.example.com',
      'https://a.example/page?x#y',
      'http://www.example.com',
      'example',
    ]
    expect((await save({ sites })).body.fields?.['sites']?.split('\n')).toEqual([
      '“example” is not a site. Enter an address such as https://www.example.com.',
      '“*.example.com” is not a site. Wildcards are not allowed. Name each host, such as https://www.example.com.',
      '“https://a.example/page?x#y” is not a site. Enter it without a path: https://a.example',
      '“http://www.example.com” must begin with https://.',
    ])
    expect((await read()).body.sites).toEqual([])
  })

  it('rejects too many sites and limits that are none', async () => {
    const sites = Array.from({ length: 21 }, (_, at) => `https://site${at}.example`)
    expect((await save({ sites })).body.fields).toEqual({ sites: 'At most 20 sites' })
    for (const limit of [0, -1, 1.5, 1001])
      expect((await save({ visitorMessagesPerDay: limit })).status).toBe(400)
    for (const limit of [0, 100_001])
      expect((await save({ channelVisitorMessagesPerDay: limit })).status).toBe(400)
    expect((await read()).body.sites).toEqual([])
  })

  it('stores sites as browsers name them, each once', async () => {
    const { status, body } = await save({
      sites: [
        ' https://WWW.Example.com/ ',
        'https://www.example.com:443',
        'https://bücher.example',
        'https://a.example:8443',
        'http://localhost:3000',
        'http://127.0.0.1',
      ],
    })
    expect(status).toBe(200)
    expect(body.sites).toEqual([
      'https://www.example.com',
      'https://xn--bcher-kva.example',
      'https://a.example:8443',
      'http://localhost:3000',
      'http://127.0.0.1',
    ])
    expect((await read()).body).toEqual(body)
  })

  it('records only what changes', async () => {
    await save()
    await save({ visitorMessagesPerDay: 5 })
    await save({ visitorMessagesPerDay: 5 })
    const of = { action: 'channel.embedding-changed', actor_id: admin.id, object_name: 'Handbook' }
    const entries = await listEntries()
    expect(entries).toMatchObject([of, of])
    expect(entries.map(({ before, after }) => [before, after].map((text) => JSON.parse(text ?? '')))).toEqual(
      [
        [{ sites: [] }, { sites: [testSite] }],
        [{ visitorMessagesPerDay: 20 }, { visitorMessagesPerDay: 5 }],
      ],
    )
  })

  it('is no setting of members, and is not part of the channel', async () => {
    const member = await createUser(app.deps, { channels: [channelId] })
    expect((await save({}, member)).status).toBe(403)
    await save()
    const { body } = await app.call(channelsApi.get, { as: member, params: { id: channelId } })
    expect(JSON.stringify(body)).not.toContain(testSite)
  })

  it('ends with the channel', async () => {
    await save()
    await app.call(channelsApi.remove, { as: admin, params: { id: channelId } })
    const rows = await app.deps.db.selectFrom('channel_embeddings').selectAll().execute()
    expect(rows.filter(({ channel_id }) => channel_id === channelId)).toEqual([])
  })
})

describe('GET /embedded/:channelId', () => {
  function describeChannel(id = channelId) {
    return app.call(embeddingApi.describe, { params: { channelId: id } })
  }

  it('knows no channel that does not exist, is not embedded, is no longer embedded, or is archived', async () => {
    expect((await describeChannel('unknown')).status).toBe(404)
    expect((await describeChannel()).status).toBe(404)
    await save()
    expect((await describeChannel()).status).toBe(200)
    await save({ sites: [] })
    expect((await describeChannel()).status).toBe(404)
    await save()
    await app.call(channelsApi.archive, { as: admin, params: { id: channelId }, body: { isArchived: true } })
    expect((await describeChannel()).status).toBe(404)
  })

  it('tells the name and the description only if visitors may know them', async () => {
    await save()
    expect((await describeChannel()).body).toEqual({
      _id: channelId,
      name: null,
      description: null,
      allowsVisitors: false,
    })
    await save({ allowsVisitors: true })
    expect((await describeChannel()).body).toEqual({
      _id: channelId,
      name: 'Handbook',
      description: 'Created by a test',
      allowsVisitors: true,
    })
  })
})

describe('GET /channels/:id', () => {
  function describeChannel(as: TestUser) {
    return app.call(channelsApi.get, { as, params: { id: channelId } })
  }

  it('tells members nothing about other sites', async () => {
    const member = await createUser(app.deps, { channels: [channelId] })
    await save({ allowsVisitors: true })
    const { body } = await describeChannel(member)
    expect([body.embeddedSiteCount, body.allowsVisitors]).toEqual([undefined, undefined])
  })

  it('counts the sites for users who manage channels', async () => {
    await save({ sites: [], allowsVisitors: true })
    const before = (await describeChannel(admin)).body
    expect([before.embeddedSiteCount, before.allowsVisitors]).toEqual([undefined, undefined])
    await save({ sites: [testSite, 'https://blog.example.com'], allowsVisitors: true })
    const { body } = await describeChannel(admin)
    expect([body.embeddedSiteCount, body.allowsVisitors]).toEqual([2, true])
  })
})
