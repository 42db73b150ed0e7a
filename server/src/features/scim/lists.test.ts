import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDirectory, type ScimCalls } from '#testing/scim.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

const names = ['Anna', 'Bo', "O'Hara", '100%', 'under_score', 'back\\slash', 'ÄRGER']

let app: TestApp
let scim: ScimCalls
let key: string
const ids = new Map<string, string>()
beforeAll(async () => {
  app = await buildTestApp()
  ;({ scim, key } = await connectDirectory(app))
  const other = await connectDirectory(app, 'Okta')
  await other.scim.createUser({ userName: 'foreign@example.org', displayName: 'Foreign' })
  await other.scim.createGroup({ displayName: 'Foreign' })
  for (const [index, displayName] of names.entries()) {
    const user = {
      ...{ userName: `User${index}@Example.org`, displayName, externalId: `E-${index}`, active: index > 0 },
      ...(index === 1 ? { name: { givenName: 'Bo' } } : {}),
    }
    ids.set(displayName, (await scim.createUser(user)).body.id)
  }
  await scim.createGroup({ displayName: 'Sales', externalId: 'G-1', members: [{ value: ids.get('Bo') }] })
  await scim.createGroup({ displayName: 'Support' })
})
afterAll(() => app.close())

async function find(type: 'Users' | 'Groups', filter: string): Promise<(string | undefined)[]> {
  const { status, body } = await scim.find(type, filter)
  expect(status, body.detail).toBe(200)
  expect(body.totalResults).toBe(body.Resources.length)
  return body.Resources.map(({ displayName }) => displayName)
}

describe('a key', () => {
  it('is needed for everything, and must be that of a directory', async () => {
    for (const path of ['/Users', '/Groups', '/Schemas', '/ServiceProviderConfig'])
      for (const authorization of ['', 'Bearer x', `Bearer ${key}x`, `Basic ${key}`]) {
        const { status, headers, body } = await scim.send('GET', path, undefined, { authorization })
        expect([status, body.status, headers['www-authenticate']]).toEqual([401, '401', 'Bearer'])
      }
    const asUser = { method: 'GET', path: '/api/users', headers: { authorization: `Bearer ${key}` } }
    expect((await app.raw(asUser)).status).toBe(401)
    expect((await app.raw({ ...asUser, path: '/v1/models' })).status).toBe(401)
  })
})

describe('a filter', () => {
  it.each([
    ['', 200],
    ['userName', 400],
    ['userName eq', 400],
    ['userName eq anna', 400],
    ['userName eq "anna', 400],
    ['userName eq "anna" and', 400],
    ['userName eq "anna" or or userName pr', 400],
    ['(userName eq "anna"', 400],
    ['userName eq "anna")', 400],
    ['emails[value eq "x"', 400],
    ['userName like "anna"', 400],
    ['password eq "x"', 400],
    ['password_hash pr', 400],
    ['users.email eq "x"', 400],
    ['constructor eq "x"', 400],
    ['__proto__ pr', 400],
    ['userName eq 7', 400],
    ['active gt true', 400],
    ['active eq "maybe"', 400],
    ['meta.created gt "yesterday"', 400],
    ['userName eq "\\x"', 400],
    ['userName eq "x"; drop table users', 400],
    [`${'('.repeat(50)}userName pr${')'.repeat(50)}`, 400],
    [Array(101).fill('userName pr').join(' or '), 400],
    [`userName eq "${'x'.repeat(4000)}"`, 400],
  ])('%s is answered with %i', async (filter, status) => {
    const reply = await scim.find('Users', filter)
    expect(reply.status).toBe(status)
    if (status === 400) expect(reply.body.scimType).toBe('invalidFilter')
  })

  it.each([
    `userName eq "' or '1'='1"`,
    `userName eq "\\" or userName pr or userName eq \\""`,
    `displayName co "'); delete from users; --"`,
    `externalId sw "%"`,
    `displayName ew "_%"`,
    `displayName eq "$1"`,
  ])('takes %s as text', async (filter) => {
    expect(await find('Users', filter)).toEqual([])
  })

  it.each([
    ['userName eq "user1@example.ORG"', ['Bo']],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "user1@example.org"', ['Bo']],
    ['externalId eq "E-1"', ['Bo']],
    ['externalId eq "e-1"', []],
    ['externalId ne "E-1" and displayName sw "a"', ['Anna']],
    ['emails.value eq "user1@example.org"', ['Bo']],
    ['emails[type eq "work" and value co "user1@"]', ['Bo']],
    ['emails[type eq "home"]', []],
    ['active eq false', ['Anna']],
    ['active eq "False"', ['Anna']],
    ['not (active eq true)', ['Anna']],
    ['active ne true or displayName eq "bo"', ['Anna', 'Bo']],
    ['displayName co "%"', ['100%']],
    ['displayName co "_"', ['under_score']],
    ['displayName co "\\\\"', ['back\\slash']],
    [`displayName eq "o'hara"`, ["O'Hara"]],
    ['displayName eq "ärger"', ['ÄRGER']],
    ['displayName ew "er"', ['ÄRGER']],
    ['name.givenName pr', ['Bo']],
    ['not (name.givenName eq "Bo") and userName sw "user0"', ['Anna']],
    ['name.givenName ne "Ann" and externalId eq "E-0"', ['Anna']],
    ['(displayName eq "Anna" or displayName eq "Bo") and active eq true', ['Bo']],
    ['displayName eq "Anna" or displayName eq "Bo" and active eq false', ['Anna']],
    ['displayName gt "u" and displayName lt "v"', ['under_score']],
    ['meta.created gt "2020-01-01T00:00:00Z" and displayName eq "Anna"', ['Anna']],
    ['meta.lastModified lt "2020-01-01T00:00:00Z"', []],
  ])('finds users by %s', async (filter, expected) => {
    expect(await find('Users', filter)).toEqual(expected)
  })

  it('finds groups by their names, ids and members', async () => {
    expect(await find('Groups', 'displayName eq "sales"')).toEqual(['Sales'])
    expect(await find('Groups', 'displayName sw "S" and not (externalId pr)')).toEqual(['Support'])
    expect(await find('Groups', `members[value eq "${ids.get('Bo')}"]`)).toEqual(['Sales'])
    expect(await find('Groups', `members eq "${ids.get('Anna')}"`)).toEqual([])
    expect((await scim.find('Groups', 'members co "x"')).body.scimType).toBe('invalidFilter')
  })
})

