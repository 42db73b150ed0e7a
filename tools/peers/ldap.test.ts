import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { type LdapInput, ldapApi } from '@lyceum/contract/ldap'
import { settingsApi } from '@lyceum/contract/settings'
import { singleSignOnApi } from '@lyceum/contract/single-sign-on'
import { usersApi } from '@lyceum/contract/users'
import { Attribute, Change, Client } from 'ldapts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createAdmin,
  createTestChannel,
  createUser,
  type TestUser,
  testPassword,
} from '../../server/src/testing/factories.ts'
import { buildTestApp, type TestApp } from '../../server/src/testing/test-app.ts'
import { type Certificate, createCertificate } from './certificate.ts'
import { readerDn, readerPassword, rootDn, rootPassword, type Slapd, startSlapd, suffix } from './slapd.ts'

const password = 'a password in the directory'
const people = `ou=people,${suffix}`
const groups = `ou=groups,${suffix}`

function user(uid: string, mail: string, more = ''): string {
  return `dn: uid=${uid},${people}
objectClass: account
objectClass: extensibleObject
uid: ${uid}
cn: ${uid}
sn: Lovelace
displayName: ${uid} Lovelace
mail: ${mail}
userPassword: ${password}
${more}`
}
function group(cn: string, members: string[]): string {
  return `dn: cn=${cn},${groups}
objectClass: groupOfNames
cn: ${cn}
${members.map((dn) => `member: ${dn}\n`).join('')}`
}

// Engineering is in staff, which is in everyone, which is in engineering: a cycle.
const entries = [
  `dn: ${suffix}\nobjectClass: dcObject\nobjectClass: organization\ndc: example\no: Example\n`,
  `dn: ${readerDn}\nobjectClass: organizationalRole\nobjectClass: simpleSecurityObject\ncn: reader\nuserPassword: ${readerPassword}\n`,
  `dn: ${people}\nobjectClass: organizationalUnit\nou: people\n`,
  `dn: ${groups}\nobjectClass: organizationalUnit\nou: groups\n`,
  user('ada', 'ada@example.org', 'departmentNumber: 7\n'),
  user('grace', 'grace@example.org'),
  user('twin', 'twins@example.org'),
  user('other-twin', 'twins@example.org'),
  user('boss', 'boss@example.org'),
  group('engineering', [`uid=ada,${people}`, `cn=everyone,${groups}`]),
  group('staff', [`cn=engineering,${groups}`]),
  group('everyone', [`cn=staff,${groups}`]),
].join('\n')

let folder: string
let certificate: Certificate
let slapd: Slapd
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-ldap-'))
  certificate = createCertificate(folder)
  slapd = await startSlapd(folder, certificate, entries)
})
afterAll(async () => {
  await slapd?.stop()
  await rm(folder, { recursive: true, force: true })
})

let app: TestApp
let admin: TestUser
beforeEach(async () => {
  app = await buildTestApp()
  admin = await createAdmin(app.deps, { isSystemAdmin: true })
  const body = { twoFactorExpiryDays: 30, twoFactorExpiryEnabled: false }
  await app.call(settingsApi.update, { as: admin, body })
})
afterEach(() => app.close())

async function input(changes: Partial<LdapInput> = {}): Promise<LdapInput> {
  return {
    url: slapd.ldap,
    certificate: await readFile(certificate.certificate, 'utf8'),
    bindDn: readerDn,
    bindPassword: readerPassword,
    baseDn: suffix,
    userFilter: '(objectClass=*)',
    emailAttribute: 'mail',
    createsUsers: true,
    rules: [],
    ...changes,
  }
}
async function save(changes: Partial<LdapInput> = {}) {
  return app.call(ldapApi.save, { as: admin, body: await input(changes) })
}
async function test(changes: Partial<LdapInput> & { email?: string } = {}) {
  const { createsUsers: _, rules: __, ...body } = { ...(await input()), ...changes }
  return (await app.call(ldapApi.test, { as: admin, body })).body
}
function signIn(email: string, given = password) {
  return app.call(authApi.login, { body: { email, password: given } })
}
async function signInAs(email: string): Promise<TestUser> {
  const { body } = await signIn(email)
  if (!body.user || !body.token) throw new Error(body.message)
  return { id: body.user._id, email, name: body.user.name, token: body.token }
}
async function listChannelsOf(user: TestUser): Promise<string[]> {
  return ((await app.call(channelsApi.list, { as: user })).body as { _id: string }[]).map(({ _id }) => _id)
}
function rule(value: string, channelId: string, claim = 'groups') {
  return { claim, value, channelIds: [channelId], groupIds: [], isAdmin: false }
}
async function listUsers() {
  return app.deps.db.selectFrom('users').select('email').orderBy('email').execute()
}

