import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes } from '../dialect.ts'

/** Adds files attached to messages with their passages, and whether a channel accepts such files. */
export const attachments: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db
    const type = columnTypes(db)
    await schema
      .alterTable('channels')
      .addColumn('allow_attachments', 'integer', (c) => c.notNull().defaultTo(1))
      .execute()
    // Until an administrator allows more, these keep to their documents.
    await sql`update channels set allow_attachments = 0 where strict_documents_only = 1`.execute(db)
    await schema
      .createTable('attachments')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('chat_id', 'text', (c) => c.notNull().references('chats.id').onDelete('cascade'))
      .addColumn('message_id', 'text')
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('file_key', 'text', (c) => c.notNull())
      .addColumn('file_size', type.time, (c) => c.notNull())
      .addColumn('sha256', 'text', (c) => c.notNull())
      .addColumn('pages', 'integer')
      .addColumn('tokens', 'integer', (c) => c.notNull())
      .addColumn('created_at', type.time, (c) => c.notNull())
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('blocks', 'text', (c) => c.notNull())
      .execute()
    await schema.createIndex('attachments_by_chat').on('attachments').columns(['chat_id', 'id']).execute()
    await schema.createIndex('attachments_by_file').on('attachments').column('file_key').execute()
    await schema
      .createTable('attachment_passages')
      .addColumn('attachment_id', 'text', (c) => c.notNull().references('attachments.id').onDelete('cascade'))
      .addColumn('ordinal', 'integer', (c) => c.notNull())
      .addColumn('page', 'integer')
      .addColumn('page_turns', 'text', (c) => c.notNull())
      .addColumn('heading_path', 'text', (c) => c.notNull())
      .addColumn('char_start', 'integer', (c) => c.notNull())
      .addColumn('char_end', 'integer', (c) => c.notNull())
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('terms', 'text', (c) => c.notNull())
      .addColumn('tokens', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('attachment_passages_key', ['attachment_id', 'ordinal'])
      .execute()
  },
}
