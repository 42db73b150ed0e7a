import { connectedProgramsApi, oauthApi, programMaximum } from '@lyceum/contract/connected-programs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { createOauthProgram, redirectUri } from '#testing/oauth-program.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

const day = 86_400_000
/** Input that other parts of a system might read as code. */
const injections = [
  `'; drop table users; --`,
  '" or 1=1',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '../../etc/passwd',
  '%00%0d%0aSet-Cookie: a=b',
  '\u0000',
  '\r\nLocation: https://evil.example',
  '\u202egpj.exe',
  'x'.repeat(3000),
]

let app: TestApp
let mia: TestUser
let program: ReturnType<typeof createOauthProgram>
beforeEach(async () => {
  app = await buildTestApp()
  mia = await createUser(app.deps)
  program = createOauthProgram(app)
})
afterEach(() => app.close())

function countRows(table: 'oauth_clients' | 'oauth_codes' | 'connected_programs') {
  return app.deps.db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
    .then(({ count }) => Number(count))
}

describe('POST /oauth/register', () => {
  function register(body: unknown) {
    return app.raw({
      method: 'POST',
      path: '/api/oauth/register',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  }

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'http://agent.example/callback',
    'http://127.0.0.1.evil.example/',
    'http://localhost@evil.example/',
    'https://user:word@agent.example/',
    'https://agent.example/#fragment',
    'https://agent.example\\@evil.example/',
    'https://AGENT.example/callback',
    'https://agent.example/a/../b',
    'agent://callback',
    '//agent.example/',
    '/callback',
    'null',
    '',
  ])('rejects the redirect URI %j', async (uri) => {
    const { status, body } = await register({ redirect_uris: [redirectUri, uri] })
    expect([status, body]).toMatchObject([400, { error: 'invalid_redirect_uri' }])
    expect(await countRows('oauth_clients')).toBe(0)
  })

  it.each([
    ['no redirect URI', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['many redirect URIs', { redirect_uris: Array(11).fill('https://a.example/') }, 'invalid_redirect_uri'],
    [
      'a long redirect URI',
      { redirect_uris: [`https://a.example/${'a'.repeat(500)}`] },
      'invalid_redirect_uri',
    ],
    [
      'a name of other than text',
      { client_name: {}, redirect_uris: [redirectUri] },
      'invalid_client_metadata',
    ],
    [
      'a name that turns the direction of text',
      { client_name: 'a\u202eb', redirect_uris: [redirectUri] },
      'invalid_client_metadata',
    ],
    ['a list', [redirectUri], 'invalid_request'],
  ])('rejects %s', async (_, input, error) => {
    const { status, body } = await register(input)
    expect([status, body]).toMatchObject([400, { error }])
  })

  it('rejects a huge body before it is read', async () => {
    const { status } = await register({ client_name: 'x'.repeat(9000), redirect_uris: [redirectUri] })
    expect(status).toBe(413)
  })

  it('rejects a flood from one network', async () => {
    await app.close()
    app = await buildTestApp({ env: { RATE_LIMIT_SCALE: '1' }, stopsClock: true })
    app.useFirstServer()
    const results = []
    for (let count = 0; count < 62; count += 1) results.push(await register({ redirect_uris: [redirectUri] }))
    expect(results.map(({ status }) => status)).toEqual([...Array(60).fill(200), 429, 429])
    expect(results.at(-1)?.body).toMatchObject({ error: 'temporarily_unavailable' })
  })

  it('keeps the newest programs that no user has allowed, for a day', async () => {
    const used = await program.register()
    await program.getCode(mia, used)
    await app.deps.db
      .insertInto('oauth_clients')
      .values(
        Array.from({ length: 1000 }, (_, at) => ({
          id: `0-${String(at).padStart(4, '0')}`,
          name: 'Flood',
          redirect_uris: '[]',
          created_at: app.deps.now(),
          last_used_at: null,
        })),
      )
      .execute()
    const newest = await program.register()
    expect(await countRows('oauth_clients')).toBe(1001)
    app.advance(day)
    await app.runJobs()
    const left = await app.deps.db.selectFrom('oauth_clients').select('id').execute()
    expect(left.map(({ id }) => id)).toEqual([used])
    expect(newest).not.toBe(used)
  })

  it('registers a public program, whatever else it asks for', async () => {
    const { status, body } = await register({
      client_name: 'Agent',
      redirect_uris: ['https://agent.example/callback', 'http://localhost/callback', 'http://[::1]:1/'],
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['implicit'],
      jwks_uri: 'http://169.254.169.254/',
      logo_uri: 'javascript:alert(1)',
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ token_endpoint_auth_method: 'none', response_types: ['code'] })
    expect(JSON.stringify(body)).not.toMatch(/implicit|secret|jwks|logo/)
  })
})

describe('a request for consent', () => {
  function describeRequest(query: string, as = mia) {
    return app.call(connectedProgramsApi.describe, { as, body: { query } })
  }
  function decide(query: string, as: TestUser | null = mia) {
    const allowed = { channelIds: null, expiresInDays: 90 as const }
    return app.call(connectedProgramsApi.decide, { as, body: { query, allowed } })
  }

  it.each([
    'http://127.0.0.1:4567/other',
    'http://127.0.0.1:4567/callback/',
    'http://127.0.0.1:4567/callback?a=b',
    'http://localhost:4567/callback',
    'http://[::1]:4567/callback',
    'https://127.0.0.1:4567/callback',
    'https://evil.example/callback',
    'javascript:alert(1)',
    '',
  ])('never reaches the address %j, which is not registered', async (uri) => {
    const query = program.buildQuery(await program.register(), { redirect_uri: uri })
    for (const { status, body } of [await describeRequest(query), await decide(query)])
      expect([status, body]).toEqual([400, expect.objectContaining({ code: 'program.address' })])
    expect(await countRows('oauth_codes')).toBe(0)
  })

  it('compares addresses of other computers exactly, with their port', async () => {
    const id = await program.register({ redirect_uris: ['https://agent.example/callback'] })
    for (const uri of [
      'https://agent.example:444/callback',
      'https://agent.example/callback?a',
      'https://agent.example.evil.example/callback',
    ])
      expect((await decide(program.buildQuery(id, { redirect_uri: uri }))).status).toBe(400)
    expect(
      (await decide(program.buildQuery(id, { redirect_uri: 'https://agent.example/callback' }))).status,
    ).toBe(200)
  })

  it.each(['', 'unknown', ...injections])('is refused for the program %j', async (clientId) => {
    const { status, body } = await decide(program.buildQuery(clientId))
    expect(status).toBe(400)
    expect(body).not.toHaveProperty('url')
  })

  it.each<[string, Record<string, string | undefined>, string]>([
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['no method of the challenge', { code_challenge_method: undefined }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a short challenge', { code_challenge: 'short' }, 'invalid_request'],
    ['an implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['our calls as the resource', { resource: 'http://localhost:3000/api' }, 'invalid_target'],
    ['an unknown scope', { scope: 'chat admin' }, 'invalid_scope'],
  ])('with %s cannot be allowed, and tells the program', async (_, changes, error) => {
    const query = program.buildQuery(await program.register(), changes)
    const { body } = await describeRequest(query)
    const { url } = (await decide(query)).body
    expect(body.refusal?.url).toBe(url)
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      error,
      state: 'a state',
      iss: app.deps.env.PUBLIC_URL,
    })
    expect(await countRows('oauth_codes')).toBe(0)
  })

  it.each(['client_id', 'redirect_uri', 'scope', 'resource', 'state'])(
    'is refused with %s twice',
    async (name) => {
      const query = `${program.buildQuery(await program.register(), { scope: 'chat' })}&${name}=x`
      expect((await decide(query)).status).toBe(400)
    },
  )

  it.each([
    'client_id',
    'redirect_uri',
    'response_type',
    'code_challenge',
    'code_challenge_method',
    'scope',
    'resource',
  ])('is refused with injections in %s', async (name) => {
    const id = await program.register()
    for (const text of injections) {
      const { status, body } = await decide(program.buildQuery(id, { [name]: text }))
      expect([text, status < 500, String(body.url).includes('code=')]).toEqual([text, true, false])
    }
    expect(await countRows('oauth_codes')).toBe(0)
  })

  it('needs the session of a user, which no page elsewhere can send', async () => {
    const query = program.buildQuery(await program.register())
    expect((await decide(query, null)).status).toBe(401)
    const { status } = await app.raw({
      method: 'POST',
      path: '/api/connected-programs',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
      body: `query=${encodeURIComponent(query)}`,
      as: mia,
    })
    expect(status).toBe(415)
    expect(await countRows('oauth_codes')).toBe(0)
  })

  it('is not framed', async () => {
    const { headers } = await app.raw({ method: 'GET', path: '/connect?client_id=x' })
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })

  it('rejects channels that the user is not a member of', async () => {
    const other = await createTestChannel(app.deps)
    const query = program.buildQuery(await program.register())
    const body = { query, allowed: { channelIds: [other], expiresInDays: 90 as const } }
    expect((await app.call(connectedProgramsApi.decide, { as: mia, body })).status).toBe(404)
  })

  it('rejects more programs than a user can have, also from concurrent calls', async () => {
    const query = program.buildQuery(await program.register())
    const results = await Promise.all(Array.from({ length: programMaximum + 2 }, () => decide(query)))
    const refused = results.filter(({ status }) => status !== 200)
    expect(refused.map(({ body }) => body.code)).toEqual(Array(2).fill('program.limit'))
  })

  it('tells the program when the user denies it', async () => {
    const query = program.buildQuery(await program.register())
    const { body } = await app.call(connectedProgramsApi.decide, { as: mia, body: { query, allowed: null } })
    expect(Object.fromEntries(new URL(body.url).searchParams)).toEqual({
      error: 'access_denied',
      state: 'a state',
      iss: app.deps.env.PUBLIC_URL,
    })
    expect(await countRows('oauth_codes')).toBe(0)
  })

  it('names the program, its address and what it asks for', async () => {
    const id = await program.register({ redirect_uris: [redirectUri, 'https://agent.example/callback?a=b'] })
    expect((await describeRequest(program.buildQuery(id, { scope: 'chat' }))).body).toEqual({
      name: 'Agent',
      destination: '127.0.0.1:4567',
      isLocal: true,
      scopes: ['chat'],
      refusal: null,
    })
    const remote = program.buildQuery(id, { redirect_uri: 'https://agent.example/callback?a=b' })
    expect((await describeRequest(remote)).body).toMatchObject({
      destination: 'agent.example',
      isLocal: false,
      scopes: ['chat', 'documents'],
    })
    const url = await program.allow(mia, remote)
    expect(url.href).toMatch(
      /^https:\/\/agent\.example\/callback\?a=b&code=[\w-]{43}&state=a\+state&iss=http/,
    )
  })

  it('allows another port on the computer of the user', async () => {
    const query = program.buildQuery(await program.register(), {
      redirect_uri: 'http://127.0.0.1:50123/callback',
    })
    expect((await program.allow(mia, query)).port).toBe('50123')
  })

  it('is recorded without the code', async () => {
    const url = await program.allow(mia, program.buildQuery(await program.register()))
    const [entry] = await app.deps.db
      .selectFrom('audit_log')
      .select(['action', 'actor_id', 'object_id', 'after'])
      .where('action', 'like', 'program.%')
      .execute()
    expect(entry).toMatchObject({ action: 'program.connected', actor_id: mia.id, object_id: mia.id })
    expect(JSON.parse(entry?.after ?? '')).toMatchObject({
      name: 'Agent',
      destination: '127.0.0.1:4567',
      channels: 'all',
    })
    expect(entry?.after).not.toContain(url.searchParams.get('code'))
    const [stored] = await app.deps.db.selectFrom('oauth_codes').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(url.searchParams.get('code'))
  })
})

it('describes how programs connect', async () => {
  const { PUBLIC_URL } = app.deps.env
  for (const suffix of ['', '/mcp']) {
    const { body } = await app.raw({ method: 'GET', path: `/.well-known/oauth-protected-resource${suffix}` })
    expect(body).toMatchObject({ resource: `${PUBLIC_URL}/mcp`, authorization_servers: [PUBLIC_URL] })
  }
  const { body } = await app.raw({ method: 'GET', path: '/.well-known/oauth-authorization-server' })
  expect(body).toMatchObject({
    issuer: PUBLIC_URL,
    registration_endpoint: `${PUBLIC_URL}/api${oauthApi.register.path}`,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  })
})
