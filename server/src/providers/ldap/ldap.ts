import {
  AndFilter,
  type Client,
  type Entry,
  EqualityFilter,
  FilterParser,
  OrFilter,
  ResultCodeError,
  SizeLimitExceededError,
} from 'ldapts'
import { type LdapConnection, withDirectory } from './ldap-client.ts'
import { LdapError } from './ldap-error.ts'

/** Groups of groups are followed to this depth. */
const maxDepth = 10
const maxGroups = 1000
/** Groups that one search asks for. */
const batchSize = 50

const nameAttributes = ['displayName', 'cn', 'givenName', 'sn']
/** Attributes that identify an entry forever. A DN changes, and may be given to someone else. */
const idAttributes = ['entryUUID', 'objectGUID', 'ipaUniqueID', 'nsUniqueId']

export interface DirectoryUser {
  /** The value of the first of `idAttributes` that the entry has. */
  subject: string
  dn: string
  name: string
  /** Names and DNs of all groups, also of those that contain one of the others. */
  groups: string[]
  /** Other attributes, by their names. */
  attributes: Record<string, string[]>
}

function readValues(entry: Entry, name: string): string[] {
  const key = Object.keys(entry).find((other) => other.toLowerCase() === name.toLowerCase())
  const value = key === undefined ? undefined : entry[key]
  const values: (string | Buffer)[] = value === undefined ? [] : Array.isArray(value) ? value : [value]
  return values.map((item) => (typeof item === 'string' ? item : item.toString('hex')))
}

function readSubject(entry: Entry): string {
  for (const name of idAttributes) {
    const [value] = readValues(entry, name)
    if (value) return value.toLowerCase()
  }
  throw new LdapError('misconfigured', 'The user has neither entryUUID nor objectGUID.')
}

function readName(entry: Entry): string {
  const [given, family] = [readValues(entry, 'givenName')[0], readValues(entry, 'sn')[0]]
  const full = given !== undefined && family !== undefined ? `${given} ${family}` : undefined
  return readValues(entry, 'displayName')[0] ?? full ?? readValues(entry, 'cn')[0] ?? ''
}

function parseUserFilter(text: string) {
  try {
    return FilterParser.parseString(text)
  } catch (error) {
    throw new LdapError('misconfigured', 'The user filter is not a valid LDAP filter.', error)
  }
}

/** Null if no user, or more than one, has the address: then nobody can say who is signing in. */
async function findEntry(
  client: Client,
  { baseDn, userFilter, emailAttribute }: LdapConnection,
  email: string,
  attributes: readonly string[],
): Promise<Entry | null> {
  const byEmail = new EqualityFilter({ attribute: emailAttribute, value: email })
  try {
    const { searchEntries } = await client.search(baseDn, {
      filter: new AndFilter({ filters: [parseUserFilter(userFilter), byEmail] }),
      attributes: [...new Set([...idAttributes, ...nameAttributes, 'uid', ...attributes])],
      explicitBufferAttributes: ['objectGUID'],
      sizeLimit: 2,
    })
    const [entry, second] = searchEntries
    return entry !== undefined && second === undefined ? entry : null
  } catch (error) {
    if (error instanceof SizeLimitExceededError) return null
    throw error
  }
}

async function findParents(
  client: Client,
  baseDn: string,
  filters: readonly EqualityFilter[],
): Promise<Entry[]> {
  const { searchEntries } = await client.search(baseDn, {
    filter: new OrFilter({ filters: [...filters] }),
    attributes: ['cn'],
    sizeLimit: maxGroups,
  })
  return searchEntries
}

/** Follows groups upwards, level by level, because only Active Directory can search nested groups by itself. */
async function findGroups(client: Client, baseDn: string, user: Entry): Promise<string[]> {
  const names = new Set<string>()
  const seen = new Set<string>()
  const byUid = readValues(user, 'uid').map((value) => new EqualityFilter({ attribute: 'memberUid', value }))
  let level = [user.dn]
  for (let depth = 0; depth < maxDepth && level.length > 0; depth += 1) {
    const next: string[] = []
    for (let from = 0; from < level.length; from += batchSize) {
      const byDn = level
        .slice(from, from + batchSize)
        .flatMap((value) => [
          new EqualityFilter({ attribute: 'member', value }),
          new EqualityFilter({ attribute: 'uniqueMember', value }),
        ])
      for (const group of await findParents(client, baseDn, depth === 0 ? [...byDn, ...byUid] : byDn)) {
        if (seen.has(group.dn)) continue
        seen.add(group.dn)
        next.push(group.dn)
        for (const name of [group.dn, ...readValues(group, 'cn')]) names.add(name)
      }
      if (seen.size > maxGroups)
        throw new LdapError('misconfigured', `A user is in more than ${maxGroups} groups.`)
    }
    level = next
  }
  return [...names]
}

async function describeUser(
  client: Client,
  { baseDn }: LdapConnection,
  entry: Entry,
  attributes: readonly string[],
): Promise<DirectoryUser> {
  return {
    subject: readSubject(entry),
    dn: entry.dn,
    name: readName(entry),
    groups: await findGroups(client, baseDn, entry),
    attributes: Object.fromEntries(attributes.map((name) => [name, readValues(entry, name)])),
  }
}

/**
 * Checks a password with a bind as the user. Null if there is no such user or the password is wrong; the directory's own
 * locks and expiry count as wrong. Throws an `LdapError` if the directory cannot be asked.
 */
export async function checkPassword(
  connection: LdapConnection,
  { email, password }: { email: string; password: string },
  attributes: readonly string[],
): Promise<DirectoryUser | null> {
  // A bind without a password succeeds without proving anything (RFC 4513, 5.1.2).
  if (password === '') return null
  return withDirectory(connection, async (client) => {
    const entry = await findEntry(client, connection, email, attributes)
    if (entry === null) return null
    try {
      await client.bind(entry.dn, password)
    } catch (error) {
      if (error instanceof ResultCodeError) return null
      throw error
    }
    // Users may not be allowed to read groups.
    await client.bind(connection.bindDn, connection.bindPassword)
    return describeUser(client, connection, entry, attributes)
  })
}

/** Signs in as the bind account and reads the base DN. With an address, also looks for its user. */
export function describeDirectory(
  connection: LdapConnection,
  email: string | undefined,
): Promise<DirectoryUser | null> {
  return withDirectory(connection, async (client) => {
    parseUserFilter(connection.userFilter)
    await client.search(connection.baseDn, { scope: 'base', attributes: ['1.1'] })
    if (email === undefined) return null
    const entry = await findEntry(client, connection, email, [])
    return entry === null ? null : describeUser(client, connection, entry, [])
  })
}
