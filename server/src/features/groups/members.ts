import type { GroupMember } from '@lyceum/contract/groups'
import type { Tx } from '#db/client.ts'
import { toPage } from '#lib/page.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { audit, userObject } from '../audit/append.ts'
import { requireLockedUsers, type UserRow } from '../users/access.ts'
import { lockGroupsAs, requireGroup, requireMemberEditor } from './access.ts'
import { refreshPermissions } from './access-store.ts'
import { giveChannels, lockGroupChannels, namesFor, stopReplies, withdrawChannels } from './change-access.ts'
import {
  byHand,
  countMembers,
  deleteMembers,
  findSourceNames,
  insertMembers,
  listMembers,
  listSourcesByUser,
} from './member-store.ts'
import { presentSources } from './sources.ts'
import type { GroupRow, PageQuery } from './store.ts'

export async function listGroupMembers({ db }: Deps, id: string, query: PageQuery & { search: string }) {
  await requireGroup(db, id)
  const members = await listMembers(db, id, query)
  const ids = members.map((member) => member.id)
  const sources = await listSourcesByUser(db, id, ids)
  const sourceNames = await findSourceNames(db)
  const items: GroupMember[] = members.map(({ id: _id, name, email, role }) => ({
    ...{ _id, name, email, role },
    ...presentSources(sources.get(_id) ?? [], sourceNames),
  }))
  return toPage(items, await countMembers(db, id, query.search), query.limit)
}

function describeUsers(users: readonly { name: string }[]): string {
  const [only] = users
  return users.length === 1 && only ? `“${only.name}”` : `${users.length} users`
}

interface MemberChange {
  group: GroupRow
  users: UserRow[]
  ids: string[]
}

/** Locks what a change to members needs and checks that the actor may make it. */
async function startChange(
  tx: Tx,
  actor: Actor,
  id: string,
  userIds: readonly string[],
): Promise<MemberChange> {
  const current = await lockGroupsAs(tx, actor)
  const group = await requireGroup(tx, id)
  await requireMemberEditor(tx, current, group)
  await lockGroupChannels(tx, [id])
  const users = await requireLockedUsers(tx, userIds, () => new AppError('group.unknown_user'))
  return { group, users, ids: users.map((user) => user.id) }
}

/** Does nothing for users who have been added by hand before. */
export function addMembers(deps: Deps, actor: Actor, id: string, userIds: readonly string[]) {
  return deps.db.transaction().execute(async (tx) => {
    const { group, users, ids } = await startChange(tx, actor, id, userIds)
    const added = await insertMembers(tx, id, { userIds: ids, source: byHand }, deps.now())
    const gained = await giveChannels(deps, tx, { groupId: id, userIds: ids })
    await refreshPermissions(tx, ids)
    for (const user of users.filter((member) => added.includes(member.id)))
      await audit(deps, tx, {
        actor,
        action: 'group.member-added',
        object: userObject(user),
        after: { groupId: id, group: group.name, channels: namesFor(user.id, gained) },
      })
    const verb = users.length === 1 ? 'is' : 'are'
    return { message: `${describeUsers(users)} ${verb} now in “${group.name}”` }
  })
}

/** Warns of members whom an issuer or a directory adds again. */
function describeReturn(issuers: ReadonlySet<string>, directories: ReadonlySet<string>): string {
  const [directory] = directories
  if (directory !== undefined) return `. ${directory} may add users again`
  if (issuers.size === 0) return ''
  const names = [...issuers].join(', ')
  return `. A sign-in with ${names} adds users again as long as a rule of it names this group`
}

/** Does nothing for users who are not members. */
export async function removeMembers(deps: Deps, actor: Actor, id: string, userIds: readonly string[]) {
  const { lost, message } = await deps.db.transaction().execute(async (tx) => {
    const { group, users } = await startChange(tx, actor, id, userIds)
    const sources = await listSourcesByUser(tx, id, userIds)
    const members = users.filter((user) => sources.has(user.id))
    const ids = members.map((member) => member.id)
    const sourceNames = await findSourceNames(tx)
    await deleteMembers(tx, id, ids)
    const withdrawn = ids.length === 0 ? [] : await withdrawChannels(tx, { groupId: id, userIds: ids })
    await refreshPermissions(tx, ids)
    const [returning, directories] = [new Set<string>(), new Set<string>()]
    for (const user of members) {
      const origin = presentSources(sources.get(user.id) ?? [], sourceNames)
      const issuers = origin.issuers.map(({ name }) => name)
      if (origin.directory !== undefined) directories.add(origin.directory)
      for (const name of issuers) returning.add(name)
      await audit(deps, tx, {
        actor,
        action: 'group.member-removed',
        object: userObject(user),
        before: { groupId: id, group: group.name, channels: namesFor(user.id, withdrawn), issuers },
      })
    }
    const verb = users.length === 1 ? 'is' : 'are'
    const removed = `${describeUsers(users)} ${verb} no longer in “${group.name}”`
    return { lost: withdrawn, message: removed + describeReturn(returning, directories) }
  })
  await stopReplies(deps, lost)
  return { message }
}
