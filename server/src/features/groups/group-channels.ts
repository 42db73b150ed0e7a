import { type GroupDetail, groupChannelMaximum } from '@lyceum/contract/groups'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { audit } from '../audit/append.ts'
import { canSeeChannels, lockExistingChannels } from '../channels/access.ts'
import { groupObject, lockGroupsAs, requireGroup } from './access.ts'
import { giveChannel, withdrawChannel } from './access-store.ts'
import { stopReplies } from './change-access.ts'
import { getGroupDetail, listVisibleGroupChannels } from './groups.ts'
import { deleteGroupChannel, insertGroupChannels, listGroupChannels } from './store.ts'

function unknownChannel(): AppError {
  return new AppError('group.unknown_channel')
}

/** Does nothing for channels that the group has already. As for single users, the actor must see the channels. */
export async function addChannels(
  deps: Deps,
  actor: Actor,
  id: string,
  channelIds: readonly string[],
): Promise<GroupDetail> {
  await deps.db.transaction().execute(async (tx) => {
    const current = await lockGroupsAs(tx, actor)
    const { name } = await requireGroup(tx, id)
    if (!(await canSeeChannels(tx, current, channelIds))) throw unknownChannel()
    const locked = await lockExistingChannels(tx, channelIds)
    if (locked.length < new Set(channelIds).size) throw unknownChannel()
    const existing = new Set((await listGroupChannels(tx, [id])).map((channel) => channel.id))
    const added = locked.filter((channel) => !existing.has(channel.id))
    if (existing.size + added.length > groupChannelMaximum) throw new AppError('group.channel_limit')
    if (added.length === 0) return
    const now = deps.now()
    const addedIds = added.map((channel) => channel.id)
    await insertGroupChannels(tx, id, addedIds, now)
    for (const channel of added) {
      const gained = await giveChannel(tx, { groupId: id }, channel.id, now)
      await audit(deps, tx, {
        actor,
        action: 'group.channel-added',
        object: groupObject({ id, name }),
        after: { channelId: channel.id, channel: channel.name, usersAdded: gained.length },
      })
    }
  })
  return getGroupDetail(deps, actor, id)
}

export async function removeChannel(
  deps: Deps,
  actor: Actor,
  { id, channelId }: { id: string; channelId: string },
): Promise<GroupDetail> {
  const lost = await deps.db.transaction().execute(async (tx) => {
    const current = await lockGroupsAs(tx, actor)
    const { name } = await requireGroup(tx, id)
    const visible = await listVisibleGroupChannels(tx, current, id)
    const channel = visible.find(({ _id }) => _id === channelId)
    if (!channel) throw notFound()
    await lockExistingChannels(tx, [channelId])
    const userIds = new Set(await withdrawChannel(tx, { groupId: id }, channelId))
    await deleteGroupChannel(tx, id, channelId)
    await audit(deps, tx, {
      actor,
      action: 'group.channel-removed',
      object: groupObject({ id, name }),
      before: { channelId, channel: channel.name, usersRemoved: userIds.size },
    })
    return { id: channelId, name: channel.name, userIds }
  })
  await stopReplies(deps, [lost])
  return getGroupDetail(deps, actor, id)
}
