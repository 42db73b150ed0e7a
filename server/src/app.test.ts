import { attachmentsApi } from '@lyceum/contract/attachments'
import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { documentsApi } from '@lyceum/contract/documents'
import type { EndpointShape } from '@lyceum/contract/endpoint'
import { getRefusalText, permissionNames } from '@lyceum/contract/permissions'
import { sharedChatsApi } from '@lyceum/contract/shared-chats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildPath } from '#testing/build-path.ts'
import { embedChannel, signInOnSite, testEmbedding, testSite } from '#testing/embedding.ts'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp, type TestResponse } from '#testing/test-app.ts'

const modelConnection = { baseUrl: '', apiKey: 'key', model: '', embeddingModel: '' }
const embeddingsConnection = {
  baseUrl: 'http://localhost:8080/v1',
  model: 'bge-m3',
  queryPrefix: '',
  passagePrefix: '',
}
const rerankingConnection = { url: 'http://localhost:8080/v1/rerank', model: '' }
const mailConnection = {
  host: 'localhost',
  port: 25,
  encryption: 'tls',
  username: '',
  from: 'lyceum@example.org',
}

const issuer = { name: 'Acme', clientId: 'lyceum', clientSecret: 'secret', createsUsers: true }

const directory = {
  url: 'ldaps://localhost:3636',
  bindDn: 'cn=reader,dc=example,dc=org',
  bindPassword: 'secret',
  baseDn: 'dc=example,dc=org',
}

const receiver = {
  kind: 'syslog',
  name: 'Collector',
  host: 'localhost',
  port: 6514,
  caCertificate: '',
  clientCertificate: '',
}

const webhook = {
  name: 'Helpdesk',
  url: 'http://localhost:8080',
  events: ['document.pending'],
  isEnabled: true,
}

