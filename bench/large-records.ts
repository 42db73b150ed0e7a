import { writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openDatabase } from '../server/src/db/client.ts'
import { openMessageSearch } from '../server/src/db/message-search/open.ts'
import { migrate } from '../server/src/db/migrate.ts'
import { copyPrepared } from './cache.ts'
import { createRandom, createRandomText } from './random-text.ts'

export interface Size {
  name: string
  users: number
  channels: number
  chats: number
  documents: number
}

/** Ten messages per chat. In both sizes a user has ten channels and fifty chats. */
export const small: Size = { name: '10k', users: 20, channels: 20, chats: 1000, documents: 200 }
export const large: Size = { name: '1M', users: 2000, channels: 200, chats: 100_000, documents: 20_000 }

const messagesPerChat = 10
const channelsPerUser = 10
/** No record has a later time. */
const newestRecordAt = 1_790_000_000_000

/** Ids that sort by creation time, like real ones. */
function buildIdSql(kind: number, number: string): string {
  return `printf('0199%04x-0000-7000-8%03x-%012x', (${number}) / 65536, ${kind}, ${number})`
}

export function createChannelId(number: number): string {
  return `01990000-0000-7000-8002-${number.toString(16).padStart(12, '0')}`
}

export function createUserId(number: number): string {
  return `01990000-0000-7000-8001-${number.toString(16).padStart(12, '0')}`
}

function buildNumbersSql(count: number): string {
  return `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`
}

/** One in this many messages contains `rareWord`; the others do not. */
const rareEvery = 250_000
export const rareWord = 'quokka'
/** A word in about half of all messages. */
export const commonWord = 'the'

/** Texts of realistic length and word frequency, each with a different beginning. */
function createContent(number: number): string {
  const random = createRandom(number)
  const words = createRandomText(random, 8 + Math.floor(random() * 70))
  return `${number} ${words}${number % rareEvery === 7 ? ` ${rareWord}` : ''}`
}

