import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type pg from 'pg'
import { connectPostgres, type DatabaseLocation } from './client.ts'
import { quoted, type TableShape } from './kept-tables.ts'
import { postgresReader, type Row, type Snapshot, sqliteReader } from './snapshot.ts'
import { defineLower } from './sqlite-driver.ts'

/** Fills empty tables in one transaction. */
export interface Loading {
  add(table: TableShape, rows: readonly Row[]): Promise<void>
  /** A statement in words that both databases know, without values. */
  run(statement: string): Promise<void>
  /** What is in the tables by now. */
  reader: Pick<Snapshot, 'rows' | 'tables'>
}

/** Rows refer to what is not there. */
class BrokenReferences extends Error {}

const valuesPerStatement = 20_000

function insertOf({ name, columns }: TableShape): string {
  return `insert into ${quoted(name)} (${columns.map(quoted).join(', ')}) values`
}

async function loadSqlite<R>(path: string, work: (loading: Loading) => Promise<R>): Promise<R> {
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  try {
    defineLower(db)
    // Nobody else sees the file before it is whole, so its journal would guard nothing.
    db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32000; BEGIN')
    const result = await work({
      async add(table, rows) {
        const statement = db.prepare(`${insertOf(table)} (${table.columns.map(() => '?').join(', ')})`)
        for (const row of rows) statement.run(...(row as SQLInputValue[]))
      },
      run: async (statement) => db.exec(statement),
      reader: sqliteReader(db),
    })
    const [broken] = db.prepare('select "table" from pragma_foreign_key_check limit 1').all()
    if (broken) throw new BrokenReferences(`A row of ${broken['table']} refers to one that is not there.`)
    db.exec('COMMIT')
    return result
  } finally {
    db.close()
  }
}

async function addToPostgres(client: pg.Client, table: TableShape, rows: readonly Row[]): Promise<void> {
  const perStatement = Math.max(1, Math.floor(valuesPerStatement / table.columns.length))
  for (let start = 0; start < rows.length; start += perStatement) {
    const part = rows.slice(start, start + perStatement)
    const marks = part.map((row, at) => `(${row.map((_, i) => `$${at * row.length + i + 1}`).join(', ')})`)
    await client.query(`${insertOf(table)} ${marks.join(', ')}`, part.flat())
  }
}

async function setCounters(client: pg.Client, tables: readonly TableShape[]): Promise<void> {
  for (const { name, counter } of tables)
    if (counter)
      await client.query(
        `select setval(pg_get_serial_sequence($1, $2), coalesce(max(${quoted(counter)}), 0) + 1, false) from ${quoted(name)}`,
        [name, counter],
      )
}

async function loadPostgres<R>(url: string, work: (loading: Loading) => Promise<R>): Promise<R> {
  const client = await connectPostgres(url)
  try {
    await client.query('begin')
    const reader = await postgresReader(client)
    const result = await work({
      add: (table, rows) => addToPostgres(client, table, rows),
      run: async (statement) => void (await client.query(statement)),
      reader,
    })
    await setCounters(client, reader.tables)
    await client.query('commit')
    return result
  } catch (error) {
    if ((error as { code?: string }).code === '23503')
      throw new BrokenReferences((error as Error).message, { cause: error })
    throw error
  } finally {
    await client.end()
  }
}

/**
 * What is thrown leaves a PostgreSQL database as it was; a SQLite file is then worth nothing and is to be removed.
 * SQLite's own counters follow what is added.
 */
export function loadRecords<R>(
  location: DatabaseLocation,
  work: (loading: Loading) => Promise<R>,
): Promise<R> {
  return 'sqlite' in location ? loadSqlite(location.sqlite, work) : loadPostgres(location.postgres, work)
}

/** Whether no table holds a row; tables need not be there. */
export async function isWithoutRecords(snapshot: Snapshot): Promise<boolean> {
  for (const table of snapshot.tables) for await (const _ of snapshot.rows(table)) return false
  return true
}
