import { apiKeysApi } from '@lyceum/contract/api-keys'
import { channelsApi } from '@lyceum/contract/channels'
import { connectedProgramsApi } from '@lyceum/contract/connected-programs'
import { usersApi } from '@lyceum/contract/users'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { createOauthProgram, type OauthError } from '#testing/oauth-program.ts'
import { buildTestApp, type TestApp, type TestResponse } from '#testing/test-app.ts'

const minute = 60_000
const day = 24 * 60 * minute
const injections = [
  `'; drop table users; --`,
  '<script>',
  '../..',
  '\u0000',
  '\r\na: b',
  '\u202e',
  'x'.repeat(300),
]

let app: TestApp
let mia: TestUser
let channelId: string
let program: ReturnType<typeof createOauthProgram>
beforeEach(async () => {
  app = await buildTestApp({ stopsClock: true })
  channelId = await createTestChannel(app.deps, { name: 'Astronomy' })
  mia = await createUser(app.deps, { name: 'Mia', channels: [channelId] })
  program = createOauthProgram(app)
})
afterEach(() => app.close())

function expectRefusal({ status, body }: TestResponse<OauthError>, error: string): void {
  expect([status, body.error]).toEqual([error === 'invalid_client' ? 401 : 400, error])
  expect(body).not.toHaveProperty('access_token')
}
async function getStatus(token: string): Promise<number> {
  return (await program.callMcp(token)).status
}
async function list(as = mia) {
  return (await app.call(connectedProgramsApi.list, { as })).body
}
function listEntries() {
  return app.deps.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id', 'object_id', 'after'])
    .where('action', 'like', 'program.%')
    .orderBy('seq')
    .execute()
}

