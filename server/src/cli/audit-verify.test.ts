import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Db, openDatabase } from '#db/client.ts'
import { isPostgres } from '#db/dialect.ts'
import { runCli } from '#testing/run-cli.ts'
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts'
import { auditAlone } from '../features/audit/append.ts'

let folder: string
let database: TestDatabase
let db: Db
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-verify-'))
  database = await createTestDatabase(folder)
  db = openDatabase(database.location)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

function run(...args: string[]) {
  return runCli(['audit', 'verify', ...args], {
    DATA_DIR: folder,
    ...(database.url ? { DATABASE_URL: database.url } : {}),
  })
}

function addEntry(name: string) {
  return auditAlone({ db, now: Date.now }, { actor: null, action: 'settings.changed', after: { name } })
}

describe('npx lyceum audit verify', () => {
  it('rejects a malformed hash', async () => {
    expect((await run('--expect', 'x')).code).toBe(2)
  })

  it('reports an intact chain and its newest hash', async () => {
    for (const name of ['one', 'two', 'three']) await addEntry(name)
    const { code, stdout, stderr } = await run()
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^3 entries, chain intact\nNewest hash: [0-9a-f]{64}\n$/)
    const hash = /[0-9a-f]{64}/.exec(stdout)?.[0] ?? ''
    await addEntry('four')
    expect((await run('--expect', hash)).code).toBe(0)
  })

  it('reports a missing expected hash, and the first entry that does not match', async () => {
    const gone = await run('--expect', 'a'.repeat(64))
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining('the end of the log was removed')])
    const trigger = isPostgres(db as never)
      ? 'drop trigger audit_log_keeps_rows on audit_log'
      : 'drop trigger audit_log_keeps_entries'
    await sql.raw(trigger).execute(db)
    await db.updateTable('audit_log').set({ after: '{"name":"2"}' }).where('seq', '=', 2).execute()
    const broken = await run()
    expect([broken.code, broken.stdout]).toEqual([1, ''])
    expect(broken.stderr).toMatch(/after 1 entry\.\nThe first entry that does not match is 2 /)
  })
})
