import type { Insertable, Selectable } from 'kysely'
import type { Executor } from '#db/client.ts'
import type { Database } from '#db/schema.ts'

export type MessageRow = Selectable<Database['messages']>

export function findMessage(
  db: Executor,
  chatId: string,
  messageId: string,
): Promise<MessageRow | undefined> {
  return db
    .selectFrom('messages')
    .selectAll()
    .where('id', '=', messageId)
    .where('chat_id', '=', chatId)
    .executeTakeFirst()
}

export function findMessageByKey(db: Executor, key: string): Promise<MessageRow | undefined> {
  return db.selectFrom('messages').selectAll().where('idempotency_key', '=', key).executeTakeFirst()
}

/** The first of the replies to a message: the one that was begun together with it. */
export function findFirstReply(db: Executor, messageId: string): Promise<MessageRow | undefined> {
  return db
    .selectFrom('messages')
    .selectAll()
    .where('parent_id', '=', messageId)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
}

/** A message to insert. Columns that are left out are null, and `last_event` is 0. */
export type NewMessage = Omit<Insertable<Database['messages']>, 'last_event'> & { last_event?: number }

export function insertMessage(db: Executor, message: NewMessage): Promise<MessageRow> {
  return db
    .insertInto('messages')
    .values({ last_event: 0, ...message })
    .returningAll()
    .executeTakeFirstOrThrow()
}

const messagesPerStatement = 200

export async function insertMessages(db: Executor, messages: readonly NewMessage[]): Promise<void> {
  for (let from = 0; from < messages.length; from += messagesPerStatement)
    await db
      .insertInto('messages')
      .values(messages.slice(from, from + messagesPerStatement).map((row) => ({ last_event: 0, ...row })))
      .execute()
}

/**
 * At most `limit` messages from one upwards to the root, oldest first. Its cost goes by `limit`, never by the
 * length of the chat.
 */
export async function pathTo(
  db: Executor,
  chatId: string,
  messageId: string,
  limit: number,
): Promise<MessageRow[]> {
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

/** The end of what follows a message when at each turn the newest version is taken; the message itself if nothing does. */
export function newestLeafBelow(
  db: Executor,
  chatId: string,
  messageId: string,
): Promise<MessageRow | undefined> {
  return db
    .withRecursive('path(id, depth)', (cte) =>
      cte
        .selectFrom('messages')
        .select((eb) => ['messages.id', eb.lit(1).as('depth')])
        .where('messages.id', '=', messageId)
        .where('messages.chat_id', '=', chatId)
        .unionAll(
          cte
            .selectFrom('path')
            .innerJoin('messages', 'messages.parent_id', 'path.id')
            .select((eb) => ['messages.id', eb('path.depth', '+', 1).as('depth')])
            .where('messages.seq', '=', (eb) =>
              eb
                .selectFrom('messages as child')
                .select((child) => child.fn.max('child.seq').as('seq'))
                .whereRef('child.parent_id', '=', 'path.id'),
            ),
        ),
    )
    .selectFrom('path')
    .innerJoin('messages', 'messages.id', 'path.id')
    .selectAll('messages')
    .orderBy('path.depth', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Of the path from a message up to the root every `step`th one, beginning with that message; the uppermost first. Each
 * is where `pathTo` with that limit reads one stretch of it.
 */
export async function stretchesTo(
  db: Executor,
  chatId: string,
  messageId: string,
  step: number,
): Promise<string[]> {
  const rows = await db
    .withRecursive('path(id, parent_id, depth)', (cte) =>
      cte
        .selectFrom('messages')
        .select((eb) => ['messages.id', 'messages.parent_id', eb.lit(0).$castTo<number>().as('depth')])
        .where('messages.id', '=', messageId)
        .where('messages.chat_id', '=', chatId)
        .unionAll(
          cte
            .selectFrom('path')
            .innerJoin('messages', 'messages.id', 'path.parent_id')
            .select((eb) => ['messages.id', 'messages.parent_id', eb('path.depth', '+', 1).as('depth')]),
        ),
    )
    .selectFrom('path')
    .select('id')
    .where((eb) => eb(eb('depth', '%', step), '=', 0))
    .orderBy('depth', 'desc')
    .execute()
  return rows.map(({ id }) => id)
}

/** What presenting a page needs to know of the messages below some parents. */
export interface ChildRow {
  id: string
  parent_id: string | null
  role: MessageRow['role']
  has_text: 0 | 1
}

function childColumns(db: Executor) {
  return db
    .selectFrom('messages')
    .select((eb) => [
      'id',
      'parent_id',
      'role',
      eb.case().when('content', '=', '').then(0).else(1).end().$castTo<0 | 1>().as('has_text'),
    ])
}

export function childrenOf(db: Executor, parentIds: readonly string[]): Promise<ChildRow[]> {
  return parentIds.length === 0
    ? Promise.resolve([])
    : childColumns(db).where('parent_id', 'in', parentIds).orderBy('seq').execute()
}

/** Written so that the index by chat is used: every chat's first message has no parent. */
export function rootsOf(db: Executor, chatId: string): Promise<ChildRow[]> {
  return childColumns(db)
    .where('chat_id', '=', chatId)
    .where((eb) => eb(eb.fn.coalesce('parent_id', eb.val('')), '=', ''))
    .orderBy('seq')
    .execute()
}

/** Keys are forgotten after a day. The comparison with '' lets the index skip the rows without one. */
export async function dropIdempotencyKeys(db: Executor, before: number): Promise<void> {
  await db
    .updateTable('messages')
    .set({ idempotency_key: null })
    .where('idempotency_key', '>', '')
    .where('created_at', '<', before)
    .execute()
}