describe('a list', () => {
  it.each(['count=x', 'startIndex=1.5', 'count=1&count=2'])('refuses %s', async (query) => {
    expect((await scim.send('GET', `/Users?${query}`)).body.scimType).toBe('invalidValue')
  })

  it('comes in pages, which begin at 1', async () => {
    const seen: string[] = []
    for (let startIndex = 1; startIndex <= names.length; startIndex += 3) {
      const { body } = await scim.send('GET', `/Users?startIndex=${startIndex}&count=3`)
      expect([body.totalResults, body.startIndex]).toEqual([names.length, startIndex])
      seen.push(...body.Resources.map(({ displayName = '' }) => displayName))
    }
    expect(seen).toEqual(names)
    for (const query of ['count=0', 'count=-1', 'startIndex=1000']) {
      const { body } = await scim.send('GET', `/Users?${query}`)
      expect([body.totalResults, body.itemsPerPage, body.Resources]).toEqual([names.length, 0, []])
    }
    expect((await scim.send('GET', '/Users?startIndex=-5&count=100000')).body.itemsPerPage).toBe(names.length)
  })

  it('contains the attributes that were asked for', async () => {
    const filter = 'filter=userName%20eq%20%22user1%40example.org%22'
    const some = await scim.send('GET', `/Users?${filter}&attributes=userName,name.givenName`)
    expect(some.body.Resources).toEqual([
      {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        ...{ id: ids.get('Bo'), userName: 'User1@Example.org', name: { givenName: 'Bo' } },
      },
    ])
    const { body } = await scim.send('GET', '/Groups?excludedAttributes=members&filter=externalId%20pr')
    expect(body.Resources[0]?.members).toBeUndefined()
    expect((await scim.find('Groups', 'externalId pr')).body.Resources[0]?.members).toHaveLength(1)
  })

  it('can be asked for with POST', async () => {
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest']
    const search = { schemas, filter: 'displayName sw "s"', attributes: ['displayName'] }
    expect((await scim.send('POST', '/Groups/.search', { ...search, schemas: [] })).body.scimType).toBe(
      'invalidSyntax',
    )
    const { body } = await scim.send('POST', '/Groups/.search', search)
    expect(body.Resources.map(({ displayName }) => displayName)).toEqual(['Sales', 'Support'])
    const all = await scim.send('POST', '/.search', { schemas, startIndex: names.length, count: 2 })
    expect(all.body.Resources.map(({ displayName }) => displayName)).toEqual(['ÄRGER', 'Sales'])
  })
})

describe('a path', () => {
  it('that is not served is refused in the form of SCIM', async () => {
    const replies = await Promise.all([
      scim.send('GET', '/Nothing'),
      scim.send('POST', '/Bulk', {}),
      scim.send('DELETE', '/Users'),
      scim.send('POST', '/Schemas', {}),
      scim.send('GET', '/Schemas/none'),
      scim.send('GET', '/Schemas?filter=name%20eq%20%22User%22'),
    ])
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 405, 405, 404, 403])
    for (const { body, status } of replies) expect(body.status).toBe(String(status))
  })
})
