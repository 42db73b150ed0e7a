import type { Executor } from '#db/client.ts'

interface ThreadKey {
  chatId: string
  assistantId: string
  /** The last message in the thread. */
  leafId: string
}

/**
 * Claims the assistant's thread for exactly this conversation, if there is one, by clearing its leaf id.
 * Until `storeThread` runs, its content is unknown, so concurrent requests start a new thread.
 */
export async function claimThread(
  db: Executor,
  { chatId, assistantId, leafId }: ThreadKey,
): Promise<string | null> {
  const claimed = await db
    .updateTable('chats')
    .set({ thread_leaf_id: null })
    .where('id', '=', chatId)
    .where('thread_assistant_id', '=', assistantId)
    .where('thread_leaf_id', '=', leafId)
    .returning('thread_id')
    .executeTakeFirst()
  return claimed?.thread_id ?? null
}

export async function storeThread(
  db: Executor,
  threadId: string,
  { chatId, assistantId, leafId }: ThreadKey,
): Promise<void> {
  await db
    .updateTable('chats')
    .set({ thread_id: threadId, thread_assistant_id: assistantId, thread_leaf_id: leafId })
    .where('id', '=', chatId)
    .execute()
}
