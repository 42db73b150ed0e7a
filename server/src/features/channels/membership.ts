import type { Tx } from '#db/client.ts'
import { insertMember, lockChannel } from './store.ts'

/** Makes a person a member of those of the channels that still exist. */
export async function joinChannels(
  tx: Tx,
  userId: string,
  channelIds: readonly string[],
  now: number,
): Promise<void> {
  // Held, because a channel may be deleted at this moment; in one order, because others hold several too.
  for (const channelId of channelIds.toSorted())
    if (await lockChannel(tx, channelId)) await insertMember(tx, channelId, userId, now)
}
