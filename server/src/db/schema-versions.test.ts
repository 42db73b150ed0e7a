import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type MigratedDatabase, openBlankDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import {
  expandAt,
  isSchemaComplete,
  knownMigrations,
  migrate,
  migrationState,
  SchemaIsNewer,
  SchemaIsOlder,
  waitForSchema,
} from './migrate.ts'

let records: MigratedDatabase
beforeEach(async () => {
  records = await openMigratedDatabase()
})
afterEach(() => records.close())

async function record(name: string): Promise<void> {
  await sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(
    records.db,
  )
}

async function removeNodeStep(): Promise<void> {
  await sql`alter table nodes drop column newest_step`.execute(records.db)
  await forget('0028-expand-node-steps')
}

async function forget(name: string): Promise<void> {
  await sql`delete from kysely_migration where name = ${name}`.execute(records.db)
}

describe('a database that a newer version', () => {
  it.each(['9999-contract-names', '9999-later'])('has changed with %s cannot be used', async (name) => {
    await record(name)
    expect((await migrationState(records.db)).isNewer).toBe(true)
    await expect(migrate(records.db)).rejects.toThrow(SchemaIsNewer)
    await expect(waitForSchema(records.db, 60_000)).rejects.toThrow(
      /^The database was written by a newer version of Lyceum/,
    )
  })

  it('has only added to can be used', async () => {
    await record('9999-expand-names')
    expect(await migrationState(records.db)).toEqual({ pending: [], uncontracted: [], isNewer: false })
    expect(await migrate(records.db)).toEqual([])
    await waitForSchema(records.db, 0)
    await removeNodeStep()
    expect(await migrate(records.db)).toEqual(['0028-expand-node-steps'])
  })
})

describe('a server of a cluster on a schema that is too old', () => {
  it('asks for a stop of all servers at once, if they must be stopped', async () => {
    await forget('0026-rate-counters')
    await expect(waitForSchema(records.db, 60_000)).rejects.toThrow(
      'The database must be upgraded before this version can start. Stop all servers, then run: npx lyceum migrate',
    )
  })

  it('asks for an upgrade when it has waited', async () => {
    await removeNodeStep()
    expect(await isSchemaComplete(records.db)).toBe(false)
    await expect(waitForSchema(records.db, 0)).rejects.toThrow(
      'The database must be upgraded before this version can start. Run: npx lyceum migrate',
    )
  })

  it('goes on once another process has upgraded it', async () => {
    await removeNodeStep()
    const waiting = waitForSchema(records.db, 60_000)
    expect(await migrate(records.db)).toEqual(['0028-expand-node-steps'])
    await waiting
    expect(await isSchemaComplete(records.db)).toBe(true)
  })

  it('waits for the first migration of an empty database', async () => {
    const blank = await openBlankDatabase()
    await expect(waitForSchema(blank.db, 0)).rejects.toThrow(SchemaIsOlder)
    const waiting = waitForSchema(blank.db, 60_000)
    expect(await migrate(blank.db)).toEqual(knownMigrations)
    await waiting
    await blank.close()
  })
})

describe('an upgrade while servers use PostgreSQL', () => {
  it('gives way to them when it cannot get a lock, and tries again', async () => {
    const { db, location } = records
    if (!('postgres' in location)) return
    await removeNodeStep()
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const reading = db.transaction().execute(async (tx) => {
      await sql`select name from nodes`.execute(tx)
      begun.resolve()
      await end.promise
    })
    await begun.promise
    const upgrading = expandAt(location, ['0028-expand-node-steps'])
    const waiting = sql`select from pg_stat_activity where query like 'alter table%' and wait_event_type = 'Lock'`
    await expect.poll(async () => (await waiting.execute(db)).rows.length).toBe(1)
    // This statement waits behind that of the upgrade, which gives up.
    await sql`update nodes set name = 'b' where id = 'none'`.execute(db)
    expect(await isSchemaComplete(db)).toBe(false)
    end.resolve()
    await reading
    expect(await upgrading).toEqual(['0028-expand-node-steps'])
    expect(await isSchemaComplete(db)).toBe(true)
  })
})
