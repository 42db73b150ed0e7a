import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createBlankDatabase, type TestDatabase } from '#testing/test-database.ts'
import { countReplies } from '../../features/analytics/count-usage.ts'
import { listCitedDocuments, listUsage, sumUsage } from '../../features/analytics/store.ts'
import { type Db, openDatabase } from '../client.ts'
import { migrate } from '../migrate.ts'
import { openSnapshot } from '../snapshot.ts'

let folder: string
let database: TestDatabase
let db: Db
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-slots-'))
  database = await createBlankDatabase(folder)
  db = openDatabase(database.location)
})
afterEach(async () => {
  await db.destroy()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const day = '2026-07-01'
const range = { from: day, to: day }

async function readFigures() {
  return {
    total: await listUsage(db, undefined, range),
    channel: await sumUsage(db, ['c'], range),
    cited: await listCitedDocuments(db, ['c'], range, null),
  }
}

async function* readTable(name: string) {
  const snapshot = await openSnapshot(database.location)
  try {
    const table = snapshot.tables.find((shape) => shape.name === name)
    if (table) for await (const rows of snapshot.rows(table)) yield* rows
  } finally {
    await snapshot.close()
  }
}

describe('the migration to slots', () => {
  it('leaves a database readable for the backup that is made before it', async () => {
    await migrate(db, '0026-rate-counters')
    for (const channel of ['c', 'a', 'b'])
      await sql`insert into citation_days values (${channel}, 'd', ${day}, 9)`.execute(db)
    const rows = await Array.fromAsync(readTable('citation_days'))
    expect(rows.map((row) => [...row])).toEqual(['a', 'b', 'c'].map((channel) => [channel, 9, day, 'd']))
  })

  it('keeps the figures, and later counts are added to them', async () => {
    await migrate(db, '0026-rate-counters')
    for (const channel of ['', 'c'])
      for (const [model, asked, tokens] of [
        ['', 1200, 0],
        ['gpt-4o', 0, 5_000_000_000],
      ] as const)
        await sql`insert into usage_days (channel_id, day, model, asked, messages, people, wait_3, input_tokens)
          values (${channel}, ${day}, ${model}, ${asked}, ${asked}, 3, 2, ${tokens})`.execute(db)
    await sql`insert into citation_days (channel_id, document_id, day, citations)
      values ('c', 'd', ${day}, 1500)`.execute(db)
    const before = await readFigures()
    expect(before.total.map(({ model, messages, input_tokens }) => [model, messages, input_tokens])).toEqual([
      ['', 1200, 0],
      ['gpt-4o', 0, 5_000_000_000],
    ])

    expect(await migrate(db, '0027-usage-slots')).toEqual(['0027-usage-slots'])
    expect(await readFigures()).toEqual(before)

    await migrate(db)
    const reply = { userId: 'u', channelId: 'c', askedAt: Date.parse(day), model: 'gpt-4o' }
    const calls = [{ model: 'gpt-4o', input: 1, output: 1 }]
    for (let time = 0; time < 20; time += 1)
      await db.transaction().execute((tx) => countReplies(tx, [{ ...reply, calls, ending: null }]))
    const { total, channel, cited } = await readFigures()
    expect(total.map(({ input_tokens }) => input_tokens)).toEqual([0, 5_000_000_020])
    expect(channel.map(({ input_tokens }) => input_tokens)).toEqual([5_000_000_020])
    expect(cited).toEqual(before.cited)
  })
})
