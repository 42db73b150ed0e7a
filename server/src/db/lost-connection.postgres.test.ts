import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { startTcpProxy, type TcpProxy } from '#testing/tcp-proxy.ts'
import { connectPostgres, type Db, openDatabase } from './client.ts'
import { DatabaseUnavailable } from './database-unavailable.ts'

const poolSize = 3

let records: MigratedDatabase
let url: string
let proxy: TcpProxy
let db: Db

/** The error of a promise that must reject. */
async function errorOf(failing: Promise<unknown>): Promise<unknown> {
  return failing.then(
    () => {
      throw new Error('the call succeeded')
    },
    (error: unknown) => error,
  )
}

function ask(): Promise<unknown> {
  return sql`select 1`.execute(db)
}

function works(): Promise<boolean> {
  return ask().then(Boolean, () => false)
}

function insertSetting(key: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await tx.insertInto('settings').values({ key, value: '1', updated_at: 1 }).execute()
  })
}

async function listSettings(): Promise<string[]> {
  const rows = await records.db.selectFrom('settings').select('key').execute()
  return rows.map(({ key }) => key)
}

/** Opens as many connections as the pool may have. */
async function fillPool(): Promise<void> {
  await Promise.all(Array.from({ length: poolSize }, () => sql`select pg_sleep(0.05)`.execute(db)))
  await expect.poll(() => proxy.connectionCount()).toBe(poolSize)
}

describe('a connection to PostgreSQL', () => {
  beforeEach(async () => {
    records = await openMigratedDatabase()
    if (!('postgres' in records.location)) throw new Error('This test needs PostgreSQL.')
    url = records.location.postgres
    proxy = await startTcpProxy(url)
    db = openDatabase({ postgres: proxy.throughProxy(url), poolSize })
  })
  afterEach(async () => {
    await proxy.close()
    await db.destroy()
    await records.close()
  })

  it('that is cut makes its statement fail as unavailable, and the next one gets another', async () => {
    await fillPool()
    const running = errorOf(sql`select pg_sleep(60)`.execute(db))
    await expect.poll(() => countActive('select pg_sleep(60)')).toBe(1)
    proxy.cutAll()
    expect(await running).toBeInstanceOf(DatabaseUnavailable)
    await expect.poll(works).toBe(true)
  })

  it('that is cut at any byte makes its statement fail as unavailable or not at all', async () => {
    for (let bytes = 50; bytes < 1400; bytes += 50) {
      proxy.cutAfter(bytes)
      proxy.cutAll()
      const error = await insertSetting(`cut-${bytes}`).catch((cause: unknown) => cause)
      if (error !== undefined) expect(error).toBeInstanceOf(DatabaseUnavailable)
    }
    proxy.cutAfter(null)
    await expect.poll(works).toBe(true)
  })

  it('that is refused is unavailable, and works as soon as it is accepted', async () => {
    await proxy.refuse()
    expect(await errorOf(ask())).toBeInstanceOf(DatabaseUnavailable)
    await proxy.accept()
    await ask()
  })

  it('that nothing answers is given up soon, whether it was in use, idle or is new', async () => {
    await fillPool()
    const running = errorOf(sql`select pg_sleep(60)`.execute(db))
    await expect.poll(() => countActive('select pg_sleep(60)')).toBe(1)
    proxy.freeze()
    const errors = await Promise.all([running, errorOf(insertSetting('frozen')), errorOf(ask())])
    const late = await errorOf(ask())
    for (const error of [...errors, late]) expect(error).toBeInstanceOf(DatabaseUnavailable)
    proxy.thaw()
    await expect.poll(works).toBe(true)
    expect(await listSettings()).toEqual([])
  })

  it.each(['cut', 'silence'] as const)('whose COMMIT gets no answer (%s) commits once', async (kind) => {
    await fillPool()
    const lost = proxy.loseNextCommit(kind, 'insert into "settings"')
    const error = await errorOf(insertSetting('committed'))
    await lost
    expect(error).toBeInstanceOf(DatabaseUnavailable)
    expect(await listSettings()).toEqual(['committed'])
    await ask()
  })

  it('that loses the answer to a query is given up while PostgreSQL answers others', async () => {
    const holder = await connectPostgres(url)
    await holder.query('begin; lock table settings')
    const blocked = errorOf(db.selectFrom('settings').select('key').execute())
    await expect.poll(() => countActive('select "key" from "settings"')).toBe(1)
    proxy.muteAll()
    await holder.query('commit')
    await holder.end()
    expect(await blocked).toBeInstanceOf(DatabaseUnavailable)
  })

  it('keeps a slow statement, on which PostgreSQL is working', async () => {
    const { rows } = await sql<{ it: string }>`select 'done' as it from pg_sleep(3)`.execute(db)
    expect(rows).toEqual([{ it: 'done' }])
  })

  it.each([
    ['30s', {}],
    ['0', { hasTimeLimit: false }],
  ])('has a time limit of %s with the options %o', async (limit, options) => {
    const other = openDatabase({ postgres: url, poolSize: 1, ...options })
    const { rows } = await sql<{
      limit: string
    }>`select current_setting('statement_timeout') as limit`.execute(other)
    await other.destroy()
    expect(rows).toEqual([{ limit }])
  })

  it('stays usable when a statement fails for a reason of its own', async () => {
    const failing = [
      sql`select * from no_such_table`.execute(db),
      db
        .insertInto('settings')
        .values({ key: null as never, value: '', updated_at: 1 })
        .execute(),
      sql`select ${{ toPostgres: () => Object.assign({}, { a: 1n }) }}`.execute(db),
    ]
    for (const error of await Promise.all(failing.map(errorOf)))
      expect(error).not.toBeInstanceOf(DatabaseUnavailable)
    expect(proxy.connectionCount()).toBe(poolSize)
    await ask()
  })

  it.each([
    ['25006', sql`set transaction read only; insert into settings values ('a', 'a', 1)`],
    ['57014', sql`set local statement_timeout = 10; select pg_sleep(60)`],
    ['57P01', sql`select pg_terminate_backend(pg_backend_pid())`],
    ['53300', sql`do $$ begin raise sqlstate '53300'; end $$`],
    ['08006', sql`do $$ begin raise sqlstate '08006'; end $$`],
  ])('reports %s as unavailable', async (code, statement) => {
    expect(await errorOf(statement.execute(db))).toMatchObject({ constructor: DatabaseUnavailable, code })
  })

  it('does not report a full disk as unavailable', async () => {
    const full = sql`do $$ begin raise sqlstate '53100'; end $$`.execute(db)
    expect(await errorOf(full)).not.toBeInstanceOf(DatabaseUnavailable)
  })
})

/** How many sessions are running this statement. */
async function countActive(statement: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from pg_stat_activity
    where datname = current_database() and state = 'active' and query = ${statement}`.execute(records.db)
  return rows[0]?.n ?? 0
}
