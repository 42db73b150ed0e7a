import { uuidv7 } from 'uuidv7'
import type { Deps } from '../deps.ts'

export interface WrittenMessage {
  id: string
  content: string
}

interface ChatOptions {
  userId: string
  channelId: string
  title?: string | null
  /** What person and assistant say in turn. */
  messages?: readonly string[]
  createdAt?: number
  updatedAt?: number
}

/** A chat as the records hold it once it has been had, without asking any assistant. */
export async function writeChat(
  deps: Pick<Deps, 'db' | 'now'>,
  { userId, channelId, title = null, messages = [], createdAt, updatedAt }: ChatOptions,
): Promise<{ id: string; messages: WrittenMessage[] }> {
  const id = uuidv7()
  const begun = createdAt ?? deps.now()
  const written = messages.map((content) => ({ id: uuidv7(), content }))
  const last = written.at(-1)
  await deps.db
    .insertInto('chats')
    .values({
      id,
      user_id: userId,
      channel_id: channelId,
      title,
      active_leaf_id: last?.id ?? null,
      message_count: written.length,
      last_message_role: last ? (written.length % 2 === 0 ? 'assistant' : 'user') : null,
      last_message_preview: last?.content.slice(0, 30) ?? null,
      last_message_at: last ? begun + written.length : null,
      thread_id: null,
      thread_assistant_id: null,
      thread_leaf_id: null,
      created_at: begun,
      updated_at: updatedAt ?? begun + written.length,
    })
    .execute()
  const rows = written.map((message, at) => ({
    id: message.id,
    chat_id: id,
    parent_id: written[at - 1]?.id ?? null,
    role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: message.content,
    state: at % 2 === 0 ? null : ('complete' as const),
    mode: at % 2 === 0 ? null : ('model' as const),
    last_event: 0,
    created_at: begun + at + 1,
  }))
  for (let at = 0; at < rows.length; at += rowsAtOnce)
    await deps.db
      .insertInto('messages')
      .values(rows.slice(at, at + rowsAtOnce))
      .execute()
  return { id, messages: written }
}

const rowsAtOnce = 200
