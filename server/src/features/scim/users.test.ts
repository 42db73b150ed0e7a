import { apiKeysApi } from '@lyceum/contract/api-keys'
import { auditApi } from '@lyceum/contract/audit'
import { authApi } from '@lyceum/contract/auth'
import { invitationsApi } from '@lyceum/contract/invitations'
import { usersApi } from '@lyceum/contract/users'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { connectDirectory, type ScimCalls } from '#testing/scim.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let admin: TestUser
let directoryId: string
let scim: ScimCalls
beforeEach(async () => {
  app = await buildTestApp()
  ;({ admin, scim, id: directoryId } = await connectDirectory(app))
})
afterEach(() => app.close())

const anna = {
  userName: 'Anna@corp.example',
  externalId: 'e-1',
  displayName: 'Anna Ames',
  name: { givenName: 'Anna', familyName: 'Ames' },
  emails: [
    { value: 'private@example.org', type: 'home' },
    { value: 'anna@example.org', type: 'work', primary: true },
  ],
  active: true,
}

async function createAnna(changes: object = {}): Promise<string> {
  const { status, body } = await scim.createUser({ ...anna, ...changes })
  if (status !== 201) throw new Error(body.detail)
  return body.id
}
async function countUsers(): Promise<number> {
  const rows = await app.deps.db.selectFrom('users').select('id').execute()
  return rows.length
}
function readUser(id: string) {
  return app.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}
async function listActions(objectId: string): Promise<string[]> {
  const { body } = await app.call(auditApi.list, { as: admin, query: { objectId } })
  return body.items.map(({ action }) => action)
}
/** Signs in as the user, as if an issuer had. */
async function giveAccess(id: string, changes: object): Promise<void> {
  await app.deps.db.updateTable('users').set(changes).where('id', '=', id).execute()
}

