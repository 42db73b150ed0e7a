import type { Insertable, Selectable } from 'kysely'
import type { Executor } from '#db/client.ts'
import type { Database } from '#db/schema.ts'

export type MessageRow = Selectable<Database['messages']>

export const findMessage = (
  db: Executor,
  chatId: string,
  messageId: string,
): Promise<MessageRow | undefined> =>
  db
    .selectFrom('messages')
    .selectAll()
    .where('id', '=', messageId)
    .where('chat_id', '=', chatId)
    .executeTakeFirst()

export const findMessageByKey = (db: Executor, key: string): Promise<MessageRow | undefined> =>
  db.selectFrom('messages').selectAll().where('idempotency_key', '=', key).executeTakeFirst()

/** The first of the replies to a message: the one that was begun together with it. */
export const findFirstReply = (db: Executor, messageId: string): Promise<MessageRow | undefined> =>
  db
    .selectFrom('messages')
    .selectAll()
    .where('parent_id', '=', messageId)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()

export const insertMessage = (db: Executor, message: Insertable<Database['messages']>): Promise<MessageRow> =>
  db.insertInto('messages').values(message).returningAll().executeTakeFirstOrThrow()

/**
 * At most `limit` messages from one upwards to the root, oldest first. Its cost goes by `limit`, never by the
 * length of the chat.
 */
export const pathTo = async (
  db: Executor,
  chatId: string,
  messageId: string,
  limit: number,
): Promise<MessageRow[]> => {
  const rows = await db
    .withRecursive('path(id, parent_id, depth)', (cte) =>
      cte
        .selectFrom('messages')
        .select((eb) => ['messages.id', 'messages.parent_id', eb.lit(1).as('depth')])
        .where('messages.id', '=', messageId)
        .where('messages.chat_id', '=', chatId)
        .unionAll(
          cte
            .selectFrom('path')
            .innerJoin('messages', 'messages.id', 'path.parent_id')
            .select((eb) => ['messages.id', 'messages.parent_id', eb('path.depth', '+', 1).as('depth')])
            .where('path.depth', '<', limit),
        ),
    )
    .selectFrom('path')
    .innerJoin('messages', 'messages.id', 'path.id')
    .selectAll('messages')
    .orderBy('path.depth', 'desc')
    .execute()
  return rows
}

/** What presenting a page needs to know of the messages below some parents. */
export interface ChildRow {
  id: string
  parent_id: string | null
  role: MessageRow['role']
  has_text: 0 | 1
}

const childColumns = (db: Executor) =>
  db
    .selectFrom('messages')
    .select((eb) => [
      'id',
      'parent_id',
      'role',
      eb.case().when('content', '=', '').then(0).else(1).end().$castTo<0 | 1>().as('has_text'),
    ])

export const childrenOf = (db: Executor, parentIds: readonly string[]): Promise<ChildRow[]> =>
  parentIds.length === 0
    ? Promise.resolve([])
    : childColumns(db).where('parent_id', 'in', parentIds).orderBy('seq').execute()

/** Written so that the index by chat is used: every chat's first message has no parent. */
export const rootsOf = (db: Executor, chatId: string): Promise<ChildRow[]> =>
  childColumns(db)
    .where('chat_id', '=', chatId)
    .where((eb) => eb(eb.fn.coalesce('parent_id', eb.val('')), '=', ''))
    .orderBy('seq')
    .execute()

/** Keys are forgotten after a day. The comparison with '' lets the index skip the rows without one. */
export const dropIdempotencyKeys = async (db: Executor, before: number): Promise<void> => {
  await db
    .updateTable('messages')
    .set({ idempotency_key: null })
    .where('idempotency_key', '>', '')
    .where('created_at', '<', before)
    .execute()
}
