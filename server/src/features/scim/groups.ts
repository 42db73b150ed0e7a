import type { Executor, Tx } from '#db/client.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import type { DirectoryAccess } from '../directories/authenticate-directory.ts'
import { getScimUrl } from '../directories/directories.ts'
import { requireGroup } from '../groups/access.ts'
import { type ChannelUsers, stopReplies } from '../groups/change-access.ts'
import { changeLockedGroup, createLockedGroup } from '../groups/groups.ts'
import { changeMembersOfSource } from '../groups/members-by-source.ts'
import { deleteLockedGroup } from '../groups/remove-group.ts'
import { getDirectorySource } from '../groups/sources.ts'
import { keepAdministratorsUnchanged } from '../users/administrators.ts'
import { type GroupDescription, groupSchema, type MemberPlan } from './group-input.ts'
import {
  countDirectoryGroups,
  type DirectoryGroup,
  findDirectoryGroup,
  insertDirectoryGroup,
  listDirectoryMembers,
  listMemberIdsOf,
  selectGroupPage,
  updateDirectoryGroup,
} from './group-store.ts'
import { type ListRequest, type Projection, wants } from './list-request.ts'
import { type Conditions, createVersion, requireVersion } from './responses.ts'
import { invalidValue, quote } from './scim-error.ts'
import { findManagedIds } from './user-store.ts'

/** Members in one response. */
const memberMaximum = 20_000
/** How many members one request can add and remove. */
const changeMaximum = 1000

function getVersion({ id, name, external_id, version }: DirectoryGroup): string {
  return createVersion([id, name, external_id, version])
}

function presentGroup(group: DirectoryGroup, memberIds: readonly string[] | null, scimUrl: string) {
  const version = getVersion(group)
  const location = `${scimUrl}/Groups/${group.id}`
  const resource = {
    schemas: [groupSchema],
    id: group.id,
    ...(group.external_id === null ? {} : { externalId: group.external_id }),
    displayName: group.name,
    ...(memberIds === null || memberIds.length === 0
      ? {}
      : { members: memberIds.map((id) => ({ value: id, $ref: `${scimUrl}/Users/${id}`, type: 'User' })) }),
    meta: {
      resourceType: 'Group',
      created: new Date(group.created_at).toISOString(),
      lastModified: new Date(group.updated_at).toISOString(),
      location,
      version,
    },
  }
  return { resource, version, location }
}

/** The members of these groups in one query; nothing if the response does not contain them. */
async function listMembersByGroup(
  db: Executor,
  directoryId: string,
  groups: readonly DirectoryGroup[],
  projection: Projection,
): Promise<Map<string, string[]> | null> {
  if (!wants(projection, 'members') || groups.length === 0) return null
  const ids = groups.map(({ id }) => id)
  const members = await listDirectoryMembers(db, directoryId, ids, memberMaximum + 1)
  if (members.length > memberMaximum)
    throw new AppError('scim.too_many', {
      message: `The groups have more than ${memberMaximum} members. Leave them out with excludedAttributes=members.`,
    })
  const byGroup = Map.groupBy(members, ({ group_id }) => group_id)
  return new Map([...byGroup].map(([id, list]) => [id, list.map(({ user_id }) => user_id)]))
}

export async function getGroup(
  deps: Deps,
  { directoryId }: DirectoryAccess,
  id: string,
  projection: Projection,
) {
  const group = await findDirectoryGroup(deps.db, directoryId, id)
  if (!group) throw notFound()
  const members = await listMembersByGroup(deps.db, directoryId, [group], projection)
  return presentGroup(group, members?.get(id) ?? null, getScimUrl(deps))
}

export async function listGroups(deps: Deps, { directoryId }: DirectoryAccess, request: ListRequest) {
  const total = await countDirectoryGroups(deps.db, directoryId, request.filter)
  const groups = request.count === 0 ? [] : await selectGroupPage(deps.db, directoryId, request).execute()
  const members = await listMembersByGroup(deps.db, directoryId, groups, request)
  const scimUrl = getScimUrl(deps)
  return {
    total,
    resources: groups.map((group) => presentGroup(group, members?.get(group.id) ?? null, scimUrl).resource),
  }
}

