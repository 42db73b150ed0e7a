import type { Executor } from '#db/client.ts'
import { findChannelNames } from '../channels/channel-names.ts'

interface LimitedToChannels {
  /** A JSON list of ids, or null for all channels of the user. */
  channel_ids: string | null
}

function readChannelIds({ channel_ids }: LimitedToChannels): string[] | null {
  return channel_ids === null ? null : (JSON.parse(channel_ids) as string[])
}

/** Returns a function that names the channels of a key or a connected program. Deleted channels are left out. */
export async function nameChannelsOf(db: Executor, rows: readonly LimitedToChannels[]) {
  const names = await findChannelNames(
    db,
    rows.flatMap((row) => readChannelIds(row) ?? []),
  )
  return (row: LimitedToChannels): { _id: string; name: string }[] | null =>
    readChannelIds(row)?.flatMap((id) => {
      const name = names.get(id)
      return name === undefined ? [] : [{ _id: id, name }]
    }) ?? null
}
