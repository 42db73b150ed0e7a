import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { groupsApi } from '@lyceum/contract/groups'
import { type Permission, permissionNames } from '@lyceum/contract/permissions'
import { usersApi } from '@lyceum/contract/users'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { createGroupCalls, type GroupCalls } from '#testing/groups.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { openReplyStream, type ReplyStream } from '#testing/reply-stream.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let model: ModelStandIn
let app: TestApp
let admin: TestUser
let system: TestUser
let ada: TestUser
let groups: GroupCalls
let channelId: string
beforeAll(async () => {
  model = await startModelStandIn()
  app = await buildTestApp({ env: { OPENAI_BASE_URL: model.url } })
})
beforeEach(async () => {
  await model.reset()
  admin = await createAdmin(app.deps)
  system = await createAdmin(app.deps, { isSystemAdmin: true })
  ada = await createUser(app.deps, { name: 'Ada' })
  groups = createGroupCalls(app, admin)
  channelId = await createTestChannel(app.deps, { name: 'Handbook' })
})
afterAll(async () => {
  await app.close()
  await model.close()
})

async function canOpen(as: TestUser, id = channelId): Promise<boolean> {
  return (await app.call(channelsApi.get, { as, params: { id } })).status === 200
}
function grant(userId: string) {
  return app.call(channelsApi.grant, { as: admin, params: { id: channelId }, body: { userId } })
}
function revoke(userId: string) {
  return app.call(channelsApi.revoke, { as: admin, params: { id: channelId }, body: { userId } })
}
function setPermissions(id: string, permissions: Permission[], as = system) {
  return app.call(groupsApi.setPermissions, { as, params: { id }, body: { permissions } })
}
async function listPermissions(as: TestUser): Promise<string[]> {
  const { body } = await app.call(authApi.me, { as })
  return permissionNames.filter((name) => body.permissions?.[name])
}

