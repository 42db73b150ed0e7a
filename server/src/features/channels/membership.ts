import type { Tx } from '#db/client.ts'
import { existingChannelIds, insertMember } from './store.ts'

/** Makes a person a member of those of the channels that still exist. */
export const joinChannels = async (
  tx: Tx,
  userId: string,
  channelIds: readonly string[],
  now: number,
): Promise<void> => {
  for (const channelId of await existingChannelIds(tx, channelIds))
    await insertMember(tx, channelId, userId, now)
}