describe('POST /Users', () => {
  it.each([
    ['no userName', { userName: '' }, 'invalidValue'],
    ['no email address', { userName: 'anna', emails: [] }, 'invalidValue'],
    ['a malformed email address', { emails: [{ value: 'anna at example' }] }, 'invalidValue'],
    ['an unknown attribute', { isSystemAdmin: true }, 'invalidSyntax'],
    ['another schema', { schemas: ['urn:example:Other'] }, 'invalidSyntax'],
    ['a control character', { displayName: 'Anna\u0000' }, 'invalidValue'],
    ['a name that is too long', { displayName: 'a'.repeat(201) }, 'invalidValue'],
    [
      'too many addresses',
      { emails: Array.from({ length: 21 }, () => ({ value: 'a@example.org' })) },
      'invalidValue',
    ],
    ['a name that is a text', { name: 'Anna' }, 'invalidValue'],
    ['an active that is no boolean', { active: 'maybe' }, 'invalidValue'],
  ])('refuses %s', async (_what, changes, scimType) => {
    const before = await countUsers()
    const { status, body } = await scim.createUser({ ...anna, ...changes })
    expect([status, body.scimType]).toEqual([400, scimType])
    expect(await countUsers()).toBe(before)
  })

  it('refuses what is not JSON, too large or of another type, in the form of SCIM', async () => {
    const replies = await Promise.all([
      scim.send('POST', '/Users', '{"userName": '),
      scim.send('POST', '/Users', '[]'),
      scim.send('POST', '/Users', 'x'.repeat(1024 * 1024 + 1)),
      scim.send('POST', '/Users', '<user/>', { 'content-type': 'application/xml' }),
      scim.send('POST', '/Users', `{"a":${'['.repeat(50)}${']'.repeat(50)}}`),
    ])
    expect(replies.map(({ status }) => status)).toEqual([400, 400, 413, 415, 400])
    for (const { body, headers, status } of replies) {
      expect(body).toMatchObject({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: String(status),
      })
      expect(headers['content-type']).toMatch(/^application\/scim\+json/)
    }
  })

  it('never connects the account of an administrator, of another directory or of a deactivated user', async () => {
    const other = await connectDirectory(app, 'Okta')
    await other.scim.createUser({ userName: 'bo@example.org' })
    const former = await createUser(app.deps, { email: 'former@example.org' })
    await app.call(usersApi.setActive, { as: admin, params: { id: former.id }, body: { isActive: false } })
    const ordinaryAdmin = await createAdmin(app.deps)
    for (const address of [admin.email, ordinaryAdmin.email, 'bo@example.org', former.email]) {
      const { status, body } = await scim.createUser({ userName: address.toUpperCase() })
      expect([status, body.scimType]).toEqual([409, 'uniqueness'])
      expect((await scim.find('Users', `userName eq "${address}"`)).body.totalResults).toBe(0)
    }
    expect((await readUser(former.id)).deactivated_at).not.toBeNull()
  })

  it('creates a user without a password, whose address is the primary one', async () => {
    const { status, headers, body } = await scim.createUser(anna)
    expect(status).toBe(201)
    expect(headers).toMatchObject({ location: body.meta.location, etag: body.meta.version })
    expect(body).toMatchObject({
      ...{ userName: 'Anna@corp.example', externalId: 'e-1', displayName: 'Anna Ames', active: true },
      emails: [{ value: 'anna@example.org', type: 'work', primary: true }],
    })
    expect(await readUser(body.id)).toMatchObject({
      ...{ email: 'anna@example.org', name: 'Anna Ames', role: 'user', password_hash: '' },
    })
    expect((await scim.createUser({ ...anna, userName: 'anna@CORP.example' })).body.scimType).toBe(
      'uniqueness',
    )
    const { body: entries } = await app.call(auditApi.list, { as: admin, query: { objectId: body.id } })
    expect(entries.items).toMatchObject([
      {
        action: 'user.created',
        actor: { _id: directoryId, name: 'Directory Entra ID' },
        after: { directory: directoryId },
      },
    ])
    const shown = await app.call(usersApi.get, { as: admin, params: { id: body.id } })
    expect(shown.body.directoryName).toBe('Entra ID')
    const other = await app.call(usersApi.get, { as: admin, params: { id: admin.id } })
    expect(other.body).not.toHaveProperty('directoryName')
  })

  it('connects an ordinary user with this address, and accepts an invitation', async () => {
    const bo = await createUser(app.deps, { email: 'bo@example.org', name: 'Bo' })
    expect((await scim.createUser({ userName: 'bo@example.org', displayName: 'Bo Berg' })).body.id).toBe(
      bo.id,
    )
    expect((await readUser(bo.id)).name).toBe('Bo Berg')
    expect(await listActions(bo.id)).toEqual(['user.renamed', 'identity.connected'])
    const channelId = await createTestChannel(app.deps)
    const invitation = {
      ...{
        fullName: 'Cy',
        allowedChannels: [channelId],
        twoFactorExpiryEnabled: true,
        twoFactorExpiryDays: 30,
      },
    }
    await app.call(invitationsApi.create, { as: admin, body: { ...invitation, email: 'cy@example.org' } })
    const { body } = await scim.createUser({ userName: 'cy@example.org' })
    const detail = await app.call(usersApi.get, { as: admin, params: { id: body.id } })
    expect(detail.body.channels).toEqual([channelId])
    await app.call(invitationsApi.create, {
      as: admin,
      body: { ...invitation, email: 'di@example.org', role: 'admin' },
    })
    expect((await scim.createUser({ userName: 'di@example.org' })).status).toBe(409)
  })
})