describe('a channel of a group', () => {
  it('is given to members at once, whichever comes first', async () => {
    const id = await groups.create({ members: [ada.id] })
    expect(await canOpen(ada)).toBe(false)
    await groups.addChannels(id, [channelId])
    expect(await canOpen(ada)).toBe(true)
    const bo = await createUser(app.deps)
    await groups.addMembers(id, [bo.id])
    expect(await canOpen(bo)).toBe(true)
  })

  it.each([
    ['a member leaves', (id: string) => groups.removeMembers(id, [ada.id])],
    ['it is removed from the group', (id: string) => groups.removeChannel(id, channelId)],
    ['the group is deleted', (id: string) => groups.remove(id)],
  ])('is lost when %s, unless something else gives it', async (_what, end) => {
    const [byHand, byBoth, later] = [
      await createUser(app.deps, { channels: [channelId] }),
      await createUser(app.deps),
      await createUser(app.deps),
    ]
    const members = [byHand, byBoth, later, ada].map((user) => user.id)
    const id = await groups.create({ members, channels: [channelId] })
    await groups.create({ members: [byBoth.id], channels: [channelId] })
    await grant(later.id)
    await end(id)
    await groups.removeMembers(id, members)
    expect(await canOpen(ada)).toBe(false)
    for (const user of [byHand, byBoth, later]) expect(await canOpen(user)).toBe(true)
  })

  it('is lost when the last of two groups ends', async () => {
    const group = { members: [ada.id], channels: [channelId] }
    const [first, second] = [await groups.create(group), await groups.create(group)]
    await groups.remove(first)
    expect(await canOpen(ada)).toBe(true)
    await groups.remove(second)
    expect(await canOpen(ada)).toBe(false)
  })

  it('cannot be taken from a member by hand', async () => {
    const id = await groups.create({ name: `Sales ${ada.id}`, members: [ada.id], channels: [channelId] })
    const refused = { status: 409, body: { code: 'group.gives_access' } }
    const reply = await revoke(ada.id)
    expect(reply).toMatchObject(refused)
    expect(reply.body.message).toBe(
      `“Ada” has this access from the group “Sales ${ada.id}”. Remove them from the group instead.`,
    )
    await grant(ada.id)
    expect(await revoke(ada.id)).toMatchObject(refused)
    await groups.removeMembers(id, [ada.id])
    expect(await canOpen(ada)).toBe(true)
    await revoke(ada.id)
    expect(await canOpen(ada)).toBe(false)
  })

  it('cannot be taken from a member of two groups by hand, and the refusal names both', async () => {
    for (const name of ['Warehouse', 'Office'])
      await groups.create({ name: `${name} ${ada.id}`, members: [ada.id], channels: [channelId] })
    expect((await revoke(ada.id)).body.message).toBe(
      `“Ada” has this access from the groups “Office ${ada.id}” and “Warehouse ${ada.id}”. Remove them from these groups instead.`,
    )
  })

  it('is listed with its groups for each member of the channel', async () => {
    const bo = await createUser(app.deps, { name: 'Bo', channels: [channelId] })
    const [cy, di] = [await createUser(app.deps, { name: 'Cy' }), await createUser(app.deps)]
    const elsewhere = await createTestChannel(app.deps)
    const [office, sales] = [
      { name: `Office ${ada.id}`, _id: '' },
      { name: `Sales ${ada.id}`, _id: '' },
    ]
    sales._id = await groups.create({
      name: sales.name,
      members: [ada.id, cy.id],
      channels: [channelId, elsewhere],
    })
    office._id = await groups.create({ name: office.name, members: [ada.id], channels: [channelId] })
    await groups.create({ members: [ada.id, bo.id, di.id], channels: [elsewhere] })
    await grant(cy.id)
    const request = { params: { id: channelId }, query: { limit: 2 } }
    const blind = await createAdmin(app.deps, { permissions: { canManageChannels: false } })
    expect((await app.call(channelsApi.members, { as: blind, ...request })).status).toBe(404)
    expect((await app.call(channelsApi.members, { as: ada, ...request })).status).toBe(403)
    const { body } = await app.call(channelsApi.members, { as: admin, ...request })
    expect(body.items).toMatchObject([
      { name: 'Ada', isByHand: false, groups: [office, sales], issuers: [] },
      { name: 'Bo', isByHand: true, groups: [], issuers: [] },
    ])
    const { body: rest } = await app.call(channelsApi.members, {
      as: admin,
      params: { id: channelId },
      query: { limit: 2, skip: 2 },
    })
    expect(rest.items).toMatchObject([{ name: 'Cy', isByHand: true, groups: [sales], issuers: [] }])
  })

  it('shows where access comes from', async () => {
    const handMade = await createTestChannel(app.deps, { name: 'By hand' })
    const user = await createUser(app.deps, { channels: [handMade] })
    const id = await groups.create({ name: `Sales ${user.id}`, members: [user.id], channels: [channelId] })
    const group = { _id: id, name: `Sales ${user.id}` }
    expect(await groups.accessOf(user)).toEqual({
      groups: [{ ...group, permissions: [], isByHand: true, issuers: [], canChangeMembers: true }],
      channels: [
        { _id: handMade, name: 'By hand', isByHand: true, issuers: [], groups: [] },
        { _id: channelId, name: 'Handbook', isByHand: false, issuers: [], groups: [group] },
      ],
    })
  })

  it('is counted before it is lost', async () => {
    const bo = await createUser(app.deps, { channels: [channelId] })
    const other = await createTestChannel(app.deps, { name: 'Other' })
    const id = await groups.create({ members: [ada.id, bo.id], channels: [channelId, other] })
    expect(await groups.losses(id)).toEqual({
      userCount: 2,
      channels: [
        { _id: channelId, name: 'Handbook', userCount: 1 },
        { _id: other, name: 'Other', userCount: 2 },
      ],
      administratorCount: 0,
    })
  })

  it('ends the running replies of those who lose it, and no others', async () => {
    const bo = await createUser(app.deps, { channels: [channelId] })
    const id = await groups.create({ members: [ada.id, bo.id], channels: [channelId] })
    model.pause(1)
    const streams: ReplyStream[] = []
    for (const as of [ada, bo]) {
      const { body } = await app.call(chatsApi.create, { as, params: { channelId }, body: {} })
      const request = { params: { channelId, chatId: body._id }, body: { message: 'Tell me' } }
      const stream = await openReplyStream(await app.url(), chatsApi.send, { as, ...request })
      await stream.readUntil('accepted')
      streams.push(stream)
    }
    await model.whenPaused(2)
    const ended = await fetch(`${await app.url()}/api/groups/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${admin.token}` },
    })
    expect(ended.status).toBe(200)
    const [lost, kept] = streams
    expect((await lost?.readToEnd())?.at(-1)).toMatchObject({ type: 'error', code: 'chat.interrupted' })
    model.resume()
    expect((await kept?.readToEnd())?.at(-1)?.type).toBe('done')
  })

  it('is given to a large group with few statements', async () => {
    const now = app.deps.now()
    const userIds = Array.from({ length: 3000 }, (_, at) => `${ada.id}-${at}`)
    for (let start = 0; start < userIds.length; start += 500)
      await app.deps.db
        .insertInto('users')
        .values(
          userIds.slice(start, start + 500).map((id) => ({
            ...{
              id,
              email: `${id}@example.org`,
              name: id,
              role: 'user' as const,
              is_system_admin: 0 as const,
            },
            ...{ password_hash: '', two_factor_enabled: 0 as const, created_at: now },
          })),
        )
        .execute()
    const id = await groups.create()
    for (let start = 0; start < userIds.length; start += 500)
      await app.deps.db
        .insertInto('group_members')
        .values(
          userIds
            .slice(start, start + 500)
            .map((user_id) => ({ group_id: id, user_id, source: 'hand', created_at: now })),
        )
        .execute()
    await groups.addChannels(id, [channelId])
    expect(await groups.losses(id)).toMatchObject({ userCount: 3000 })
    expect((await setPermissions(id, ['canViewAuditLog'])).status).toBe(200)
    expect((await app.call(groupsApi.remove, { as: system, params: { id } })).status).toBe(200)
    const left = await app.deps.db
      .selectFrom('channel_members')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('channel_id', '=', channelId)
      .executeTakeFirstOrThrow()
    expect(left.count).toBe(0)
    const changed = await app.deps.db
      .selectFrom('users')
      .select('id')
      .where('group_permissions', 'is not', null)
      .execute()
    expect(changed).toEqual([])
  })
})