function buildStatements({ users, channels, chats, documents }: Size): string[] {
  const messages = chats * messagesPerChat
  const chatOfMessage = `i / ${messagesPerChat}`
  // A user's chats are rarely adjacent in time, as in reality.
  const owner = `i % ${users}`
  const channelOf = `(i % ${users} * 7 + i / ${users} % ${channelsPerUser} * 13) % ${channels}`
  return [
    `INSERT INTO users (id, email, name, role, is_system_admin, permission_overrides, password_hash, two_factor_days,
      two_factor_enabled, created_at) ${buildNumbersSql(users)}
      SELECT ${buildIdSql(1, 'i')}, 'user' || i || '@example.org', 'User ' || i, 'user', 0, NULL, 'none', 30, 0, ${newestRecordAt} FROM n`,
    `INSERT INTO channels (id, name, description, avatar, wallpaper_file, system_prompt, llm_model, strict_documents_only,
      use_assistant, assistant_id, created_at, updated_at) ${buildNumbersSql(channels)}
      SELECT ${buildIdSql(2, 'i')}, 'Channel ' || i, 'What is asked about subject ' || i, NULL, NULL, '', 'gpt-4o', 0, 0, '', ${newestRecordAt}, ${newestRecordAt} FROM n`,
    `INSERT OR IGNORE INTO channel_members ${buildNumbersSql(users * channelsPerUser)}
      SELECT ${buildIdSql(2, `(i % ${users} * 7 + i / ${users} * 13) % ${channels}`)}, ${buildIdSql(1, owner)}, 0, ${newestRecordAt} FROM n`,
    `INSERT INTO documents (id, channel_id, title, description, original_name, status, version_id, approved_version_id,
      generation, uploaded_by, created_at, updated_at) ${buildNumbersSql(documents)}
      SELECT ${buildIdSql(3, 'i')}, ${buildIdSql(2, `i % ${channels}`)}, 'Document ' || i, '', 'document-' || i || '.pdf',
        CASE i % 10 WHEN 0 THEN 'pending' WHEN 1 THEN 'rejected' ELSE 'approved' END, ${buildIdSql(4, 'i')},
        CASE WHEN i % 10 < 2 THEN NULL ELSE ${buildIdSql(4, 'i')} END, NULL, ${buildIdSql(1, owner)}, ${newestRecordAt} - (${documents} - i) * 1000, ${newestRecordAt} FROM n`,
    `INSERT INTO document_versions (id, document_id, number, status, original_name, kind, file_key, file_size, sha256,
      index_state, index_percent, index_attempts, pages, created_at) ${buildNumbersSql(documents)}
      SELECT ${buildIdSql(4, 'i')}, ${buildIdSql(3, 'i')}, 1, CASE i % 10 WHEN 0 THEN 'pending' WHEN 1 THEN 'rejected' ELSE 'approved' END,
        'document-' || i || '.pdf', 'pdf', 'file-' || i, 100000, 'hash-' || i,
        CASE WHEN i % 10 < 2 THEN 'none' ELSE 'ready' END, 0, 0, 3, ${newestRecordAt} FROM n`,
    `INSERT INTO chats (id, user_id, channel_id, title, active_leaf_id, message_count, last_message_role,
      last_message_preview, last_message_at, created_at, updated_at) ${buildNumbersSql(chats)}
      SELECT ${buildIdSql(5, 'i')}, ${buildIdSql(1, owner)}, ${buildIdSql(2, channelOf)}, NULL, ${buildIdSql(6, `i * ${messagesPerChat} + ${messagesPerChat - 1}`)},
        ${messagesPerChat}, 'assistant', 'A colleague asks', ${newestRecordAt}, ${newestRecordAt} - (${chats} - i) * 100, ${newestRecordAt} - (${chats} - i) * 100 FROM n`,
    `INSERT INTO messages (id, chat_id, parent_id, role, content, state, mode, last_event, created_at) ${buildNumbersSql(messages)}
      SELECT ${buildIdSql(6, 'i')}, ${buildIdSql(5, chatOfMessage)},
        CASE i % ${messagesPerChat} WHEN 0 THEN NULL ELSE ${buildIdSql(6, 'i - 1')} END,
        CASE i % 2 WHEN 0 THEN 'user' ELSE 'assistant' END,
        content_of(i),
        CASE i % 2 WHEN 0 THEN NULL ELSE 'complete' END, CASE i % 2 WHEN 0 THEN NULL ELSE 'model' END, 0,
        ${newestRecordAt} - (${messages} - i) * 10 FROM n`,
  ]
}

async function fill(folder: string, size: Size): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'lyceum.db')
  const db = openDatabase({ sqlite: path })
  await migrate(db)
  await db.destroy()
  const raw = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  raw.function('content_of', { deterministic: true }, (number) => createContent(Number(number)))
  raw.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; BEGIN')
  for (const statement of buildStatements(size)) raw.exec(statement)
  raw.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
  raw.close()
  await buildSearchIndex(folder)
}

/** Builds the message index, as if the server had run for a while. */
async function buildSearchIndex(folder: string): Promise<void> {
  const databasePath = join(folder, 'lyceum.db')
  const db = openDatabase({ sqlite: databasePath })
  const search = openMessageSearch({
    db,
    databasePath,
    indexPath: join(folder, 'message-search.db'),
    warn: (error) => console.error(error),
  })
  const begun = performance.now()
  await search.waitUntilIndexed()
  await search.close()
  await db.deleteFrom('message_changes').execute()
  await db.destroy()
  writeFileSync(join(folder, 'search-seconds'), ((performance.now() - begun) / 1000).toFixed(0))
}

/** Creates a data folder with the number of records in `size`, inserted directly by SQL, and indexes the messages. */
export function copyWithRecords(to: string, size: Size, logStep: (step: string) => void): Promise<void> {
  return copyPrepared(to, {
    name: `records-${size.name}`,
    sources: ['server/src/db/migrations', 'server/src/db/message-search', 'bench/large-records.ts'],
    make: (folder) => fill(folder, size),
    logStep,
  })
}
