import type { Insertable, RawBuilder, Selectable } from 'kysely'
import type { Executor } from '#db/client.ts'
import type { Database } from '#db/schema.ts'

export type MessageRow = Selectable<Database['messages']>

export async function findChatOfMessage(db: Executor, messageId: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('messages')
    .select('chat_id')
    .where('id', '=', messageId)
    .executeTakeFirst()
  return found?.chat_id
}

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

/** The first reply to a message, which was stored together with it. */
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
export type NewMessage = Omit<Insertable<Database['messages']>, 'last_event' | 'lease_until'> & {
  last_event?: number
  lease_until?: RawBuilder<number>
}

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
 * The message and its ancestors up to `limit` messages, oldest first. The cost depends on `limit`, not on the length
 * of the chat.
 */
export async function findPathTo(
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

/** The leaf reached from a message by following the newest child at each step; the message itself if it has none. */
export function findNewestLeaf(
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
 * Every `step`th message on the path from a message to the root, starting with that message; the oldest first. Calling
 * `findPathTo` for each, with `step` as the limit, reads the whole path in batches.
 */
export async function findBatchEnds(
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

/**
 * The last message of the page of `limit` messages that follow `after` on the path from the root to `leafId`, or of the
 * first page if `after` is null. Undefined if nothing follows, or if `after` is not on the path.
 */
export async function findPageEnd(
  db: Executor,
  chatId: string,
  leafId: string,
  after: string | null,
  limit: number,
): Promise<{ id: string; size: number } | undefined> {
  const path = await db
    .withRecursive('path(id, parent_id, depth)', (cte) =>
      cte
        .selectFrom('messages')
        .select((eb) => ['messages.id', 'messages.parent_id', eb.lit(0).$castTo<number>().as('depth')])
        .where('messages.id', '=', leafId)
        .where('messages.chat_id', '=', chatId)
        .unionAll(
          cte
            .selectFrom('path')
            .innerJoin('messages', 'messages.id', 'path.parent_id')
            .select((eb) => ['messages.id', 'messages.parent_id', eb('path.depth', '+', 1).as('depth')]),
        ),
    )
    .selectFrom('path')
    .innerJoin(
      (eb) =>
        (after === null
          ? eb
              .selectFrom('path')
              .select((root) => root('depth', '+', 1).as('depth'))
              .where('parent_id', 'is', null)
          : eb.selectFrom('path').select('depth').where('id', '=', after)
        ).as('cursor'),
      (join) => join.onTrue(),
    )
    .select((eb) => ['path.id', eb('cursor.depth', '-', eb.ref('path.depth')).as('size')])
    .where((eb) => eb('path.depth', '>=', eb('cursor.depth', '-', limit)))
    .where((eb) => eb('path.depth', '<', eb.ref('cursor.depth')))
    .orderBy('path.depth')
    .limit(1)
    .executeTakeFirst()
  return path
}

/** What `presentMessages` needs to know about the children of a message. */
export interface ChildRow {
  id: string
  parent_id: string | null
  role: MessageRow['role']
  state: MessageRow['state']
  has_text: 0 | 1
}

function selectChildren(db: Executor) {
  return db
    .selectFrom('messages')
    .select((eb) => [
      'id',
      'parent_id',
      'role',
      'state',
      eb.case().when('content', '=', '').then(0).else(1).end().$castTo<0 | 1>().as('has_text'),
    ])
}

export function findChildren(db: Executor, parentIds: readonly string[]): Promise<ChildRow[]> {
  return parentIds.length === 0
    ? Promise.resolve([])
    : selectChildren(db).where('parent_id', 'in', parentIds).orderBy('seq').execute()
}

/** `coalesce` rules out the index on `parent_id`, where the first messages of all chats share the value null. */
export function findRoots(db: Executor, chatId: string): Promise<ChildRow[]> {
  return selectChildren(db)
    .where('chat_id', '=', chatId)
    .where((eb) => eb(eb.fn.coalesce('parent_id', eb.val('')), '=', ''))
    .orderBy('seq')
    .execute()
}

/** The parents of some messages of a chat, by the ids of the messages. */
export async function findParents(
  db: Executor,
  chatId: string,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  const rows = await db
    .selectFrom('messages')
    .select(['id', 'parent_id'])
    .where('id', 'in', ids)
    .where('chat_id', '=', chatId)
    .execute()
  return new Map(rows.map(({ id, parent_id }) => [id, parent_id]))
}

/** Clears the idempotency keys of old messages. Comparing with '' lets the index skip rows without a key. */
export async function clearIdempotencyKeys(db: Executor, before: number): Promise<void> {
  await db
    .updateTable('messages')
    .set({ idempotency_key: null })
    .where('idempotency_key', '>', '')
    .where('created_at', '<', before)
    .execute()
}