describe('the permissions of a group', () => {
  it('are set by system administrators', async () => {
    const id = await groups.create()
    expect((await setPermissions(id, ['canViewAuditLog'], admin)).status).toBe(403)
    const refused = await setPermissions(id, ['canDoAll' as Permission])
    expect([refused.status, refused.body.message]).toEqual([400, 'Unknown permission'])
    expect((await groups.get(id)).permissions).toEqual([])
  })

  it('protect the group from administrators who are not system administrators', async () => {
    const id = await groups.create({ members: [ada.id] })
    await setPermissions(id, ['canViewAuditLog'])
    const refused = { status: 403, body: { code: 'group.system_admin_only' } }
    expect(await groups.addMembers(id, [admin.id])).toMatchObject(refused)
    expect(await groups.removeMembers(id, [ada.id])).toMatchObject(refused)
    expect(await groups.remove(id)).toMatchObject(refused)
    expect(await groups.get(id)).toMatchObject({ memberCount: 1, canChangeMembers: false })
  })

  it('count for administrators only, until they leave', async () => {
    const auditor = await createAdmin(app.deps, { permissions: { canDeleteUsers: false } })
    const id = await groups.create({ members: [auditor.id, ada.id] })
    await setPermissions(id, ['canViewAuditLog', 'canDeleteUsers'])
    expect(await listPermissions(auditor)).toEqual(
      expect.arrayContaining(['canViewAuditLog', 'canDeleteUsers']),
    )
    expect(await listPermissions(ada)).toEqual([])
    expect(await groups.losses(id)).toMatchObject({ administratorCount: 1 })
    const { body } = await app.call(usersApi.permissions, { as: system, params: { id: auditor.id } })
    expect(body).toMatchObject({ canViewAuditLog: false, canDeleteUsers: false })
    await app.call(usersApi.setPermissions, { as: system, params: { id: auditor.id }, body })
    await createGroupCalls(app, system).removeMembers(id, [auditor.id])
    const rest = await listPermissions(auditor)
    expect(rest).toContain('canManageUsers')
    expect(rest.filter((name) => ['canViewAuditLog', 'canDeleteUsers'].includes(name))).toEqual([])
  })

  it('of several groups add up', async () => {
    const auditor = await createAdmin(app.deps)
    const [first, second] = [
      await groups.create({ members: [auditor.id] }),
      await groups.create({ members: [auditor.id] }),
    ]
    await setPermissions(first, ['canViewAuditLog', 'canViewChatHistory'])
    await setPermissions(second, ['canViewAuditLog'])
    expect(await groups.losses(second)).toMatchObject({ administratorCount: 0 })
    await createGroupCalls(app, system).remove(first)
    const rest = await listPermissions(auditor)
    expect(rest).toContain('canViewAuditLog')
    expect(rest).not.toContain('canViewChatHistory')
  })

  it('are not given away by administrators who lack them, by promoting a member', async () => {
    const id = await groups.create({ members: [ada.id] })
    await setPermissions(id, ['canViewAuditLog'])
    const request = { params: { id: ada.id }, body: { role: 'admin' as const } }
    const refused = await app.call(usersApi.update, { as: admin, ...request })
    expect(refused).toMatchObject({ status: 403, body: { code: 'group.gives_permissions' } })
    expect((await app.call(usersApi.update, { as: system, ...request })).status).toBe(200)
  })
})
