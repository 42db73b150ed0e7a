import { channelsApi } from '@lyceum/contract/channels'
import { groupsApi } from '@lyceum/contract/groups'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { createGroupCalls, type GroupCalls } from '#testing/groups.ts'
import { connectDirectory, groupSchema, type ScimCalls } from '#testing/scim.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let scim: ScimCalls
let groups: GroupCalls
let admin: TestUser
let channelId: string
/** Users whom the directory manages, with sessions. */
let anna: TestUser
let bo: TestUser
beforeEach(async () => {
  app = await buildTestApp()
  ;({ scim, admin } = await connectDirectory(app))
  groups = createGroupCalls(app, admin)
  channelId = await createTestChannel(app.deps)
  anna = await createUser(app.deps, { name: 'Anna' })
  bo = await createUser(app.deps, { name: 'Bo' })
  for (const { email, name } of [anna, bo]) await scim.createUser({ userName: email, displayName: name })
})
afterEach(() => app.close())

async function createSales(...members: TestUser[]): Promise<string> {
  const { status, body } = await scim.createGroup({
    displayName: 'Sales',
    externalId: 'g-1',
    members: members.map(({ id }) => ({ value: id })),
  })
  if (status !== 201) throw new Error(body.detail)
  return body.id
}
async function canOpen(as: TestUser): Promise<boolean> {
  return (await app.call(channelsApi.get, { as, params: { id: channelId } })).status === 200
}
async function listMembers(id: string): Promise<string[]> {
  return ((await scim.send('GET', `/Groups/${id}`)).body.members ?? []).map(({ value }) => value).toSorted()
}
function sorted(...users: TestUser[]): string[] {
  return users.map(({ id }) => id).toSorted()
}

describe('POST /Groups', () => {
  it.each([
    ['no name', { displayName: ' ' }, 400],
    ['an unknown attribute', { displayName: 'Sales', channels: [] }, 400],
    ['another schema', { displayName: 'Sales', schemas: ['urn:example:Other'] }, 400],
    ['a member without an id', { displayName: 'Sales', members: [{ display: 'Anna' }] }, 400],
    ['a member who does not exist', { displayName: 'Sales', members: [{ value: 'unknown' }] }, 400],
    ['a group as a member', { displayName: 'Sales', members: [{ value: 'x', type: 'Group' }] }, 400],
    [
      'more members than a request can add',
      { displayName: 'Sales', members: Array.from({ length: 1001 }, (_, index) => ({ value: `u${index}` })) },
      413,
    ],
  ])('refuses %s', async (_what, group, status) => {
    expect((await scim.createGroup(group)).status).toBe(status)
    expect((await scim.send('GET', '/Groups')).body.totalResults).toBe(0)
    expect(await app.deps.db.selectFrom('user_groups').select('id').execute()).toEqual([])
  })

  it('never takes over a group that exists', async () => {
    const id = await groups.create({ name: 'Sales', channels: [channelId] })
    const { status, body } = await scim.createGroup({ displayName: 'SALES', members: [{ value: anna.id }] })
    expect([status, body.scimType]).toEqual([409, 'uniqueness'])
    expect((await scim.send('GET', `/Groups/${id}`)).status).toBe(404)
    expect(
      (await scim.patchGroup(id, { op: 'add', path: 'members', value: [{ value: anna.id }] })).status,
    ).toBe(404)
    expect((await scim.send('DELETE', `/Groups/${id}`)).status).toBe(404)
    expect(await canOpen(anna)).toBe(false)
  })

  it('refuses users of Lyceum whom the directory does not manage', async () => {
    const cy = await createUser(app.deps)
    expect((await scim.createGroup({ displayName: 'Sales', members: [{ value: cy.id }] })).status).toBe(400)
  })

  it('creates a group without channels, which administrators can give it', async () => {
    const id = await createSales(anna)
    const detail = await groups.get(id)
    expect(detail).toMatchObject({ name: 'Sales', directory: 'Entra ID', memberCount: 1, channels: [] })
    await groups.addChannels(id, [channelId])
    expect([await canOpen(anna), await canOpen(bo)]).toEqual([true, false])
    const { body } = await app.call(groupsApi.members, { as: admin, params: { id } })
    expect(body.items).toMatchObject([{ _id: anna.id, isByHand: false, directory: 'Entra ID' }])
  })
})

