import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '#db/client.ts'
import { isPostgres } from '#db/dialect.ts'
import { createAdmin } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { auditAlone } from './append.ts'
import { auditRetention } from './jobs.ts'
import { verifyChain } from './verify.ts'

let app: TestApp
let db: Db
beforeEach(async () => {
  app = await buildTestApp()
  db = app.deps.db
})
afterEach(() => app.close())

async function writeEntries(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1)
    await auditAlone(app.deps, { actor: null, action: 'settings.changed', after: { left } })
}

function listEntries() {
  return db.selectFrom('audit_log').selectAll().orderBy('seq').execute()
}

/** Removes the guard, as an attacker who may alter the schema could. */
async function removeGuard(): Promise<void> {
  const triggers = isPostgres(db as never)
    ? ['drop trigger audit_log_keeps_rows on audit_log']
    : ['drop trigger audit_log_keeps_rows', 'drop trigger audit_log_keeps_entries']
  for (const statement of triggers) await sql.raw(statement).execute(db)
}

async function readEntry(index: number) {
  const row = (await listEntries())[index]
  if (!row) throw new Error('there is no such entry')
  return row
}

describe('verifyChain', () => {
  beforeEach(async () => {
    await writeEntries(6)
    await removeGuard()
  })

  it('accepts an untouched log', async () => {
    expect(await verifyChain(db)).toEqual({
      entries: 6,
      newestHash: (await readEntry(5)).hash,
      fault: null,
      isExpectedHashFound: false,
    })
  })

  it.each([
    ['after', '{"left":99}'],
    ['actor_name', 'Someone else'],
    ['ip', '192.0.2.1'],
    ['result', 'denied'],
    ['at', 5],
    ['area', 'people'],
  ])('reports the entry whose %s was changed', async (column, value) => {
    const { seq } = await readEntry(2)
    await sql`update audit_log set ${sql.ref(column)} = ${value} where seq = ${seq}`.execute(db)
    expect(await verifyChain(db)).toMatchObject({ entries: 2, fault: { seq } })
  })

  it('reports the entry after a deleted one, even at the beginning of the log', async () => {
    const third = await readEntry(2)
    await db
      .deleteFrom('audit_log')
      .where('seq', '=', (await readEntry(1)).seq)
      .execute()
    expect((await verifyChain(db)).fault?.seq).toBe(third.seq)
    await db
      .deleteFrom('audit_log')
      .where('seq', '=', (await readEntry(0)).seq)
      .execute()
    expect(await verifyChain(db)).toMatchObject({ entries: 0, fault: { seq: third.seq } })
  })

  it('reports the first of two swapped entries', async () => {
    const [one, other] = [await readEntry(1), await readEntry(3)]
    function move(from: number, to: number) {
      return sql`update audit_log set seq = ${to} where seq = ${from}`.execute(db)
    }
    await move(one.seq, 1_000_000)
    await move(other.seq, one.seq)
    await move(1_000_000, other.seq)
    expect((await verifyChain(db)).fault?.seq).toBe(one.seq)
  })

  it('detects a truncated log only with an expected hash', async () => {
    const { hash, seq } = await readEntry(5)
    expect((await verifyChain(db, hash)).isExpectedHashFound).toBe(true)
    await db.deleteFrom('audit_log').where('seq', '=', seq).execute()
    expect(await verifyChain(db, hash)).toMatchObject({ entries: 5, fault: null, isExpectedHashFound: false })
  })
})

describe('the audit log table', () => {
  it('rejects updates and deletes', async () => {
    await writeEntries(2)
    const refusal = /append-only/
    await expect(db.updateTable('audit_log').set({ ip: 'x' }).execute()).rejects.toThrow(refusal)
    await expect(db.deleteFrom('audit_log').execute()).rejects.toThrow(refusal)
    if (isPostgres(db as never)) await expect(sql`truncate audit_log`.execute(db)).rejects.toThrow(refusal)
    expect(await listEntries()).toHaveLength(2)
  })
})

describe('the purge after 400 days', () => {
  it('deletes entries in batches and leaves a verifiable chain', async () => {
    await writeEntries(600)
    const last = await readEntry(599)
    app.advance(auditRetention - 60_000)
    await writeEntries(2)
    app.advance(120_000)
    await app.runJobs()
    const left = await listEntries()
    expect(left.map(({ action }) => action)).toEqual([
      'settings.changed',
      'settings.changed',
      'audit.purged',
      'audit.purged',
    ])
    expect(JSON.parse(left[3]?.after ?? '')).toEqual({ seq: last.seq, hash: last.hash, entries: 100 })
    expect(await verifyChain(db, last.hash)).toMatchObject({
      entries: 4,
      fault: null,
      isExpectedHashFound: true,
    })
    // The permission given to the purge does not extend to the remaining entries.
    await expect(db.deleteFrom('audit_log').execute()).rejects.toThrow(/append-only/)
  })

  it('can delete every entry, after which the log continues', async () => {
    await writeEntries(3)
    app.advance(auditRetention + 60_000)
    await app.runJobs()
    await writeEntries(1)
    expect(await verifyChain(db)).toMatchObject({ entries: 2, fault: null })
  })

  it('deletes and records nothing before entries expire', async () => {
    await createAdmin(app.deps)
    await writeEntries(3)
    app.advance(auditRetention - 60_000)
    await app.runJobs()
    expect(await listEntries()).toHaveLength(3)
  })
})
