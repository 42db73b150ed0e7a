/** How backups and moves to another database treat a table. */
export interface BackupTable {
  name: string
  /** The primary key. Tables are read in its order. */
  key: readonly string[]
  /** Why backups exclude the table. Moves include it. */
  exclusionReason?: string
  /** Rows can be megabytes each, so only few are held in memory at once. */
  hasLargeRows?: true
  /** Auto-increment column. Its sequence is advanced past the restored rows. */
  counter?: string
}

const wouldUndoRevocation = 'restoring it would undo sign-outs and revocations made after the backup'

/**
 * Every table that is not derived, with referenced tables first. db/backup-tables.test.ts compares the list with the
 * real schema: a migration that adds a table must add it here or to `derivedTables`. Keep tables that a migration drops,
 * because older backups contain them.
 */
export const backupTables: readonly BackupTable[] = [
  { name: 'users', key: ['id'] },
  { name: 'sessions', key: ['id'], exclusionReason: wouldUndoRevocation },
  { name: 'api_keys', key: ['id'], exclusionReason: wouldUndoRevocation },
  { name: 'revoked_api_keys', key: ['id'] },
  { name: 'oauth_clients', key: ['id'] },
  { name: 'oauth_codes', key: ['code_hash'], exclusionReason: wouldUndoRevocation },
  { name: 'connected_programs', key: ['id'], exclusionReason: wouldUndoRevocation },
  { name: 'oauth_access_tokens', key: ['token_hash'], exclusionReason: wouldUndoRevocation },
  { name: 'sign_in_issuers', key: ['id'] },
  { name: 'identities', key: ['id'] },
  { name: 'access_grants', key: ['user_id', 'target', 'source'] },
  { name: 'sign_in_transactions', key: ['state_hash'], exclusionReason: wouldUndoRevocation },
  { name: 'used_logout_tokens', key: ['token_hash'], exclusionReason: 'contains tokens of a few minutes' },
  { name: 'sign_in_counters', key: ['key'] },
  { name: 'attempts', key: ['id'] },
  { name: 'sign_in_challenges', key: ['id'], exclusionReason: wouldUndoRevocation },
  { name: 'trusted_browsers', key: ['id'], exclusionReason: wouldUndoRevocation },
  { name: 'known_browsers', key: ['token_hash', 'user_id'] },
  { name: 'password_resets', key: ['id'], exclusionReason: wouldUndoRevocation },
  { name: 'invitations', key: ['id'] },
  { name: 'settings', key: ['key'] },
  { name: 'channels', key: ['id'] },
  { name: 'channel_members', key: ['channel_id', 'user_id'] },
  { name: 'channel_embeddings', key: ['channel_id'] },
  { name: 'embedded_sign_ins', key: ['id'], exclusionReason: wouldUndoRevocation },
  { name: 'user_groups', key: ['id'] },
  { name: 'group_members', key: ['group_id', 'user_id', 'source'] },
  { name: 'group_channels', key: ['group_id', 'channel_id'] },
  { name: 'directories', key: ['id'] },
  { name: 'directory_keys', key: ['directory_id'], exclusionReason: wouldUndoRevocation },
  { name: 'directory_users', key: ['user_id'] },
  { name: 'directory_groups', key: ['group_id'] },
  { name: 'assistant_presets', key: ['id'] },
  { name: 'documents', key: ['id'] },
  { name: 'document_versions', key: ['id'], hasLargeRows: true },
  { name: 'passages', key: ['id'] },
  { name: 'embeddings', key: ['model', 'text_hash'] },
  { name: 'test_questions', key: ['id'] },
  { name: 'test_runs', key: ['id'], hasLargeRows: true },
  { name: 'test_run_leases', key: ['channel_id'], exclusionReason: 'contains leases of running work' },
  { name: 'chats', key: ['id'] },
  { name: 'messages', key: ['seq'], counter: 'seq' },
  { name: 'attachments', key: ['id'], hasLargeRows: true },
  { name: 'attachment_passages', key: ['attachment_id', 'ordinal'] },
  { name: 'message_feedback', key: ['message_id'] },
  { name: 'llm_usage', key: ['id'] },
  { name: 'usage_days', key: ['channel_id', 'day', 'model', 'slot'] },
  { name: 'usage_people', key: ['channel_id', 'user_id', 'day'] },
  { name: 'visitor_days', key: ['channel_id', 'visitor_id', 'day'] },
  { name: 'citation_days', key: ['channel_id', 'document_id', 'day', 'slot'] },
  { name: 'unanswered_questions', key: ['message_id'] },
  { name: 'quotas', key: ['id'] },
  { name: 'history_exports', key: ['user_id'], exclusionReason: 'contains leases of running work' },
  { name: 'jobs', key: ['id'] },
  { name: 'removed_files', key: ['file_key'] },
  { name: 'audit_log', key: ['seq'], counter: 'seq' },
  { name: 'audit_receivers', key: ['id'] },
  { name: 'webhooks', key: ['id'] },
  { name: 'webhook_deliveries', key: ['id'] },
  {
    name: 'audit_receiver_leases',
    key: ['receiver_id'],
    exclusionReason: 'contains leases of running work',
  },
]

/** Tables that are derived or internal, with the reason why they are not copied. */
export const derivedTables: Readonly<Record<string, string>> = {
  kysely_migration: 'steps of the schema: written by the migrations of the target',
  kysely_migration_lock: 'locked while migrations run',
  sqlite_sequence: 'maintained by SQLite',
  nodes: 'the servers that are running',
  rate_counters: 'counts that end within an hour',
  shared_event_log: 'events of running replies, which the rows of the replies contain too',
  document_words: 'index of document names: filled by triggers',
  message_changes: 'changes that the message index has to process: filled by triggers',
  message_words: 'message index on PostgreSQL: filled from the changes',
  title_words: 'title index on PostgreSQL: filled from the changes',
  user_chat_totals: 'a view on PostgreSQL, maintained by triggers on SQLite',
  channel_chat_totals: 'a view on PostgreSQL, maintained by triggers on SQLite',
}

/** Columns that exist on one database only and are filled by a trigger. */
export const derivedColumns: Readonly<Record<string, readonly string[]>> = {
  documents: ['seq'],
}

/** A table with its columns, in an order that is the same on both databases. */
export interface TableShape extends BackupTable {
  columns: readonly string[]
  byteColumns: readonly string[]
}

export interface ColumnInfo {
  table: string
  name: string
  isBytes: boolean
}

/** The backup tables as they exist in a database, which may have an older schema. */
export function toTableShapes(allColumns: readonly ColumnInfo[]): TableShape[] {
  return backupTables.flatMap((table) => {
    const columns = allColumns
      .filter((column) => column.table === table.name && !derivedColumns[table.name]?.includes(column.name))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    if (columns.length === 0) return []
    const names = columns.map(({ name }) => name)
    return [
      {
        ...table,
        key: table.key.filter((name) => names.includes(name)),
        columns: names,
        byteColumns: columns.filter((c) => c.isBytes).map(({ name }) => name),
      },
    ]
  })
}

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