/** Changes an entry as the owner of the directory would. */
async function modify(dn: string, operation: 'add' | 'delete', type: string, value: string): Promise<void> {
  const client = new Client({
    url: slapd.ldaps,
    tlsOptions: { ca: await readFile(certificate.certificate, 'utf8') },
  })
  await client.bind(rootDn, rootPassword)
  const modification = new Attribute({ type, values: [value] })
  await client.modify(dn, new Change({ operation, modification }))
  await client.unbind()
}

describe('a sign-in with a password of the directory', () => {
  it.each<[string, string, string, number]>([
    ['a wrong password', 'ada@example.org', 'a wrong password', 401],
    ['no password, with which a bind would succeed', 'ada@example.org', '', 400],
    ['an unknown address', 'nobody@example.org', password, 401],
    ['an address that two users have', 'twins@example.org', password, 401],
    ['a wildcard in the address', 'a*@example.org', password, 401],
    ['an address that closes the filter', 'ada@example.org)(uid=*', password, 400],
    ['an escaped wildcard', 'a\\2a@example.org', password, 400],
  ])('is refused with %s, and nobody is created', async (_, email, given, expected) => {
    await save()
    const before = await listUsers()
    const { status, body } = await signIn(email, given)
    expect([status, body.token]).toEqual([expected, undefined])
    expect(await listUsers()).toEqual(before)
  })

  it('is refused to users that the filter excludes, and to unknown ones without an invitation', async () => {
    await save({ userFilter: '(!(uid=ada))' })
    expect((await signIn('ada@example.org')).status).toBe(401)
    await save({ createsUsers: false })
    expect((await signIn('ada@example.org')).body.code).toBe('sso.no_account')
  })

  it('never takes over the account of an administrator, until a system administrator connects it', async () => {
    const boss = await createAdmin(app.deps, { email: 'boss@example.org' })
    await save()
    expect((await signIn(boss.email)).body.code).toBe('sso.connect_admin')
    const { body } = await app.call(ldapApi.test, {
      as: admin,
      body: { ...(await input()), email: boss.email },
    })
    expect(body.words.join(' ')).toContain(`uid=boss,${people}`)
    const subject = await readSubject('boss')
    const connected = await app.call(singleSignOnApi.connectUser, {
      as: admin,
      params: { userId: boss.id },
      body: { issuerId: '@ldap', subject },
    })
    expect(connected.body.identities).toMatchObject([{ issuerId: '@ldap', issuerName: 'LDAP', subject }])
    expect((await signInAs(boss.email)).id).toBe(boss.id)
  })

  it('creates the user, and finds it again by its entry', async () => {
    await save()
    const ada = await signInAs('ada@example.org')
    expect(ada.name).toBe('ada Lovelace')
    expect((await signInAs('ada@example.org')).id).toBe(ada.id)
    const { body } = await app.call(singleSignOnApi.methodsOfUser, { as: admin, params: { userId: ada.id } })
    expect(body).toMatchObject({ hasPassword: false, identities: [{ issuerName: 'LDAP' }] })
  })

  it('leaves passwords of ours working, and lets their users use either', async () => {
    const grace = await createUser(app.deps, { email: 'grace@example.org' })
    await save()
    expect((await signIn(grace.email, testPassword)).body.user?._id).toBe(grace.id)
    expect((await signInAs(grace.email)).id).toBe(grace.id)
  })

  it('gives what the rules say, also for nested groups and other attributes, and takes it back', async () => {
    const [byGroup, byDn, byAttribute] = [
      await createTestChannel(app.deps, { name: 'Everyone' }),
      await createTestChannel(app.deps, { name: 'Staff' }),
      await createTestChannel(app.deps, { name: 'Department 7' }),
    ]
    const rules = [
      rule('everyone', byGroup),
      rule(`cn=staff,${groups}`, byDn),
      rule('7', byAttribute, 'departmentNumber'),
    ]
    await save({ rules })
    const ada = await signInAs('ada@example.org')
    expect((await listChannelsOf(ada)).sort()).toEqual([byGroup, byDn, byAttribute].sort())
    const membership = [`cn=engineering,${groups}`, 'member', `uid=ada,${people}`] as const
    await modify(membership[0], 'delete', membership[1], membership[2])
    expect(await listChannelsOf(await signInAs('ada@example.org'))).toEqual([byAttribute])
    await modify(membership[0], 'add', membership[1], membership[2])
    expect(await listChannelsOf(await signInAs('grace@example.org'))).toEqual([])
  })

  it('works over LDAPS, and with passwords of ours switched off', async () => {
    await save({ url: slapd.ldaps })
    const { id } = await createAdmin(app.deps)
    await app.deps.db.updateTable('users').set({ is_break_glass: 1 }).where('id', '=', id).execute()
    const off = await app.call(singleSignOnApi.setPasswordSignIn, { as: admin, body: { isOn: false } })
    expect(off.status).toBe(200)
    expect((await app.call(singleSignOnApi.listPublic, {})).body.isPasswordOn).toBe(true)
    expect((await signIn('ada@example.org', 'a wrong password')).body.code).toBe('auth.invalid_credentials')
    await signInAs('ada@example.org')
    const removed = await app.call(ldapApi.remove, { as: admin })
    expect(removed.body.code).toBe('sso.last_issuer')
  })

  it('is refused to a user who was deactivated here', async () => {
    await save()
    const { id } = await signInAs('ada@example.org')
    await app.call(usersApi.setActive, { as: admin, params: { id }, body: { isActive: false } })
    expect((await signIn('ada@example.org')).body.code).toBe('auth.deactivated')
  })

  it('ends with the directory', async () => {
    await save()
    const ada = await signInAs('ada@example.org')
    expect((await app.call(ldapApi.remove, { as: admin })).body).toEqual({ directory: null })
    expect((await app.call(authApi.me, { as: ada })).status).toBe(401)
    expect((await signIn('ada@example.org')).status).toBe(401)
  })
})