describe('a change of a user', () => {
  it('is refused for users whom the directory does not manage', async () => {
    const bo = await createUser(app.deps)
    const other = await connectDirectory(app, 'Okta')
    const foreign = (await other.scim.createUser({ userName: 'cy@example.org' })).body.id
    for (const id of [bo.id, admin.id, foreign, 'unknown']) {
      const replies = [
        await scim.send('GET', `/Users/${id}`),
        await scim.patchUser(id, { op: 'replace', path: 'active', value: false }),
        await scim.send('PUT', `/Users/${id}`, {
          schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
          ...anna,
        }),
        await scim.send('DELETE', `/Users/${id}`),
      ]
      expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    }
    expect((await app.call(authApi.me, { as: bo })).status).toBe(200)
  })

  it.each([
    ['no operations', [], 'invalidSyntax'],
    ['an unknown operation', [{ op: 'move', path: 'active' }], 'invalidSyntax'],
    ['a removal without a path', [{ op: 'remove' }], 'noTarget'],
    ['an unknown path', [{ op: 'replace', path: 'isSystemAdmin', value: true }], 'invalidPath'],
    ['a malformed path', [{ op: 'replace', path: 'emails[type eq', value: 'x' }], 'invalidPath'],
    ['a malformed filter in a path', [{ op: 'replace', path: 'emails[type]', value: 'x' }], 'invalidFilter'],
    ['a removal of what is required', [{ op: 'remove', path: 'active' }], 'invalidValue'],
    ['a value of the wrong type', [{ op: 'replace', path: 'userName', value: 7 }], 'invalidValue'],
    ['a value that is a list', [{ op: 'replace', value: [] }], 'invalidValue'],
    [
      'a later operation that is not valid',
      [
        { op: 'replace', path: 'active', value: false },
        { op: 'remove', path: 'userName' },
      ],
      'invalidValue',
    ],
  ])('is refused with %s, and changes nothing', async (_what, operations, scimType) => {
    const id = await createAnna()
    const before = await scim.send('GET', `/Users/${id}`)
    const { status, body } = await scim.patchUser(id, ...operations)
    expect([status, body.scimType]).toEqual([400, scimType])
    expect((await scim.send('GET', `/Users/${id}`)).body).toEqual(before.body)
  })

  it('never takes the last system administrator away, nor the role of an administrator', async () => {
    const id = await createAnna()
    await giveAccess(id, { role: 'admin', is_system_admin: 1 })
    await app.deps.db.updateTable('users').set({ is_system_admin: 0 }).where('id', '=', admin.id).execute()
    const off = { op: 'replace', path: 'active', value: false }
    const replies = [
      await scim.patchUser(id, off),
      await scim.send('PUT', `/Users/${id}`, {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        ...anna,
        active: false,
      }),
      await scim.send('DELETE', `/Users/${id}`),
    ]
    expect(replies.map(({ status }) => status)).toEqual([409, 409, 409])
    expect(
      (await scim.patchUser(id, { op: 'replace', path: 'roles', value: [{ value: 'user' }] })).status,
    ).toBe(200)
    expect(await readUser(id)).toMatchObject({ role: 'admin', is_system_admin: 1, deactivated_at: null })
    expect((await scim.send('GET', `/Users/${id}`)).status).toBe(200)
    // Another one remains, so this one may leave.
    await app.deps.db.updateTable('users').set({ is_system_admin: 1 }).where('id', '=', admin.id).execute()
    expect((await scim.patchUser(id, off)).body.active).toBe(false)
  })

  it('of the address is refused for administrators, users with a password and taken addresses', async () => {
    const id = await createAnna()
    await createUser(app.deps, { email: 'taken@example.org' })
    function change(value: string) {
      return scim.patchUser(id, { op: 'replace', path: 'emails[type eq "work"].value', value })
    }
    expect((await change('taken@example.org')).body.scimType).toBe('uniqueness')
    await giveAccess(id, { role: 'admin' })
    expect((await change('new@example.org')).body.scimType).toBe('mutability')
    await giveAccess(id, { role: 'user', password_hash: 'hash' })
    expect((await change('new@example.org')).body.scimType).toBe('mutability')
    expect((await readUser(id)).email).toBe('anna@example.org')
    await giveAccess(id, { password_hash: '' })
    expect((await change('new@example.org')).body.emails).toMatchObject([
      { value: 'new@example.org', type: 'work' },
    ])
    expect(await listActions(id)).toEqual(['user.email-changed', 'user.created'])
  })

  it.each<[string, object[], object]>([
    ['Entra ID: active as text', [{ op: 'Replace', path: 'active', value: 'False' }], { active: false }],
    [
      'Entra ID: without a path',
      [{ op: 'Replace', value: { displayName: 'A. Ames', 'name.givenName': 'A.' } }],
      { displayName: 'A. Ames', name: { givenName: 'A.', familyName: 'Ames' } },
    ],
    [
      'Entra ID: with the schema',
      [{ op: 'Add', path: 'urn:ietf:params:scim:schemas:core:2.0:User:name.familyName', value: 'Berg' }],
      { name: { familyName: 'Berg' } },
    ],
    [
      'Entra ID: an enterprise attribute',
      [
        {
          op: 'Add',
          path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
          value: 'Sales',
        },
      ],
      { displayName: 'Anna Ames' },
    ],
    [
      'Entra ID: a private address',
      [{ op: 'Replace', path: 'emails[type eq "home"].value', value: 'home@example.org' }],
      { emails: [{ value: 'anna@example.org' }] },
    ],
    ['Okta: deactivation', [{ op: 'replace', value: { active: false } }], { active: false }],
    [
      'a removal',
      [
        { op: 'remove', path: 'externalId' },
        { op: 'remove', path: 'name' },
      ],
      { displayName: 'Anna Ames' },
    ],
    [
      'a userName',
      [{ op: 'replace', path: 'userName', value: 'ames@corp.example' }],
      { userName: 'ames@corp.example', emails: [{ value: 'anna@example.org' }] },
    ],
  ])('works as directories send it: %s', async (_what, operations, expected) => {
    const id = await createAnna()
    const { status, body } = await scim.patchUser(id, ...operations)
    expect(status, body.detail).toBe(200)
    expect(body).toMatchObject(expected)
    expect((await scim.send('GET', `/Users/${id}`)).body).toEqual(body)
  })

  it('keeps a name that was changed in Lyceum until the directory changes it', async () => {
    const id = await createAnna()
    await app.call(usersApi.update, { as: admin, params: { id }, body: { name: 'Annie' } })
    await scim.patchUser(id, { op: 'replace', path: 'externalId', value: 'e-2' })
    expect((await readUser(id)).name).toBe('Annie')
    await scim.patchUser(id, { op: 'replace', path: 'displayName', value: 'Anna Berg' })
    expect((await readUser(id)).name).toBe('Anna Berg')
  })

  it('depends on the version that the directory knows', async () => {
    const id = await createAnna()
    const { headers } = await scim.send('GET', `/Users/${id}`)
    const etag = String(headers['etag'])
    expect((await scim.send('GET', `/Users/${id}`, undefined, { 'if-none-match': etag })).status).toBe(304)
    await scim.patchUser(id, { op: 'replace', path: 'displayName', value: 'Other' })
    const stale = await scim.send('DELETE', `/Users/${id}`, undefined, { 'if-match': etag })
    expect([stale.status, stale.body.status]).toEqual([412, '412'])
    expect((await scim.send('GET', `/Users/${id}`, undefined, { 'if-none-match': etag })).status).toBe(200)
    expect((await scim.send('DELETE', `/Users/${id}`, undefined, { 'if-match': '*' })).status).toBe(204)
  })
})

