import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { backupTables, derivedColumns, derivedTables } from './backup-tables.ts'
import { isPostgres } from './dialect.ts'

let records: MigratedDatabase
let isOnPostgres: boolean
beforeEach(async () => {
  records = await openMigratedDatabase()
  isOnPostgres = isPostgres(records.db as unknown as Kysely<unknown>)
})
afterEach(() => records.close())

async function query<R>(postgres: string, sqlite: string): Promise<R[]> {
  return (await sql.raw<R>(isOnPostgres ? postgres : sqlite).execute(records.db)).rows
}

/** Internal tables of a full-text index are counted under the name of the index. */
async function tables(): Promise<string[]> {
  const rows = await query<{ name: string }>(
    `select table_name as name from information_schema.tables
      where table_schema = current_schema() and table_type = 'BASE TABLE'`,
    `select name from pragma_table_list where schema = 'main' and type in ('table', 'virtual')
      and name not like 'sqlite_schema'`,
  )
  return rows.map(({ name }) => name)
}

describe('backupTables', () => {
  it('contains every table of the schema that is not listed as derived', async () => {
    const known = new Set([...backupTables.map(({ name }) => name), ...Object.keys(derivedTables)])
    const found = await tables()
    expect(found.filter((name) => !known.has(name))).toEqual([])
    const missing = backupTables.filter(({ name }) => !found.includes(name))
    expect(missing).toEqual([])
  })

  it('has the primary keys of the schema', async () => {
    const rows = await query<{ table: string; column: string }>(
      `select t.relname as "table", a.attname as "column" from pg_index i
        join pg_class t on t.oid = i.indrelid join pg_attribute a on a.attrelid = t.oid and a.attnum = any (i.indkey)
        where i.indisprimary and t.relnamespace = current_schema()::regnamespace
        order by array_position(i.indkey::int2[], a.attnum)`,
      `select t.name as "table", c.name as "column" from pragma_table_list t join pragma_table_info(t.name) c
        where t.schema = 'main' and t.type = 'table' and c.pk > 0 order by c.pk`,
    )
    for (const { name, key } of backupTables)
      expect(
        rows.filter(({ table }) => table === name).map(({ column }) => column),
        name,
      ).toEqual(key)
  })

  it('lists referenced tables before those that refer to them', async () => {
    const rows = await query<{ from: string; to: string }>(
      `select c.conrelid::regclass::text as "from", c.confrelid::regclass::text as "to" from pg_constraint c
        where c.contype = 'f' and c.connamespace = current_schema()::regnamespace`,
      `select t.name as "from", f."table" as "to" from pragma_table_list t join pragma_foreign_key_list(t.name) f
        where t.schema = 'main' and t.type = 'table'`,
    )
    expect(rows.length).toBeGreaterThan(10)
    function place(name: string) {
      return backupTables.findIndex((table) => table.name === name)
    }
    for (const { from, to } of rows) expect(place(to), `${from} refers to ${to}`).toBeLessThan(place(from))
  })

  it('has the auto-increment columns of the schema', async () => {
    const rows = await query<{ table: string; column: string }>(
      `select table_name as "table", column_name as "column" from information_schema.columns
        where table_schema = current_schema() and column_default like 'nextval%'`,
      `select m.name as "table", c.name as "column" from sqlite_master m join pragma_table_info(m.name) c
        where m.type = 'table' and m.sql like '%autoincrement%' and c.pk = 1`,
    )
    const known = backupTables.flatMap(({ name, counter }) =>
      counter === undefined ? [] : [{ table: name, column: counter }],
    )
    const kept = rows.filter(({ table }) => !(table in derivedTables))
    expect(kept.toSorted((a, b) => a.table.localeCompare(b.table))).toEqual(
      known.toSorted((a, b) => a.table.localeCompare(b.table)),
    )
  })

  it('excludes only columns that a trigger fills', async () => {
    if (isOnPostgres) return
    const triggers = await query<{ sql: string }>('', `select sql from sqlite_master where type = 'trigger'`)
    for (const [table, columns] of Object.entries(derivedColumns))
      for (const column of columns)
        expect(triggers.some(({ sql: text }) => text.includes(`update ${table} set ${column} =`))).toBe(true)
  })
})
