import { randomUUID } from 'node:crypto'
import type { Deps } from '../server/src/deps.ts'
import { insertMessages } from '../server/src/features/chats/messages/message-store.ts'

/** Writes messages into an empty chat, alternating questions and replies. */
export async function fillChat(
  { db, now }: Deps,
  chatId: string,
  messages: number,
  textOf: (number: number) => string,
): Promise<void> {
  let parentId: string | null = null
  const rows = Array.from({ length: messages }, (_, at) => {
    const id = randomUUID()
    const isReply = at % 2 === 1
    const row = {
      id,
      chat_id: chatId,
      parent_id: parentId,
      role: isReply ? ('assistant' as const) : ('user' as const),
      content: textOf(at),
      state: isReply ? ('complete' as const) : null,
      mode: isReply ? ('model' as const) : null,
      created_at: now(),
    }
    parentId = id
    return row
  })
  await insertMessages(db, rows)
  await db
    .updateTable('chats')
    .set({ active_leaf_id: parentId, message_count: messages })
    .where('id', '=', chatId)
    .execute()
}
