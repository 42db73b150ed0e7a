import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type pg from 'pg'
import { quoteIdentifier, type TableShape } from './backup-tables.ts'
import { connectPostgres, type DatabaseLocation } from './client.ts'
import { postgresReader, type Row, type Snapshot, sqliteReader } from './snapshot.ts'
import { defineLower } from './sqlite-driver.ts'

/** Fills empty tables in one transaction. */
export interface RowLoader {
  add(table: TableShape, rows: readonly Row[]): Promise<void>
  /** Runs a statement that both databases understand, without parameters. */
  run(statement: string): Promise<void>
  /** Reads what has been added so far. */
  reader: Pick<Snapshot, 'rows' | 'tables'>
}

/** Foreign-key violation in the loaded rows. */
class ForeignKeyViolation extends Error {}

const valuesPerStatement = 20_000

function buildInsert({ name, columns }: TableShape): string {
  return `insert into ${quoteIdentifier(name)} (${columns.map(quoteIdentifier).join(', ')}) values`
}

async function loadSqlite<R>(path: string, work: (loader: RowLoader) => Promise<R>): Promise<R> {
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  try {
    defineLower(db)
    // No one else reads the file before it is complete, so a journal would protect nothing.
    db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32000; BEGIN')
    const result = await work({
      async add(table, rows) {
        const statement = db.prepare(`${buildInsert(table)} (${table.columns.map(() => '?').join(', ')})`)
        for (const row of rows) statement.run(...(row as SQLInputValue[]))
      },
      run: async (statement) => db.exec(statement),
      reader: sqliteReader(db),
    })
    const [broken] = db.prepare('select "table" from pragma_foreign_key_check limit 1').all()
    if (broken)
      throw new ForeignKeyViolation(`A row of ${broken['table']} refers to a row that does not exist.`)
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
    await client.query(`${buildInsert(table)} ${marks.join(', ')}`, part.flat())
  }
}

async function advanceSequences(client: pg.Client, tables: readonly TableShape[]): Promise<void> {
  for (const { name, counter } of tables)
    if (counter)
      await client.query(
        `select setval(pg_get_serial_sequence($1, $2), coalesce(max(${quoteIdentifier(counter)}), 0) + 1, false) from ${quoteIdentifier(name)}`,
        [name, counter],
      )
}

async function loadPostgres<R>(url: string, work: (loader: RowLoader) => Promise<R>): Promise<R> {
  const client = await connectPostgres(url)
  try {
    await client.query('begin')
    const reader = await postgresReader(client)
    const result = await work({
      add: (table, rows) => addToPostgres(client, table, rows),
      run: async (statement) => void (await client.query(statement)),
      reader,
    })
    await advanceSequences(client, reader.tables)
    await client.query('commit')
    return result
  } catch (error) {
    if ((error as { code?: string }).code === '23503')
      throw new ForeignKeyViolation((error as Error).message, { cause: error })
    throw error
  } finally {
    await client.end()
  }
}

/**
 * Runs `work` in one transaction. An error leaves a PostgreSQL database unchanged. A SQLite file is unusable after an
 * error and must be deleted. SQLite advances its auto-increment counters by itself.
 */
export function loadRows<R>(location: DatabaseLocation, work: (loader: RowLoader) => Promise<R>): Promise<R> {
  return 'sqlite' in location ? loadSqlite(location.sqlite, work) : loadPostgres(location.postgres, work)
}

/** Whether every table is empty or missing. */
export async function hasNoRows(snapshot: Snapshot): Promise<boolean> {
  for (const table of snapshot.tables) for await (const _ of snapshot.rows(table)) return false
  return true
}
