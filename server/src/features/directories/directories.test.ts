import { auditApi } from '@lyceum/contract/audit'
import { directoriesApi, directoryMaximum } from '@lyceum/contract/directories'
import { groupsApi } from '@lyceum/contract/groups'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, type TestUser } from '#testing/factories.ts'
import { createScimCalls } from '#testing/scim.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let system: TestUser
beforeEach(async () => {
  app = await buildTestApp()
  system = await createAdmin(app.deps, { isSystemAdmin: true })
})
afterEach(() => app.close())

function create(name = 'Entra ID', as = system) {
  return app.call(directoriesApi.create, { as, body: { name } })
}
async function list() {
  return (await app.call(directoriesApi.list, { as: system })).body
}
async function requireId(): Promise<string> {
  return (await list()).directories[0]?._id ?? ''
}
async function getStatus(key: string): Promise<number> {
  return (await createScimCalls(app, key).send('GET', '/Users')).status
}
async function listEntries() {
  const query = { area: 'settings' as const }
  return (await app.call(auditApi.list, { as: system, query })).body.items
}

describe('POST /settings/directories', () => {
  it('rejects administrators who are not system administrators, and a missing name', async () => {
    const admin = await createAdmin(app.deps)
    expect((await create('Entra ID', admin)).status).toBe(403)
    expect((await create(' ')).body.fields).toHaveProperty('name')
    expect((await list()).directories).toEqual([])
  })

  it('rejects more directories than there can be, also from concurrent calls', async () => {
    const replies = await Promise.all(Array.from({ length: directoryMaximum + 2 }, () => create()))
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(2)
    expect((await list()).directories).toHaveLength(directoryMaximum)
  })

  it('returns the key once, stores only its hash, and records when it was used', async () => {
    const { body } = await create()
    expect(body).toMatchObject({ name: 'Entra ID', scimUrl: `${app.deps.env.PUBLIC_URL}/scim/v2` })
    expect(body.key).toMatch(/^lyceum_scim_[\w-]{43}$/)
    const prefix = body.key.slice(0, 18)
    expect((await list()).directories).toMatchObject([{ key: { prefix, lastUsedAt: null }, userCount: 0 }])
    expect(await getStatus(body.key)).toBe(200)
    expect((await list()).directories[0]?.key?.lastUsedAt).toEqual(expect.any(String))
    const rows = await app.deps.db.selectFrom('directory_keys').selectAll().execute()
    const entries = await app.deps.db.selectFrom('audit_log').selectAll().execute()
    expect(JSON.stringify([rows, entries, await list()])).not.toContain(body.key)
    expect(await listEntries()).toMatchObject([{ action: 'settings.directory-added', after: { prefix } }])
  })
})

describe('the key of a directory', () => {
  it('ends at once when it is replaced or revoked', async () => {
    const { body: first } = await create()
    const id = await requireId()
    const { body: second } = await app.call(directoriesApi.replaceKey, { as: system, params: { id } })
    expect([await getStatus(first.key), await getStatus(second.key)]).toEqual([401, 200])
    await app.call(directoriesApi.revokeKey, { as: system, params: { id } })
    expect(await getStatus(second.key)).toBe(401)
    expect((await list()).directories).toMatchObject([{ _id: id, key: null }])
    const { body: third } = await app.call(directoriesApi.replaceKey, { as: system, params: { id } })
    expect(await getStatus(third.key)).toBe(200)
    expect((await listEntries()).map(({ action }) => action)).toEqual([
      'settings.directory-key-replaced',
      'settings.directory-key-revoked',
      'settings.directory-key-replaced',
      'settings.directory-added',
    ])
  })

  it.each([directoriesApi.replaceKey, directoriesApi.revokeKey, directoriesApi.remove])(
    'cannot be changed for a directory that does not exist',
    async (endpoint) => {
      expect((await app.call(endpoint, { as: system, params: { id: 'unknown' } })).status).toBe(404)
    },
  )
})

describe('DELETE /settings/directories/:id', () => {
  it('keeps users, groups and memberships, which then count as made by hand', async () => {
    const { body } = await create()
    const scim = createScimCalls(app, body.key)
    const user = (await scim.createUser({ userName: 'anna@example.org' })).body
    const group = (await scim.createGroup({ displayName: 'Sales', members: [{ value: user.id }] })).body
    expect((await list()).directories).toMatchObject([{ userCount: 1, groupCount: 1 }])
    const removed = await app.call(directoriesApi.remove, { as: system, params: { id: await requireId() } })
    expect(removed.body.directories).toEqual([])
    expect(await getStatus(body.key)).toBe(401)
    const members = await app.call(groupsApi.members, { as: system, params: { id: group.id } })
    expect(members.body.items).toMatchObject([{ _id: user.id, isByHand: true }])
    expect(members.body.items[0]?.directory).toBeUndefined()
  })
})
