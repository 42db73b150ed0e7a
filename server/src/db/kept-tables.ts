/** What a table is to a backup and to a move into another database. */
export interface KeptTable {
  name: string
  /** Its primary key, by which it is read. */
  key: readonly string[]
  /** Why a backup leaves it out, though a move takes it along. */
  leftOut?: string
  /** Rows may be megabytes each, so that few are held at once. */
  hasLargeRows?: true
  /** The column that counts rows by itself, and has to go on behind the last one. */
  counter?: string
}

const endsWithARestore = 'would let in again whoever was shut out after the backup'

/**
 * Every table of our own, those that others refer to first. db/kept-tables.test.ts compares it with the real schema: a
 * table that a migration adds is entered here or among the derived ones. One that a migration drops stays, for the
 * backups that hold it.
 */
export const keptTables: readonly KeptTable[] = [
  { name: 'users', key: ['id'] },
  { name: 'sessions', key: ['id'], leftOut: endsWithARestore },
  { name: 'sign_in_counters', key: ['key'] },
  { name: 'attempts', key: ['id'] },
  { name: 'sign_in_challenges', key: ['id'], leftOut: endsWithARestore },
  { name: 'trusted_browsers', key: ['id'], leftOut: endsWithARestore },
  { name: 'known_browsers', key: ['token_hash', 'user_id'] },
  { name: 'password_resets', key: ['id'], leftOut: endsWithARestore },
  { name: 'invitations', key: ['id'] },
  { name: 'settings', key: ['key'] },
  { name: 'channels', key: ['id'] },
  { name: 'channel_members', key: ['channel_id', 'user_id'] },
  { name: 'assistant_presets', key: ['id'] },
  { name: 'documents', key: ['id'] },
  { name: 'document_versions', key: ['id'], hasLargeRows: true },
  { name: 'passages', key: ['id'] },
  { name: 'embeddings', key: ['model', 'text_hash'] },
  { name: 'test_questions', key: ['id'] },
  { name: 'test_runs', key: ['id'], hasLargeRows: true },
  { name: 'test_run_leases', key: ['channel_id'], leftOut: 'says who is at work at this moment' },
  { name: 'chats', key: ['id'] },
  { name: 'messages', key: ['seq'], counter: 'seq' },
  { name: 'message_feedback', key: ['message_id'] },
  { name: 'llm_usage', key: ['id'] },
  { name: 'usage_days', key: ['channel_id', 'day', 'model'] },
  { name: 'usage_people', key: ['channel_id', 'user_id', 'day'] },
  { name: 'citation_days', key: ['channel_id', 'document_id', 'day'] },
  { name: 'unanswered_questions', key: ['message_id'] },
  { name: 'quotas', key: ['id'] },
  { name: 'history_exports', key: ['user_id'], leftOut: 'says who is at work at this moment' },
  { name: 'jobs', key: ['id'] },
  { name: 'removed_files', key: ['file_key'] },
  { name: 'audit_log', key: ['seq'], counter: 'seq' },
]

/** Tables that are made from others or by the machinery, with the reason why they are not copied. */
export const derivedTables: Readonly<Record<string, string>> = {
  kysely_migration: 'the steps of the schema: migrations write it in the new place',
  kysely_migration_lock: 'held while migrations run',
  sqlite_sequence: 'SQLite keeps it by itself',
  document_words: 'the index of document names: triggers fill it',
  message_changes: 'what the index of messages has to look at: triggers fill it',
  message_words: 'the index of messages on PostgreSQL: it is filled from the changes',
  title_words: 'the index of titles on PostgreSQL: it is filled from the changes',
  user_chat_totals: 'counted on PostgreSQL, kept by triggers on SQLite',
  channel_chat_totals: 'counted on PostgreSQL, kept by triggers on SQLite',
}

/** Columns that only one of the databases has, filled there by a trigger. */
export const derivedColumns: Readonly<Record<string, readonly string[]>> = {
  documents: ['seq'],
}

/** What is stored of a table: its columns, in an order that is the same on both databases. */
export interface TableShape extends KeptTable {
  columns: readonly string[]
  /** Those of them that hold bytes. */
  byteColumns: readonly string[]
}

export interface ColumnFound {
  table: string
  name: string
  isBytes: boolean
}

/** The kept tables as they are in a database, which may be of an earlier step. */
export function shapesOf(found: readonly ColumnFound[]): TableShape[] {
  return keptTables.flatMap((table) => {
    const columns = found
      .filter((column) => column.table === table.name && !derivedColumns[table.name]?.includes(column.name))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    if (columns.length === 0) return []
    const names = columns.map(({ name }) => name)
    return [
      { ...table, columns: names, byteColumns: columns.filter((c) => c.isBytes).map(({ name }) => name) },
    ]
  })
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
