import type { AuditAction, AuditEntry } from '@lyceum/contract/audit'
import { formatField, formatPart, isLdapEntry } from './audit-labels.ts'

export interface AuditObject {
  /** Null if only the id is known. */
  name: string | null
  kind: string
  /** The name of what `kind` refers to, such as the owner of a key. */
  relatedName: string | null
}

/** Objects whose names the server looks up, so that a missing name means that they were deleted. */
const namelessObjects: Readonly<Record<string, string>> = {
  channel: 'Deleted channel',
  chat: 'Deleted chat',
  question: 'Unanswered question',
}

/** What belongs to a user and has a name of its own. The entry's object is the user. */
const ownedKinds: Partial<Record<AuditAction, string>> = {
  'api-key.created': 'API key',
  'api-key.revoked': 'API key',
  'program.connected': 'Connected program',
  'program.revoked': 'Connected program',
}

/** Parts of the settings that have names. Such an entry has no object. */
const settingKinds: readonly [prefix: string, kind: string][] = [
  ['settings.webhook-', 'Webhook'],
  ['settings.receiver-', 'Audit log receiver'],
  ['settings.issuer-', 'Single sign-on issuer'],
  ['settings.directory-', 'SCIM directory'],
]

/** What an object was given to or taken from, by the field with its name. */
const relations: Partial<Record<AuditAction, { field: string; label: string }>> = {
  'group.member-added': { field: 'group', label: 'Group' },
  'group.member-removed': { field: 'group', label: 'Group' },
  'group.channel-added': { field: 'channel', label: 'Channel' },
  'group.channel-removed': { field: 'channel', label: 'Channel' },
  'access.granted': { field: 'channel', label: 'Channel' },
  'access.revoked': { field: 'channel', label: 'Channel' },
  'access.admin-changed': { field: 'channel', label: 'Channel' },
}

function readText({ before, after }: AuditEntry, field: string): string | null {
  const value = after?.[field] ?? before?.[field]
  return typeof value === 'string' && value !== '' ? value : null
}

/** What was tested, with its server. */
function describeTest(entry: AuditEntry): AuditObject | null {
  const part = readText(entry, 'part')
  if (part === null) return null
  const kind = readText(entry, 'server') ?? ''
  const name = readText(entry, 'name')
  return name === null
    ? { name: formatPart(part), kind, relatedName: null }
    : { name, kind: `${formatPart(part)} ·`, relatedName: kind }
}

/** Names the part of the settings that an entry is about. */
function describeSettings(entry: AuditEntry): AuditObject | null {
  const { action } = entry
  if (action === 'settings.tested') return describeTest(entry)
  const connection = readText(entry, 'connection')
  if (action === 'settings.changed' && connection !== null)
    return { name: formatPart(connection), kind: 'Connection', relatedName: null }
  if (isLdapEntry(entry))
    return { name: readText(entry, 'url') ?? 'LDAP directory', kind: 'LDAP directory', relatedName: null }
  const kind = settingKinds.find(([prefix]) => action.startsWith(prefix))?.[1]
  const name = readText(entry, 'name') ?? readText(entry, 'issuerId')
  return kind === undefined || name === null ? null : { name, kind, relatedName: null }
}

/** Names what an entry is about, from the entry alone. Null if it has no object. */
export function describeObject(entry: AuditEntry): AuditObject | null {
  const { action, object } = entry
  if (object === null) return describeSettings(entry)
  const ownName = readText(entry, 'name')
  const owned = ownedKinds[action]
  if (owned !== undefined && ownName !== null)
    return object.name === null
      ? { name: ownName, kind: owned, relatedName: null }
      : { name: ownName, kind: `${owned} of`, relatedName: object.name }
  const kind = formatField(object.type)
  // The id of a call is its method and path. Calls of earlier versions have no name.
  if (object.type === 'call')
    return object.name === null
      ? { name: object._id, kind, relatedName: null }
      : { name: object.name, kind: `${kind} ·`, relatedName: object._id }
  const name = object.name ?? namelessObjects[object.type] ?? null
  const relation = relations[action]
  const relatedName = relation === undefined ? null : readText(entry, relation.field)
  if (relation === undefined || relatedName === null) return { name, kind, relatedName: null }
  return { name, kind: `${kind} · ${relation.label}`, relatedName }
}
