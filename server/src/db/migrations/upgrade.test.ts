import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts'
import { audit } from '../../features/audit/append.ts'
import { verifyChain } from '../../features/audit/verify.ts'
import { backupTables } from '../backup-tables.ts'
import { type DatabaseLocation, type Db, openDatabase } from '../client.ts'
import { isPostgres } from '../dialect.ts'
import { openMessageSearch } from '../message-search/open.ts'
import { knownMigrations, migrate } from '../migrate.ts'

const lastOfPrevious = '0005-test-bench'
const begun = Date.UTC(2026, 5, 1)
const userIds = ['ada', 'bo', 'cy', 'gone']
const channels = ['handbook', 'strict', 'assistant']
const [chatsEach, messagesEach] = [10, 100]

let folder: string
let database: TestDatabase
let location: DatabaseLocation
let db: Db
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-upgrade-'))
  database = await createTestDatabase(folder)
  // No schema, as before the first start.
  location =
    database.url === undefined
      ? { sqlite: join(folder, 'earlier.db') }
      : { postgres: database.url, poolSize: 3 }
  db = openDatabase(location)
  if (database.url !== undefined)
    for (const step of ['drop schema public cascade', 'create schema public']) await sql.raw(step).execute(db)
})
afterEach(async () => {
  await db.destroy()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

type Row = Record<string, unknown>

/** Rows as the earlier version wrote them. They do not match the current types. */
async function add(table: string, rows: readonly Row[]): Promise<void> {
  for (let at = 0; at < rows.length; at += 200)
    await (db as unknown as Kysely<Record<string, Row>>)
      .insertInto(table)
      .values(rows.slice(at, at + 200))
      .execute()
}

async function addUsers(): Promise<void> {
  await add(
    'users',
    userIds.map((id) => ({
      id,
      email: id === 'gone' ? 'gone@deleted.invalid' : `${id}@example.org`,
      name: id === 'gone' ? 'Deleted user' : `User ${id}`,
      role: id === 'ada' ? 'admin' : 'user',
      is_system_admin: id === 'ada' ? 1 : 0,
      permission_overrides: id === 'ada' ? '{"canViewChatHistory":true}' : null,
      password_hash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$aGFzaA',
      two_factor_days: id === 'bo' ? 7 : null,
      two_factor_enabled: id === 'bo' ? 1 : null,
      deleted_at: id === 'gone' ? begun + 5 : null,
      created_at: begun,
    })),
  )
  const used = {
    user_id: 'bo',
    created_at: begun,
    last_used_at: begun,
    ip: '192.0.2.1',
    user_agent: 'Firefox',
  }
  await add('sessions', [
    {
      id: 's',
      user_id: 'bo',
      created_at: begun,
      last_seen_at: begun,
      expires_at: begun,
      ip: '',
      user_agent: '',
    },
  ])
  await add('trusted_browsers', [{ ...used, id: 'b', token_hash: 't', epoch: 0 }])
  await add('known_browsers', [{ token_hash: 'k', user_id: 'bo', created_at: begun, last_used_at: begun }])
  await add('sign_in_challenges', [
    {
      id: 'c',
      secret_hash: 'h',
      user_id: 'bo',
      code_hash: 'h',
      tries: 1,
      ip: '',
      user_agent: '',
      sent_at: begun,
      expires_at: begun,
    },
  ])
  await add('password_resets', [
    { id: 'r', token_hash: 'r', user_id: 'cy', created_at: begun, expires_at: begun, used_at: null },
  ])
  await add('attempts', [{ id: 'a', key: 'code-mail|bo', at: begun }])
  await add('sign_in_counters', [{ key: 'n', failures: 3, window_started_at: begun, last_failure_at: begun }])
  await add('invitations', [
    {
      id: 'i',
      email: 'new@example.org',
      full_name: 'New',
      token_hash: 'i',
      status: 'pending',
      is_setup: 0,
      invited_by: 'ada',
      allowed_channels: '["handbook"]',
      two_factor_days: 30,
      two_factor_enabled: 1,
      created_at: begun,
      expires_at: begun,
      accepted_at: null,
    },
  ])
}

async function addChannels(): Promise<void> {
  await add('settings', [
    { key: 'dashboardBackground', value: JSON.stringify({ fileKey: 'ab'.repeat(20) }), updated_at: begun },
  ])
  await add(
    'channels',
    channels.map((id) => ({
      id,
      name: `Channel ${id}`,
      description: '',
      system_prompt: 'Be kind',
      llm_model: 'gpt-4o',
      strict_documents_only: id === 'strict' ? 1 : 0,
      use_assistant: id === 'assistant' ? 1 : 0,
      assistant_id: id === 'assistant' ? 'preset' : '',
      created_at: begun,
      updated_at: begun,
    })),
  )
  await add(
    'channel_members',
    channels.flatMap((channel_id) =>
      userIds.map((user_id) => ({ channel_id, user_id, is_admin: 0, created_at: begun })),
    ),
  )
  const times = { created_at: begun, updated_at: begun }
  await add('assistant_presets', [
    {
      id: 'p',
      assistant_id: 'preset',
      name: 'P',
      description: '',
      instructions: 'I',
      model: 'gpt-4o',
      options: '{}',
      ...times,
    },
  ])
  await add('documents', [
    {
      id: 'd',
      channel_id: 'handbook',
      title: 'Opening hours',
      description: '',
      original_name: 'hours.txt',
      status: 'approved',
      version_id: 'v',
      approved_version_id: 'v',
      answering_version_id: 'v',
      generation: 'g',
      uploaded_by: 'ada',
      reviewed_by: 'ada',
      reviewed_at: begun,
      ...times,
    },
  ])
  await add('document_versions', [
    {
      id: 'v',
      document_id: 'd',
      number: 1,
      status: 'approved',
      kind: 'txt',
      file_key: 'cd'.repeat(20),
      file_size: 12,
      sha256: 'h',
      index_state: 'ready',
      index_percent: 100,
      index_attempts: 1,
      text: 'Open at nine.',
      created_at: begun,
    },
  ])
  await add('passages', [
    {
      id: 'pa',
      generation: 'g',
      document_id: 'd',
      version_id: 'v',
      channel_id: 'handbook',
      ordinal: 0,
      heading_path: '[]',
      char_start: 0,
      char_end: 13,
      text: 'Open at nine.',
      tokens: 4,
    },
  ])
  await add('embeddings', [{ model: 'e', text_hash: 'h', vector: Buffer.from([1, 2, 3]), created_at: begun }])
  await add('test_questions', [
    { id: 'q', channel_id: 'handbook', question: 'When?', expected: '[]', ...times },
  ])
  await add('test_runs', [
    {
      id: 'tr',
      channel_id: 'handbook',
      ran_at: begun,
      note: '',
      total: 1,
      found: 1,
      mean_rank: 1.5,
      results: '[]',
    },
  ])
  await add('test_run_leases', [{ channel_id: 'handbook', owner: 'n', lease_until: begun }])
  await add('removed_files', [{ file_key: 'ef'.repeat(20), removed_at: begun }])
  await add('jobs', [
    {
      id: 'j',
      name: 'chats.forget-keys',
      payload: '{}',
      state: 'waiting',
      attempts: 0,
      run_at: begun,
      created_at: begun,
    },
  ])
}

/** Each message contains a unique word. Every fiftieth reply is unfinished. */
function messageOf(chat: string, at: number): Row {
  const isReply = at % 2 === 1
  return {
    id: `${chat}-${at}`,
    chat_id: chat,
    parent_id: at === 0 ? null : `${chat}-${at - 1}`,
    role: isReply ? 'assistant' : 'user',
    content: isReply
      ? `Answer ${at} in ${chat}: the doors open at nine.`
      : `Question ${at} word${chat.replaceAll('-', '')}n${at}?`,
    state: isReply ? (at % 50 === 49 ? 'interrupted' : 'complete') : null,
    mode: isReply ? 'model' : null,
    citations: isReply ? '[{"documentId":"d","passageId":"pa"}]' : null,
    last_event: isReply ? 4 : 0,
    created_at: begun + at,
  }
}

async function addChats(): Promise<void> {
  const chats = userIds.flatMap((user_id) =>
    channels.flatMap((channel_id) =>
      Array.from({ length: chatsEach }, (_, at) => ({
        id: `${user_id}-${channel_id}-${at}`,
        user_id,
        channel_id,
        title: at % 3 === 0 ? `Title of ${user_id} ${at}` : null,
        active_leaf_id: `${user_id}-${channel_id}-${at}-${messagesEach - 1}`,
        message_count: messagesEach,
        last_message_role: 'assistant',
        last_message_preview: 'Answer',
        last_message_at: begun + at,
        created_at: begun + at,
        updated_at: begun + 1000 * at,
      })),
    ),
  )
  await add('chats', chats)
  for (const { id } of chats)
    await add(
      'messages',
      Array.from({ length: messagesEach }, (_, at) => messageOf(id, at)),
    )
  const call = {
    purpose: 'answer',
    requested_model: 'gpt-4o',
    actual_model: 'gpt-4o',
    cached: 0,
    cache_write: 0,
    reasoning: 0,
  }
  await add('llm_usage', [
    {
      ...call,
      id: 'u',
      message_id: `${chats[0]?.id}-1`,
      user_id: 'ada',
      channel_id: 'handbook',
      input: 10,
      output: 5,
      cost: null,
      estimated: 0,
      created_at: begun,
    },
  ])
}

/** Returns the rows of every backup table. If `columns` is given, leaves out all other tables and columns. */
async function readTables(columns?: ReadonlyMap<string, string[]>) {
  const found = new Map<string, Row[]>()
  for (const { name, key } of backupTables) {
    const order = key.map((column) => `"${column}"`).join(', ')
    const rows = await sql
      .raw<Row>(`select * from "${name}" order by ${order}`)
      .execute(db)
      .then((result) => result.rows)
      .catch(() => null)
    const known = columns?.get(name)
    if (rows === null || (columns && !known)) continue
    found.set(
      name,
      known ? rows.map((row) => Object.fromEntries(known.map((column) => [column, row[column]]))) : rows,
    )
  }
  return found
}

async function countTotals(owner: 'user' | 'channel') {
  const counted =
    await sql<Row>`select ${sql.ref(`${owner}_id`)} as id, count(*) as chats, sum(message_count) as messages,
    max(updated_at) as last_activity_at from chats group by ${sql.ref(`${owner}_id`)} order by id`.execute(db)
  return counted.rows.map((row) => ({
    ...row,
    chats: Number(row['chats']),
    messages: Number(row['messages']),
  }))
}

async function readTotals(owner: 'user' | 'channel') {
  const totals = await db.selectFrom(`${owner}_chat_totals`).selectAll().orderBy('id').execute()
  return totals.map((row) => ({ ...row, chats: Number(row.chats), messages: Number(row.messages) }))
}

async function countFound(words: string): Promise<number> {
  const search = openMessageSearch({
    db,
    databasePath: 'sqlite' in location ? location.sqlite : '',
    indexPath: join(folder, 'message-search.db'),
    warn: (error) => {
      throw error
    },
  })
  try {
    await search.waitUntilIndexed()
    while ((await search.findChats('nine', {})).isBuilding) await search.waitUntilIndexed()
    return (await search.findChats(words, {})).chats.length
  } finally {
    await search.close()
  }
}

describe('an installation at migration 0005', () => {
  it('is upgraded with all its data', async () => {
    await migrate(db, lastOfPrevious)
    await addUsers()
    await addChannels()
    await addChats()
    const before = await readTables()
    expect(before.get('messages')).toHaveLength(userIds.length * channels.length * chatsEach * messagesEach)
    for (const [table, rows] of before) expect(rows.length, table).toBeGreaterThan(0)

    expect(await migrate(db)).toEqual(knownMigrations.slice(knownMigrations.indexOf(lastOfPrevious) + 1))
    expect(await migrate(db)).toEqual([])

    const columns = new Map([...before].map(([table, [row]]) => [table, Object.keys(row ?? {})]))
    const after = await readTables(columns)
    for (const [table, rows] of before) expect(after.get(table), table).toEqual(rows)
    for (const owner of ['user', 'channel'] as const)
      expect(await readTotals(owner)).toEqual(await countTotals(owner))
    if (!isPostgres(db as unknown as Kysely<unknown>))
      expect((await sql`pragma foreign_key_check`.execute(db)).rows).toEqual([])

    expect(await countFound('wordbostrict3n98')).toBe(1)
    expect(await countFound('Title of cy')).toBe(4 * channels.length)

    await db
      .transaction()
      .execute((tx) => audit({ now: () => begun }, tx, { actor: null, action: 'keys.rotated' }))
    expect(await verifyChain(db)).toMatchObject({ entries: 1, fault: null })

    await db.deleteFrom('users').where('id', '=', 'bo').execute()
    await db.deleteFrom('channels').where('id', '=', 'strict').execute()
    for (const owner of ['user', 'channel'] as const)
      expect(await readTotals(owner)).toEqual(await countTotals(owner))
    expect(await countFound('wordbostrict3n98')).toBe(0)
    expect(await countFound('wordcyhandbook3n98')).toBe(1)
  })
})

/** The whole schema, as SQL or as names. */
async function schemaOf(): Promise<unknown> {
  if (!('postgres' in location))
    return (await sql`select * from sqlite_master order by name`.execute(db)).rows
  const columns = sql`select table_name, column_name from information_schema.columns
    where table_schema = 'public' order by 1, 2`
  const indexes = sql`select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1`
  return [(await columns.execute(db)).rows, (await indexes.execute(db)).rows]
}

describe('an upgrade that fails in the middle of a migration', () => {
  it('leaves nothing behind and succeeds once the cause is fixed', async () => {
    await migrate(db, lastOfPrevious)
    await addUsers()
    // Migration 0007 creates this table after it has replaced two indexes.
    await sql`create table message_changes (n integer)`.execute(db)
    const before = await schemaOf()
    await expect(migrate(db)).rejects.toThrow(/message_changes.*already exists/)
    expect(await schemaOf()).toEqual(before)

    await sql`drop table message_changes`.execute(db)
    expect(await migrate(db)).toEqual(knownMigrations.slice(knownMigrations.indexOf(lastOfPrevious) + 1))
    expect(await db.selectFrom('users').select('id').execute()).toHaveLength(userIds.length)
  })

  it('leaves nothing behind when the process is killed', async () => {
    // PostgreSQL rolls back the transaction of a lost connection by itself.
    if ('postgres' in location) return
    await migrate(db, lastOfPrevious)
    const before = await schemaOf()
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', killedMigration(location.sqlite)])
    expect([child.signal, child.stderr.toString()]).toEqual(['SIGKILL', ''])
    expect(await schemaOf()).toEqual(before)
    expect(await migrate(db)).toEqual(knownMigrations.slice(knownMigrations.indexOf(lastOfPrevious) + 1))
  })
})

/** A script that migrates the database and kills its process in the middle of migration 0007. */
function killedMigration(path: string): string {
  function moduleAt(name: string): string {
    return JSON.stringify(new URL(name, import.meta.url).href)
  }
  return `
    import { DatabaseSync } from 'node:sqlite'
    import { openDatabase } from ${moduleAt('../client.ts')}
    import { migrate } from ${moduleAt('../migrate.ts')}
    const prepare = DatabaseSync.prototype.prepare
    DatabaseSync.prototype.prepare = function (text) {
      if (/create table "message_changes"/.test(text)) process.kill(process.pid, 'SIGKILL')
      return prepare.call(this, text)
    }
    await migrate(openDatabase({ sqlite: ${JSON.stringify(path)} }))
  `
}
