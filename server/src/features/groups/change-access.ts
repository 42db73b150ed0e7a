import type { Tx } from '#db/client.ts'
import type { Deps } from '../../deps.ts'
import { lockExistingChannels } from '../channels/access.ts'
import { giveChannel, withdrawChannel } from './access-store.ts'
import { listGroupChannels } from './store.ts'

/** Which users won or lost which channel. */
export interface ChannelUsers {
  id: string
  name: string
  userIds: ReadonlySet<string>
}

interface Recipients {
  groupId: string
  userIds?: readonly string[]
}

/** Locks the channels of groups. Take this lock before those of users. */
export async function lockGroupChannels(tx: Tx, groupIds: readonly string[]): Promise<void> {
  const channels = await listGroupChannels(tx, groupIds)
  await lockExistingChannels(tx, [...new Set(channels.map(({ id }) => id))])
}

/** Gives all channels of the group. The caller has locked them. */
export async function giveChannels(deps: Deps, tx: Tx, recipients: Recipients): Promise<ChannelUsers[]> {
  const gained: ChannelUsers[] = []
  for (const { id, name } of await listGroupChannels(tx, [recipients.groupId]))
    gained.push({ id, name, userIds: new Set(await giveChannel(tx, recipients, id, deps.now())) })
  return gained
}

/** Takes all channels of the group back. The caller has locked them. */
export async function withdrawChannels(tx: Tx, recipients: Recipients): Promise<ChannelUsers[]> {
  const lost: ChannelUsers[] = []
  for (const { id, name } of await listGroupChannels(tx, [recipients.groupId]))
    lost.push({ id, name, userIds: new Set(await withdrawChannel(tx, recipients, id)) })
  return lost
}

/** The names of the channels that changed for a user. */
export function namesFor(userId: string, channels: readonly ChannelUsers[]): string[] {
  return channels.flatMap(({ name, userIds }) => (userIds.has(userId) ? [name] : []))
}

/** Stops the replies of those who lost access. Call it after the transaction. */
export async function stopReplies(deps: Deps, lost: readonly ChannelUsers[]): Promise<void> {
  for (const { id, userIds } of lost)
    if (userIds.size > 0) await deps.lifecycle.onAccessLost(deps, { userIds, channelId: id })
}
