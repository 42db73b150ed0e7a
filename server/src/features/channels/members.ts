import type { ListedMember } from '@lyceum/contract/channels'
import type { Tx } from '#db/client.ts'
import { toPage } from '#lib/page.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { audit, userObject } from '../audit/append.ts'
import { requireLockedUser, requireUser } from '../users/access.ts'
import { forgetGrants } from '../users/grants.ts'
import { requireLockedChannel, requireVisibleChannel } from './access.ts'
import { addedByHand, findOrigins } from './member-origin-store.ts'
import { presentMember } from './present.ts'
import {
  countMembers,
  deleteMember,
  findGroupsGiving,
  insertMember,
  listMembers,
  updateMember,
} from './store.ts'

const listFormat = new Intl.ListFormat('en')

interface PageQuery {
  search: string
  limit: number
  skip: number
}

interface MemberPage {
  items: ListedMember[]
  total: number
  totalPages: number
}

export async function listVisibleMembers(
  { db }: Deps,
  actor: Actor,
  channelId: string,
  page: PageQuery,
): Promise<MemberPage> {
  await requireVisibleChannel(db, actor, channelId)
  const members = await listMembers(db, channelId, page)
  const total = await countMembers(db, channelId, page.search)
  const origins = await findOrigins(
    db,
    channelId,
    members.map(({ id }) => id),
  )
  return toPage(
    members.map((member) => ({ ...presentMember(member), ...(origins.get(member.id) ?? addedByHand) })),
    total,
    page.limit,
  )
}

function invalidAccess(): AppError {
  return new AppError('user.invalid_access')
}

/**
 * Does nothing for existing members. The actor must see the channel: the permission to manage users must not open
 * other channels to them.
 */
export function grantAccess(deps: Deps, actor: Actor, channelId: string, userId: string) {
  return deps.db.transaction().execute(async (tx) => {
    await requireVisibleChannel(tx, actor, channelId, invalidAccess)
    const { name: channel } = await requireLockedChannel(tx, channelId, invalidAccess)
    const { name } = await requireLockedUser(tx, userId, invalidAccess)
    await forgetGrants(tx, userId, `channel:${channelId}`)
    if (await insertMember(tx, channelId, userId, deps.now()))
      await audit(deps, tx, {
        actor,
        action: 'access.granted',
        object: userObject({ id: userId, name }),
        after: { channelId, channel },
      })
    return { message: `“${name}” now has access to “${channel}”` }
  })
}

/** Access that a group gives ends with the membership in the group: it would differ from that of the other members. */
async function refuseAccessOfGroups(
  tx: Tx,
  channelId: string,
  { id, name }: { id: string; name: string },
): Promise<void> {
  const groups = await findGroupsGiving(tx, channelId, id)
  if (groups.length === 0) return
  const names = listFormat.format(groups.map((group) => `“${group}”`))
  throw new AppError('group.gives_access', {
    message:
      groups.length === 1
        ? `“${name}” has this access from the group ${names}. Remove them from the group instead.`
        : `“${name}” has this access from the groups ${names}. Remove them from these groups instead.`,
  })
}

/** Does nothing for users who are not members. Ends their running replies in the channel. */
export async function revokeAccess(deps: Deps, actor: Actor, channelId: string, userId: string) {
  const channel = await requireVisibleChannel(deps.db, actor, channelId, invalidAccess)
  const { name } = await deps.db.transaction().execute(async (tx) => {
    // Locked like in `grantAccess`: groups lock the channel, too, before they give or take access.
    await requireLockedChannel(tx, channelId, invalidAccess)
    const user = await requireLockedUser(tx, userId, invalidAccess)
    await refuseAccessOfGroups(tx, channelId, user)
    await forgetGrants(tx, userId, `channel:${channelId}`)
    if (await deleteMember(tx, channelId, userId))
      await audit(deps, tx, {
        actor,
        action: 'access.revoked',
        object: userObject(user),
        before: { channelId, channel: channel.name },
      })
    return user
  })
  await deps.lifecycle.onAccessLost(deps, { userId, channelId })
  return { message: `“${name}” no longer has access to “${channel.name}”` }
}

export async function setChannelAdmin(
  deps: Deps,
  actor: Actor,
  { channelId, userId }: { channelId: string; userId: string },
  isAdmin: boolean,
) {
  const channel = await requireVisibleChannel(deps.db, actor, channelId)
  const { name } = await requireUser(deps.db, userId)
  await deps.db.transaction().execute(async (tx) => {
    if (!(await updateMember(tx, channelId, userId, isAdmin))) throw notFound()
    await audit(deps, tx, {
      actor,
      action: 'access.admin-changed',
      object: userObject({ id: userId, name }),
      after: { channelId, channel: channel.name, isAdmin },
    })
  })
  return {
    message: isAdmin
      ? `“${name}” is now an administrator of “${channel.name}”`
      : `“${name}” is no longer an administrator of “${channel.name}”`,
  }
}
