import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { migrate, SchemaIsNewer } from './migrate.ts'

let records: MigratedDatabase
beforeEach(async () => {
  records = await openMigratedDatabase()
})
afterEach(() => records.close())

function settingRow(key: string, value: string) {
  return { key, value, updated_at: 1 }
}

async function keys(): Promise<string[]> {
  const rows = await records.db.selectFrom('settings').select('key').orderBy('key').execute()
  return rows.map(({ key }) => key)
}

describe('a transaction', () => {
  it('is invisible to others until it commits', async () => {
    const inside = Promise.withResolvers<void>()
    const leave = Promise.withResolvers<void>()
    const writing = records.db.transaction().execute(async (tx) => {
      await tx.insertInto('settings').values(settingRow('a', '1')).execute()
      inside.resolve()
      await leave.promise
    })
    await inside.promise
    expect(await keys()).toEqual([])
    leave.resolve()
    await writing
    expect(await keys()).toEqual(['a'])
  })

  it('leaves nothing behind when it fails', async () => {
    const failing = records.db.transaction().execute(async (tx) => {
      await tx.insertInto('settings').values(settingRow('a', '1')).execute()
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await keys()).toEqual([])
    await records.db.insertInto('settings').values(settingRow('b', '1')).execute()
    expect(await keys()).toEqual(['b'])
  })

  it('does not lose concurrent updates', async () => {
    await records.db.insertInto('settings').values(settingRow('count', '0')).execute()
    function increment() {
      return records.db.transaction().execute(async (tx) => {
        await sql`update settings set value = cast(cast(value as integer) + 1 as text) where key = 'count'`.execute(
          tx,
        )
      })
    }
    await Promise.all(Array.from({ length: 20 }, increment))
    const { value } = await records.db.selectFrom('settings').select('value').executeTakeFirstOrThrow()
    expect(value).toBe('20')
  })
})

describe('a value', () => {
  it('is read back unchanged: big numbers, bytes, all kinds of text', async () => {
    const time = Date.UTC(2026, 10, 21)
    const text = 'naïve 漢字 \u{1f600} "quoted" \'single\''
    await records.db.insertInto('settings').values({ key: 'x', value: text, updated_at: time }).execute()
    await records.db
      .insertInto('embeddings')
      .values({ model: 'm', text_hash: 'h', vector: Buffer.from([0, 1, 255]), created_at: time })
      .execute()
    const setting = await records.db.selectFrom('settings').selectAll().executeTakeFirstOrThrow()
    const embedding = await records.db.selectFrom('embeddings').selectAll().executeTakeFirstOrThrow()
    expect(setting).toEqual({ key: 'x', value: text, updated_at: time })
    expect(Buffer.from(embedding.vector)).toEqual(Buffer.from([0, 1, 255]))
  })

  it('is a number if it is a row count', async () => {
    const { n } = await records.db
      .selectFrom('settings')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    expect(n).toBe(0)
  })

  it('is rejected when it violates a foreign key', async () => {
    const orphan = records.db
      .insertInto('channel_members')
      .values({ channel_id: 'none', user_id: 'none', is_admin: 0, created_at: 1 })
      .execute()
    await expect(orphan).rejects.toThrow(/foreign key/i)
  })
})

describe('migrate', () => {
  it('does nothing when it runs again', async () => {
    expect(await migrate(records.db)).toEqual([])
  })

  it('does not touch the schema of a newer version', async () => {
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2099-01-01')`.execute(
      records.db,
    )
    await expect(migrate(records.db)).rejects.toThrow(SchemaIsNewer)
  })
})

/**
 * A script that queries in loops and in a transaction while PostgreSQL ends its connections. Errors of the queries are
 * expected. Finally it prints the result of one more query.
 */
function queryWhileConnectionsBreak(url: string): string {
  function moduleAt(name: string): string {
    return JSON.stringify(new URL(name, import.meta.url).href)
  }
  return `
    import { setTimeout as wait } from 'node:timers/promises'
    import { sql } from 'kysely'
    import { connectPostgres, openDatabase } from ${moduleAt('./client.ts')}
    const db = openDatabase({ postgres: ${JSON.stringify(url)}, poolSize: 5 })
    const admin = await connectPostgres(${JSON.stringify(url)})
    let isOver = false
    const expected = () => undefined
    async function query() {
      while (!isOver) await sql\`select 1\`.execute(db).catch(expected)
    }
    async function leaveTransactionIdle() {
      while (!isOver) await db.transaction().execute((tx) => sql\`select 1\`.execute(tx).then(() => wait(20))).catch(expected)
    }
    const loops = [query(), query(), leaveTransactionIdle(), leaveTransactionIdle()]
    for (let i = 0; i < 10; i += 1) {
      await wait(30)
      await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'lyceum'")
    }
    isOver = true
    await Promise.all(loops)
    let answer
    while (!answer) answer = await sql\`select 'still here' as it\`.execute(db).then(({ rows }) => rows[0].it, expected)
    console.log(answer)
    await db.destroy()
    await admin.end()
  `
}

it('survives when PostgreSQL ends connections in use', async () => {
  const { location } = records
  if (!('postgres' in location)) return
  const script = queryWhileConnectionsBreak(location.postgres)
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
  })
  expect(stdout).toBe('still here\n')
})
