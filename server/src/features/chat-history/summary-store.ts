import type { Executor } from '#db/client.ts'

interface Page {
  limit: number
  skip: number
}

/** Users with chats, latest activity first. */
export function listUserTotals(db: Executor, { limit, skip }: Page) {
  return db
    .selectFrom('user_chat_totals as totals')
    .innerJoin('users', 'users.id', 'totals.id')
    .select([
      'users.id as user_id',
      'users.name as user_name',
      'users.email as user_email',
      'users.deleted_at as user_deleted_at',
      'users.visitor_channel_id as user_visitor_channel_id',
      'totals.chats',
      'totals.messages',
      'totals.last_activity_at',
    ])
    .orderBy('totals.last_activity_at', 'desc')
    .orderBy('totals.id', 'desc')
    .limit(limit)
    .offset(skip)
    .execute()
}

export function listChannelTotals(db: Executor, { limit, skip }: Page) {
  return db
    .selectFrom('channel_chat_totals as totals')
    .innerJoin('channels', 'channels.id', 'totals.id')
    .select(['channels.id', 'channels.name', 'totals.chats', 'totals.messages', 'totals.last_activity_at'])
    .orderBy('totals.last_activity_at', 'desc')
    .orderBy('totals.id', 'desc')
    .limit(limit)
    .offset(skip)
    .execute()
}

export async function countTotals(
  db: Executor,
  table: 'user_chat_totals' | 'channel_chat_totals',
): Promise<number> {
  const { entries } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('entries'))
    .executeTakeFirstOrThrow()
  return entries
}
