import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { lockName } from '#db/dialect.ts'

/** Increase when the stored data changes meaning. Older tables are recreated. */
const layout = 4

/**
 * Derived data in a schema of its own: no migration or backup includes it, and it can be dropped while the servers are
 * stopped. `words` are hashes of the channel and a term, so that a term that is common elsewhere costs nothing here.
 */
const statements = [
  'create schema passage_index',
  'create table passage_index.layout (version integer not null)',
  `insert into passage_index.layout values (${layout})`,
  `create table passage_index.generations (
    number integer generated always as identity primary key,
    id text not null unique,
    document_id text not null,
    channel_id text not null,
    languages text[] not null default '{}',
    passages integer not null default 0,
    length bigint not null default 0
  )`,
  'create index on passage_index.generations (channel_id)',
  `create table passage_index.passages (
    number bigint generated always as identity primary key,
    id text not null unique,
    generation integer not null references passage_index.generations on delete cascade,
    words integer[] not null,
    weights real[] not null,
    terms bytea not null,
    length integer not null
  )`,
  'create index on passage_index.passages (generation)',
  // Without a list of pending entries, which every search would read.
  'create index on passage_index.passages using gin (words) with (fastupdate = off)',
  `create table passage_index.spaces (
    number integer generated always as identity primary key,
    key text not null unique
  )`,
  `create table passage_index.vector_signs (
    passage bigint not null references passage_index.passages on delete cascade,
    space integer not null,
    generation integer not null,
    dimensions integer not null,
    signs bit varying not null,
    primary key (passage, space)
  )`,
  'create index on passage_index.vector_signs (generation)',
  `create table passage_index.vector_bytes (
    passage bigint not null references passage_index.passages on delete cascade,
    space integer not null,
    dimensions integer not null,
    bytes bytea not null,
    primary key (passage, space)
  )`,
]

async function readLayout(db: Db): Promise<number | null> {
  const { rows } = await sql<{ name: string | null }>`
    select to_regclass('passage_index.layout')::text as name`.execute(db)
  if (rows[0]?.name == null) return null
  const found = await sql<{ version: number }>`select version from passage_index.layout`.execute(db)
  return found.rows[0]?.version ?? null
}

/** Creates the tables unless they exist with this layout. Another server may do the same at the same time. */
export async function prepareTables(db: Db): Promise<void> {
  if ((await readLayout(db)) === layout) return
  await db.transaction().execute(async (tx) => {
    await lockName(tx, 'passage index')
    if ((await readLayout(tx)) === layout) return
    await sql`drop schema if exists passage_index cascade`.execute(tx)
    for (const statement of statements) await sql.raw(statement).execute(tx)
  })
}
