import { auditApi } from '@lyceum/contract/audit'
import { groupChannelMaximum, groupsApi } from '@lyceum/contract/groups'
import { usersApi } from '@lyceum/contract/users'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { createGroupCalls, type GroupCalls } from '#testing/groups.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let admin: TestUser
let system: TestUser
let ada: TestUser
let groups: GroupCalls
beforeAll(async () => {
  app = await buildTestApp()
})
beforeEach(async () => {
  admin = await createAdmin(app.deps, { name: 'Grace' })
  system = await createAdmin(app.deps, { isSystemAdmin: true })
  ada = await createUser(app.deps, { name: 'Ada' })
  groups = createGroupCalls(app, admin)
})
afterAll(() => app.close())

const notFound = { status: 404, body: { code: 'not_found' } }

async function listAuditEntries(objectId: string) {
  const { body } = await app.call(auditApi.list, { as: system, query: { objectId } })
  return body.items.map(({ action, actor, object, before, after }) => ({
    action,
    actor: actor?.name,
    object: object?.name,
    before,
    after,
  }))
}

describe('groups', () => {
  it('are closed to users and to administrators without canManageUsers', async () => {
    const id = await groups.create()
    const restricted = await createAdmin(app.deps, { permissions: { canManageUsers: false } })
    for (const as of [ada, restricted]) {
      const params = { id }
      const responses = [
        app.call(groupsApi.list, { as }),
        app.call(groupsApi.get, { as, params }),
        app.call(groupsApi.create, { as, body: { name: 'Theirs' } }),
        app.call(groupsApi.update, { as, params, body: { name: 'Theirs' } }),
        app.call(groupsApi.remove, { as, params }),
        app.call(groupsApi.addMembers, { as, params, body: { userIds: [as.id] } }),
        app.call(groupsApi.addChannels, { as, params, body: { channelIds: ['x'] } }),
        app.call(groupsApi.accessOfUser, { as, params: { id: ada.id } }),
      ]
      for (const response of responses) expect((await response).status).toBe(403)
    }
    expect((await groups.get(id)).memberCount).toBe(0)
  })

  it.each([
    ['an empty name', { name: ' ' }, 'name'],
    ['a name that is too long', { name: 'x'.repeat(101) }, 'name'],
    ['a name of two lines', { name: 'Sales\nteam' }, 'name'],
    ['a description that is too long', { name: 'Sales', description: 'x'.repeat(501) }, 'description'],
  ])('refuse %s', async (_what, body, field) => {
    const id = await groups.create()
    const responses = [
      app.call(groupsApi.create, { as: admin, body }),
      app.call(groupsApi.update, { as: admin, params: { id }, body }),
    ]
    for (const response of responses) {
      const { status, body: refusal } = await response
      expect([status, Object.keys(refusal.fields ?? {})]).toEqual([400, [field]])
    }
  })

  it('have different names, whatever the case', async () => {
    const name = `Équipe ${ada.id}`
    const id = await groups.create({ name })
    const other = await groups.create()
    const message = 'There is already a group with this name'
    const taken = { status: 409, body: { code: 'group.exists', message, fields: { name: message } } }
    const body = { name: name.toUpperCase() }
    expect(await app.call(groupsApi.create, { as: admin, body })).toMatchObject(taken)
    expect(await app.call(groupsApi.update, { as: admin, params: { id: other }, body })).toMatchObject(taken)
    const renamed = await app.call(groupsApi.update, { as: admin, params: { id }, body })
    expect([renamed.status, renamed.body.name]).toEqual([200, body.name])
  })

  it('that do not exist are not found', async () => {
    const params = { id: 'none' }
    const as = system
    const responses = [
      app.call(groupsApi.get, { as, params }),
      app.call(groupsApi.update, { as, params, body: { name: 'None' } }),
      app.call(groupsApi.losses, { as, params }),
      app.call(groupsApi.remove, { as, params }),
      app.call(groupsApi.members, { as, params }),
      app.call(groupsApi.addMembers, { as, params, body: { userIds: [ada.id] } }),
      app.call(groupsApi.removeMembers, { as, params, body: { userIds: [ada.id] } }),
      app.call(groupsApi.addChannels, {
        as,
        params,
        body: { channelIds: [await createTestChannel(app.deps)] },
      }),
      app.call(groupsApi.removeChannel, { as, params: { ...params, channelId: 'none' } }),
      app.call(groupsApi.setPermissions, { as, params, body: { permissions: [] } }),
      app.call(groupsApi.accessOfUser, { as, params }),
      app.call(groupsApi.groupsOfChannel, { as, params }),
    ]
    for (const response of responses) expect(await response).toMatchObject(notFound)
  })

  it('are listed by name in pages, with their counts', async () => {
    const word = ada.id.slice(-8)
    const channelId = await createTestChannel(app.deps)
    await groups.create({ name: `${word} b` })
    const first = await groups.create({ name: `${word} A`, members: [ada.id], channels: [channelId] })
    const query = { search: word.toUpperCase(), limit: 1 }
    const { body } = await app.call(groupsApi.list, { as: admin, query })
    expect([body.total, body.totalPages]).toEqual([2, 2])
    expect(body.items).toMatchObject([{ _id: first, memberCount: 1, channelCount: 1, permissions: [] }])
    const { body: rest } = await app.call(groupsApi.list, { as: admin, query: { ...query, skip: 1 } })
    expect(rest.items.map(({ name }) => name)).toEqual([`${word} b`])
  })

  it('record what changes in the audit log, with names', async () => {
    const id = await groups.create({ name: `Team ${ada.id}` })
    const channelId = await createTestChannel(app.deps, { name: 'Handbook' })
    await groups.addMembers(id, [ada.id])
    await groups.addChannels(id, [channelId])
    await app.call(groupsApi.update, { as: admin, params: { id }, body: { name: `Crew ${ada.id}` } })
    const body = { permissions: ['canViewAuditLog' as const] }
    await app.call(groupsApi.setPermissions, { as: system, params: { id }, body })
    await app.call(groupsApi.setPermissions, { as: system, params: { id }, body })
    await app.call(groupsApi.setPermissions, { as: system, params: { id }, body: { permissions: [] } })
    await groups.removeMembers(id, [ada.id])
    await groups.addMembers(id, [ada.id])
    await groups.remove(id)
    const [team, crew] = [`Team ${ada.id}`, `Crew ${ada.id}`]
    expect((await listAuditEntries(id)).toReversed()).toMatchObject([
      { action: 'group.created', actor: 'Grace', object: team, after: { name: team } },
      {
        action: 'group.channel-added',
        object: team,
        after: { channelId, channel: 'Handbook', usersAdded: 1 },
      },
      { action: 'group.changed', before: { name: team }, after: { name: crew } },
      { action: 'group.permissions-changed', before: { permissions: [] }, after: body },
      { action: 'group.permissions-changed', before: body, after: { permissions: [] } },
      {
        action: 'group.deleted',
        object: crew,
        before: { members: 1, channels: [{ channel: 'Handbook', usersRemoved: 1 }] },
      },
    ])
    const channels = ['Handbook']
    expect((await listAuditEntries(ada.id)).toReversed()).toMatchObject([
      { action: 'group.member-added', object: 'Ada', after: { groupId: id, group: team, channels: [] } },
      { action: 'group.member-removed', object: 'Ada', before: { groupId: id, group: crew, channels } },
      { action: 'group.member-added', after: { group: crew, channels } },
    ])
  })
})

