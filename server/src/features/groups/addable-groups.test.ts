import { groupsApi } from '@lyceum/contract/groups'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { createGroupCalls, type GroupCalls } from '#testing/groups.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let admin: TestUser
let system: TestUser
let limited: TestUser
let ada: TestUser
let groups: GroupCalls
let ids: { open: string; privileged: string; hidden: string; seen: string }
beforeAll(async () => {
  app = await buildTestApp()
})
beforeEach(async () => {
  admin = await createAdmin(app.deps)
  system = await createAdmin(app.deps, { isSystemAdmin: true })
  ada = await createUser(app.deps, { name: 'Ada' })
  const [seenChannel, hiddenChannel] = [await createTestChannel(app.deps), await createTestChannel(app.deps)]
  limited = await createAdmin(app.deps, {
    permissions: { canManageChannels: false },
    channels: [seenChannel],
  })
  groups = createGroupCalls(app, admin)
  ids = {
    open: await groups.create({ name: `${ada.id} open` }),
    privileged: await groups.create({ name: `${ada.id} privileged` }),
    hidden: await groups.create({ name: `${ada.id} hidden`, channels: [seenChannel, hiddenChannel] }),
    seen: await groups.create({ name: `${ada.id} seen`, channels: [seenChannel] }),
  }
  const params = { id: ids.privileged }
  await app.call(groupsApi.setPermissions, { as: system, params, body: { permissions: ['canViewAuditLog'] } })
})
afterAll(() => app.close())

async function listAddable(as: TestUser): Promise<string[]> {
  const query = { search: ada.id, addableUserId: ada.id }
  const { body } = await app.call(groupsApi.list, { as, query })
  expect(body.total).toBe(body.items.length)
  return body.items.map(({ _id }) => _id)
}

describe('GET /groups?addableUserId=', () => {
  it('lists the groups whose members the caller can change, and no others', async () => {
    const { open, privileged, hidden, seen } = ids
    expect(await listAddable(system)).toEqual([hidden, open, privileged, seen])
    expect(await listAddable(admin)).toEqual([hidden, open, seen])
    expect(await listAddable(limited)).toEqual([open, seen])
    for (const as of [system, admin, limited])
      for (const id of Object.values(ids)) {
        const { body } = await app.call(groupsApi.get, { as, params: { id } })
        expect(body.canChangeMembers).toBe((await listAddable(as)).includes(id))
      }
  })

  it('leaves out the groups of the user', async () => {
    await groups.addMembers(ids.open, [ada.id])
    expect(await listAddable(admin)).toEqual([ids.hidden, ids.seen])
  })

  it('does not find a user who does not exist', async () => {
    const response = await app.call(groupsApi.list, { as: admin, query: { addableUserId: 'none' } })
    expect(response).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})

describe('GET /users/:id/access', () => {
  it('says of which groups the caller can change the members', async () => {
    const all = createGroupCalls(app, system)
    for (const id of Object.values(ids)) await all.addMembers(id, [ada.id])
    const { open, privileged, hidden, seen } = ids
    const expected = [
      [system, [hidden, open, privileged, seen]],
      [admin, [hidden, open, seen]],
      [limited, [open, seen]],
    ] as const
    for (const [as, changeable] of expected) {
      const { body } = await app.call(groupsApi.accessOfUser, { as, params: { id: ada.id } })
      const own = body.groups.filter(({ canChangeMembers }) => canChangeMembers)
      expect(own.map(({ _id }) => _id)).toEqual(changeable)
      expect(body.groups).toHaveLength(4)
    }
  })
})
