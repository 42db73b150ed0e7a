import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, isPostgres } from '../dialect.ts'

/** Triggers that queue the messages and titles to index again, in order. A reply is indexed once it is complete. */
const sqliteChanges = [
  `create trigger message_changes_insert after insert on messages when new.state is not 'streaming' begin
    insert into message_changes (message_seq) values (new.seq);
  end`,
  `create trigger message_changes_update after update of state, content on messages
    when new.state is not 'streaming' begin
    insert into message_changes (message_seq) values (new.seq);
  end`,
  `create trigger message_changes_delete after delete on messages begin
    insert into message_changes (message_seq) values (old.seq);
  end`,
  `create trigger message_changes_chat_insert after insert on chats when new.title is not null begin
    insert into message_changes (chat_id) values (new.id);
  end`,
  `create trigger message_changes_chat_update after update of title on chats
    when new.title is not old.title begin
    insert into message_changes (chat_id) values (new.id);
  end`,
  `create trigger message_changes_chat_delete after delete on chats when old.title is not null begin
    insert into message_changes (chat_id) values (old.id);
  end`,
]

/** Existing messages count as a change, so that the first start builds the index. */
const sqliteFirstChange = `insert into message_changes (message_seq)
  select max(seq) from messages having max(seq) is not null`

const postgresChanges = [
  // GIN indexes integer arrays without an extension, so each search token is stored as a hash.
  'create table message_words (seq bigint primary key, tokens integer[] not null)',
  'create index message_words_by_token on message_words using gin (tokens)',
  'create table title_words (chat_id text primary key, tokens integer[] not null)',
  'create index title_words_by_token on title_words using gin (tokens)',
  `create function note_message_change() returns trigger language plpgsql as $$ begin
    if tg_op = 'DELETE' then
      insert into message_changes (message_seq) values (old.seq);
    elsif new.state is distinct from 'streaming' then
      insert into message_changes (message_seq) values (new.seq);
    end if;
    return null;
  end $$`,
  `create trigger message_changes_note after insert or delete or update of state, content on messages
    for each row execute function note_message_change()`,
  `create function note_title_change() returns trigger language plpgsql as $$ begin
    if tg_op = 'DELETE' then
      if old.title is not null then insert into message_changes (chat_id) values (old.id); end if;
    elsif tg_op = 'INSERT' then
      if new.title is not null then insert into message_changes (chat_id) values (new.id); end if;
    elsif new.title is distinct from old.title then
      insert into message_changes (chat_id) values (new.id);
    end if;
    return null;
  end $$`,
  `create trigger message_changes_note after insert or delete or update of title on chats
    for each row execute function note_title_change()`,
  // Queue the existing titles and messages, newest messages first.
  'insert into message_changes (chat_id) select id from chats where title is not null',
  'insert into message_changes (message_seq) select seq from messages order by seq desc',
]

/**
 * Numbers of chats and messages per user and per channel. PostgreSQL counts them on demand. On SQLite counting would
 * block all requests, so triggers maintain the totals. When the chat with the last activity is deleted, the trigger
 * looks up the new last activity.
 */
function createTotalsTable(owner: 'user' | 'channel'): string[] {
  const [table, key] = [`${owner}_chat_totals`, `${owner}_id`]
  return [
    `create table ${table} (id text primary key, chats integer not null, messages integer not null,
      last_activity_at integer) without rowid`,
    `insert into ${table} select ${key}, count(*), sum(message_count), max(updated_at) from chats group by ${key}`,
    `create index ${table}_by_activity on ${table} (last_activity_at, id)`,
    `create trigger ${table}_insert after insert on chats begin
      insert into ${table} values (new.${key}, 1, new.message_count, new.updated_at) on conflict (id) do update set
        chats = chats + 1, messages = messages + excluded.messages,
        last_activity_at = max(coalesce(last_activity_at, 0), excluded.last_activity_at);
    end`,
    `create trigger ${table}_update after update of message_count, updated_at on chats
      when new.message_count <> old.message_count or new.updated_at <> old.updated_at begin
      update ${table} set messages = messages + new.message_count - old.message_count,
        last_activity_at = max(coalesce(last_activity_at, 0), new.updated_at) where id = new.${key};
    end`,
    `create trigger ${table}_delete after delete on chats begin
      update ${table} set chats = chats - 1, messages = messages - old.message_count,
        last_activity_at = case when last_activity_at > old.updated_at then last_activity_at
          else (select max(updated_at) from chats where ${key} = old.${key}) end where id = old.${key};
      delete from ${table} where id = old.${key} and chats = 0;
    end`,
  ]
}

function createTotalsView(owner: 'user' | 'channel'): string {
  return `create view ${owner}_chat_totals as select ${owner}_id as id, count(*) as chats, sum(message_count)::bigint as messages,
    max(updated_at) as last_activity_at from chats group by ${owner}_id`
}

/**
 * One index per sort order of the lists of all users' chats. The trailing columns let a query skip rows without reading
 * the table.
 */
const indexes: Record<string, string[]> = {
  chats_by_creation: ['created_at', 'id'],
  chats_by_update: ['updated_at', 'id', 'created_at'],
  chats_by_size: ['message_count', 'id', 'created_at'],
  chats_by_user: ['user_id', 'created_at', 'id'],
  chats_by_user_update: ['user_id', 'updated_at', 'id', 'created_at'],
  chats_by_channel: ['channel_id', 'created_at', 'id'],
  chats_by_channel_update: ['channel_id', 'updated_at', 'id', 'created_at'],
  chats_by_channel_size: ['channel_id', 'message_count', 'id', 'created_at'],
}

/** Adds the message search, and the indexes and totals for the lists of all users' chats. */
export const messageSearch: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db
    const type = columnTypes(db)
    for (const name of ['chats_by_creation', 'chats_by_channel']) await schema.dropIndex(name).execute()
    for (const [name, columns] of Object.entries(indexes))
      await schema.createIndex(name).on('chats').columns(columns).execute()
    await type
      .sequence(schema.createTable('message_changes'), 'n')
      .addColumn('message_seq', type.time)
      .addColumn('chat_id', 'text')
      .execute()
    await schema
      .createTable('history_exports')
      .addColumn('user_id', 'text', (c) => c.primaryKey().references('users.id').onDelete('cascade'))
      .addColumn('fence', 'text', (c) => c.notNull())
      .addColumn('lease_until', type.time, (c) => c.notNull())
      .execute()
    const steps = isPostgres(db)
      ? [...postgresChanges, createTotalsView('user'), createTotalsView('channel')]
      : [...sqliteChanges, sqliteFirstChange, ...createTotalsTable('user'), ...createTotalsTable('channel')]
    for (const step of steps) await sql.raw(step).execute(db)
  },
}