describe('the members of a group', () => {
  it('are users who exist, or nobody is added', async () => {
    const id = await groups.create()
    const refused = await groups.addMembers(id, [ada.id, 'nobody'])
    expect(refused).toMatchObject({ status: 400, body: { code: 'group.unknown_user' } })
    const body = { userIds: Array.from({ length: 101 }, (_, at) => `u${at}`) }
    for (const userIds of [[], body.userIds]) expect((await groups.addMembers(id, userIds)).status).toBe(400)
    expect((await groups.get(id)).memberCount).toBe(0)
  })

  it('are added and removed several at once, and listed in pages', async () => {
    const bo = await createUser(app.deps, { name: 'Bo' })
    const id = await groups.create({ name: `Sales ${ada.id}` })
    expect((await groups.addMembers(id, [bo.id, ada.id, bo.id])).body.message).toBe(
      `2 users are now in “Sales ${ada.id}”`,
    )
    const query = { limit: 1 }
    const { body: page } = await app.call(groupsApi.members, { as: admin, params: { id }, query })
    expect(page).toMatchObject({
      items: [{ _id: ada.id, isByHand: true, issuers: [] }],
      total: 2,
      totalPages: 2,
    })
    const search = bo.email.toUpperCase()
    const { body: found } = await app.call(groupsApi.members, {
      as: admin,
      params: { id },
      query: { search },
    })
    expect(found.items.map(({ _id }) => _id)).toEqual([bo.id])
    const filtered = await app.call(usersApi.list, { as: admin, query: { groupId: id, limit: 10 } })
    expect(filtered.body).toMatchObject({ items: [{ _id: ada.id }, { _id: bo.id }], total: 2 })
    const others = await app.call(usersApi.list, { as: admin, query: { exceptGroupId: id } })
    expect(others.body).toContainEqual(expect.objectContaining({ _id: admin.id }))
    for (const { id: _id } of [ada, bo])
      expect(others.body).not.toContainEqual(expect.objectContaining({ _id }))
    const removed = await groups.removeMembers(id, [ada.id])
    expect(removed.body.message).toBe(`“Ada” is no longer in “Sales ${ada.id}”`)
    expect((await groups.removeMembers(id, [ada.id])).status).toBe(200)
    expect((await groups.get(id)).memberCount).toBe(1)
  })

  it('of another group stay there', async () => {
    const [mine, theirs] = [await groups.create(), await groups.create({ members: [ada.id] })]
    await groups.removeMembers(mine, [ada.id])
    expect((await groups.get(theirs)).memberCount).toBe(1)
  })

  it('leave when they are deleted', async () => {
    const id = await groups.create({ members: [ada.id] })
    await app.call(usersApi.remove, { as: admin, params: { id: ada.id } })
    expect((await groups.get(id)).memberCount).toBe(0)
  })
})