describe('POST /oauth/token', () => {
  it.each<[string, Record<string, string>, string]>([
    ['a wrong verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 'invalid_grant'],
    ['a short verifier', { code_verifier: 'short' }, 'invalid_grant'],
    ['another redirect URI', { redirect_uri: 'http://127.0.0.1:4568/callback' }, 'invalid_grant'],
    ['an unknown program', { client_id: 'unknown' }, 'invalid_client'],
    ['an unknown code', { code: 'A'.repeat(43) }, 'invalid_grant'],
    ['no code', { code: '' }, 'invalid_grant'],
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['a password', { grant_type: 'password', username: 'mia', password: 'x' }, 'unsupported_grant_type'],
    ['its own credentials', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
  ])('rejects %s', async (_, changes, error) => {
    const clientId = await program.register()
    const code = await program.getCode(mia, clientId)
    expectRefusal(await program.exchange(clientId, code, changes), error)
    expect(await list()).toEqual([])
  })

  it('rejects the code of another program', async () => {
    const code = await program.getCode(mia, await program.register())
    expectRefusal(await program.exchange(await program.register(), code), 'invalid_grant')
    expect(await list()).toEqual([])
  })

  it('rejects a code after one failed attempt', async () => {
    const clientId = await program.register()
    const code = await program.getCode(mia, clientId)
    await program.exchange(clientId, code, { code_verifier: 'x'.repeat(43) })
    expectRefusal(await program.exchange(clientId, code), 'invalid_grant')
  })

  it('rejects a code after a minute', async () => {
    const clientId = await program.register()
    const code = await program.getCode(mia, clientId)
    app.advance(minute)
    expectRefusal(await program.exchange(clientId, code), 'invalid_grant')
  })

  it('rejects a code that is used again, and ends what it connected', async () => {
    const clientId = await program.register()
    const code = await program.getCode(mia, clientId)
    const { body } = await program.exchange(clientId, code)
    expect(await getStatus(body.access_token)).toBe(200)
    expectRefusal(await program.exchange(clientId, code), 'invalid_grant')
    expect(await getStatus(body.access_token)).toBe(401)
    expectRefusal(await program.refresh(clientId, body.refresh_token), 'invalid_grant')
    expect((await listEntries()).at(-1)).toMatchObject({
      action: 'program.revoked',
      actor_id: null,
      object_id: mia.id,
      after: JSON.stringify({ cause: 'code used again' }),
    })
  })

  it('lets one of several concurrent requests have the code, and ends it because of the others', async () => {
    const clientId = await program.register()
    const code = await program.getCode(mia, clientId)
    const results = await Promise.all(Array.from({ length: 5 }, () => program.exchange(clientId, code)))
    const [winner, ...others] = results.filter(({ status }) => status === 200)
    expect(others).toEqual([])
    expect(await getStatus(winner?.body.access_token ?? '')).toBe(401)
  })

  it('rejects a former refresh token, and ends the connection', async () => {
    const { clientId, refresh_token } = await program.connect(mia)
    const { body } = await program.refresh(clientId, refresh_token)
    expectRefusal(await program.refresh(clientId, refresh_token), 'invalid_grant')
    expectRefusal(await program.refresh(clientId, body.refresh_token), 'invalid_grant')
    expect(await getStatus(body.access_token)).toBe(401)
    expect(await list()).toEqual([])
    expect((await listEntries()).at(-1)?.after).toContain('refresh token used again')
  })

  it('rejects a refresh token of another program, one that is made up, and one after its end', async () => {
    const { clientId, refresh_token } = await program.connect(mia)
    expectRefusal(await program.refresh(await program.register(), refresh_token), 'invalid_grant')
    for (const token of ['', 'x', `lyceum_refresh_${'A'.repeat(43)}.${'A'.repeat(43)}`])
      expectRefusal(await program.refresh(clientId, token), 'invalid_grant')
    app.advance(90 * day - 1)
    const { body } = await program.refresh(clientId, refresh_token)
    expect(body.expires_in).toBe(0)
    app.advance(1)
    expectRefusal(await program.refresh(clientId, body.refresh_token), 'invalid_grant')
    await app.runJobs()
    for (const table of ['connected_programs', 'oauth_access_tokens', 'oauth_codes'] as const)
      expect(await app.deps.db.selectFrom(table).selectAll().execute()).toEqual([])
  })

  it('never gives more than the user allowed', async () => {
    const { clientId, refresh_token, scope } = await program.connect(mia, { scope: 'documents' })
    expect(scope).toBe('documents')
    for (const asked of ['chat', 'chat documents', 'admin'])
      expectRefusal(await program.refresh(clientId, refresh_token, { scope: asked }), 'invalid_scope')
    expectRefusal(
      await program.refresh(clientId, refresh_token, { resource: 'https://other.example' }),
      'invalid_target',
    )
    expect((await program.refresh(clientId, refresh_token)).body.scope).toBe('documents')
  })

  it.each([
    'client_id',
    'code',
    'redirect_uri',
    'code_verifier',
    'refresh_token',
    'scope',
    'resource',
    'grant_type',
  ])('rejects injections in %s', async (name) => {
    const { clientId, refresh_token } = await program.connect(mia)
    for (const text of injections) {
      const { status, body } =
        name === 'scope'
          ? await program.refresh(clientId, refresh_token, { scope: text })
          : await program.exchange(clientId, await program.getCode(mia, clientId), { [name]: text })
      // A field that the grant does not use is ignored, if it is valid text.
      const isIgnored = name === 'refresh_token' && status === 200
      expect([text, isIgnored || [400, 401].includes(status)]).toEqual([text, true])
      if (!isIgnored) expect(body.error).toMatch(/^(invalid_|unsupported_)/)
      else await program.revoke(clientId, body.refresh_token)
      app.advance(minute)
    }
  })

  it('rejects fields that are sent twice', async () => {
    const { status } = await app.raw({
      method: 'POST',
      path: '/api/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=authorization_code&grant_type=refresh_token&client_id=x',
    })
    expect(status).toBe(400)
  })

  it('gives tokens whose hashes alone are stored, and no cache keeps', async () => {
    const clientId = await program.register()
    const { body, headers } = await program.exchange(clientId, await program.getCode(mia, clientId))
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'chat documents' })
    expect(headers['cache-control']).toBe('no-store')
    const tables = ['oauth_codes', 'connected_programs', 'oauth_access_tokens'] as const
    const rows = await Promise.all(tables.map((table) => app.deps.db.selectFrom(table).selectAll().execute()))
    // The secrets themselves can contain an underscore.
    const secrets = [body.access_token, body.refresh_token].flatMap((token) =>
      token.replace(/^lyceum_(?:access|refresh)_/, '').split('.'),
    )
    expect(secrets.map(({ length }) => length)).toEqual([43, 43, 43])
    for (const secret of secrets) expect(JSON.stringify(rows)).not.toContain(secret)
  })
})

