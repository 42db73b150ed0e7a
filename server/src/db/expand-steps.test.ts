import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type MigratedDatabase, openBlankDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { findIncompatibilities, readSchemaFacts, type SchemaFacts } from '#testing/schema-facts.ts'
import { isPostgres } from './dialect.ts'
import { addIndexes, type Step } from './index-step.ts'
import { isStepOutsideTransaction, kindOfStep, knownMigrations, migrate } from './migrate.ts'

const expandSteps = knownMigrations.filter((name) => kindOfStep(name) === 'expand')

let records: MigratedDatabase
afterEach(() => records.close())

describe('the list of migrations', () => {
  beforeEach(async () => {
    records = await openBlankDatabase()
  })

  it('names for each step after the baseline whether it expands or contracts', () => {
    expect(knownMigrations.filter((name) => kindOfStep(name) === 'unknown')).toEqual([])
    expect(expandSteps).not.toEqual([])
    expect(knownMigrations.map((name) => name.slice(0, 4))).toEqual([
      ...new Set(knownMigrations.map((name) => name.slice(0, 4))),
    ])
  })

  it.each(expandSteps)('%s takes nothing away from the version before', async (name) => {
    await migrate(records.db, knownMigrations[knownMigrations.indexOf(name) - 1])
    const before = await readSchemaFacts(records.db)
    expect(before.length).toBeGreaterThan(100)
    expect(await migrate(records.db, name)).toEqual([name])
    const after = await readSchemaFacts(records.db)
    expect(after).not.toEqual(before)
    expect(findIncompatibilities(before, after, isStepOutsideTransaction(name))).toEqual([])
  })
})

/** Runs a step on the newest schema and returns what it breaks. */
async function tryStep(step: string | Step): Promise<string[]> {
  const { db } = records
  const before = await readSchemaFacts(db)
  if (typeof step === 'string') for (const part of step.split(';')) await sql.raw(part).execute(db)
  else await step.up(db)
  const isOutside = typeof step !== 'string' && step.isOutsideTransaction
  return findIncompatibilities(before, await readSchemaFacts(db), isOutside)
}

describe('a step', () => {
  beforeEach(async () => {
    records = await openMigratedDatabase()
  })

  it.each([
    ['drops a table', 'drop table rate_counters', /table rate_counters\.rate_counters is gone/],
    ['drops a column', 'alter table nodes drop column version', /column nodes\.version is gone/],
    [
      'renames a column',
      'alter table nodes rename column version to release',
      /column nodes\.version is gone/,
    ],
    ['renames a table', 'alter table nodes rename to servers', /table nodes\.nodes is gone/],
    [
      'drops an index',
      'drop index rate_counters_ends_at',
      /index rate_counters\.rate_counters_ends_at is gone/,
    ],
    [
      'makes values unique',
      'create unique index one_name on nodes (name)',
      /new index nodes\.one_name is unique/,
    ],
    [
      'creates an index on a table that exists',
      'create index some_name on nodes (name)',
      /new index nodes\.some_name blocks writes/,
    ],
    [
      'keeps rows from being deleted',
      'create table badges (user_id text not null references users (id))',
      /new constraint badges\..* has no action on delete/,
    ],
  ])('that %s is refused', async (_, statements, fault) => {
    const faults = await tryStep(statements)
    expect(faults).toContainEqual(expect.stringMatching(fault))
  })

  // SQLite has no such statements, and tables with triggers in place of these views.
  it.each([
    [
      'makes a column required',
      'alter table nodes alter column newest_step set not null',
      /column nodes\.newest_step has changed/,
    ],
    [
      'changes a type',
      'alter table nodes alter column clock_difference type integer',
      /column nodes\.clock_difference has changed/,
    ],
    [
      'drops a default',
      'alter table nodes alter column state drop default',
      /column nodes\.state has changed/,
    ],
    [
      'adds a required column without a default',
      'alter table nodes add column zone text not null',
      /column nodes\.zone is not null and has no default/,
    ],
    [
      'adds a constraint',
      "alter table nodes add constraint known check (state <> '')",
      /constraint nodes\.known is a constraint/,
    ],
    [
      'replaces a view',
      'drop view user_chat_totals; create view user_chat_totals as select id, 1 as chats from users',
      /view user_chat_totals\.user_chat_totals has changed/,
    ],
  ])('that %s is refused on PostgreSQL', async (_, statements, fault) => {
    if (!isPostgres(records.db as unknown as Kysely<unknown>)) return
    expect(await tryStep(statements)).toContainEqual(expect.stringMatching(fault))
  })

  it('that builds a table again with a constraint is refused on SQLite', async () => {
    if (isPostgres(records.db as unknown as Kysely<unknown>)) return
    const rebuilt = `drop table rate_counters;
      create table rate_counters (key text primary key, count integer not null check (count > 0), ends_at integer not null)`
    expect(await tryStep(rebuilt)).toContain('The table rate_counters.rate_counters has changed.')
    const trigger = 'drop trigger message_changes_delete'
    expect(await tryStep(trigger)).toContainEqual(expect.stringMatching(/trigger .* is gone/))
  })

  it.each([
    ['drops a constraint', 'key text, count integer, primary key (key)', 'key text, count integer'],
    ['adds a constraint', 'key text, count integer', 'key text, count integer, unique (key, count)'],
    ['changes a constraint', 'key text, check (key in (1, 2))', 'key text, check (key in (1, 3))'],
    ['reorders columns', 'key text, count integer', 'count integer, key text'],
  ])('that builds a table again and %s is refused on SQLite', (_, before, after) => {
    function describeTable(parts: string): SchemaFacts {
      const definition = `CREATE TABLE t (${parts})`
      return [{ table: 't', kind: 'table', name: 't', definition, restriction: null }]
    }
    expect(findIncompatibilities(describeTable(before), describeTable(after))).toEqual([
      'The table t.t has changed.',
    ])
  })

  it('that adds a column to a table with a constraint is accepted', async () => {
    expect(await tryStep('alter table usage_days add column cost integer not null default 0')).toEqual([])
  })

  it('that only adds is accepted', async () => {
    const faults = await tryStep(`alter table nodes add column zone text;
      alter table nodes add column weight integer not null default 1;
      create table badges (user_id text not null references users (id) on delete cascade, name text not null unique);
      create index badges_name on badges (name)`)
    expect(faults).toEqual([])
    const index = { name: 'nodes_name', table: 'nodes', columns: ['name', 'role'] }
    expect(await tryStep(addIndexes(index))).toEqual([])
  })
})

