import type { Tx } from '#db/client.ts'
import { lockRows } from '#db/lock-row.ts'

/** Selects all chats of a channel or of a user. */
export type ChatFilter = { channelId: string } | { userId: string }

/** Locks a batch of chats before their messages are deleted, so that no new message can be sent to them. */
export async function lockChatBatch(tx: Tx, filter: ChatFilter, limit: number): Promise<string[]> {
  const column = 'channelId' in filter ? ('channel_id' as const) : ('user_id' as const)
  const rows = await tx
    .selectFrom('chats')
    .select('id')
    .where(column, '=', 'channelId' in filter ? filter.channelId : filter.userId)
    .orderBy('id')
    .limit(limit)
    .execute()
  const ids = rows.map(({ id }) => id)
  await lockRows(tx, 'chats', ids)
  return ids
}

/** Deletes up to `limit` messages of these chats in one short statement. Returns how many were deleted. */
export async function deleteMessageBatch(tx: Tx, chatIds: readonly string[], limit: number): Promise<number> {
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