describe('an access token', () => {
  it('ends after an hour', async () => {
    const { access_token } = await program.connect(mia)
    app.advance(60 * minute - 1)
    expect(await getStatus(access_token)).toBe(200)
    app.advance(1)
    expect(await getStatus(access_token)).toBe(401)
  })

  it('is accepted at /mcp only', async () => {
    const { access_token, refresh_token } = await program.connect(mia)
    const headers = { authorization: `Bearer ${access_token}` }
    expect((await app.raw({ method: 'GET', path: '/v1/models', headers })).status).toBe(401)
    expect((await app.raw({ method: 'GET', path: '/api/auth/me', headers })).status).toBe(401)
    expect(await getStatus(refresh_token.replace('.', '_'))).toBe(401)
    expect(await getStatus(mia.token)).toBe(401)
  })

  it('reaches the channels that the user allowed, while they are a member', async () => {
    const boardId = await createTestChannel(app.deps, { name: 'Board' })
    const admin = await createAdmin(app.deps, { isSystemAdmin: true, channels: [channelId, boardId] })
    const clientId = await program.register()
    const url = await program.allow(admin, program.buildQuery(clientId), [channelId])
    const { body } = await program.exchange(clientId, url.searchParams.get('code') ?? '')
    async function listChannels() {
      const params = { name: 'list_channels', arguments: {} }
      return (await program.callMcp(body.access_token, 'tools/call', params)).bytes.toString()
    }
    const before = await listChannels()
    expect(before).toContain('Astronomy')
    expect(before).not.toContain('Board')
    await app.call(channelsApi.revoke, { as: admin, params: { id: channelId }, body: { userId: admin.id } })
    expect(await listChannels()).not.toContain('Astronomy')
  })

  it('is refused what its scopes do not include, and says which scope is missing', async () => {
    const { access_token } = await program.connect(mia, { scope: 'documents' })
    const params = { name: 'answer', arguments: { channel: 'channel:astronomy', question: 'Why?' } }
    const { status, headers } = await program.callMcp(access_token, 'tools/call', params)
    expect(status).toBe(403)
    expect(headers['www-authenticate']).toBe(
      `Bearer error="insufficient_scope", scope="chat documents", resource_metadata="${app.deps.env.PUBLIC_URL}/.well-known/oauth-protected-resource/mcp"`,
    )
  })

  it('can have fewer scopes than its program', async () => {
    const { clientId, refresh_token } = await program.connect(mia)
    const { body } = await program.refresh(clientId, refresh_token, { scope: 'chat' })
    expect((await program.callMcp(body.access_token)).bytes.toString()).not.toContain('list_documents')
  })

  it.each(['true', 'false'])('ends with its user (RETAIN_CHATS=%s)', async (retain) => {
    await app.close()
    app = await buildTestApp({ env: { RETAIN_CHATS: retain } })
    program = createOauthProgram(app)
    mia = await createUser(app.deps)
    const { clientId, access_token, refresh_token } = await program.connect(mia)
    const waiting = await program.getCode(mia, clientId)
    const admin = await createAdmin(app.deps, { isSystemAdmin: true })
    await app.call(usersApi.remove, { as: admin, params: { id: mia.id } })
    expect(await getStatus(access_token)).toBe(401)
    expectRefusal(await program.refresh(clientId, refresh_token), 'invalid_grant')
    expectRefusal(await program.exchange(clientId, waiting), 'invalid_grant')
  })

  it('stays when its user signs out everywhere, as API keys do', async () => {
    const { access_token } = await program.connect(mia)
    const admin = await createAdmin(app.deps)
    await app.call(usersApi.endSessions, { as: admin, params: { id: mia.id } })
    expect(await getStatus(access_token)).toBe(200)
  })
})

