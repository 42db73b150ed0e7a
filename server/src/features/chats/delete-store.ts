import type { Tx } from '#db/client.ts'
import { lockRows } from '#db/lock-row.ts'

/** All of a channel or of a person. */
export type ChatsOf = { channelId: string } | { userId: string }

/** Locks some of them, so that nobody sends into one meanwhile. Chats are locked before messages everywhere. */
export async function lockChatBatch(tx: Tx, of: ChatsOf, limit: number): Promise<string[]> {
  const column = 'channelId' in of ? ('channel_id' as const) : ('user_id' as const)
  const some = await tx
    .selectFrom('chats')
    .select('id')
    .where(column, '=', 'channelId' in of ? of.channelId : of.userId)
    .orderBy('id')
    .limit(limit)
    .execute()
  const ids = some.map(({ id }) => id)
  await lockRows(tx, 'chats', ids)
  return ids
}

/** Some messages of these chats, in one short statement; how many they were. */
export async function deleteSomeMessages(tx: Tx, chatIds: readonly string[], limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('messages')
    .where('seq', 'in', (eb) =>
      eb.selectFrom('messages').select('seq').where('chat_id', 'in', chatIds).limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export async function deleteChats(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.deleteFrom('chats').where('id', 'in', ids).execute()
}
