import { uuidv7 } from 'uuidv7'
import type { Deps } from '../deps.ts'
import { insertMessages } from '../features/chats/messages/message-store.ts'
import { insertChat } from '../features/chats/store.ts'

export interface TestMessage {
  id: string
  content: string
}

interface ChatOptions {
  userId: string
  channelId: string
  title?: string | null
  /** Alternating messages of the user and the assistant; the user begins. */
  messages?: readonly string[]
  createdAt?: number
  updatedAt?: number
}

/** Inserts a finished chat directly into the database, without running an assistant. */
export async function insertTestChat(
  deps: Pick<Deps, 'db' | 'now'>,
  { userId, channelId, title = null, messages = [], createdAt, updatedAt }: ChatOptions,
): Promise<{ id: string; messages: TestMessage[] }> {
  const id = uuidv7()
  const startedAt = createdAt ?? deps.now()
  const insertedMessages = messages.map((content) => ({ id: uuidv7(), content }))
  const last = insertedMessages.at(-1)
  await insertChat(deps.db, {
    id,
    user_id: userId,
    channel_id: channelId,
    title,
    active_leaf_id: last?.id ?? null,
    message_count: insertedMessages.length,
    last_message_role: last ? (insertedMessages.length % 2 === 0 ? 'assistant' : 'user') : null,
    last_message_preview: last?.content.slice(0, 30) ?? null,
    last_message_at: last ? startedAt + insertedMessages.length : null,
    created_at: startedAt,
    updated_at: updatedAt ?? startedAt + insertedMessages.length,
  })
  const rows = insertedMessages.map((message, at) => ({
    id: message.id,
    chat_id: id,
    parent_id: insertedMessages[at - 1]?.id ?? null,
    role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: message.content,
    state: at % 2 === 0 ? null : ('complete' as const),
    mode: at % 2 === 0 ? null : ('model' as const),
    created_at: startedAt + at + 1,
  }))
  await insertMessages(deps.db, rows)
  return { id, messages: insertedMessages }
}