const apiKey = { name: 'Script', scopes: ['chat'], channelIds: null, expiresInDays: 30 }
/** Valid bodies, so that a refusal must be about the caller or the object. */
const bodies: Record<string, unknown> = {
  'POST /api-keys': apiKey,
  'POST /users/:userId/api-keys': apiKey,
  'POST /connected-programs/request': { query: 'client_id=unknown' },
  'POST /connected-programs': { query: 'client_id=unknown', allowed: null },
  'POST /oauth/register': { redirect_uris: ['https://agent.example/'] },
  'POST /oauth/token': { grant_type: 'authorization_code', client_id: 'unknown' },
  'POST /oauth/revoke': { token: 'unknown', client_id: 'unknown' },
  'POST /auth/login': { email: 'nobody@example.org', password: 'long enough' },
  'POST /auth/verify-2fa': { email: 'nobody@example.org', token: '123456' },
  'POST /auth/resend-code': { email: 'nobody@example.org' },
  'POST /auth/register': {
    email: 'nobody@example.org',
    fullName: 'No Body',
    password: 'long enough',
    token: 'x',
  },
  'POST /auth/forgot-password': { email: 'nobody@example.org' },
  'POST /auth/reset-password': { token: 'x', newPassword: 'long enough' },
  'POST /users/:id/change-password': { currentPassword: 'long enough', newPassword: 'longer than that' },
  'POST /invitations': {
    email: 'guest@example.org',
    fullName: 'A Guest',
    allowedChannels: [],
    twoFactorExpiryEnabled: true,
    twoFactorExpiryDays: 30,
  },
  'POST /invitations/bulk': {
    invitees: [{ email: 'guests@example.org', fullName: 'Guests' }],
    allowedChannels: [],
    twoFactorExpiryEnabled: true,
    twoFactorExpiryDays: 30,
  },
  'POST /channels': { name: 'Name', description: 'Words', llmModel: 'gpt-4o' },
  'PUT /assistants/model-map': { map: {} },
  'POST /assistants/presets': { assistantId: 'guide', name: 'Guide', model: 'gpt-4o' },
  'POST /assistants/presets/try': { model: 'gpt-4o', message: 'Hello' },
  'PUT /assistants/presets/:id': { assistantId: 'guide', name: 'Guide', model: 'gpt-4o' },
  'PUT /documents/:id/reject': {},
  'POST /documents/bulk': { action: 'approve', ids: ['none'] },
  'PUT /channels/:id': { name: 'Name', description: 'Words', llmModel: 'gpt-4o' },
  'POST /channels/:id/questions': { question: 'When do doors close?', expectedDocumentIds: ['none'] },
  'POST /channels/:id/questions/run': {},
  'POST /documents/:id/questions/compare': { change: 'remove' },
  'POST /channels/:id/questions/try': { question: 'When do doors close?' },
  'PUT /channels/:id/questions/:questionId': {
    question: 'When do doors close?',
    expectedDocumentIds: ['none'],
  },
  'POST /chat/:channelId/chats': {},
  'POST /chat/:channelId/chats/:chatId/messages': { message: 'Hello' },
  'POST /chat/:channelId/chats/:chatId/messages/:messageId/edit': { message: 'Hello' },
  'PUT /chat/:channelId/chats/:chatId/messages/:messageId/feedback': { rating: 'good' },
  'PUT /chat/:channelId/chats/:chatId': { title: 'Title' },
  'PUT /users/:id': { name: 'Name' },
  'PUT /settings/connections/model': modelConnection,
  'POST /settings/connections/model/test': modelConnection,
  'PUT /settings/connections/embeddings': embeddingsConnection,
  'POST /settings/connections/embeddings/test': embeddingsConnection,
  'PUT /settings/connections/reranking': rerankingConnection,
  'POST /settings/connections/reranking/test': rerankingConnection,
  'PUT /settings/connections/mail': mailConnection,
  'POST /settings/connections/mail/test': mailConnection,
  'POST /sign-in/issuers/:issuerId/start': {},
  'POST /sign-in/issuers/:issuerId/finish': { query: 'state=x&code=y' },
  'POST /sign-in/issuers/:issuerId/backchannel-logout': { logout_token: 'x' },
  'POST /settings/single-sign-on/issuers': { ...issuer, _id: 'acme', issuer: 'http://localhost:8080' },
  'PUT /settings/single-sign-on/issuers/:issuerId': issuer,
  'POST /settings/single-sign-on/test': { issuer: 'http://localhost:8080' },
  'POST /settings/directories': { name: 'Entra ID' },
  'PUT /settings/single-sign-on/password': { isOn: true },
  'PUT /settings/ldap': { ...directory, createsUsers: false },
  'POST /settings/ldap/test': directory,
  'POST /users/:userId/identities': { issuerId: 'acme', subject: 'x' },
  'POST /settings/audit-stream/receivers': { receiver, startsAt: 'now' },
  'PUT /settings/audit-stream/receivers/:receiverId': receiver,
  'POST /settings/audit-stream/test': { receiver },
  'POST /settings/webhooks': webhook,
  'PUT /settings/webhooks/:webhookId': webhook,
  'PUT /quotas': { messagesPerDay: 50, tokensPerMonth: null },
  'PUT /users/:id/quota': { messagesPerDay: 50, tokensPerMonth: null },
  'PUT /channels/:id/quota': { messagesPerDay: 50, tokensPerMonth: null },
  'PUT /admin/analytics/questions/:id': { isResolved: true },
  'PUT /users/:id/permissions': Object.fromEntries(permissionNames.map((name) => [name, true])),
  'PUT /users/:id/active': { isActive: false },
  'PUT /users/:id/system-admin': { isSystemAdmin: true },
  'POST /channels/:id/users': { userId: 'nobody' },
  'POST /groups': { name: 'Sales' },
  'PUT /groups/:id': { name: 'Sales' },
  'POST /groups/:id/members': { userIds: ['nobody'] },
  'DELETE /groups/:id/members': { userIds: ['nobody'] },
  'POST /groups/:id/channels': { channelIds: ['none'] },
  'PUT /groups/:id/permissions': { permissions: [] },
  'DELETE /channels/:id/users': { userId: 'nobody' },
  'PUT /channels/:id/users/:userId': { isAdmin: true },
  'PUT /settings/users/:userId/2fa-settings': { twoFactorExpiryDays: 30, twoFactorExpiryEnabled: true },
  'PUT /settings/conversations/notice': { enabled: true, text: 'Words' },
  'PUT /settings/conversations/retention': { days: 30 },
  'PUT /channels/:id/embedding': testEmbedding,
  'POST /embedded/:channelId/sign-ins': { site: testSite },
  'POST /embedded/:channelId/visitors': { site: testSite },
  'PUT /channels/:id/archive': { isArchived: false },
  'PUT /channels/:id/starters': { starterQuestions: [] },
  'PUT /chat/:channelId/chats/:chatId/pin': { isPinned: true },
  'PUT /global-settings': { twoFactorExpiryDays: 30, twoFactorExpiryEnabled: true },
}

function formatEndpoint({ method, path }: EndpointShape): string {
  return `${method} ${path}`
}
function isPermission(access: string): boolean {
  return (permissionNames as readonly string[]).includes(access)
}

let app: TestApp
/** `outside` is an administrator with all permissions except the one to open the admin area. */
let users: Record<'owner' | 'stranger' | 'unprivileged' | 'outside' | 'administrator' | 'system', TestUser>
/** Signed in on another site: to the channel of `owner`, and to another one. */
let onSite: Record<'owner' | 'system' | 'elsewhere', TestUser>
/** Ids of objects that belong to `owner` or their channel. */
let ownedIds: Record<string, string>

/** Valid queries of endpoints that need one. */
const queries: Record<string, string> = { 'GET /chat/:channelId/deleted-sources': '?documentIds=unknown' }

