import { endpoints } from '@lyceum/contract/api'
import { apiKeysApi } from '@lyceum/contract/api-keys'
import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { connectedProgramsApi } from '@lyceum/contract/connected-programs'
import { groupsApi } from '@lyceum/contract/groups'
import { invitationsApi } from '@lyceum/contract/invitations'
import { getPermissions } from '@lyceum/contract/permissions'
import { quotasApi } from '@lyceum/contract/quotas'
import { singleSignOnApi } from '@lyceum/contract/single-sign-on'
import { twoFactorApi } from '@lyceum/contract/two-factor'
import { usersApi } from '@lyceum/contract/users'
import { visitorDomain } from '@lyceum/contract/wire'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildPath } from '#testing/build-path.ts'
import { createVisitor, embedChannel } from '#testing/embedding.ts'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let system: TestUser
let channelId: string
let groupId: string
beforeAll(async () => {
  app = await buildTestApp({ stopsClock: true })
  system = await createAdmin(app.deps, { isSystemAdmin: true })
  channelId = await createTestChannel(app.deps)
  const ada = await createUser(app.deps, { channels: [channelId] })
  const { body } = await app.call(groupsApi.create, { as: system, body: { name: 'Sales' } })
  groupId = body._id
  await app.call(groupsApi.addMembers, { as: system, params: { id: groupId }, body: { userIds: [ada.id] } })
  await app.call(groupsApi.addChannels, {
    as: system,
    params: { id: groupId },
    body: { channelIds: [channelId] },
  })
  await embedChannel(app, channelId, { allowsVisitors: true })
  // Searches say until then that they may miss something.
  await app.deps.messageSearch.waitUntilIndexed()
})
afterAll(() => app.close())

/** Replies that change by themselves, with the reason. */
const changing: Record<string, string> = {
  '/admin/audit-log': 'reading is recorded there',
  '/admin/audit-log/export': 'reading is recorded there',
  '/admin/status': 'free memory and disk space',
}

const ownIds: Record<string, () => string> = {
  '/users/:id': () => system.id,
  '/admin/users/:id': () => system.id,
  '/groups/:id': () => groupId,
  '/channels/:id': () => channelId,
  '/admin/channels/:id': () => channelId,
}

function findParams(path: string): Record<string, string> {
  const known = Object.entries(ownIds).find(([prefix]) => `${path}/`.startsWith(`${prefix}/`))
  return Object.fromEntries(
    [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [
      name,
      name === 'channelId' ? channelId : name === 'userId' ? system.id : (known?.[1]() ?? 'none'),
    ]),
  )
}

/** Every reply that a system administrator can read, by path. */
async function readEverything(): Promise<Map<string, unknown>> {
  const replies = new Map<string, unknown>()
  for (const endpoint of endpoints.filter(({ method }) => method === 'GET')) {
    if (endpoint.path in changing) continue
    // With a limit, a list says how many there are.
    for (const query of ['', '?limit=50', '?limit=50&search=Visitor']) {
      const path = buildPath(endpoint, findParams(endpoint.path))
      const { status, bytes } = await app.raw({ method: 'GET', path: path + query, as: system })
      replies.set(endpoint.path + query, [status, bytes.toString('utf8')])
    }
  }
  return replies
}