describe('PATCH /Groups/:id', () => {
  it.each([
    ['an unknown path', { op: 'replace', path: 'channels', value: [] }, 'invalidPath'],
    ['a removal of the name', { op: 'remove', path: 'displayName' }, 'invalidValue'],
    [
      'members that are chosen otherwise',
      { op: 'remove', path: 'members[display eq "Anna"]' },
      'invalidPath',
    ],
    [
      'a member who does not exist',
      { op: 'add', path: 'members', value: [{ value: 'unknown' }] },
      'invalidValue',
    ],
  ])('is refused with %s, and changes nothing', async (_what, operation, scimType) => {
    const id = await createSales(anna)
    const rename = { op: 'replace', path: 'displayName', value: 'Other' }
    const { status, body } = await scim.patchGroup(id, rename, operation)
    expect([status, body.scimType]).toEqual([400, scimType])
    expect(await groups.get(id)).toMatchObject({ name: 'Sales', memberCount: 1 })
  })

  it.each<[string, () => object[], () => string[]]>([
    [
      'Entra ID: adds',
      () => [{ op: 'Add', path: 'members', value: [{ value: bo.id }] }],
      () => sorted(anna, bo),
    ],
    ['Entra ID: removes', () => [{ op: 'Remove', path: 'members', value: [{ value: anna.id }] }], () => []],
    ['Okta: removes', () => [{ op: 'remove', path: `members[value eq "${anna.id}"]` }], () => []],
    [
      'Okta: replaces',
      () => [{ op: 'replace', path: 'members', value: [{ value: bo.id }] }],
      () => sorted(bo),
    ],
    ['removes all', () => [{ op: 'remove', path: 'members' }], () => []],
    ['without a path', () => [{ op: 'add', value: { members: [{ value: bo.id }] } }], () => sorted(anna, bo)],
    [
      'adds and removes',
      () => [
        { op: 'add', path: 'members', value: [{ value: bo.id }] },
        { op: 'remove', path: `members[value eq "${anna.id}" or value eq "none"]` },
      ],
      () => sorted(bo),
    ],
    [
      'a rename only',
      () => [{ op: 'replace', value: { id: 'x', displayName: 'Sales team' } }],
      () => sorted(anna),
    ],
  ])('works as directories send it: %s', async (_what, operations, expected) => {
    const id = await createSales(anna)
    const { status, body } = await scim.patchGroup(id, ...operations())
    expect(status, body.detail).toBe(204)
    expect(await listMembers(id)).toEqual(expected())
  })

  it('adds and removes hundreds of members at once', async () => {
    const ids: string[] = []
    for (let index = 0; index < 150; index += 1)
      ids.push((await scim.createUser({ userName: `user-${index}@example.org` })).body.id)
    const id = await createSales()
    await groups.addChannels(id, [channelId])
    const value = ids.map((member) => ({ value: member }))
    expect((await scim.patchGroup(id, { op: 'add', path: 'members', value })).status).toBe(204)
    expect(await listMembers(id)).toEqual(ids.toSorted())
    expect((await groups.get(id)).memberCount).toBe(150)
    await scim.patchGroup(
      id,
      ...ids.map((member) => ({ op: 'remove', path: `members[value eq "${member}"]` })),
    )
    expect(await listMembers(id)).toEqual([])
    const left = await app.deps.db.selectFrom('channel_members').select('user_id').execute()
    expect(left).toEqual([])
  })
})

describe('a group of a directory', () => {
  it('takes back exactly what it gave', async () => {
    const id = await createSales(anna, bo)
    await groups.addChannels(id, [channelId])
    await app.call(channelsApi.grant, { as: admin, params: { id: channelId }, body: { userId: bo.id } })
    await groups.addMembers(id, [anna.id])
    await scim.patchGroup(id, { op: 'remove', path: 'members' })
    // Anna is still a member by hand, and Bo has the channel by hand.
    expect([await canOpen(anna), await canOpen(bo)]).toEqual([true, true])
    expect((await groups.get(id)).memberCount).toBe(1)
    await groups.removeMembers(id, [anna.id])
    expect(await canOpen(anna)).toBe(false)
  })

  it('is replaced by PUT, and deleted as on the screen', async () => {
    const id = await createSales(anna)
    await groups.addChannels(id, [channelId])
    const { status, body } = await scim.send('PUT', `/Groups/${id}`, {
      schemas: [groupSchema],
      displayName: 'Team',
      members: [{ value: bo.id }],
    })
    expect([status, body.displayName, body.externalId]).toEqual([200, 'Team', undefined])
    expect([await canOpen(anna), await canOpen(bo)]).toEqual([false, true])
    expect((await scim.send('DELETE', `/Groups/${id}`)).status).toBe(204)
    expect(await canOpen(bo)).toBe(false)
    expect((await scim.send('GET', `/Groups/${id}`)).status).toBe(404)
  })

  it('loses a user whom the directory deletes', async () => {
    const id = await createSales(anna, bo)
    await groups.addChannels(id, [channelId])
    await scim.send('DELETE', `/Users/${anna.id}`)
    expect(await listMembers(id)).toEqual([bo.id])
    expect(await groups.listChannelsOf(anna)).toEqual([])
  })

  it('depends on the version that the directory knows, also if someone else removed a member', async () => {
    const id = await createSales(anna, bo)
    const { headers } = await scim.send('GET', `/Groups/${id}?excludedAttributes=members`)
    await groups.removeMembers(id, [anna.id])
    const stale = { 'if-match': String(headers['etag']) }
    expect((await scim.send('DELETE', `/Groups/${id}`, undefined, stale)).status).toBe(412)
    expect(await listMembers(id)).toEqual([bo.id])
  })

  it('gives permissions only if a system administrator says so', async () => {
    const id = await createSales(anna)
    await app.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', anna.id).execute()
    const permissions = { params: { id }, body: { permissions: ['canViewChatHistory' as const] } }
    expect((await app.call(groupsApi.setPermissions, { as: anna, ...permissions })).status).not.toBe(200)
    await app.call(groupsApi.setPermissions, { as: admin, ...permissions })
    const { group_permissions } = await app.deps.db
      .selectFrom('users')
      .select('group_permissions')
      .where('id', '=', anna.id)
      .executeTakeFirstOrThrow()
    expect(group_permissions).toBe('["canViewChatHistory"]')
  })
})
