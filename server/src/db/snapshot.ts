import { DatabaseSync } from 'node:sqlite'
import type pg from 'pg'
import { type ColumnInfo, quoteIdentifier, type TableShape, toTableShapes } from './backup-tables.ts'
import { connectPostgres, type DatabaseLocation } from './client.ts'

type Value = string | number | null | Uint8Array
export type Row = Value[]
type DatabaseKind = 'sqlite' | 'postgres'

/** A consistent read of all tables. Other connections may keep writing. */
export interface Snapshot {
  kind: DatabaseKind
  /** The names of the migrations that have run, in order. */
  steps: readonly string[]
  tables: readonly TableShape[]
  /** Yields small batches in the order of the key, so that memory use does not grow with the table. */
  rows(table: TableShape): AsyncIterable<Row[]>
  close(): Promise<void>
}

const rowsPerPage = 200
const largeRowsPerPage = 2

function buildSelect({ name, columns, key }: TableShape): string {
  return `select ${columns.map(quoteIdentifier).join(', ')} from ${quoteIdentifier(name)} order by ${key.map(quoteIdentifier).join(', ')}`
}

function getPageSize({ hasLargeRows }: TableShape): number {
  return hasLargeRows ? largeRowsPerPage : rowsPerPage
}

const sqliteColumns = `select t.name as "table", c.name as name, lower(c.type) = 'blob' as bytes
  from pragma_table_list as t join pragma_table_xinfo(t.name) as c
  where t.schema = 'main' and t.type = 'table'`

/** Reads within the open transaction of the connection. */
export function sqliteReader(db: DatabaseSync): Snapshot {
  const found = db.prepare(sqliteColumns).all() as { table: string; name: string; bytes: number }[]
  const hasSteps = found.some(({ table }) => table === 'kysely_migration')
  const steps = hasSteps ? db.prepare('select name from kysely_migration order by name').all() : []
  return {
    kind: 'sqlite',
    steps: steps.map(({ name }) => String(name)),
    tables: toTableShapes(found.map(({ table, name, bytes }) => ({ table, name, isBytes: bytes === 1 }))),
    async *rows(table) {
      const statement = db.prepare(buildSelect(table))
      statement.setReturnArrays(true)
      let page: Row[] = []
      for (const row of statement.iterate() as Iterable<unknown>) {
        page.push(row as Row)
        if (page.length < getPageSize(table)) continue
        yield page
        page = []
      }
      if (page.length > 0) yield page
    },
    close: async () => db.close(),
  }
}

/** In WAL mode readers and the writer do not block each other. The log grows until the reader is done. */
function sqliteSnapshot(path: string): Snapshot {
  const db = new DatabaseSync(path, { readOnly: true })
  db.exec('PRAGMA busy_timeout = 5000; PRAGMA cache_size = -4000; BEGIN')
  return sqliteReader(db)
}

const postgresColumns = `select c.table_name as "table", c.column_name as name, c.data_type = 'bytea' as bytes
  from information_schema.columns as c
  join information_schema.tables as t on t.table_schema = c.table_schema and t.table_name = c.table_name
  where c.table_schema = current_schema() and t.table_type = 'BASE TABLE'`

async function listColumns(client: pg.Client): Promise<ColumnInfo[]> {
  const { rows } = await client.query<{ table: string; name: string; bytes: boolean }>(postgresColumns)
  return rows.map(({ table, name, bytes }) => ({ table, name, isBytes: bytes }))
}

/** Reads with cursors within the open transaction of the connection. */
export async function postgresReader(client: pg.Client): Promise<Snapshot> {
  const found = await listColumns(client)
  const hasSteps = found.some(({ table }) => table === 'kysely_migration')
  const { rows: steps } = hasSteps
    ? await client.query<{ name: string }>('select name from kysely_migration order by name')
    : { rows: [] }
  return {
    kind: 'postgres',
    steps: steps.map(({ name }) => name),
    tables: toTableShapes(found),
    async *rows(table) {
      await client.query(`declare backup_rows no scroll cursor for ${buildSelect(table)}`)
      const text = `fetch forward ${getPageSize(table)} from backup_rows`
      for (;;) {
        const { rows } = await client.query<Row>({ text, rowMode: 'array' })
        if (rows.length === 0) break
        yield rows
      }
      await client.query('close backup_rows')
    },
    close: () => client.end(),
  }
}

async function postgresSnapshot(url: string): Promise<Snapshot> {
  const client = await connectPostgres(url)
  try {
    await client.query('begin isolation level repeatable read read only')
    return await postgresReader(client)
  } catch (error) {
    await client.end()
    throw error
  }
}

export async function openSnapshot(location: DatabaseLocation): Promise<Snapshot> {
  return 'sqlite' in location ? sqliteSnapshot(location.sqlite) : postgresSnapshot(location.postgres)
}
