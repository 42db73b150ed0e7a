import type { Executor } from '#db/client.ts'

/** The title and channel of a chat that was found. */
export interface FoundChat {
  id: string
  title: string | null
  channel_id: string
  channel_name: string
}

/** Finds the user's own chats among `chatIds`. Skips chats in channels that the user has left. */
export async function findOwnChats(
  db: Executor,
  userId: string,
  chatIds: readonly string[],
): Promise<Map<string, FoundChat>> {
  if (chatIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('chats')
    .innerJoin('channels', 'channels.id', 'chats.channel_id')
    .innerJoin('channel_members', (join) =>
      join
        .onRef('channel_members.channel_id', '=', 'chats.channel_id')
        .onRef('channel_members.user_id', '=', 'chats.user_id'),
    )
    .select(['chats.id', 'chats.title', 'chats.channel_id', 'channels.name as channel_name'])
    .where('chats.user_id', '=', userId)
    .where('chats.id', 'in', chatIds)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