describe('the channels of a group', () => {
  it('are channels that exist, which the actor can see', async () => {
    const channelId = await createTestChannel(app.deps)
    const id = await groups.create()
    const unknown = { status: 400, body: { code: 'group.unknown_channel' } }
    expect(await groups.addChannels(id, [channelId, 'none'])).toMatchObject(unknown)
    const blind = createGroupCalls(
      app,
      await createAdmin(app.deps, { permissions: { canManageChannels: false } }),
    )
    expect(await blind.addChannels(id, [channelId])).toMatchObject(unknown)
    expect((await groups.get(id)).channels).toEqual([])
  })

  it('protect a group from administrators who cannot see them', async () => {
    const channelId = await createTestChannel(app.deps)
    const id = await groups.create({ members: [ada.id], channels: [channelId] })
    const insider = await createAdmin(app.deps, { permissions: { canManageChannels: false } })
    const blind = createGroupCalls(app, insider)
    const hidden = { status: 403, body: { code: 'group.hidden_channels' } }
    expect(await blind.addMembers(id, [insider.id])).toMatchObject(hidden)
    expect(await blind.removeMembers(id, [ada.id])).toMatchObject(hidden)
    expect(await blind.remove(id)).toMatchObject(hidden)
    const params = { id, channelId }
    expect(await app.call(groupsApi.removeChannel, { as: insider, params })).toMatchObject(notFound)
    expect(await blind.get(id)).toMatchObject({ channels: [], channelCount: 1, canChangeMembers: false })
    const { body } = await app.call(groupsApi.accessOfUser, { as: insider, params: { id: ada.id } })
    expect([body.channels, body.groups.length]).toEqual([[], 1])
    const query = { as: insider, params: { id: channelId } }
    expect(await app.call(groupsApi.groupsOfChannel, query)).toMatchObject(notFound)
    expect(await groups.listChannelsOf(ada)).toEqual([channelId])
  })

  it('are removed only from this group', async () => {
    const channelId = await createTestChannel(app.deps)
    const id = await groups.create()
    const params = { id, channelId }
    expect(await app.call(groupsApi.removeChannel, { as: admin, params })).toMatchObject(notFound)
  })

  it('are limited', async () => {
    const id = await groups.create()
    const ids: string[] = []
    for (let count = 0; count <= groupChannelMaximum; count++) ids.push(await createTestChannel(app.deps))
    await groups.addChannels(id, ids.slice(0, 1))
    expect((await groups.addChannels(id, ids.slice(1))).body.code).toBe('group.channel_limit')
    expect((await groups.addChannels(id, ids.slice(0, groupChannelMaximum))).status).toBe(200)
    expect((await groups.get(id)).channelCount).toBe(groupChannelMaximum)
  })

  it('list their groups', async () => {
    const channelId = await createTestChannel(app.deps)
    const id = await groups.create({ members: [ada.id], channels: [channelId] })
    await groups.create()
    const { body } = await app.call(groupsApi.groupsOfChannel, { as: admin, params: { id: channelId } })
    expect(body).toMatchObject({ items: [{ _id: id, memberCount: 1 }], total: 1, totalPages: 1 })
  })
})