async function readSubject(uid: string): Promise<string> {
  const client = new Client({
    url: slapd.ldaps,
    tlsOptions: { ca: await readFile(certificate.certificate, 'utf8') },
  })
  await client.bind(readerDn, readerPassword)
  const { searchEntries } = await client.search(`uid=${uid},${people}`, { attributes: ['entryUUID'] })
  await client.unbind()
  return String(searchEntries[0]?.['entryUUID'])
}

describe('a directory that hangs', () => {
  let silent: Server
  let url: string
  beforeEach(async () => {
    silent = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    url = `ldaps://127.0.0.1:${(silent.address() as AddressInfo).port}`
  })
  afterEach(() => silent.close())

  it('refuses its own sign-ins with a reason, and holds up no others', async () => {
    const grace = await createUser(app.deps)
    await save({ url })
    const waiting = signIn('ada@example.org')
    expect((await signIn(grace.email, testPassword)).status).toBe(200)
    expect((await waiting).body.code).toBe('sso.unreachable')
    expect(await test({ url })).toMatchObject({
      ok: false,
      words: ['The directory did not answer within 5 seconds.'],
    })
  })
})

describe('the test of a directory', () => {
  it.each<[string, Partial<LdapInput> & { email?: string }, string | RegExp]>([
    ['an untrusted certificate', { certificate: '' }, /^The certificate of localhost:\d+ is not trusted\./],
    [
      'a wrong password',
      { bindPassword: 'wrong' },
      'The directory refused the bind account or its password.',
    ],
    ['a missing base DN', { baseDn: 'dc=missing,dc=org' }, 'The directory does not contain the base DN.'],
    ['a broken filter', { userFilter: '(objectClass=*))' }, 'The user filter is not a valid LDAP filter.'],
    [
      'an unknown address',
      { email: 'nobody@example.org' },
      'It has no user with this address, or more than one.',
    ],
  ])('names %s', async (_, changes, words) => {
    const result = await test(changes)
    expect(result.ok).toBe(false)
    expect(result.words.at(-1)).toEqual(typeof words === 'string' ? words : expect.stringMatching(words))
  })

  it('names a certificate for another host', async () => {
    const { ok, words } = await test({ url: slapd.ldaps.replace('localhost', '127.0.0.1') })
    expect([ok, words]).toEqual([
      false,
      [expect.stringMatching(/^The certificate of 127\.0\.0\.1:\d+ is for another name/)],
    ])
  })

  it('shows the user of an address and its groups', async () => {
    const { ok, words } = await test({ email: 'ada@example.org' })
    expect(ok).toBe(true)
    expect(words).toContain('The user is in these groups: engineering, staff, everyone.')
  })
})
