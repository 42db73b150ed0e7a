import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { isPostgres } from '../dialect.ts'

/**
 * Finds the last activity of each owner in an index. PostgreSQL counts chats and messages only for the rows of a page,
 * because it evaluates subqueries of the select list after sorting and limiting.
 */
function replaceTotalsView(owner: 'user' | 'channel'): string {
  const ownChats = `from chats where chats.${owner}_id = ${owner}s.id`
  return `create or replace view ${owner}_chat_totals as select ${owner}s.id,
      (select count(*) ${ownChats}) as chats,
      (select sum(message_count)::bigint ${ownChats}) as messages,
      latest.updated_at as last_activity_at
    from ${owner}s
    cross join lateral (select updated_at ${ownChats} order by updated_at desc limit 1) as latest`
}

/** On PostgreSQL, the totals of a page no longer read the chats of all users and channels. */
export const chatTotals: Migration = {
  async up(db: Kysely<unknown>) {
    if (!isPostgres(db)) return
    for (const owner of ['user', 'channel'] as const) await sql.raw(replaceTotalsView(owner)).execute(db)
  },
}
