import type { Executor, Tx } from '#db/client.ts'
import type { ChatRow } from '../store.ts'

/** The first question above a message, or the message itself if it is one. */
export function findFirstQuestion(
  db: Executor,
  chatId: string,
  messageId: string,
): Promise<{ id: string; content: string } | undefined> {
  return db
    .withRecursive('path(id, parent_id)', (cte) =>
      cte
        .selectFrom('messages')
        .select(['messages.id', 'messages.parent_id'])
        .where('messages.id', '=', messageId)
        .where('messages.chat_id', '=', chatId)
        .unionAll(
          cte
            .selectFrom('path')
            .innerJoin('messages', 'messages.id', 'path.parent_id')
            .select(['messages.id', 'messages.parent_id']),
        ),
    )
    .selectFrom('path')
    .innerJoin('messages', 'messages.id', 'path.id')
    .select(['messages.id', 'messages.content'])
    .where('path.parent_id', 'is', null)
    .where('messages.role', '=', 'user')
    .executeTakeFirst()
}

/** The caller has locked the chat and knows that the user did not name it. */
export async function setQuestionTitle(tx: Tx, chatId: string, title: string | null): Promise<void> {
  await tx
    .updateTable('chats')
    .set({ title, title_source: title === null ? null : 'question' })
    .where('id', '=', chatId)
    .execute()
}

/** Waits for a model's title if the chat is named after its question. Returns whether it is. */
export async function setTitlePending(tx: Tx, chatId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('chats')
    .set({ title_source: 'pending' })
    .where('id', '=', chatId)
    .where('title_source', '=', 'question')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends the wait for a model's title, unless the user or another question has named the chat since. */
export async function settleTitle(
  tx: Tx,
  { id, title }: Pick<ChatRow, 'id' | 'title'>,
  modelTitle: string | null,
): Promise<void> {
  await tx
    .updateTable('chats')
    .set(modelTitle === null ? { title_source: 'question' } : { title: modelTitle, title_source: 'model' })
    .where('id', '=', id)
    .where('title_source', '=', 'pending')
    .where('title', '=', title)
    .execute()
}

/** Not in a strict channel, where nothing may be shown that a model wrote unchecked, and not where another server answers. */
export async function mayModelNameChats(db: Executor, channelId: string): Promise<boolean> {
  const channel = await db
    .selectFrom('channels')
    .select('id')
    .where('id', '=', channelId)
    .where('strict_documents_only', '=', 0)
    .where('use_assistant', '=', 0)
    .executeTakeFirst()
  return channel !== undefined
}

/** A chat that waits for a model's title, with what is needed to ask for one. */
export function findPendingTitle(db: Executor, chatId: string, questionId: string) {
  return db
    .selectFrom('chats')
    .innerJoin('messages', 'messages.chat_id', 'chats.id')
    .select([
      'chats.id',
      'chats.title',
      'chats.user_id',
      'chats.channel_id',
      'messages.content as question',
      'messages.created_at as asked_at',
    ])
    .where('chats.id', '=', chatId)
    .where('chats.title_source', '=', 'pending')
    .where('messages.id', '=', questionId)
    .executeTakeFirst()
}
