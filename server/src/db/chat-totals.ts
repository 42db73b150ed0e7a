import { type Kysely, sql } from 'kysely'
import type { Executor } from './client.ts'
import { isPostgres } from './dialect.ts'

/** SQLite sums the totals per channel, because counting would scan a whole index. */
export async function countChats(db: Executor): Promise<number> {
  const count = isPostgres(db as unknown as Kysely<unknown>)
    ? sql<{ chats: number }>`select count(*) as chats from chats`
    : sql<{ chats: number }>`select coalesce(sum(chats), 0) as chats from channel_chat_totals`
  return (await count.execute(db)).rows[0]?.chats ?? 0
}