/** Adds and removes members. Returns the lost channels, and whether anything changed. */
async function changeMembers(
  deps: Deps,
  tx: Tx,
  { directoryId, actor }: DirectoryAccess,
  groupId: string,
  plan: MemberPlan,
): Promise<{ lost: ChannelUsers[]; isChanged: boolean }> {
  const named = [...plan.added, ...plan.removed]
  const current = new Set(
    await listMemberIdsOf(tx, directoryId, groupId, plan.replacesAll ? undefined : named),
  )
  const added = [...plan.added].filter((id) => !current.has(id))
  const removed = [...current].filter((id) => (plan.replacesAll ? !plan.added.has(id) : plan.removed.has(id)))
  if (added.length + removed.length > changeMaximum) throw new AppError('scim.too_large')
  const managed = await findManagedIds(tx, directoryId, added)
  const unknown = added.find((id) => !managed.has(id))
  if (unknown !== undefined) throw invalidValue(`${quote(unknown)} is not a user of this directory`)
  const source = getDirectorySource(directoryId)
  const group = await requireGroup(tx, groupId)
  const lost = await changeMembersOfSource(deps, tx, actor, group, { source, added, removed })
  return { lost, isChanged: added.length + removed.length > 0 }
}

/** An existing group is never connected by its name: it may give channels or permissions already. */
export async function createGroup(
  deps: Deps,
  access: DirectoryAccess,
  { description, memberIds }: { description: GroupDescription; memberIds: readonly string[] },
): Promise<string> {
  return deps.db.transaction().execute(async (tx) => {
    await keepAdministratorsUnchanged(tx)
    const input = { name: description.displayName, description: '' }
    const id = await createLockedGroup(deps, tx, access.actor, input)
    const now = deps.now()
    await insertDirectoryGroup(tx, {
      group_id: id,
      directory_id: access.directoryId,
      external_id: description.externalId,
      version: 1,
      created_at: now,
      updated_at: now,
    })
    await changeMembers(deps, tx, access, id, {
      replacesAll: true,
      added: new Set(memberIds),
      removed: new Set(),
    })
    return id
  })
}

async function requireManaged(
  tx: Tx,
  { directoryId }: DirectoryAccess,
  id: string,
  conditions: Conditions,
): Promise<DirectoryGroup> {
  await keepAdministratorsUnchanged(tx)
  const group = await findDirectoryGroup(tx, directoryId, id)
  if (!group) throw notFound()
  requireVersion(conditions, getVersion(group))
  return group
}

/** Returns the version after the change. */
export async function changeGroup(
  deps: Deps,
  access: DirectoryAccess,
  { id, conditions }: { id: string; conditions: Conditions },
  change: (current: GroupDescription) => { description: GroupDescription; members: MemberPlan },
): Promise<void> {
  const lost = await deps.db.transaction().execute(async (tx) => {
    const link = await requireManaged(tx, access, id, conditions)
    const { description, members } = change({ displayName: link.name, externalId: link.external_id })
    const { displayName, externalId } = description
    if (displayName !== link.name) {
      const group = await requireGroup(tx, id)
      const input = { name: displayName, description: group.description }
      await changeLockedGroup(deps, tx, access.actor, group, input)
    }
    const { lost: channels, isChanged } = await changeMembers(deps, tx, access, id, members)
    if (isChanged || displayName !== link.name || externalId !== link.external_id)
      await updateDirectoryGroup(tx, id, {
        external_id: externalId,
        version: link.version + 1,
        updated_at: deps.now(),
      })
    return channels
  })
  await stopReplies(deps, lost)
}

/** As when an administrator deletes it: members lose what only the group gave them. */
export async function deleteGroup(
  deps: Deps,
  access: DirectoryAccess,
  { id, conditions }: { id: string; conditions: Conditions },
): Promise<void> {
  const lost = await deps.db.transaction().execute(async (tx) => {
    await requireManaged(tx, access, id, conditions)
    return deleteLockedGroup(deps, tx, access.actor, await requireGroup(tx, id))
  })
  await stopReplies(deps, lost)
}
