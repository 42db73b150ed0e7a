import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Executor } from './client.ts'
import { isPostgres } from './dialect.ts'
import { contains } from './text-match.ts'

const trigram = 3

/**
 * SQLite: a trigram full-text index over the names. It refers to documents by a `seq` column, because `VACUUM` can
 * change the built-in row id.
 */
const sqliteSteps = [
  'alter table documents add column seq integer',
  'update documents set seq = numbered.n from (select id, row_number() over (order by id) as n from documents) as numbered where numbered.id = documents.id',
  'create unique index documents_by_seq on documents (seq)',
  `create virtual table document_words using fts5
    (title, original_name, content='documents', content_rowid='seq', tokenize='trigram')`,
  `insert into document_words (document_words) values ('rebuild')`,
  `create trigger document_words_insert after insert on documents begin
    update documents set seq = (select coalesce(max(seq), 0) + 1 from documents) where id = new.id;
    insert into document_words (rowid, title, original_name)
      select seq, title, original_name from documents where id = new.id;
  end`,
  `create trigger document_words_delete after delete on documents begin
    insert into document_words (document_words, rowid, title, original_name)
      values ('delete', old.seq, old.title, old.original_name);
  end`,
  `create trigger document_words_update after update of title, original_name on documents begin
    insert into document_words (document_words, rowid, title, original_name)
      values ('delete', old.seq, old.title, old.original_name);
    insert into document_words (rowid, title, original_name) values (new.seq, new.title, new.original_name);
  end`,
]

/** PostgreSQL: if the extension cannot be created, searches scan the names without an index. */
const postgresStep = `do $$ begin
  create extension if not exists pg_trgm;
  create index documents_by_title_words on documents using gin (lower(title) gin_trgm_ops);
  create index documents_by_name_words on documents using gin (lower(original_name) gin_trgm_ops);
exception when others then
  raise notice 'document names are searched without an index: %', sqlerrm;
end $$`

export async function addDocumentSearch(db: Kysely<unknown>): Promise<void> {
  for (const step of isPostgres(db) ? [postgresStep] : sqliteSteps) await sql.raw(step).execute(db)
}

/** A condition for queries on `documents`: the title or the file name contains `text`. */
export function namesContain(db: Executor, text: string): RawBuilder<boolean> {
  const isIndexed = !isPostgres(db as unknown as Kysely<unknown>) && [...text].length >= trigram
  if (isIndexed && !text.includes('\0'))
    return sql`documents.seq in
      (select rowid from document_words where document_words match ${`"${text.replaceAll('"', '""')}"`})`
  const [title, name] = [sql.ref<string>('documents.title'), sql.ref<string>('documents.original_name')]
  return sql`(${contains(title, text)} or ${contains(name, text)})`
}