async function request(
  endpoint: EndpointShape,
  as: TestUser | null,
  ids: Record<string, string>,
): Promise<TestResponse<unknown>> {
  const params = Object.fromEntries(
    Object.keys(endpoint.params?.shape ?? {}).map((name) => [name, ids[name] ?? 'unknown']),
  )
  if (endpoint.upload)
    return app.upload(endpoint, {
      as,
      params,
      fields: { channelId: ids['channelId'] ?? 'unknown' },
      file: { name: 'notes.txt', content: 'Some words to keep.' },
    })
  const body = bodies[formatEndpoint(endpoint)]
  return app.raw({
    method: endpoint.method,
    path: buildPath(endpoint, params) + (queries[formatEndpoint(endpoint)] ?? ''),
    as,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
}

/** `:id` means a different object on each path. */
function getOwnedIds({ path }: EndpointShape): Record<string, string> {
  return {
    ...ownedIds,
    id:
      (path.startsWith('/documents')
        ? ownedIds['documentId']
        : path.startsWith('/channels')
          ? ownedIds['channelId']
          : ownedIds['userId']) ?? '',
  }
}

beforeAll(async () => {
  app = await buildTestApp()
  const { deps } = app
  const channelId = await createTestChannel(deps)
  const none = Object.fromEntries(permissionNames.map((name) => [name, false]))
  const all = Object.fromEntries(permissionNames.map((name) => [name, true]))
  users = {
    owner: await createUser(deps, { channels: [channelId] }),
    stranger: await createUser(deps),
    unprivileged: await createAdmin(deps, { permissions: none }),
    outside: await createAdmin(deps, { permissions: { ...all, canAccessAdminPanel: false } }),
    administrator: await createAdmin(deps),
    system: await createAdmin(deps, { isSystemAdmin: true }),
  }
  const otherId = await createTestChannel(deps)
  for (const id of [channelId, otherId]) await embedChannel(app, id)
  await app.call(channelsApi.grant, {
    as: users.system,
    params: { id: otherId },
    body: { userId: users.owner.id },
  })
  const systemMember = await createAdmin(deps, { isSystemAdmin: true, channels: [channelId] })
  onSite = {
    owner: await signInOnSite(app, users.owner, channelId),
    system: await signInOnSite(app, systemMember, channelId),
    elsewhere: await signInOnSite(app, users.owner, otherId),
  }
  const uploaded = await app.upload(documentsApi.upload, {
    as: users.system,
    fields: { channelId },
    file: { name: 'rules.txt', content: 'Doors close at eight.' },
  })
  const chat = await app.call(chatsApi.create, { as: users.owner, params: { channelId }, body: {} })
  const params = { channelId, chatId: chat.body._id }
  const sent = await app.call(chatsApi.send, {
    as: users.owner,
    params,
    body: { message: 'When do doors close?' },
  })
  const attached = await app.upload(attachmentsApi.upload, {
    as: users.owner,
    params,
    file: { name: 'letter.txt', content: 'Doors close early.' },
  })
  const shared = await app.call(sharedChatsApi.share, { as: users.owner, params })
  ownedIds = {
    channelId,
    chatId: chat.body._id,
    messageId: sent.body.reply._id,
    shareId: shared.body.shareId,
    attachmentId: attached.body._id,
    documentId: uploaded.body._id,
    userId: users.owner.id,
  }
  expect(Object.values(ownedIds).every(Boolean)).toBe(true)
})
afterAll(() => app.close())

function listEndpoints(): EndpointShape[] {
  return [...app.served]
}
function listProtectedEndpoints(): EndpointShape[] {
  return listEndpoints().filter(({ access }) => access !== 'public')
}

describe('every endpoint', () => {
  it('has a sample body in this test if it takes one', () => {
    const missing = listEndpoints().filter(
      (endpoint) => endpoint.body && !(formatEndpoint(endpoint) in bodies),
    )
    expect(missing.map(formatEndpoint)).toEqual([])
  })

  it('refuses callers who are not signed in, unless it is public', async () => {
    for (const endpoint of listProtectedEndpoints()) {
      const { status, body } = await request(endpoint, null, getOwnedIds(endpoint))
      expect([formatEndpoint(endpoint), status, body.code]).toEqual([
        formatEndpoint(endpoint),
        401,
        'auth.session_ended',
      ])
    }
  })

  it('refuses callers without its permission and names the permission', async () => {
    for (const endpoint of listProtectedEndpoints().filter(({ access }) => isPermission(access)))
      for (const as of [users.owner, users.stranger, users.unprivileged]) {
        const { status, body } = await request(endpoint, as, getOwnedIds(endpoint))
        const message = getRefusalText(endpoint.access as (typeof permissionNames)[number])
        expect([formatEndpoint(endpoint), status, body.message]).toEqual([
          formatEndpoint(endpoint),
          403,
          message,
        ])
      }
  })

  it('refuses administrators who may not open the admin area, whatever else they may do', async () => {
    for (const endpoint of listProtectedEndpoints().filter(({ access }) => access !== 'signed-in')) {
      const { status, body } = await request(endpoint, users.outside, getOwnedIds(endpoint))
      const message =
        endpoint.access === 'system-admin'
          ? 'Only a system administrator can do this'
          : getRefusalText('canAccessAdminPanel')
      expect([formatEndpoint(endpoint), status, body.message]).toEqual([
        formatEndpoint(endpoint),
        403,
        message,
      ])
    }
  })

  it('refuses other administrators if it is for system administrators', async () => {
    for (const endpoint of listProtectedEndpoints().filter(({ access }) => access === 'system-admin')) {
      const { status } = await request(endpoint, users.administrator, getOwnedIds(endpoint))
      expect([formatEndpoint(endpoint), status]).toEqual([formatEndpoint(endpoint), 403])
    }
  })

  it('refuses sign-ins on other sites unless it belongs to the chat there', async () => {
    const refused = listProtectedEndpoints().filter(({ embeddedParam }) => embeddedParam === undefined)
    expect(refused.length).toBeGreaterThan(150)
    for (const endpoint of refused)
      for (const as of [onSite.owner, onSite.system]) {
        const { status, body } = await request(endpoint, as, getOwnedIds(endpoint))
        expect([formatEndpoint(endpoint), status, body.message]).toEqual([
          formatEndpoint(endpoint),
          403,
          'This sign-in can only be used to chat in its channel',
        ])
      }
  })

  it('refuses sign-ins on other sites to another channel', async () => {
    const ofChat = listProtectedEndpoints().filter(({ embeddedParam }) => embeddedParam !== undefined)
    expect(ofChat.length).toBeGreaterThan(15)
    for (const endpoint of ofChat) {
      for (const ids of [getOwnedIds(endpoint), {}]) {
        const { status, body } = await request(endpoint, onSite.elsewhere, ids)
        expect([formatEndpoint(endpoint), status, body.message]).toEqual([
          formatEndpoint(endpoint),
          403,
          'This sign-in can only be used to chat in its channel',
        ])
      }
    }
  })

  it('answers strangers as if the object did not exist', async () => {
    const objects = listProtectedEndpoints().filter(({ access, params }) => access === 'signed-in' && params)
    expect(objects.length).toBeGreaterThan(10)
    for (const endpoint of objects)
      for (const as of [users.stranger, users.unprivileged, users.outside]) {
        const theirs = await request(endpoint, as, getOwnedIds(endpoint))
        const nothing = await request(endpoint, as, {})
        // An administrator is told which permission is missing before the user is looked up.
        const status = as !== users.stranger && formatEndpoint(endpoint) === 'PUT /users/:id' ? 403 : 404
        expect([formatEndpoint(endpoint), theirs.status, theirs.body]).toEqual([
          formatEndpoint(endpoint),
          status,
          nothing.body,
        ])
      }
  })

  it('hides chats from administrators as it does from strangers', async () => {
    for (const endpoint of listProtectedEndpoints().filter(({ path }) =>
      path.startsWith('/chat/:channelId/chats/:chatId'),
    ))
      for (const as of [users.administrator, users.system]) {
        const { status } = await request(endpoint, as, getOwnedIds(endpoint))
        expect([formatEndpoint(endpoint), status]).toEqual([formatEndpoint(endpoint), 404])
      }
  })

  it('answers 404 to callers with the permission if the id is unknown', async () => {
    for (const endpoint of listProtectedEndpoints().filter(
      ({ params, access }) => params && isPermission(access),
    )) {
      const { status } = await request(endpoint, users.system, {})
      // The specification fixes the answer for an unknown user or channel here.
      const isGrant = [formatEndpoint(channelsApi.grant), formatEndpoint(channelsApi.revoke)].includes(
        formatEndpoint(endpoint),
      )
      expect([formatEndpoint(endpoint), status]).toEqual([formatEndpoint(endpoint), isGrant ? 400 : 404])
    }
  })

  it('never answers malformed ids with a server error', async () => {
    const garbled = ['%00', '..%2f..%2fetc', '%F0%9F%98%80', "' or 1=1 --", 'x'.repeat(64), '{"$ne":""}']
    for (const endpoint of listProtectedEndpoints().filter(({ params }) => params))
      for (const id of garbled) {
        const path = `/api${endpoint.path.replace(/:\w+/g, encodeURIComponent(id))}`
        const { status } = await app.raw({ method: endpoint.method, path, as: users.system })
        expect([formatEndpoint(endpoint), id, status >= 500]).toEqual([formatEndpoint(endpoint), id, false])
      }
  })
})
