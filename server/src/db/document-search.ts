import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Executor } from './client.ts'
import { isPostgres } from './dialect.ts'
import { contains } from './text-match.ts'

const trigram = 3

/**
 * SQLite: a full-text index of trigrams over the names. It refers to documents by a number of their own, since a row's
 * built-in one may change when the file is packed.
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

/** PostgreSQL: where the extension may not be created, names are read one by one as before. */
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

/** Whether a document's title or file name contains these words, for a query about `documents`. */
export function namesContain(db: Executor, words: string): RawBuilder<boolean> {
  const isIndexed = !isPostgres(db as unknown as Kysely<unknown>) && [...words].length >= trigram
  if (isIndexed && !words.includes('\0'))
    return sql`documents.seq in
      (select rowid from document_words where document_words match ${`"${words.replaceAll('"', '""')}"`})`
  const [title, name] = [sql.ref<string>('documents.title'), sql.ref<string>('documents.original_name')]
  return sql`(${contains(title, words)} or ${contains(name, words)})`
}