describe('a visitor', () => {
  it('changes nothing in what administrators read, in lists and counts', async () => {
    const before = await readEverything()
    await createVisitor(app, channelId)
    expect(await readEverything()).toEqual(before)
    const read = [...before].filter(([, reply]) => (reply as [number])[0] === 200).map(([path]) => path)
    for (const path of [
      '/users',
      '/users?limit=50',
      '/users/:id',
      '/channels',
      '/channels/:id',
      '/channels/:id/users',
      '/groups',
      '/groups/:id/members',
      '/groups/:id/losses',
      '/admin/get-started',
      '/admin/overview',
      '/admin/chat-summaries/users',
    ])
      expect(read).toContain(path)
    await createUser(app.deps, { channels: [channelId] })
    const changed = await readEverything()
    for (const path of ['/users', '/users?limit=50', '/channels', '/channels/:id', '/channels/:id/users'])
      expect(changed.get(path)).not.toEqual(before.get(path))
  })

  it('is no user to the calls for one user', async () => {
    const { id } = await createVisitor(app, channelId)
    const as = system
    const params = { id }
    const userParams = { userId: id }
    const memberParams = { id: channelId, userId: id }
    const allPermissions = getPermissions({ role: 'admin', isSystemAdmin: true })
    const noLimits = { messagesPerDay: null, tokensPerMonth: null }
    const expiresInDays = 30
    const notFound = [
      app.call(usersApi.get, { as, params }),
      app.call(usersApi.update, { as, params, body: { name: 'Other' } }),
      app.call(usersApi.update, { as, params, body: { role: 'admin' } }),
      app.call(usersApi.remove, { as, params }),
      app.call(usersApi.endSessions, { as, params }),
      app.call(usersApi.setActive, { as, params, body: { isActive: false } }),
      app.call(usersApi.permissions, { as, params }),
      app.call(usersApi.setPermissions, { as, params, body: allPermissions }),
      app.call(usersApi.setSystemAdmin, { as, params, body: { isSystemAdmin: true } }),
      app.call(twoFactorApi.get, { as, params: userParams }),
      app.call(twoFactorApi.override, {
        as,
        params: userParams,
        body: { twoFactorExpiryEnabled: true, twoFactorExpiryDays: 3 },
      }),
      app.call(twoFactorApi.reset, { as, params: userParams }),
      app.call(twoFactorApi.forceReverification, { as, params: userParams }),
      app.call(singleSignOnApi.methodsOfUser, { as, params: userParams }),
      app.call(quotasApi.getForUser, { as, params }),
      app.call(quotasApi.setForUser, { as, params, body: noLimits }),
      app.call(quotasApi.resetForUser, { as, params }),
      app.call(groupsApi.accessOfUser, { as, params }),
      app.call(connectedProgramsApi.listOfUser, { as, params: userParams }),
      app.call(apiKeysApi.listOfUser, { as, params: userParams }),
      app.call(apiKeysApi.createForUser, {
        as,
        params: userParams,
        body: { name: 'Key', scopes: ['chat'], channelIds: null, expiresInDays },
      }),
      app.call(channelsApi.setChannelAdmin, { as, params: memberParams, body: { isAdmin: true } }),
    ]
    expect((await Promise.all(notFound)).map(({ status }) => status)).toEqual(notFound.map(() => 404))
    const refused = [
      app.call(channelsApi.grant, { as, params: { id: channelId }, body: { userId: id } }),
      app.call(channelsApi.revoke, { as, params: { id: channelId }, body: { userId: id } }),
      app.call(groupsApi.addMembers, { as, params: { id: groupId }, body: { userIds: [id] } }),
    ]
    expect((await Promise.all(refused)).map(({ body }) => body.code)).toEqual([
      'user.invalid_access',
      'user.invalid_access',
      'group.unknown_user',
    ])
  })

  it('has an address with which nobody can sign in, reset a password or be invited', async () => {
    const { id } = await createVisitor(app, channelId)
    const email = `${id}@${visitorDomain}`
    const row = await app.deps.db
      .selectFrom('users')
      .select(['email', 'password_hash'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ email, password_hash: '' })
    const invitation = { email, fullName: 'Eve', allowedChannels: [], role: 'user' as const }
    const twoFactor = { twoFactorExpiryEnabled: false, twoFactorExpiryDays: 30 }
    const invited = await app.call(invitationsApi.create, {
      as: system,
      body: { ...invitation, ...twoFactor },
    })
    expect([invited.status, invited.body.fields]).toEqual([400, { email: 'Invalid email address' }])
    const signedIn = await app.call(authApi.login, { body: { email, password: 'x' } })
    expect([400, 401]).toContain(signedIn.status)
    await app.call(authApi.forgotPassword, { body: { email } })
    await app.runJobs()
    expect(await app.deps.db.selectFrom('password_resets').selectAll().execute()).toEqual([])
  })
})
