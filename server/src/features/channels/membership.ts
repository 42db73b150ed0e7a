import type { Tx } from '#db/client.ts'
import { insertMember, lockChannel } from './store.ts'

/** Adds a user to the channels, skipping deleted ones. Returns those that the user was not a member of. */
export async function joinChannels(
  tx: Tx,
  userId: string,
  channelIds: readonly string[],
  now: number,
): Promise<string[]> {
  const joined: string[] = []
  // Lock each channel, because it may be deleted concurrently. Sorted order keeps transactions from deadlocking.
  for (const channelId of channelIds.toSorted())
    if ((await lockChannel(tx, channelId)) && (await insertMember(tx, channelId, userId, now)))
      joined.push(channelId)
  return joined
}
