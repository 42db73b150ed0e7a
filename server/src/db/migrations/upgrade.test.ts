import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fillEarlierInstallation, readEarlierRows } from '#testing/earlier-installation.ts'
import {
  countMessages,
  type EarlierSize,
  earlierChannels,
  earlierUsers,
  uniqueWord,
} from '#testing/earlier-rows.ts'
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts'
import { audit } from '../../features/audit/append.ts'
import { verifyChain } from '../../features/audit/verify.ts'
import { type DatabaseLocation, type Db, openDatabase } from '../client.ts'
import { isPostgres } from '../dialect.ts'
import { openMessageSearch } from '../message-search/open.ts'
import { knownMigrations, migrate } from '../migrate.ts'

const lastOfPrevious = '0005-test-bench'
const large: EarlierSize = { chatsEach: 10, messagesEach: 100 }
const small: EarlierSize = { chatsEach: 2, messagesEach: 10 }

let folder: string
let database: TestDatabase
let location: DatabaseLocation
/** The schema of a new installation. */
let freshSchema: unknown
/** A database without a schema, as before the first start. */
let db: Db
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-upgrade-'))
  database = await createTestDatabase(folder)
  const { url } = database
  db = openDatabase(database.location)
  freshSchema = await readSchema()
  if (url !== undefined)
    for (const step of ['drop schema public cascade', 'create schema public']) await sql.raw(step).execute(db)
  await db.destroy()
  location = url === undefined ? { sqlite: join(folder, 'earlier.db') } : { postgres: url, poolSize: 3 }
  db = openDatabase(location)
})
afterEach(async () => {
  await db.destroy()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

type Row = Record<string, unknown>

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

async function expectCorrectTotals(): Promise<void> {
  for (const owner of ['user', 'channel'] as const)
    expect(await readTotals(owner)).toEqual(await countTotals(owner))
}

describe.each(knownMigrations)('an installation at migration %s', (step) => {
  it('is upgraded with all its data', async () => {
    const size = step === lastOfPrevious ? large : small
    await migrate(db, step)
    await fillEarlierInstallation(db, size)
    const before = await readEarlierRows(db)
    expect(before.get('messages')).toHaveLength(countMessages(size))
    for (const [table, rows] of before) expect(rows.length, table).toBeGreaterThan(0)

    expect(await migrate(db)).toEqual(knownMigrations.slice(knownMigrations.indexOf(step) + 1))
    expect(await migrate(db)).toEqual([])

    expect(await readSchema()).toEqual(freshSchema)
    const after = await readEarlierRows(db, before)
    for (const [table, rows] of before) expect(after.get(table), table).toEqual(rows)
    await expectCorrectTotals()
    if (!isPostgres(db as unknown as Kysely<unknown>))
      expect((await sql`pragma foreign_key_check`.execute(db)).rows).toEqual([])

    const word = uniqueWord('bo', 'strict', size)
    expect(await countFound(word)).toBe(1)
    expect(await countFound('Title of cy')).toBe(earlierChannels.length)
    await expectUsableAuditLog(before.get('audit_log')?.length ?? 0)

    await db.deleteFrom('users').where('id', '=', 'bo').execute()
    await db.deleteFrom('channels').where('id', '=', 'strict').execute()
    await expectCorrectTotals()
    expect(await countFound(word)).toBe(0)
    expect(await countFound(uniqueWord('cy', 'handbook', size))).toBe(1)
  })
})

async function expectUsableAuditLog(entries: number): Promise<void> {
  await db
    .transaction()
    .execute((tx) => audit({ now: () => Date.UTC(2026, 6, 1) }, tx, { actor: null, action: 'keys.rotated' }))
  expect(await verifyChain(db)).toMatchObject({ entries: entries + 1, fault: null })
}

/** The whole schema, as SQL or as names. */
async function readSchema(): Promise<unknown> {
  if (database.url === undefined)
    return (await sql`select type, name, sql from sqlite_master order by name`.execute(db)).rows
  const columns = sql`select table_name, column_name from information_schema.columns
    where table_schema = 'public' order by 1, 2`
  const indexes = sql`select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1`
  return [(await columns.execute(db)).rows, (await indexes.execute(db)).rows]
}

describe('an upgrade that fails in the middle of a migration', () => {
  it('leaves nothing behind and succeeds once the cause is fixed', async () => {
    await migrate(db, lastOfPrevious)
    await fillEarlierInstallation(db, small)
    // Migration 0007 creates this table after it has replaced two indexes.
    await sql`create table message_changes (n integer)`.execute(db)
    const before = await readSchema()
    await expect(migrate(db)).rejects.toThrow(/message_changes.*already exists/)
    expect(await readSchema()).toEqual(before)

    await sql`drop table message_changes`.execute(db)
    expect(await migrate(db)).toEqual(knownMigrations.slice(knownMigrations.indexOf(lastOfPrevious) + 1))
    expect(await db.selectFrom('users').select('id').execute()).toHaveLength(earlierUsers.length)
  })

  it('leaves nothing behind when the process is killed', async () => {
    // PostgreSQL rolls back the transaction of a lost connection by itself.
    if ('postgres' in location) return
    await migrate(db, lastOfPrevious)
    const before = await readSchema()
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', killedMigration(location.sqlite)])
    expect([child.signal, child.stderr.toString()]).toEqual(['SIGKILL', ''])
    expect(await readSchema()).toEqual(before)
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
