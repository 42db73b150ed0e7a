import { randomUUID } from 'node:crypto'
import type { Deps } from '../server/src/deps.ts'

const perStep = 200

/** Writes so many messages into an empty chat, questions and replies by turns. */
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
      citations: null,
      requested_model: null,
      actual_model: null,
      error: null,
      last_event: 0,
      lease_owner: null,
      lease_until: null,
      idempotency_key: null,
      created_at: now(),
    }
    parentId = id
    return row
  })
  for (let from = 0; from < messages; from += perStep)
    await db
      .insertInto('messages')
      .values(rows.slice(from, from + perStep))
      .execute()
  await db
    .updateTable('chats')
    .set({ active_leaf_id: parentId, message_count: messages })
    .where('id', '=', chatId)
    .execute()
}
