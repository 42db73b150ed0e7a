import type { Tx } from '#db/client.ts'

/** All of a channel or of a person. */
export type ChatsOf = { channelId: string } | { userId: string }

/**
 * Holds some of them until the transaction ends, so that nobody sends into one meanwhile. Chats come before messages
 * here as everywhere.
 */
export async function holdSomeChats(tx: Tx, of: ChatsOf, limit: number): Promise<string[]> {
  const column = 'channelId' in of ? ('channel_id' as const) : ('user_id' as const)
  const some = await tx
    .selectFrom('chats')
    .select('id')
    .where(column, '=', 'channelId' in of ? of.channelId : of.userId)
    .orderBy('id')
    .limit(limit)
    .execute()
  const ids = some.map(({ id }) => id)
  if (ids.length > 0)
    await tx
      .updateTable('chats')
      .set((eb) => ({ updated_at: eb.ref('updated_at') }))
      .where('id', 'in', ids)
      .execute()
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
