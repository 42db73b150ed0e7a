import { errors } from '@lyceum/contract/errors'
import type { Group, GroupDetail, GroupInput } from '@lyceum/contract/groups'
import { uuidv7 } from 'uuidv7'
import type { Executor, Tx } from '#db/client.ts'
import { toPage } from '#lib/page.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { type AuditActor, audit } from '../audit/append.ts'
import { findChanges } from '../audit/changes.ts'
import { listVisibleChannelIds, requireVisibleChannel } from '../channels/access.ts'
import { requireUser } from '../users/access.ts'
import { findRefusal, groupObject, lockGroupsAs, requireGroup, toMemberEditor } from './access.ts'
import {
  countGroups,
  countMembersAndChannels,
  findDirectoryName,
  findGroupIdByName,
  type GroupRow,
  insertGroup,
  listGroupChannels,
  listGroups,
  type PageQuery,
  parsePermissions,
  renameGroup,
} from './store.ts'

async function presentGroups(db: Executor, rows: readonly GroupRow[]): Promise<Group[]> {
  const counts = await countMembersAndChannels(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    _id: row.id,
    name: row.name,
    description: row.description,
    memberCount: counts.get(row.id)?.members ?? 0,
    channelCount: counts.get(row.id)?.channels ?? 0,
    permissions: parsePermissions(row),
    createdAt: new Date(row.created_at).toISOString(),
  }))
}

interface GroupListQuery extends PageQuery {
  search: string
  addableUserId?: string | undefined
}

export async function listPresentedGroups(
  { db }: Deps,
  actor: Actor,
  { search, addableUserId, ...page }: GroupListQuery,
) {
  if (addableUserId !== undefined) await requireUser(db, addableUserId)
  const filter = {
    search,
    ...(addableUserId !== undefined && { exceptUserId: addableUserId, editor: toMemberEditor(actor) }),
  }
  const items = await presentGroups(db, await listGroups(db, filter, page))
  return toPage(items, await countGroups(db, filter), page.limit)
}

export async function listGroupsOfChannel({ db }: Deps, actor: Actor, channelId: string, page: PageQuery) {
  await requireVisibleChannel(db, actor, channelId)
  const filter = { search: '', channelId }
  const items = await presentGroups(db, await listGroups(db, filter, page))
  return toPage(items, await countGroups(db, filter), page.limit)
}

/** The channels of a group that the actor can see. */
export async function listVisibleGroupChannels(db: Executor, actor: Actor, groupId: string) {
  const channels = await listGroupChannels(db, [groupId])
  const visible = await listVisibleChannelIds(
    db,
    actor,
    channels.map(({ id }) => id),
  )
  return channels.flatMap(({ id, name }) => (visible.has(id) ? [{ _id: id, name }] : []))
}

export async function getGroupDetail({ db }: Deps, actor: Actor, id: string): Promise<GroupDetail> {
  const row = await requireGroup(db, id)
  const [group] = await presentGroups(db, [row])
  if (!group) throw new Error('presentGroups returned no group')
  const directory = await findDirectoryName(db, id)
  return {
    ...group,
    ...(directory !== null && { directory }),
    channels: await listVisibleGroupChannels(db, actor, id),
    canChangeMembers: (await findRefusal(db, actor, row)) === null,
  }
}

async function requireFreeName(tx: Tx, name: string, ownId: string | null): Promise<void> {
  const id = await findGroupIdByName(tx, name)
  if (id !== null && id !== ownId)
    throw new AppError('group.exists', { fields: { name: errors['group.exists'].message } })
}

/** Returns the id. The caller has locked the groups. */
export async function createLockedGroup(
  deps: Deps,
  tx: Tx,
  actor: AuditActor,
  input: GroupInput,
): Promise<string> {
  const id = uuidv7()
  await requireFreeName(tx, input.name, null)
  await insertGroup(tx, { id, ...input, permissions: '[]', created_at: deps.now() })
  await audit(deps, tx, {
    actor,
    action: 'group.created',
    object: groupObject({ id, name: input.name }),
    after: input,
  })
  return id
}

export async function createGroup(deps: Deps, actor: Actor, input: GroupInput): Promise<GroupDetail> {
  const id = await deps.db.transaction().execute(async (tx) => {
    await lockGroupsAs(tx, actor)
    return createLockedGroup(deps, tx, actor, input)
  })
  return getGroupDetail(deps, actor, id)
}

/** The caller has locked the groups. */
export async function changeLockedGroup(
  deps: Deps,
  tx: Tx,
  actor: AuditActor,
  { id, name, description }: GroupRow,
  input: GroupInput,
): Promise<void> {
  await requireFreeName(tx, input.name, id)
  await renameGroup(tx, id, input)
  const changes = findChanges({ name, description }, { ...input })
  if (changes)
    await audit(deps, tx, { actor, action: 'group.changed', object: groupObject({ id, name }), ...changes })
}

export async function changeGroup(
  deps: Deps,
  actor: Actor,
  id: string,
  input: GroupInput,
): Promise<GroupDetail> {
  await deps.db.transaction().execute(async (tx) => {
    await lockGroupsAs(tx, actor)
    await changeLockedGroup(deps, tx, actor, await requireGroup(tx, id), input)
  })
  return getGroupDetail(deps, actor, id)
}