describe('POST /oauth/revoke', () => {
  it('does not end the connection of another program', async () => {
    const { access_token, refresh_token } = await program.connect(mia)
    const other = await program.register()
    for (const token of [access_token, refresh_token])
      expect((await program.revoke(other, token)).status).toBe(200)
    expect(await getStatus(access_token)).toBe(200)
  })

  it('accepts unknown tokens without telling', async () => {
    const { clientId } = await program.connect(mia)
    for (const token of ['', 'unknown', ...injections.slice(0, 3)])
      expect((await program.revoke(clientId, token)).status).toBe(200)
    expect(await list()).toHaveLength(1)
  })

  it.each(['access_token', 'refresh_token'] as const)('ends the connection by its %s', async (kind) => {
    const tokens = await program.connect(mia)
    expect((await program.revoke(tokens.clientId, tokens[kind])).status).toBe(200)
    expect(await getStatus(tokens.access_token)).toBe(401)
    expectRefusal(await program.refresh(tokens.clientId, tokens.refresh_token), 'invalid_grant')
    expect((await listEntries()).at(-1)?.after).toContain('disconnected by the program')
  })
})

describe('connected programs', () => {
  it('are listed with when they were last used', async () => {
    const { access_token } = await program.connect(mia, { scope: 'chat' })
    expect(await list()).toMatchObject([
      { name: 'Agent', destination: '127.0.0.1:4567', scopes: ['chat'], channels: null, lastUsedAt: null },
    ])
    await getStatus(access_token)
    const [used] = await list()
    expect(used?.lastUsedAt).not.toBeNull()
    expect(Date.parse(used?.expiresAt ?? '') - Date.parse(used?.connectedAt ?? '')).toBe(90 * day)
  })

  it('are ended by their user only, at once', async () => {
    const { access_token } = await program.connect(mia)
    const [{ _id: id } = { _id: '' }] = await list()
    const other = await createUser(app.deps)
    expect(await list(other)).toEqual([])
    expect((await app.call(connectedProgramsApi.revoke, { as: other, params: { id } })).status).toBe(404)
    expect(await getStatus(access_token)).toBe(200)
    expect((await app.call(connectedProgramsApi.revoke, { as: mia, params: { id } })).status).toBe(204)
    expect(await getStatus(access_token)).toBe(401)
    expect((await listEntries()).map(({ action, actor_id }) => [action, actor_id])).toEqual([
      ['program.connected', mia.id],
      ['program.revoked', mia.id],
    ])
  })

  it('are listed and ended by administrators of users', async () => {
    const { access_token } = await program.connect(mia)
    const [{ _id: id } = { _id: '' }] = await list()
    const params = { userId: mia.id, id }
    const limited = await createAdmin(app.deps, { permissions: { canManageUsers: false } })
    for (const as of [mia, limited]) {
      expect((await app.call(connectedProgramsApi.listOfUser, { as, params })).status).toBe(403)
      expect((await app.call(connectedProgramsApi.revokeOfUser, { as, params })).status).toBe(403)
    }
    const admin = await createAdmin(app.deps)
    const { body } = await app.call(connectedProgramsApi.listOfUser, { as: admin, params })
    expect(body.map(({ _id }) => _id)).toEqual([id])
    expect((await app.call(connectedProgramsApi.revokeOfUser, { as: admin, params })).status).toBe(204)
    expect(await getStatus(access_token)).toBe(401)
  })

  it('of a system administrator are ended by system administrators only', async () => {
    const root = await createAdmin(app.deps, { isSystemAdmin: true })
    await program.connect(root)
    const [{ _id: id } = { _id: '' }] = await list(root)
    const admin = await createAdmin(app.deps)
    const params = { userId: root.id, id }
    expect((await app.call(connectedProgramsApi.revokeOfUser, { as: admin, params })).status).toBe(403)
    expect(await list(root)).toHaveLength(1)
  })
})

it('gives programs without access the address of the description, at /mcp', async () => {
  const metadata = `resource_metadata="${app.deps.env.PUBLIC_URL}/.well-known/oauth-protected-resource/mcp"`
  const { headers } = await app.raw({ method: 'POST', path: '/mcp' })
  expect(headers['www-authenticate']).toBe(`Bearer scope="chat documents", ${metadata}`)
  const refused = await program.callMcp('unknown')
  expect(refused.headers['www-authenticate']).toBe(
    `Bearer error="invalid_token", scope="chat documents", ${metadata}`,
  )
  const { body } = await app.call(apiKeysApi.create, {
    as: mia,
    body: { name: 'Key', scopes: ['chat'], channelIds: null, expiresInDays: 7 },
  })
  expect(await getStatus(body.key)).toBe(200)
})
