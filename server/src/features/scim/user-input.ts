import { email as emailSchema } from '@lyceum/contract/wire'
import { AppError } from '../../errors.ts'
import type { Filter } from './filter.ts'
import { type Message, type Operation, readBoolean, readText, requireMessage } from './message.ts'
import { invalidValue, quote } from './scim-error.ts'

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'

/** A user as a directory describes them. */
export interface UserInput {
  userName: string
  externalId: string | null
  displayName: string | null
  formattedName: string | null
  givenName: string | null
  familyName: string | null
  /** The address of the account. */
  email: string
  emailType: string | null
  isEmailPrimary: boolean | null
  isActive: boolean
}

/** Attributes of the core schema that Lyceum does not store. They are accepted and ignored. */
const ignored = new Set([
  ...['schemas', 'id', 'meta', 'nickname', 'profileurl', 'title', 'usertype', 'preferredlanguage', 'locale'],
  ...[
    'timezone',
    'password',
    'phonenumbers',
    'ims',
    'photos',
    'addresses',
    'groups',
    'entitlements',
    'roles',
  ],
  'x509certificates',
])

/** The attributes that are stored, by their names in lower case. */
type Draft = Record<string, unknown> & {
  name: Record<string, unknown>
  emails: unknown
}

const stored = new Set(['username', 'externalid', 'displayname', 'name', 'emails', 'active'])

function isIgnored(attribute: string): boolean {
  return ignored.has(attribute) || attribute.startsWith('urn:')
}

function lowerKeys(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key.toLowerCase(), part as unknown]))
}

interface SentEmail {
  value: string | null
  type: string | null
  primary: boolean | null
}

function readEmails(value: unknown): SentEmail[] {
  if (value === undefined || value === null) return []
  const list: unknown[] = Array.isArray(value) ? value : [value]
  if (list.length > 20) throw invalidValue('“emails” can have up to 20 values')
  return list.map((item) => {
    const keys = typeof item === 'string' ? { value: item } : lowerKeys(item)
    return {
      value: readText(keys['value'], 'emails.value', 254),
      type: readText(keys['type'], 'emails.type', 100),
      primary: readBoolean(keys['primary'], 'emails.primary'),
    }
  })
}

/** Lyceum has one address per user: the primary one, else the one for work, else the first. */
function chooseEmail(emails: readonly SentEmail[]): SentEmail | undefined {
  const usable = emails.filter(({ value }) => value !== null)
  return (
    usable.find(({ primary }) => primary) ??
    usable.find(({ type }) => type?.toLowerCase() === 'work') ??
    usable[0]
  )
}

/** `defaultActive` counts if the draft does not say whether the user is active; null if it must. */
function readDraft(draft: Draft, defaultActive: boolean | null): UserInput {
  const userName = readText(draft['username'], 'userName', 254)
  if (userName === null) throw invalidValue('“userName” is required')
  const chosen = chooseEmail(readEmails(draft.emails))
  const address = emailSchema.safeParse(chosen?.value ?? userName)
  if (!address.success) throw invalidValue('A user needs an email address: in “emails”, or as the “userName”')
  const isActive = readBoolean(draft['active'], 'active') ?? defaultActive
  if (isActive === null) throw invalidValue('“active” must be true or false')
  const { name } = draft
  return {
    userName,
    externalId: readText(draft['externalid'], 'externalId', 500),
    displayName: readText(draft['displayname'], 'displayName', 200),
    formattedName: readText(name['formatted'], 'name.formatted', 200),
    givenName: readText(name['givenname'], 'name.givenName', 200),
    familyName: readText(name['familyname'], 'name.familyName', 200),
    email: address.data,
    emailType: chosen?.type ?? null,
    isEmailPrimary: chosen?.primary ?? null,
    isActive,
  }
}

function toDraft(message: Message): Draft {
  const keys = lowerKeys(message)
  for (const key of Object.keys(keys))
    if (!stored.has(key) && !isIgnored(key))
      throw new AppError('scim.invalid_syntax', { message: `${quote(key)} is not an attribute of a user` })
  const { name } = keys
  if (name !== undefined && name !== null && (typeof name !== 'object' || Array.isArray(name)))
    throw invalidValue('“name” must be an object')
  return { ...keys, name: lowerKeys(name), emails: keys['emails'] }
}

/** Reads the body of a POST or PUT. `isActive` counts if the body does not say it. */
export function readUser(body: unknown, isActive: boolean): UserInput {
  return readDraft(toDraft(requireMessage(body, userSchema)), isActive)
}

function toCurrentDraft(input: UserInput): Draft {
  return {
    username: input.userName,
    externalid: input.externalId,
    displayname: input.displayName,
    active: input.isActive,
    name: { formatted: input.formattedName, givenname: input.givenName, familyname: input.familyName },
    emails: [{ value: input.email, type: input.emailType, primary: input.isEmailPrimary }],
  }
}

/** The type that a path such as `emails[type eq "work"]` names. */
function readEmailType(filter: Filter | null): string | null {
  return filter?.type === 'compare' && filter.attribute === 'emails.type' && filter.operator === 'eq'
    ? String(filter.value).toLowerCase()
    : null
}

/** Changes the one address, unless the operation is about an address of another type. */
function applyToEmails(draft: Draft, { op, path, value }: Operation): void {
  const type = readEmailType(path.filter)
  const [current] = readEmails(draft.emails)
  const currentType = current?.type?.toLowerCase() ?? 'work'
  if (type !== null && type !== currentType && type !== 'work') return
  if (op === 'remove') {
    draft.emails = []
    return
  }
  if (path.subAttribute === null) {
    draft.emails = value
    return
  }
  draft.emails = [{ ...current, ...(type === null ? {} : { type }), [path.subAttribute]: value }]
}

function applyToName(draft: Draft, { op, path, value }: Operation): void {
  if (path.subAttribute !== null) draft.name[path.subAttribute] = op === 'remove' ? null : value
  else if (op === 'remove') draft.name = {}
  else draft.name = { ...draft.name, ...lowerKeys(value) }
}

/** The user after the operations of a PATCH. Lyceum stores one value of each attribute, so `add` replaces it. */
export function patchUser(current: UserInput, operations: readonly Operation[]): UserInput {
  const draft = toCurrentDraft(current)
  for (const operation of operations) {
    const { attribute, subAttribute, filter } = operation.path
    if (isIgnored(attribute)) continue
    const hasParts = attribute === 'name' || attribute === 'emails'
    if (!stored.has(attribute) || (!hasParts && (subAttribute !== null || filter !== null)))
      throw new AppError('scim.invalid_path', { message: `${quote(attribute)} is not a path of a user` })
    if (attribute === 'emails') applyToEmails(draft, operation)
    else if (attribute === 'name') applyToName(draft, operation)
    else draft[attribute] = operation.op === 'remove' ? null : operation.value
  }
  return readDraft(draft, null)
}