describe('addIndexes', () => {
  beforeEach(async () => {
    records = await openMigratedDatabase()
  })

  const step = addIndexes({ name: 'nodes_name', table: 'nodes', columns: ['name'] })

  async function countIndexes(): Promise<number> {
    const facts = await readSchemaFacts(records.db)
    return facts.filter(({ name }) => name === 'nodes_name').length
  }

  it('also works in the transaction of a single server', async () => {
    await records.db.transaction().execute((tx) => step.up(tx))
    expect(await countIndexes()).toBe(1)
  })

  it('can leave out rows without a value, with and without a transaction', async () => {
    const { db } = records
    const partial = addIndexes({ name: 'nodes_name', table: 'nodes', columns: ['name'], withoutNull: 'name' })
    const definition = isPostgres(db as unknown as Kysely<unknown>)
      ? sql<{ text: string }>`select indexdef as text from pg_indexes where indexname = 'nodes_name'`
      : sql<{ text: string }>`select sql as text from sqlite_master where name = 'nodes_name'`
    for (const up of [() => partial.up(db), () => db.transaction().execute((tx) => partial.up(tx))]) {
      await up()
      const { rows } = await definition.execute(db)
      expect(rows.map(({ text }) => text)).toEqual([
        expect.stringMatching(/where \(?"?name"? is not null\)?$/i),
      ])
      await sql`drop index nodes_name`.execute(db)
    }
  })

  it('lets servers write on PostgreSQL, and can run again after it was interrupted', async () => {
    const { location } = records
    if (!('postgres' in location)) return
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    // The statement waits for this transaction, which has written to the table.
    const writing = records.db.transaction().execute(async (tx) => {
      await sql`insert into nodes (id, name, role, version, started_at, seen_at, lease_until) values ('a', 'a', 'all', '1', 1, 1, 1)`.execute(
        tx,
      )
      begun.resolve()
      await end.promise
    })
    await begun.promise
    // Handled from the start, because it may fail before the cancellation is confirmed.
    const cancelled = expect(step.up(records.db)).rejects.toThrow(/cancel/)
    const waiting = sql<{ pid: number }>`select pid from pg_stat_activity
      where query like 'create index concurrently%' and wait_event_type = 'Lock'`
    await expect.poll(async () => (await waiting.execute(records.db)).rows.length).toBe(1)
    const { rows } = await sql`update nodes set name = 'b' where id = 'none' returning id`.execute(records.db)
    expect(rows).toEqual([])
    const {
      rows: [found],
    } = await waiting.execute(records.db)
    await sql`select pg_cancel_backend(${found?.pid})`.execute(records.db)
    await cancelled
    end.resolve()
    await writing
    const invalid = sql`select from pg_index where not indisvalid`
    expect((await invalid.execute(records.db)).rows).toHaveLength(1)
    await step.up(records.db)
    expect((await invalid.execute(records.db)).rows).toHaveLength(0)
    expect(await countIndexes()).toBe(1)
  })
})
