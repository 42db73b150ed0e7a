import { join } from 'node:path'
import { type LdapInput, ldapApi } from '@lyceum/contract/ldap'
import { singleSignOnApi } from '@lyceum/contract/single-sign-on'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rotateKeys } from '#keys/rotate.ts'
import { createAdmin, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { findDirectory } from './ldap-directory.ts'

let app: TestApp
let admin: TestUser
beforeEach(async () => {
  app = await buildTestApp()
  admin = await createAdmin(app.deps, { isSystemAdmin: true })
})
afterEach(() => app.close())

function input(changes: Partial<LdapInput> = {}): LdapInput {
  return {
    url: 'ldaps://localhost:3636',
    certificate: '',
    bindDn: 'cn=reader,dc=example,dc=org',
    bindPassword: 'a secret of the directory',
    baseDn: 'dc=example,dc=org',
    userFilter: '(objectClass=*)',
    emailAttribute: 'mail',
    createsUsers: false,
    rules: [],
    ...changes,
  }
}
function save(changes: Partial<LdapInput> = {}, as: TestUser | null = admin) {
  return app.call(ldapApi.save, { as, body: input(changes) })
}
function test(changes: Partial<LdapInput>, as: TestUser | null = admin) {
  const { createsUsers: _, rules: __, ...body } = input(changes)
  return app.call(ldapApi.test, { as, body })
}
function listAuditEntries() {
  return app.deps.db
    .selectFrom('audit_log')
    .select(['action', 'before', 'after'])
    .where('action', 'like', 'settings.issuer%')
    .orderBy('seq')
    .execute()
}

describe('the directory', () => {
  it('is shown, set, tested and removed by system administrators only', async () => {
    for (const [as, status] of [
      [null, 401],
      [await createUser(app.deps), 403],
      [await createAdmin(app.deps), 403],
    ] as const)
      for (const response of [
        await app.call(ldapApi.get, { as }),
        await save({}, as),
        await test({}, as),
        await app.call(ldapApi.remove, { as }),
      ])
        expect(response.status).toBe(status)
    expect((await app.call(ldapApi.remove, { as: admin })).status).toBe(404)
  })

  it.each<[string, Partial<LdapInput>]>([
    ['url', { url: 'https://ldap.example.org' }],
    ['url', { url: 'ldap://reader:password@localhost' }],
    ['url', { url: 'ldap://localhost/dc=example' }],
    ['url', { url: 'ldap://169.254.169.254' }],
    ['url', { url: 'ldap://missing.invalid' }],
    ['certificate', { certificate: 'MIIB' }],
    ['bindDn', { bindDn: 'reader' }],
    ['baseDn', { baseDn: '' }],
    ['userFilter', { userFilter: 'objectClass=account' }],
    ['emailAttribute', { emailAttribute: 'mail)(uid=*' }],
    ['bindPassword', { bindPassword: '' }],
  ])('is not set with a wrong %s', async (field, changes) => {
    const { status, body } = await save(changes)
    expect([status, Object.keys(body.fields ?? {})]).toEqual([400, [field]])
    expect((await app.call(ldapApi.get, { as: admin })).body).toEqual({ directory: null })
  })

  it.each(['ldap://127.0.0.1:9', 'ldaps://127.0.0.1:9'])('is not reached at %s', async (url) => {
    expect((await test({ url })).body).toMatchObject({
      ok: false,
      words: [expect.stringContaining('Nothing accepts connections at 127.0.0.1:9.')],
    })
  })

  it('is shown without its password, which is stored encrypted, and is no button on the sign-in pages', async () => {
    const { body, bytes } = await save()
    const { bindPassword, ...shown } = input()
    expect(body.directory).toEqual({ ...shown, state: 'ok', userCount: 0 })
    expect(bytes.toString()).not.toContain(bindPassword)
    const rows = await app.deps.db.selectFrom('sign_in_issuers').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(bindPassword)
    expect((await app.call(singleSignOnApi.listPublic, {})).body.issuers).toEqual([])
    expect((await app.call(singleSignOnApi.get, { as: admin })).body.issuers).toEqual([])
    const start = { params: { issuerId: '@ldap' }, body: { door: 'user' as const } }
    expect((await app.call(singleSignOnApi.start, start)).status).toBe(400)
  })

  it('keeps its password for the same address and account only', async () => {
    await save()
    expect((await save({ bindPassword: '', createsUsers: true })).status).toBe(200)
    const stored = await findDirectory(app.deps.db, app.deps.secrets)
    expect(stored?.connection?.bindPassword).toBe(input().bindPassword)
    for (const changes of [{ url: 'ldaps://localhost:4636' }, { bindDn: 'cn=other,dc=example,dc=org' }]) {
      expect((await save({ ...changes, bindPassword: '' })).body.fields).toHaveProperty('bindPassword')
      expect((await test({ ...changes, bindPassword: '' })).body.fields).toHaveProperty('bindPassword')
    }
  })

  it('records changes without the password', async () => {
    await save()
    await save()
    await save({ createsUsers: true, bindPassword: 'another secret' })
    await app.call(ldapApi.remove, { as: admin })
    const entries = await listAuditEntries()
    expect(entries.map(({ action }) => action)).toEqual([
      'settings.issuer-added',
      'settings.issuer-changed',
      'settings.issuer-removed',
    ])
    expect(JSON.stringify(entries)).not.toContain('secret of')
    expect(JSON.parse(entries[1]?.after ?? '')).toEqual({
      issuerId: '@ldap',
      createsUsers: true,
      isSecretChanged: true,
    })
  })

  it('is encrypted again when the keys are rotated, and says when it cannot be read', async () => {
    await save()
    const before = await app.deps.db.selectFrom('sign_in_issuers').select('sealed').executeTakeFirstOrThrow()
    await app.deps.db
      .updateTable('sign_in_issuers')
      .set({ sealed: app.deps.secrets.seal('not a connection') })
      .execute()
    const { body } = await app.call(ldapApi.get, { as: admin })
    expect(body.directory).toMatchObject({ state: 'unreadable', url: '' })
    await app.deps.db.updateTable('sign_in_issuers').set(before).execute()
    const path = join(app.folder, 'secrets.json')
    await rotateKeys(app.deps, path, true)
    await rotateKeys(app.deps, path, true)
    expect((await findDirectory(app.deps.db, app.deps.secrets))?.connection?.url).toBe(input().url)
  })
})