describe('a user who leaves', () => {
  it('loses sessions and API keys, and gets access back when the directory says so', async () => {
    const bo = await createUser(app.deps, { email: 'bo@example.org' })
    const { body: user } = await scim.createUser({ userName: 'bo@example.org' })
    const { body: created } = await app.call(apiKeysApi.create, {
      as: bo,
      body: { name: 'Script', scopes: ['chat'], channelIds: null, expiresInDays: 30 },
    })
    const models = { method: 'GET', path: '/v1/models', headers: { authorization: `Bearer ${created.key}` } }
    expect((await app.raw(models)).status).toBe(200)
    await scim.patchUser(user.id, { op: 'replace', path: 'active', value: false })
    expect([(await app.call(authApi.me, { as: bo })).status, (await app.raw(models)).status]).toEqual([
      401, 401,
    ])
    expect(await listActions(bo.id)).toContain('user.deactivated')
    // A PUT that does not say whether the user is active leaves that alone.
    const put = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: 'bo@example.org' }
    expect((await scim.send('PUT', `/Users/${user.id}`, put)).body.active).toBe(false)
    await scim.patchUser(user.id, { op: 'replace', path: 'active', value: 'True' })
    expect((await readUser(bo.id)).deactivated_at).toBeNull()
  })

  it('stays as a deactivated account when the directory deletes them', async () => {
    const id = await createAnna()
    expect((await scim.send('DELETE', `/Users/${id}`)).status).toBe(204)
    expect((await scim.send('GET', `/Users/${id}`)).status).toBe(404)
    expect((await readUser(id)).deactivated_at).not.toBeNull()
    expect(await listActions(id)).toEqual(['identity.disconnected', 'user.deactivated', 'user.created'])
    // The next owner of the address must not get the account.
    expect((await scim.createUser(anna)).status).toBe(409)
  })
})
