import { type Kysely, sql } from 'kysely'
import type { Executor } from './client.ts'
import { isPostgres } from './dialect.ts'

/** How many chats there are: SQLite keeps the number by channel, and would read an index to its end to count anew. */
export async function countChats(db: Executor): Promise<number> {
  const count = isPostgres(db as unknown as Kysely<unknown>)
    ? sql<{ chats: number }>`select count(*) as chats from chats`
    : sql<{ chats: number }>`select coalesce(sum(chats), 0) as chats from channel_chat_totals`
  return (await count.execute(db)).rows[0]?.chats ?? 0
}
