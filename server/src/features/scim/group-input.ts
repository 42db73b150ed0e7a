import { groupInput } from '@lyceum/contract/groups'
import { AppError } from '../../errors.ts'
import type { Filter } from './filter.ts'
import { type Message, type Operation, readText, requireMessage } from './message.ts'
import { invalidValue, quote } from './scim-error.ts'

export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'

/** A group as a directory describes it. */
export interface GroupDescription {
  displayName: string
  externalId: string | null
}

/** How a request changes the members: those named here, after all others have left if it says so. */
export interface MemberPlan {
  replacesAll: boolean
  added: ReadonlySet<string>
  removed: ReadonlySet<string>
}

function isIgnored(attribute: string): boolean {
  return ['schemas', 'id', 'meta'].includes(attribute) || attribute.startsWith('urn:')
}

function readDescription(displayName: unknown, externalId: unknown): GroupDescription {
  const name = groupInput.shape.name.safeParse(displayName)
  if (!name.success) throw invalidValue('“displayName” must be a text of 1 to 100 characters')
  return { displayName: name.data, externalId: readText(externalId, 'externalId', 500) }
}

/** The ids of members in a list, or in one value. */
function readMemberIds(value: unknown): string[] {
  if (value === undefined || value === null) return []
  const list: unknown[] = Array.isArray(value) ? value : [value]
  return list.map((item) => {
    const { value: id, type } = (typeof item === 'object' && item !== null ? item : {}) as Message
    if (typeof id !== 'string' || id === '' || id.length > 100)
      throw invalidValue('Each member needs the id of a user as its “value”')
    if (typeof type === 'string' && type.toLowerCase() === 'group')
      throw invalidValue('Groups cannot be members of groups')
    return id
  })
}

/** Reads the body of a POST or PUT. */
export function readGroup(body: unknown): { description: GroupDescription; memberIds: string[] } {
  const message = requireMessage(body, groupSchema)
  const keys = new Map(Object.entries(message).map(([key, value]) => [key.toLowerCase(), value]))
  for (const key of keys.keys())
    if (!['displayname', 'externalid', 'members'].includes(key) && !isIgnored(key))
      throw new AppError('scim.invalid_syntax', { message: `${quote(key)} is not an attribute of a group` })
  return {
    description: readDescription(keys.get('displayname'), keys.get('externalid')),
    memberIds: readMemberIds(keys.get('members')),
  }
}

/** The ids in `members[value eq "…" or value eq "…"]`. */
function readFilteredIds(filter: Filter): string[] {
  if (filter.type === 'or') return filter.filters.flatMap(readFilteredIds)
  if (
    filter.type === 'compare' &&
    filter.attribute === 'members.value' &&
    filter.operator === 'eq' &&
    typeof filter.value === 'string'
  )
    return [filter.value]
  throw new AppError('scim.invalid_path', { message: 'Members are chosen by “value eq”' })
}

class MemberChanges {
  replacesAll = false
  readonly added = new Set<string>()
  readonly removed = new Set<string>()

  add(ids: readonly string[]): void {
    for (const id of ids) {
      this.added.add(id)
      this.removed.delete(id)
    }
  }

  remove(ids: readonly string[]): void {
    for (const id of ids) {
      this.removed.add(id)
      this.added.delete(id)
    }
  }

  removeAll(): void {
    this.replacesAll = true
    this.added.clear()
    this.removed.clear()
  }
}

function applyToMembers(changes: MemberChanges, { op, path, value }: Operation): void {
  if (path.filter !== null) {
    if (op !== 'remove')
      throw new AppError('scim.invalid_path', { message: 'Members can only be added or removed' })
    changes.remove(readFilteredIds(path.filter))
    return
  }
  const ids = readMemberIds(value)
  if (op === 'add') changes.add(ids)
  // Entra ID names the members to remove in the value.
  else if (op === 'remove' && ids.length > 0) changes.remove(ids)
  else {
    changes.removeAll()
    changes.add(ids)
  }
}

/** What the operations of a PATCH do to a group. */
export function patchGroup(
  current: GroupDescription,
  operations: readonly Operation[],
): { description: GroupDescription; members: MemberPlan } {
  const members = new MemberChanges()
  let displayName: unknown = current.displayName
  let externalId: unknown = current.externalId
  for (const operation of operations) {
    const { op, path, value } = operation
    if (isIgnored(path.attribute)) continue
    const next = op === 'remove' ? null : value
    if (path.attribute === 'members' && path.subAttribute === null) applyToMembers(members, operation)
    else if (path.attribute === 'displayname') displayName = next
    else if (path.attribute === 'externalid') externalId = next
    else
      throw new AppError('scim.invalid_path', {
        message: `${quote(path.attribute)} is not a path of a group`,
      })
  }
  return { description: readDescription(displayName, externalId), members }
}
